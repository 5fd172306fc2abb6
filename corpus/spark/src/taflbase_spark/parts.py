"""Row lines to parts: each partition becomes a small corpus of its own, which `tafl merge` takes as it is.

A part is written by an attempt of a task into a folder of that attempt, and renamed to its place when it is whole. Of
two attempts of one task, after a failure or by speculation, the first to rename wins; the other finds the place taken
and is thrown away. Both would have had the same bytes: the rows of a part are sorted before it is built.
"""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from taflbase_spark import batch, stream
from taflbase_spark.program import Program

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PARTS = "part long, path string"


@dataclass(frozen=True)
class Builder:
    """Builds parts in a folder that all workers have."""

    program: Program
    """The program that builds them."""
    folder: str
    """Where they come to stand."""
    keep: str = "better"
    """Which of two copies of a game is kept, as `tafl import --keep` says."""

    def path(self, number: int) -> Path:
        """Return the place of a part."""
        return Path(self.folder) / f"part-{number:06}"

    def build(self, number: int, row_lines: Iterable[bytes]) -> Path:
        """Build a part from its rows in their order, unless it is there already; return its place.

        Raises:
            ProgramError: `tafl` did not take the rows. Nothing of the attempt is left then.

        """
        place = self.path(number)
        if place.exists():
            return place
        aside = Path(self.folder) / f".attempt-{number:06}-{uuid.uuid4().hex}"
        arguments = ["import", str(aside), "--rows", "-", "--keep", self.keep, "--quiet", "--format", "json"]
        try:
            for _ in stream.answers(self.program.command(*arguments), row_lines):
                pass  # the summary; the driver asks the merged corpus
            commit(aside, place)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return place


def commit(aside: Path, place: Path) -> bool:
    """Rename a whole part to its place; return False where another attempt was faster."""
    with suppress(FileNotFoundError):
        # It names the process that wrote, which is nobody's business any more.
        (aside / "writer.lock").unlink()
    try:
        os.rename(aside, place)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY) or not (place / "manifest.json").exists():
            raise
        return False
    return True


def build(rows: DataFrame, builder: Builder, n_parts: int) -> list[Path]:
    """Build the parts of row lines and return their places, in the order of their numbers.

    What may be a copy of what has the same bucket, and comes into the same part; within a part the order is that of
    the input.
    """

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        number = TaskContext.get().partitionId()
        place = builder.build(number, batch.chunks(batches))
        yield pa.record_batch({"part": pa.array([number], pa.int64()), "path": pa.array([str(place)])})

    Path(builder.folder).mkdir(parents=True, exist_ok=True)
    sorted_rows = rows.repartition(n_parts, "bucket").sortWithinPartitions("input", "ordinal")
    built = sorted_rows.mapInArrow(answer, _PARTS).collect()
    return [Path(row.path) for row in sorted(built, key=lambda row: row.part)]
