"""What the tests share: the program, two executors as processes of their own, and records with copies and faults."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from taflbase_spark.program import Program, find_program

ROOT = Path(__file__).parents[3]
SETTINGS = {
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "4",
    # A lost executor comes again; nothing waits for it longer than it must.
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
}


@pytest.fixture(scope="session")
def program() -> Program:
    """Return the program that is tested: that of `TAFL`, or the one that `cargo build` made."""
    path = os.environ.get("TAFL", str(ROOT / "target" / "debug" / "tafl"))
    if not Path(path).exists():
        pytest.skip(f"there is no program at {path}: run `cargo build --bin tafl`, or set TAFL")
    return find_program(path)


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """Return a session with two executors, a process each, on this machine."""
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    import pyspark

    from taflbase_spark.session import session

    started = session("local-cluster[2,1,1024]", SETTINGS)
    application = started.sparkContext.applicationId
    yield started
    started.stop()
    shutil.rmtree(Path(pyspark.__file__).parent / "work" / application, ignore_errors=True)


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Path:
    """Return a folder of records: the samples of the repository, games of the engine, copies, and garbage."""
    folder = tmp_path_factory.mktemp("games")
    shutil.copytree(ROOT / "tests" / "fixtures" / "records" / "valid", folder / "valid")
    shutil.copytree(ROOT / "tests" / "fixtures" / "records" / "invalid", folder / "invalid")
    for seed, variant in enumerate(("brandubh7", "tablut9_wtf", "hexentafl4"), 1):
        options = ["--variant", variant, "--seed", str(seed), "--games", "40", "--nodes", "60", "--plies", "60"]
        path = folder / f"{variant}.jsonl"
        subprocess.run([program.path, "selfplay", *options, "--quiet", "-o", path], check=True)
    # Copies of games that come before and behind the first ones.
    shutil.copy(folder / "brandubh7.jsonl", folder / "again.jsonl")
    text = (folder / "tablut9_wtf.jsonl").read_text().splitlines(keepends=True)
    (folder / "zz-some.jsonl").write_text("".join(text[::3]))
    (folder / "garbage.bin").write_bytes(bytes(range(256)) * 64)
    return folder


@pytest.fixture
def slow(tmp_path: Path, program: Program) -> tuple[Program, Path]:
    """Return the program behind a script whose first starts wait, and a folder where each start is noted."""
    notes = tmp_path / "notes"
    notes.mkdir()
    script = tmp_path / "slow-tafl"
    script.write_text(
        f"#!/bin/sh\ncase \"$1\" in\nrows|import) : > '{notes}'/$1-$$; sleep 3;;\nesac\nexec '{program.path}' \"$@\"\n"
    )
    script.chmod(0o755)
    return Program(str(script), program.version), notes
