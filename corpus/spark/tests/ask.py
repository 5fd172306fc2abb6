"""What the tests ask `tafl` about corpora."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from taflbase_spark.program import Program

Row = dict[str, object]


def tafl(program: Program, *arguments: str | Path, folder: Path | None = None) -> bytes:
    """Return what a command writes that finds nothing worse than findings."""
    answer = subprocess.run([program.path, *map(str, arguments)], capture_output=True, cwd=folder)
    assert answer.returncode in (0, 1), answer.stderr.decode()
    return answer.stdout


def info(program: Program, corpus: Path) -> Row:
    """Return what must be the same in two corpora of the same games, however their segments are cut."""
    found = json.loads(tafl(program, "info", corpus, "--format", "json"))
    return {name: found[name] for name in ("hash", "games", "plies", "positions", "rejected", "copies", "variants")}


def report(program: Program, corpus: Path) -> bytes:
    """Return the balance report of a corpus as JSON, asked for where it lies: it says how it is named."""
    tafl(program, "report", "balance", corpus.name, "-o", "balance.json", folder=corpus.parent)
    return (corpus.parent / "balance.json").read_bytes()


def sql(program: Program, corpus: Path, select: str) -> list[Row]:
    """Return the answer of `tafl sql`."""
    return json.loads(tafl(program, "sql", corpus, select, "--format", "json"))


def import_alone(program: Program, inputs: list[Path], corpus: Path) -> None:
    """Take inputs into a corpus with one process."""
    tafl(program, "import", corpus, *inputs, "--quiet")


def is_sound(program: Program, corpus: Path) -> bool:
    """Return whether every game of a corpus is as the rules say."""
    return subprocess.run([program.path, "verify", corpus, "--deep"], capture_output=True).returncode == 0


def all_rows(program: Program, corpus: Path) -> tuple[list[Row], list[Row]]:
    """Return all rows of both tables in an order that does not depend on segments.

    Of a compact copy, where copies that were found late stand in their column, too.
    """
    compact = corpus.with_name(f"{corpus.name}-compact")
    shutil.copytree(corpus, compact)
    tafl(program, "compact", compact, "--quiet")
    games = sql(program, compact, "SELECT * FROM games ORDER BY game")
    assert len(games) == info(program, corpus)["games"]
    return games, sql(program, compact, "SELECT * FROM plies ORDER BY game, ply")
