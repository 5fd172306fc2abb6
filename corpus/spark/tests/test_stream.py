"""Lines through programs: what is accepted, and what fails."""

from __future__ import annotations

import pytest

from taflbase_spark import batch, stream
from taflbase_spark.program import Program, ProgramError, find_program


def shell(script: str, *chunks: bytes) -> bytes:
    """Return what a script answers."""
    return b"".join(stream.answers(["sh", "-c", script], chunks))


def test_answers_are_whole_lines_however_long() -> None:
    lines = [b"a" * 3_000_000, b"", b"\xff\xfe", b"b"]
    pieces = list(stream.answers(["cat"], [b"\n".join([*lines, b""])]))
    assert all(piece.endswith(b"\n") for piece in pieces)
    assert [line for piece in pieces for line in piece.split(b"\n")[:-1]] == lines


def test_input_and_output_larger_than_pipes_do_not_wait_for_each_other() -> None:
    chunk = b"0123456789\n" * 100_000
    assert shell("cat", *[chunk] * 20) == chunk * 20


def test_findings_are_no_failure_but_errors_are() -> None:
    assert shell("cat; exit 1", b"a\n") == b"a\n"
    with pytest.raises(ProgramError, match="exit code 2(.|\n)*broken"):
        shell("cat; echo broken >&2; exit 2", b"a\n")


def test_a_program_that_does_not_read_everything_fails() -> None:
    with pytest.raises(ProgramError, match="before it had read"):
        shell("head -c 1 > /dev/null", *[b"a" * 100_000 + b"\n"] * 20)


def test_an_error_of_the_input_is_raised_again() -> None:
    def poisoned() -> object:
        yield b"a\n"
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        list(stream.answers(["cat"], poisoned()))


def test_a_lost_or_doubled_line_is_a_failure() -> None:
    assert list(stream.one_for_one(["cat"], [b"a\nb\n"])) == [b"a\nb\n"]
    for script in ("sed 1d", "sed p"):
        with pytest.raises(ProgramError, match="answered 2 lines with"):
            list(stream.one_for_one(["sh", "-c", script], [b"a\nb\n"]))


def test_batches_are_bounded() -> None:
    many = list(batch.lists([b"a\n" * (3 * batch.BATCH_LINES)]))
    assert [len(lines) for lines in many] == [batch.BATCH_LINES] * 3
    large = [b"x" * batch.BATCH_BYTES, b"y"]
    assert list(batch.lists([b"\n".join([*large, b""])])) == [[large[0]], [large[1]]]
    assert [found.num_rows for found in batch.batches([b"\n\n"])] == [2]
    assert list(batch.batches([])) == []


def test_another_version_of_the_program_is_refused() -> None:
    found = find_program("/bin/echo")
    with pytest.raises(ProgramError, match="--ship"):
        Program(found.path, "tafl 99.0.0").command("rows")
    with pytest.raises(ProgramError, match="cannot be run"):
        find_program("/nowhere/tafl")
