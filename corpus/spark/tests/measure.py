"""Measures what each stage costs: seconds of processor time and bytes for a million plies, for `docs/scaling.md`.

    TAFL=target/release/tafl target/spark-venv/bin/python corpus/spark/tests/measure.py FOLDER GAMES...

Processor time is that of all processes together, with system time, so a busy machine changes it little. The folder
must not be there; everything is written into it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession

from taflbase_spark import explore, importing, parts, rows, session, sources, tables
from taflbase_spark.program import Program, find_program


class Costs:
    """The lines of the table."""

    def __init__(self, million_plies: float) -> None:
        self.million_plies = million_plies

    def line(self, name: str, seconds: float, bytes_in: int, bytes_out: int) -> None:
        """Print a line: seconds, megabytes in and megabytes out for a million plies."""
        numbers = (seconds, bytes_in / 1e6, bytes_out / 1e6)
        print(
            "| " + " | ".join([name, *(f"{number / self.million_plies:.1f}" for number in numbers)]) + " |", flush=True
        )


def alone(command: list[str], output: Path) -> tuple[float, int]:
    """Run a command and return its processor time and the bytes that it wrote."""
    with open(output, "wb") as file:
        started = os.posix_spawn(
            command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 1)]
        )
    _, status, used = os.wait4(started, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), command
    return used.ru_utime + used.ru_stime, output.stat().st_size


def size(folder: Path, pattern: str = "*") -> int:
    """Return the bytes of the files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


def tree_seconds() -> float:
    """Return the processor time of this process and all below it, those that ended included."""
    stats = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        stats[int(folder.name)] = (int(words[1]), sum(map(int, words[11:15])))
    ours = {os.getpid()}
    while more := {pid for pid, (parent, _) in stats.items() if parent in ours} - ours:
        ours |= more
    return sum(stats[pid][1] for pid in ours) / os.sysconf("SC_CLK_TCK")


def shuffled(spark: SparkSession) -> int:
    """Return the bytes that were written for shuffles since the session began."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(at).totalShuffleWrite() for at in range(executors.size()))


def spent(work: Callable[[], object]) -> tuple[float, object]:
    """Return what a piece of work cost, and its result."""
    before = tree_seconds()
    result = work()
    return tree_seconds() - before, result


def one_machine(program: Program, folder: Path, games: list[str]) -> float:
    """Measure `tafl` alone, stage by stage, and return how many million plies there are."""
    tafl = program.path
    n_bytes = sum(source.size for source in sources.find_sources(games))
    imported, _ = alone([tafl, "import", str(folder / "alone"), *games, "--quiet"], folder / "import.txt")
    alone([tafl, "info", str(folder / "alone"), "--format", "json"], folder / "info.json")
    million = json.loads((folder / "info.json").read_text())["plies"] / 1e6
    costs = Costs(million)
    print(f"{million:.3f} million plies\n\n| stage | CPU s | MB in | MB out |\n|---|---|---|---|")
    costs.line("`tafl import`", imported, n_bytes, size(folder / "alone"))
    lines, judged = folder / "lines.jsonl", folder / "rows.jsonl"
    costs.line("`tafl lines`", *_in_out(alone([tafl, "lines", *games, "--quiet"], lines), n_bytes))
    for name in ("validate", "replay"):
        command = [tafl, name, str(lines), "--format", "jsonl", "--quiet"]
        costs.line(f"`tafl {name}`", *_in_out(alone(command, folder / "out"), lines.stat().st_size))
    command = [tafl, "rows", str(lines), "--quiet"]
    costs.line("`tafl rows`", *_in_out(alone(command, judged), lines.stat().st_size))
    part = folder / "part"
    seconds, _ = alone([tafl, "import", str(part), "--rows", str(judged), "--quiet"], folder / "out")
    costs.line("`tafl import --rows`", seconds, judged.stat().st_size, size(part))
    seconds, _ = alone([tafl, "merge", str(folder / "merged"), str(part), "--quiet"], folder / "out")
    costs.line("`tafl merge`", seconds, size(part), 0)
    return million


def _in_out(measured: tuple[float, int], bytes_in: int) -> tuple[float, int, int]:
    seconds, bytes_out = measured
    return seconds, bytes_in, bytes_out


def with_spark(program: Program, folder: Path, games: list[str], million: float) -> None:
    """Measure the stages of `taflbase-spark import` and `explore`, what Spark itself costs included."""
    costs = Costs(million)
    spark = session.session("local[2]")
    seconds, _ = spent(lambda: spark.range(1000).repartition(2).mapInArrow(lambda batches: batches, "id long").count())
    print(
        f"\nThe first job of a session: {seconds:.1f} CPU s.\n\n| stage | CPU s | MB in | MB moved |\n|---|---|---|---|"
    )
    found = sources.find_sources(games)
    n_bytes = sum(source.size for source in found)
    out = folder / "spark"
    asked = importing.Import(tuple(games), str(out))
    builder = parts.Builder(program, str(out / "parts"))
    seconds, built = spent(lambda: parts.build(rows.of_sources(spark, program, found), builder, 4))
    moved = shuffled(spark)
    costs.line("rows, shuffle, parts", seconds, n_bytes, moved)
    seconds, _ = spent(lambda: importing.merge(program, asked.corpus, built))
    costs.line("merge", seconds, size(Path(asked.corpus)), 0)
    seconds, _ = spent(lambda: tables.write(spark, asked.corpus, asked.tables))
    parquet = size(Path(asked.corpus), "games.parquet") + size(Path(asked.corpus), "plies.parquet")
    costs.line("tables", seconds, parquet, shuffled(spark) - moved)
    moved = shuffled(spark)
    seconds, _ = spent(lambda: explore.write(spark, program, asked.corpus, asked.tables))
    costs.line("explore", seconds, size(Path(asked.tables), "*.parquet"), shuffled(spark) - moved)
    for name in (tables.GAMES, tables.PLIES, tables.POSITIONS):
        costs.line(f"table `{name}`", 0, 0, size(Path(asked.tables) / name, "*.parquet"))
    spark.stop()


def main() -> None:
    """Measure what the command line names."""
    folder, games = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True)
    program = find_program()
    with_spark(program, folder, games, one_machine(program, folder, games))


if __name__ == "__main__":
    main()
