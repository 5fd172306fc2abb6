"""Row lines, the answers of `tafl rows`: the part that Spark reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from taflbase_spark import batch, records
from taflbase_spark.program import Program
from taflbase_spark.sources import Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = "bucket long, input long, ordinal long, line binary"
"""The schema of a table of row lines: the bucket, the place in the input, and the line."""
_HEAD = re.compile(rb'\{"taflbase_row":2,"bucket":"([0-9a-f]{16})","order":\[(\d+),(\d+)\]')
"""The start of a row line; the rest is not read here."""


class RowError(ValueError):
    """A line is not a row line of the supported version."""


def head(line: bytes) -> tuple[int, int, int]:
    """Return the bucket, the input number, and the record number at the start of a row line.

    The bucket is the signed number of its digits, because Spark has no unsigned numbers of 64 bits.

    Raises:
        RowError: It begins otherwise.

    """
    found = _HEAD.match(line)
    if found is None:
        raise RowError(f"no row line of version 2: {line[:120].decode('utf-8', 'replace')}")
    return int.from_bytes(bytes.fromhex(found[1].decode()), "big", signed=True), int(found[2]), int(found[3])


def batches(pieces: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    """Yield row lines as batches with the columns of `ROWS`."""
    for lines in batch.lists(pieces):
        buckets, inputs, ordinals = zip(*map(head, lines), strict=True)
        columns = {"bucket": buckets, "input": inputs, "ordinal": ordinals}
        arrays = {name: pa.array(values, pa.int64()) for name, values in columns.items()}
        yield pa.record_batch({**arrays, "line": pa.array(lines, pa.binary())})


QUESTION = records.Question(("rows", "-", "--record-lines", "--threads", "1", "--quiet"), batches, ROWS)
"""The question that converts record lines to a table of row lines."""


def of_sources(
    spark: SparkSession, program: Program, found: Sequence[Source], options: Sequence[str] = ()
) -> DataFrame:
    """Return the row lines of all records of sources. `options` are those of `tafl lines`, such as `--variant NAME`."""
    return records.ask(spark, records.Cutter(program, tuple(options)), found, QUESTION)
