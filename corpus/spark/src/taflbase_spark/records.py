"""Records in any notation, processed one by one: workers split files into record lines, and a command answers each.

Three kinds of sources are read in three ways. Files of record lines are split by Spark between lines, so that many
workers share a large file. Other files in a folder that all workers share are split by `tafl lines`, each by one
worker. Files at an address (`s3a://`, `hdfs://`) are read by Spark, each as a whole, and split by `tafl lines`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from taflbase_spark import batch, sources, stream
from taflbase_spark.program import Program, ProgramError
from taflbase_spark.sources import Source, SourceError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

SPLIT_BYTES = 64 << 20
"""The number of bytes of a part of a file of record lines."""
TASKS_PER_CORE = 4
"""The number of reading tasks per core, so that a slow task does not delay the others."""


@dataclass(frozen=True)
class Question:
    """A question about each record."""

    arguments: tuple[str, ...]
    """The arguments of `tafl`: a command that answers each record line from standard input with one line."""
    batches: Callable[[Iterable[bytes]], Iterator[pa.RecordBatch]] = batch.batches
    """The function that converts answers to columns."""
    schema: str = batch.LINES
    """The schema of these columns."""


@dataclass(frozen=True)
class Cutter:
    """Splits files into record lines."""

    program: Program
    """The program that splits."""
    options: tuple[str, ...] = ()
    """Options of `tafl lines` besides its input, such as `--variant NAME`."""

    def command(self, source: Source, path: str) -> list[str]:
        """Return the command that splits a source: a path, or `-` for standard input."""
        name = ["--name", source.path] if path == "-" else []
        number = ["--source-number", str(source.number + 1)]
        found = ["--found"] if source.is_found else []
        return self.program.command("lines", path, *name, *number, *found, "--quiet", *self.options)

    def file(self, source: Source, question: Question) -> Iterator[bytes]:
        """Yield the answers for a local file, from two processes connected by a pipe."""
        command = self.command(source, source.path)
        cutter = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            yield from stream.answers(self.program.command(*question.arguments), stdin=cutter.stdout)
            cutter.stdout.close()
            code = cutter.wait()
            if code not in stream.ACCEPTED:
                raise ProgramError(f"`{' '.join(command)}` ended with exit code {code}")
        finally:
            if cutter.poll() is None:
                cutter.kill()
                cutter.wait()

    def content(self, source: Source, content: bytes, question: Question) -> Iterator[bytes]:
        """Yield the answers for a file in memory."""
        lines = stream.answers(self.command(source, "-"), [content])
        return stream.answers(self.program.command(*question.arguments), lines)


def ask(spark: SparkSession, cutter: Cutter, found: Sequence[Source], question: Question) -> DataFrame:
    """Return the answers for all records of sources.

    Raises:
        SourceError: There are no sources.

    """
    lines, remote, local = [], [], []
    for source in found:
        kind = lines if sources.is_record_lines(source) else remote if source.is_remote else local
        kind.append(source)
    tables = []
    if lines:
        tables.append(ask_lines(_read_lines(spark, lines), cutter.program, question))
    if remote:
        tables.append(_ask_remote(spark, cutter, remote, question))
    if local:
        tables.append(_ask_local(spark, cutter, local, question))
    if not tables:
        raise SourceError("there is nothing to read: the inputs have no files")
    return reduce(lambda table, other: table.unionAll(other), tables)


def ask_lines(lines: DataFrame, program: Program, question: Question) -> DataFrame:
    """Return one answer per record line; the table has the column `line`."""

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        chunks = batch.chunks(batches)
        return question.batches(stream.one_for_one(program.command(*question.arguments), chunks))

    return lines.mapInArrow(answer, question.schema)


def _read_lines(spark: SparkSession, files: Sequence[Source]) -> DataFrame:
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(SPLIT_BYTES))
    text = spark.read.option("lineSep", "\n").text([source.path for source in files])
    # As bytes: `tafl` reports invalid UTF-8.
    return text.selectExpr("CAST(value AS BINARY) AS line")


def _ask_local(spark: SparkSession, cutter: Cutter, files: Sequence[Source], question: Question) -> DataFrame:
    tasks = sources.bins(files, TASKS_PER_CORE * spark.sparkContext.defaultParallelism)

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for numbers in batches:
            for number in numbers.column("id").to_pylist():
                for source in tasks[number]:
                    yield from question.batches(cutter.file(source, question))

    return spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(answer, question.schema)


def _ask_remote(spark: SparkSession, cutter: Cutter, files: Sequence[Source], question: Question) -> DataFrame:
    known = {source.path: source for source in files}
    content = spark.read.format("binaryFile").load(list(known)).select("path", "content")

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for found in batches:
            for path, content in zip(*(column.to_pylist() for column in found.columns), strict=True):
                yield from question.batches(cutter.content(known[path], content, question))

    return content.mapInArrow(answer, question.schema)
