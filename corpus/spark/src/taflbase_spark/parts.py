"""Row lines to parts: each partition becomes a small corpus, which `tafl merge` adds unchanged.

Each attempt of a task writes a part into its own folder. For each part, Spark returns the answer of one attempt that
it knows to be complete; the driver renames the folder of this attempt to the path of the part, and removes the others.
An attempt that outlives its executor, and takes the end of a broken connection for the end of its rows, is therefore
ignored. Two complete attempts have the same bytes, because rows are sorted.
"""

from __future__ import annotations

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
_ATTEMPT = ".attempt-"


@dataclass(frozen=True)
class Builder:
    """Builds parts in a folder shared by all workers."""

    program: Program
    """The program that builds them."""
    folder: str
    """The folder of the parts."""
    keep: str = "better"
    """The copy of a game to keep, like `tafl import --keep`."""

    def path(self, number: int) -> Path:
        """Return the path of a part."""
        return Path(self.folder) / f"part-{number:06}"

    def attempt(self, number: int, row_lines: Iterable[bytes]) -> Path:
        """Build a part from its ordered rows in a new folder, unless it exists; return its path.

        Raises:
            ProgramError: `tafl` rejected the rows. The folder of the attempt is removed.

        """
        place = self.path(number)
        if place.exists():
            return place
        aside = Path(self.folder) / f"{_ATTEMPT}{number:06}-{uuid.uuid4().hex}"
        arguments = ["import", str(aside), "--rows", "-", "--keep", self.keep, "--quiet", "--format", "json"]
        try:
            for _ in stream.answers(self.program.command(*arguments), row_lines):
                pass  # the summary; the driver queries the merged corpus
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
        with suppress(FileNotFoundError):
            # It contains the ID of the writing process, the only difference between two attempts.
            (aside / "writer.lock").unlink()
        return aside

    def commit(self, built: Iterable[tuple[int, Path]]) -> list[Path]:
        """Move complete attempts to the paths of their parts, remove all others, and return the paths."""
        places = []
        for number, found in sorted(dict(built).items()):
            place = self.path(number)
            if not place.exists():
                os.rename(found, place)
            places.append(place)
        for other in Path(self.folder).glob(f"{_ATTEMPT}*"):
            shutil.rmtree(other, ignore_errors=True)
        return places


def build(rows: DataFrame, builder: Builder, n_parts: int) -> list[Path]:
    """Build the parts of row lines and return their paths, in the order of their numbers.

    Games that may be copies of each other have the same bucket, and are in the same part. Within a part, rows have the
    order of the input.
    """

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        number = TaskContext.get().partitionId()
        found = builder.attempt(number, batch.chunks(batches))
        yield pa.record_batch({"part": pa.array([number], pa.int64()), "path": pa.array([str(found)])})

    Path(builder.folder).mkdir(parents=True, exist_ok=True)
    # The line itself decides only if two files of record lines contain the same place.
    sorted_rows = rows.repartition(n_parts, "bucket").sortWithinPartitions("input", "ordinal", "line")
    built = sorted_rows.mapInArrow(answer, _PARTS).collect()
    return builder.commit((row.part, Path(row.path)) for row in built)
