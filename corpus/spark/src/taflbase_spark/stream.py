"""Lines through a program: bytes in, bytes out, in bounded memory."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO

from taflbase_spark.program import ProgramError

CHUNK = 1 << 20
"""The number of bytes per read from a program."""
ACCEPTED = (0, 1)
"""The exit codes of `tafl` for a complete answer: without and with findings."""


class _Feeder(threading.Thread):
    """Writes chunks to a pipe while another thread reads the answers."""

    def __init__(self, chunks: Iterable[bytes], pipe: object) -> None:
        super().__init__(daemon=True)
        self._chunks = chunks
        self._pipe = pipe
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            for chunk in self._chunks:
                self._pipe.write(chunk)
            self._pipe.flush()
        except BaseException as error:  # the reader raises it again, in the thread of the task
            self.error = error
        with suppress(OSError):
            self._pipe.close()


class _Listener(threading.Thread):
    """Copies the messages of a program to the worker's log, and keeps the last ones."""

    def __init__(self, pipe: object) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self.last: deque[str] = deque(maxlen=10)

    def run(self) -> None:
        for line in self._pipe:
            text = line.decode("utf-8", "replace").rstrip("\n")
            self.last.append(text[:500])
            sys.stderr.write(f"tafl: {text}\n")


def answers(command: Sequence[str], chunks: Iterable[bytes] = (), stdin: IO[bytes] | None = None) -> Iterator[bytes]:
    """Yield the output of a program in pieces of whole lines.

    `chunks` go to its standard input, or it reads from `stdin` itself. Input is written and output read at the same
    time, so neither side waits for the other.

    Raises:
        ProgramError: It ended with another exit code than 0 or 1, or before it had read everything.

    """
    process = subprocess.Popen(
        list(command), stdin=stdin or subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    feeder = _Feeder(chunks, process.stdin) if stdin is None else None
    listener = _Listener(process.stderr)
    for thread in filter(None, (feeder, listener)):
        thread.start()
    try:
        begun: list[bytes] = []
        while chunk := process.stdout.read1(CHUNK):
            end = chunk.rfind(b"\n") + 1
            if end > 0:
                yield b"".join([*begun, chunk[:end]])
                begun.clear()
            if end < len(chunk):
                begun.append(chunk[end:])
        if begun:
            yield b"".join([*begun, b"\n"])
        code = process.wait()
        for thread in filter(None, (feeder, listener)):
            thread.join()
        _check(command, code, feeder, listener)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _check(command: Sequence[str], code: int, feeder: _Feeder | None, listener: _Listener) -> None:
    shown = " ".join(command)
    said = "".join(f"\n  {line}" for line in listener.last)
    if code not in ACCEPTED:
        raise ProgramError(f"`{shown}` ended with exit code {code}{said}")
    error = feeder.error if feeder else None
    if isinstance(error, BrokenPipeError):
        raise ProgramError(f"`{shown}` ended before it had read its input{said}")
    if error is not None:
        raise error


def one_for_one(command: Sequence[str], chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the answers of a program that writes one line per input line.

    Raises:
        ProgramError: As `answers`, or a line is missing or too much.

    """
    asked = 0
    answered = 0

    def counted() -> Iterator[bytes]:
        nonlocal asked
        for chunk in chunks:
            asked += chunk.count(b"\n")
            yield chunk

    for piece in answers(command, counted()):
        answered += piece.count(b"\n")
        yield piece
    if asked != answered:
        raise ProgramError(f"`{' '.join(command)}` answered {asked} lines with {answered}")
