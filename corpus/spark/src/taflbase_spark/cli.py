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

EPILOG = "Arguments after `--` are passed to tafl: taflbase-spark annotate games/ out -- --nodes 20000"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="taflbase-spark", description=__doc__, epilog=EPILOG)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--master", help="the Spark master [default: that of spark-submit, or this machine]")
    common.add_argument("--tafl", metavar="PATH", help="the program [default: $TAFL, or tafl on PATH]")
    common.add_argument("--ship", action="store_true", help="send the program to the workers")
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[common], epilog=EPILOG)

    taking = add("import", "Import records into a corpus, and write its tables")
    taking.add_argument("input", nargs="+", help="files, folders, globs, addresses such as s3a://bucket/games/")
    taking.add_argument("out", help="the folder of the result, shared by all workers")
    taking.add_argument("--keep", choices=("better", "first"), default="better", help="the copy of a game to keep")
    taking.add_argument("--parts", type=int, metavar="N", help="the number of parts")
    taking.add_argument("--keep-parts", action="store_true", help="keep the parts after the merge")
    written = add("tables", "Write the tables of a corpus")
    counting = add("explore", "Count what was played from every position, into the table `positions`")
    asking = add("sql", "Query the tables with SQL; the result is CSV")
    for command in (written, counting):
        command.add_argument("corpus", help="the folder of the corpus, shared by all workers")
    for command in (written, counting, asking):
        command.add_argument("tables", help="the folder or address of the tables")
    asking.add_argument("select", help="the query")
    for name in jobs.COMMANDS:
        asked = add(name, f"Run `tafl {name}` over records: one JSON line for each")
        asked.add_argument("input", nargs="+", help="as for import")
        asked.add_argument("out", help="the new folder or address of the answers")
    playing = add("selfplay", "Let the engine play against itself, and write record lines")
    playing.add_argument("out", help="the new folder or address of the games")
    playing.add_argument("--jobs", type=int, required=True, metavar="N", help="the number of jobs, each with a seed")
    playing.add_argument("--games", type=int, default=100, metavar="N", help="the number of games per job")
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
