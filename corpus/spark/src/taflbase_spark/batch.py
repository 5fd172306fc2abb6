"""Lines as columns of Arrow, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

LINES = "line binary"
"""The schema of a table of lines, for Spark. Lines are bytes: records need not be UTF-8."""
BATCH_LINES = 2_000
"""The maximum number of lines of a batch."""
BATCH_BYTES = 4 << 20
"""The number of bytes at which a batch is full."""


def chunks(batches: Iterable[pa.RecordBatch], column: str = "line") -> Iterator[bytes]:
    """Yield the lines of batches as bytes, each followed by a newline."""
    for batch in batches:
        lines = batch.column(column).to_pylist()
        if lines:
            yield b"\n".join([*lines, b""])


def lists(pieces: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines of pieces that end with newlines, at most one batch at a time."""
    lines: list[bytes] = []
    size = 0
    for piece in pieces:
        for line in piece.split(b"\n")[:-1]:
            lines.append(line)
            size += len(line)
            if len(lines) >= BATCH_LINES or size >= BATCH_BYTES:
                yield lines
                lines, size = [], 0
    if lines:
        yield lines


def batches(pieces: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    """Yield pieces as batches of one column, `line`."""
    for lines in lists(pieces):
        yield pa.record_batch({"line": pa.array(lines, pa.binary())})
