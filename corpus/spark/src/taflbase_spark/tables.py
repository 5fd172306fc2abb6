"""The tables of a corpus for Spark: `games`, `plies` and `rejected` as Parquet, the first two partitioned by variant.

They have the rows and columns of `tafl sql`, so the same query has the same result. Unsigned columns (`uint8`,
`uint16`, `uint32`) have the next larger signed type, because Spark has no unsigned types.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyarrow import parquet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

GAMES = "games"
PLIES = "plies"
REJECTED = "rejected"
POSITIONS = "positions"
COLUMNS = "columns.json"
"""The file with the order of the columns: Spark puts partition columns last, and this order restores them."""
_SEGMENT = r"regexp_extract(_metadata.file_path, '/segments/([^/]+)/', 1) AS segment"


class TableError(ValueError):
    """A folder does not have the expected contents."""


def manifest(corpus: str) -> dict:
    """Return the manifest of a corpus.

    Raises:
        TableError: There is no corpus, or one of another version.

    """
    path = Path(corpus) / "manifest.json"
    try:
        read = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise TableError(f"{corpus} is not a corpus: manifest.json is missing") from error
    if read.get("taflbase_corpus") not in (1, 2, 3):
        raise TableError(f"{path}: version {read.get('taflbase_corpus')}, but this package reads versions 1 to 3")
    return read


def of_corpus(spark: SparkSession, corpus: str) -> tuple[DataFrame, DataFrame]:
    """Return the tables `games` and `plies` of a corpus, each with a column `segment`, without removed games.

    Raises:
        TableError: There is no corpus, or it has no games.

    """
    segments = manifest(corpus)["segments"]
    if not segments:
        raise TableError(f"{corpus} has no games")
    folders = [str((Path(corpus) / "segments" / segment["name"]).absolute()) for segment in segments]
    games = spark.read.parquet(*[f"{folder}/games.parquet" for folder in folders])
    plies = spark.read.parquet(*[f"{folder}/plies.parquet" for folder in folders])
    gone_games, gone_plies = _removed(corpus, segments)
    return _without(spark, games, gone_games), _without(spark, plies, gone_plies)


def _removed(corpus: str, segments: Sequence[dict]) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return the removed rows of both tables, each with its segment.

    By row, not by game ID: a better copy of a game has the ID of the game that it replaced. The plies are in the order
    of the games.
    """
    games: list[tuple[str, int]] = []
    plies: list[tuple[str, int]] = []
    for segment in segments:
        rows = [row for first, last in segment.get("removed", []) for row in range(first, last + 1)]
        if not rows:
            continue
        path = Path(corpus) / "segments" / segment["name"] / "games.parquet"
        counts = parquet.read_table(path, columns=["plies"]).column("plies").to_pylist()
        ends = list(itertools.accumulate(counts))
        for row in rows:
            games.append((segment["name"], row))
            plies += [(segment["name"], ply) for ply in range(ends[row] - counts[row], ends[row])]
    return games, plies


def _without(spark: SparkSession, table: DataFrame, removed: Sequence[tuple[str, int]]) -> DataFrame:
    """Return a table with an additional column `segment`, without the removed rows."""
    own = table.columns
    if not removed:
        return table.selectExpr("*", _SEGMENT)
    gone = spark.createDataFrame(list(removed), "segment string, row_index long")
    table = table.selectExpr("*", _SEGMENT, "_metadata.row_index AS row_index")
    return table.join(gone, ["segment", "row_index"], "left_anti").select(*own, "segment")


def write(spark: SparkSession, corpus: str, out: str) -> None:
    """Write the tables of a corpus to a folder or an address, replacing older ones.

    Raises:
        TableError: There is no corpus, or it has no games.

    """
    games, plies = of_corpus(spark, corpus)
    games_columns, plies_columns = _order(spark, corpus)
    variants = games.select("segment", "game", "variant")
    plies = plies.join(variants, ["segment", "game"]).select(*plies_columns, "variant")
    # A rebalance assigns each variant to few tasks, which avoids many small files.
    for name, table in ((GAMES, games.select(*games_columns)), (PLIES, plies)):
        balanced = table.hint("rebalance", "variant")
        balanced.write.mode("overwrite").partitionBy("variant").parquet(f"{out}/{name}")
    columns = json.dumps({GAMES: games_columns, PLIES: plies_columns})
    spark.createDataFrame([(columns,)], "value string").coalesce(1).write.mode("overwrite").text(f"{out}/{COLUMNS}")
    _write_rejected(spark, corpus, out)


def _order(spark: SparkSession, corpus: str) -> tuple[list[str], list[str]]:
    folder = Path(corpus).absolute() / "segments" / manifest(corpus)["segments"][0]["name"]
    return tuple(spark.read.parquet(f"{folder}/{name}.parquet").columns for name in (GAMES, PLIES))


def _write_rejected(spark: SparkSession, corpus: str, out: str) -> None:
    files = [str(Path(corpus).absolute() / side["path"]) for side in manifest(corpus)["rejected"]]
    schema = "source string, place long, format string, codes array<string>, text string"
    if files:
        rejected = spark.read.schema(schema).option("lineSep", "\n").json(files)
    else:
        rejected = spark.createDataFrame([], schema)
    rejected.write.mode("overwrite").parquet(f"{out}/{REJECTED}")


def read(spark: SparkSession, tables: str) -> dict[str, DataFrame]:
    """Return the tables of a folder by name, with the columns of a corpus in their order.

    `games` and `plies` are as in `tafl sql`; `variant_plies` is `plies` with the column `variant`, which lets Spark
    skip other variants; `positions` is included if `explore` wrote it.
    """
    columns = json.loads(spark.read.text(f"{tables}/{COLUMNS}").first().value)
    plies = spark.read.parquet(f"{tables}/{PLIES}")
    found = {
        GAMES: spark.read.parquet(f"{tables}/{GAMES}").select(*columns[GAMES]),
        PLIES: plies.select(*columns[PLIES]),
        "variant_plies": plies.select(*columns[PLIES], "variant"),
        REJECTED: spark.read.parquet(f"{tables}/{REJECTED}"),
    }
    if _exists(spark, f"{tables}/{POSITIONS}"):
        found[POSITIONS] = spark.read.parquet(f"{tables}/{POSITIONS}")
    return found


def _exists(spark: SparkSession, address: str) -> bool:
    context = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(address)
    return path.getFileSystem(context._jsc.hadoopConfiguration()).exists(path)


def register(spark: SparkSession, tables: str) -> None:
    """Register the tables of a folder for `spark.sql`."""
    for name, table in read(spark, tables).items():
        table.createOrReplaceTempView(name)
