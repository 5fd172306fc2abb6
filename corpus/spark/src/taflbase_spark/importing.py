"""The steps of an import: sources, row lines, parts, one corpus, tables."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from taflbase_spark import parts, rows, sources, tables
from taflbase_spark.program import Program, ProgramError
from taflbase_spark.sources import Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PART_BYTES = 16 << 20
"""The number of bytes of sources per part: about a segment of a corpus."""
CORPUS = "corpus"
"""The subfolder of the corpus."""
TABLES = "tables"
"""The subfolder of the tables."""


@dataclass(frozen=True)
class Import:
    """The options of an import."""

    inputs: tuple[str, ...]
    """Files, folders, globs, and addresses; their order decides which of two copies is the first."""
    out: str
    """The folder of the result, shared by all workers; it contains `corpus/` and `tables/`."""
    options: tuple[str, ...] = ()
    """Options of `tafl lines`, such as `--variant NAME`."""
    keep: str = "better"
    """The copy of a game to keep, like `tafl import --keep`."""
    n_parts: int | None = None
    """The number of parts; by default one per `PART_BYTES`, and at least one per core."""
    keeps_parts: bool = False
    """Whether to keep the parts after the merge."""

    @property
    def corpus(self) -> str:
        """The path of the corpus."""
        return str(Path(self.out) / CORPUS)

    @property
    def tables(self) -> str:
        """The path of the tables."""
        return str(Path(self.out) / TABLES)


def run(spark: SparkSession, program: Program, asked: Import) -> None:
    """Import records into a corpus and write its tables. After a failure, it continues with the existing parts.

    Raises:
        SourceError: An input is not there.
        ProgramError: `tafl` failed on the driver. Failures on workers are those of Spark.

    """
    found = sources.find_sources(asked.inputs, spark)
    n_parts = asked.n_parts or count_parts(spark, found)
    folder = Path(asked.out).absolute() / f"parts-{job_name(program, asked, found, n_parts)}"
    builder = parts.Builder(program, str(folder), asked.keep)
    built = parts.build(rows.of_sources(spark, program, found, asked.options), builder, n_parts)
    merge(program, asked.corpus, built, asked.keep)
    tables.write(spark, asked.corpus, asked.tables)
    if not asked.keeps_parts:
        shutil.rmtree(folder)


def count_parts(spark: SparkSession, found: Sequence[Source]) -> int:
    """Return the number of parts for sources."""
    return max(spark.sparkContext.defaultParallelism, -(-sum(source.size for source in found) // PART_BYTES))


def job_name(program: Program, asked: Import, found: Sequence[Source], n_parts: int) -> str:
    """Return a name for the sources and options: parts can be reused only by a job with the same name."""
    named = hashlib.sha256()
    for said in (program.version, asked.keep, n_parts, *asked.options):
        named.update(f"{said}\0".encode())
    for source in found:
        changed = "-"
        with suppress(OSError):
            changed = str(Path(source.path).stat().st_mtime_ns)
        named.update(f"{source.path}\0{source.size}\0{changed}\0".encode())
    return named.hexdigest()[:16]


def merge(program: Program, corpus: str, built: Sequence[Path], keep: str = "better") -> None:
    """Add parts to a corpus, all or none. Parts that it already contains change nothing.

    Raises:
        ProgramError: `tafl merge` failed.

    """
    command = [program.path, "merge", corpus, *map(str, built), "--keep", keep, "--quiet"]
    answer = subprocess.run(command, capture_output=True)
    if answer.returncode not in (0, 1):
        raise ProgramError(f"`tafl merge {corpus} ...`: {answer.stderr.decode('utf-8', 'replace')}")
