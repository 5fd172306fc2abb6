"""Killed workers, poisoned records, tasks that run twice: the same games, nothing lost or doubled."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import ask
import pytest
from pyspark.sql import SparkSession

from taflbase_spark import importing, parts, rows, sources
from taflbase_spark.importing import Import
from taflbase_spark.program import Program, ProgramError


def executors(spark: SparkSession) -> list[int]:
    """Return the process numbers of the executors of this application."""
    application = spark.sparkContext.applicationId.encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if application in words and any(word.endswith(b"CoarseGrainedExecutorBackend") for word in words):
            found.append(int(folder.name))
    return found


def kill_at(spark: SparkSession, begun: Callable[[], bool], killed: list[int]) -> threading.Thread:
    """Start a thread that kills an executor as soon as something has begun."""

    def watch() -> None:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not begun():
            time.sleep(0.05)
        victim = max(executors(spark))
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


@pytest.mark.parametrize("stage", ["rows", "import"])
def test_a_worker_killed_in_the_middle_changes_nothing(
    spark: SparkSession, program: Program, games: Path, slow: tuple[Program, Path], tmp_path: Path, stage: str
) -> None:
    slowly, notes = slow
    alone = tmp_path / "alone"
    ask.import_alone(program, [games], alone)
    killed: list[int] = []
    # As soon as both executors are at work, each with a task that waits.
    watcher = kill_at(spark, lambda: len(list(notes.glob(f"{stage}-*"))) >= 2, killed)
    asked = Import((str(games),), str(tmp_path / "out"), n_parts=4)
    built = build_parts(spark, slowly, asked)
    watcher.join()
    assert len(killed) == 1
    assert not Path(f"/proc/{killed[0]}").exists(), "the executor is gone"
    starts = len(list(notes.glob(f"{stage}-*")))
    n_tasks = {"rows": len(sources.find_sources([str(games)])), "import": 4}[stage]
    assert starts > n_tasks, f"{starts} starts of {n_tasks}: what was killed was not at work"
    importing.merge(program, asked.corpus, built)
    assert ask.info(program, Path(asked.corpus)) == ask.info(program, alone)
    assert ask.all_rows(program, Path(asked.corpus)) == ask.all_rows(program, alone)


def build_parts(spark: SparkSession, program: Program, asked: Import) -> list[Path]:
    """Build the parts of an import, without merging them."""
    found = sources.find_sources(asked.inputs, spark)
    builder = parts.Builder(program, str(Path(asked.out) / "parts"), asked.keep)
    return parts.build(rows.of_sources(spark, program, found), builder, asked.n_parts)


def test_a_poisoned_record_is_rejected_and_the_others_stay(
    spark: SparkSession, program: Program, games: Path, tmp_path: Path
) -> None:
    lines = tmp_path / "poisoned.records.jsonl"
    good = ask.tafl(program, "lines", games / "brandubh7.jsonl", "--quiet").splitlines(keepends=True)
    poison = [
        b"\xff\xfe\x00 garbage \x80\n",
        b"\n",
        b'{"taflbase_record":1,"source":"cut off\n',
        b'{"taflbase_record":99,"text":"from the future"}\n',
        b'{"taflbase_record":1,"source":"long","place":1,"ordinal":1,"text":"' + b"d6-c6 " * 3_500_000 + b'"}\n',
    ]
    lines.write_bytes(b"".join([*good[:7], *poison, *good[7:]]))
    found = sources.find_sources([str(lines)], spark)
    answered = rows.of_sources(spark, program, found).collect()
    assert len(answered) == len(good) + len(poison)
    alone = tmp_path / "alone"
    ask.import_alone(program, [lines], alone)
    asked = Import((str(lines),), str(tmp_path / "out"), n_parts=2)
    importing.merge(program, asked.corpus, build_parts(spark, program, asked))
    both = ask.info(program, Path(asked.corpus)), ask.info(program, alone)
    assert both[0] == both[1]
    assert both[0]["games"] + both[0]["copies"] == len(good)


def part_lines(program: Program, games: Path) -> list[bytes]:
    """Return the row lines of some games, in order."""
    answered = ask.tafl(program, "rows", games / "brandubh7.jsonl", "--quiet")
    return answered.splitlines(keepends=True)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_task_that_runs_twice_at_once_makes_one_part(
    spark: SparkSession, program: Program, games: Path, slow: tuple[Program, Path], tmp_path: Path
) -> None:
    slowly, notes = slow
    lines = part_lines(program, games)
    builder = parts.Builder(slowly, str(tmp_path / "parts"))
    Path(builder.folder).mkdir()

    def attempt(_: Iterator[int]) -> Iterator[tuple[int, str]]:
        yield 3, str(builder.attempt(3, lines))

    built = spark.sparkContext.parallelize(range(2), 2).mapPartitions(attempt).collect()
    assert len(list(notes.glob("import-*"))) == 2, "both attempts were made"
    first, second = (contents(Path(path)) for _, path in built)
    assert first == second
    # A third one was cut off with its executor, and nobody hears of it.
    builder.attempt(3, lines[: len(lines) // 2])
    assert builder.commit([(number, Path(path)) for number, path in built]) == [builder.path(3)]
    assert [path.name for path in Path(builder.folder).iterdir()] == ["part-000003"]
    assert contents(builder.path(3)) == first


def test_an_attempt_that_fails_leaves_nothing(program: Program, games: Path, tmp_path: Path) -> None:
    lines = part_lines(program, games)

    def broken() -> Iterator[bytes]:
        yield from lines[:5]
        raise ConnectionError("the shuffle file is gone")

    builder = parts.Builder(program, str(tmp_path))
    with pytest.raises(ConnectionError):
        builder.attempt(0, broken())
    with pytest.raises(ProgramError):
        builder.attempt(0, [lines[0], b"no row line\n"])
    assert list(tmp_path.iterdir()) == []


def test_merging_again_doubles_nothing(program: Program, games: Path, tmp_path: Path) -> None:
    builder = parts.Builder(program, str(tmp_path))
    attempts = [(0, builder.attempt(0, part_lines(program, games))), (1, builder.attempt(1, []))]
    built = builder.commit(attempts)
    corpus = tmp_path / "corpus"
    importing.merge(program, str(corpus), built)
    before = ask.info(program, corpus)
    copy = tmp_path / "copy-of-part"
    shutil.copytree(built[0], copy)
    importing.merge(program, str(corpus), [*built, copy])
    assert ask.info(program, corpus) == before
