"""The command line `taflbase-spark`: `import`, `tables`, `explore`, `sql`, and jobs that process each record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from taflbase_spark import explore, importing, jobs, records, session, sources, tables
from taflbase_spark.importing import Import
from taflbase_spark.program import Program, ProgramError, find_program, ship_program

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EPILOG = "What stands behind `--` goes to tafl: taflbase-spark annotate games/ out -- --nodes 20000"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="taflbase-spark", description=__doc__, epilog=EPILOG)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--master", help="where Spark runs [default: as spark-submit says, or this machine]")
    common.add_argument("--tafl", metavar="PATH", help="the program [default: $TAFL, or tafl on PATH]")
    common.add_argument("--ship", action="store_true", help="send the program to the workers")
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[common], epilog=EPILOG)

    taking = add("import", "Take records into a corpus, and write its tables")
    taking.add_argument("input", nargs="+", help="files, folders, globs, addresses such as s3a://bucket/games/")
    taking.add_argument("out", help="the folder of the result, which all workers have")
    taking.add_argument("--keep", choices=("better", "first"), default="better", help="which of two copies is kept")
    taking.add_argument("--parts", type=int, metavar="N", help="how many parts are built")
    taking.add_argument("--keep-parts", action="store_true", help="leave the parts where they are")
    written = add("tables", "Write the tables of a corpus")
    counting = add("explore", "Count what was played from every position, into the table `positions`")
    asking = add("sql", "Ask the tables in SQL; the answer is CSV")
    for command in (written, counting):
        command.add_argument("corpus", help="the folder of the corpus, which all workers have")
    for command in (written, counting, asking):
        command.add_argument("tables", help="the folder or address of the tables")
    asking.add_argument("select", help="the question")
    for name in jobs.COMMANDS:
        asked = add(name, f"Run `tafl {name}` over records: one JSON line for each")
        asked.add_argument("input", nargs="+", help="as for import")
        asked.add_argument("out", help="the folder or address of the answers, which must not be there yet")
    playing = add("selfplay", "Let the engine play against itself: record lines")
    playing.add_argument("out", help="the folder or address of the games, which must not be there yet")
    playing.add_argument("--jobs", type=int, required=True, metavar="N", help="how many jobs, with a seed each")
    playing.add_argument("--games", type=int, default=100, metavar="N", help="how many games a job plays")
    playing.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the first job")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 for success, 2 for failure."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options: list[str] = []
    if "--" in words:
        at = words.index("--")
        words, options = words[:at], words[at + 1 :]
    asked = _parser().parse_args(words)
    try:
        _run(asked, options)
    except (ProgramError, sources.SourceError, tables.TableError) as error:
        print(f"taflbase-spark: {error}", file=sys.stderr)
        return 2
    return 0


def _run(asked: argparse.Namespace, options: Sequence[str]) -> None:
    needs_program = asked.command not in ("tables", "sql")
    program = find_program(asked.tafl) if needs_program else None
    spark = session.session(asked.master)
    try:
        if program is not None and asked.ship:
            program = ship_program(spark, program)
        _do(spark, program, asked, options)
    finally:
        spark.stop()


def _do(spark: SparkSession, program: Program | None, asked: argparse.Namespace, options: Sequence[str]) -> None:
    match asked.command:
        case "import":
            wanted = Import(tuple(asked.input), asked.out, tuple(options), asked.keep, asked.parts, asked.keep_parts)
            importing.run(spark, program, wanted)
        case "tables":
            tables.write(spark, asked.corpus, asked.tables)
        case "explore":
            explore.write(spark, program, asked.corpus, asked.tables)
        case "sql":
            tables.register(spark, asked.tables)
            spark.sql(asked.select).toPandas().to_csv(sys.stdout, index=False)
        case "selfplay":
            games = jobs.SelfPlay(tuple(options), asked.jobs, asked.games, asked.seed)
            _write(jobs.play(spark, program, games), asked.out)
        case name:
            found = sources.find_sources(asked.input, spark)
            _write(records.ask(spark, records.Cutter(program), found, jobs.question(name, options)), asked.out)


def _write(lines: DataFrame, out: str) -> None:
    """Write lines as text, all or nothing: Spark makes them visible at the end of the job."""
    lines.selectExpr("CAST(line AS STRING) AS value").write.text(out, compression="gzip", lineSep="\n")
