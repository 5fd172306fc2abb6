"""The way of a corpus: sources, row lines, parts, one corpus, tables."""

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
"""For so many bytes of sources there is a part: about a segment of a corpus."""
CORPUS = "corpus"
"""The folder of the corpus below that of the result."""
TABLES = "tables"
"""The folder of the tables below that of the result."""


@dataclass(frozen=True)
class Import:
    """What is taken in, and how."""

    inputs: tuple[str, ...]
    """Files, folders, globs and addresses, in the order that decides which of two copies came first."""
    out: str
    """The folder of the result, which all workers have: `corpus/` and `tables/` below it."""
    options: tuple[str, ...] = ()
    """Options of `tafl lines`, such as `--variant NAME`."""
    keep: str = "better"
    """Which of two copies of a game is kept, as `tafl import --keep` says."""
    n_parts: int | None = None
    """How many parts there are; by default one for `PART_BYTES`, and one for each core at least."""
    keeps_parts: bool = False
    """Whether the parts stay after they were merged."""

    @property
    def corpus(self) -> str:
        """Where the corpus is."""
        return str(Path(self.out) / CORPUS)

    @property
    def tables(self) -> str:
        """Where the tables are."""
        return str(Path(self.out) / TABLES)


def run(spark: SparkSession, program: Program, asked: Import) -> None:
    """Take records into a corpus and write its tables. Started again after a failure, it goes on with what is there.

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
    """Return how many parts sources are worth."""
    return max(spark.sparkContext.defaultParallelism, -(-sum(source.size for source in found) // PART_BYTES))


def job_name(program: Program, asked: Import, found: Sequence[Source], n_parts: int) -> str:
    """Return a name for what is taken in and how: parts with the same name are good for the same job only."""
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
    """Make parts belong to a corpus, all of them or none. Parts that it has already change nothing.

    Raises:
        ProgramError: `tafl merge` failed.

    """
    command = [program.path, "merge", corpus, *map(str, built), "--keep", keep, "--quiet"]
    answer = subprocess.run(command, capture_output=True)
    if answer.returncode not in (0, 1):
        raise ProgramError(f"`tafl merge {corpus} ...`: {answer.stderr.decode('utf-8', 'replace')}")
