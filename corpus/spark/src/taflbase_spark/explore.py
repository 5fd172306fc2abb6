"""The moves from each position and the results of the games, counted for all positions at once.

The table `positions` has a row for each position (`child` is null) and for each move out of it (`child` is the key of
the position that it leads to), counted as `tafl explore` does: a game that returned to a position counts once, and once
for each move that it played there; symmetric positions count as one.
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from taflbase_spark import tables
from taflbase_spark.program import Program, ProgramError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_STEPS = """
SELECT game, key, LEAD(key) OVER (PARTITION BY game ORDER BY ply) AS child
FROM (SELECT game, ply, key FROM plies
      UNION ALL SELECT g.game, 0 AS ply, s.key FROM games g
      JOIN starts s ON s.rules_id = g.rules_id AND s.start = g.start AND s.first = g.first)
"""
"""Each position of each game, with the position after it; null after the last ply."""

_COUNTS = """
SELECT g.rules_id, p.key, p.child, COUNT(*) AS games,
       COUNT_IF(g.result = 'attackers') AS attackers, COUNT_IF(g.result = 'defenders') AS defenders,
       COUNT_IF(g.result = 'draw') AS draw, COUNT_IF(g.result = 'unfinished') AS unfinished,
       SUM(g.plies) AS plies, SUM(p.ended) AS ended
FROM (SELECT game, key, child, 0 AS ended FROM steps WHERE child IS NOT NULL GROUP BY game, key, child
      UNION ALL
      SELECT game, key, NULL AS child, MAX(IF(child IS NULL, 1, 0)) AS ended FROM steps GROUP BY game, key) p
JOIN games g ON g.game = p.game
GROUP BY g.rules_id, p.key, p.child
"""
"""Each position with and without the move that was played there: games, not occurrences."""


def start_key(program: Program, corpus: str, start: tuple[str, str, str]) -> int:
    """Return the key of a start: its rules, its position record and who moves first.

    Raises:
        ProgramError: `tafl explore` does not know it.

    """
    rules, position, first = start
    command = [program.path, "explore", corpus, "--variant", rules, "--position", position, "--side", first]
    answer = subprocess.run([*command, "--format", "json", "--limit", "1"], capture_output=True)
    if answer.returncode not in (0, 1):
        raise ProgramError(f"`{' '.join(command)}`: {answer.stderr.decode('utf-8', 'replace')}")
    return int.from_bytes(bytes.fromhex(json.loads(answer.stdout)["key"]), "big", signed=True)


def positions(spark: SparkSession, program: Program, corpus: str, folder: str) -> DataFrame:
    """Return what was played from each position of the tables in a folder, which were made of the corpus."""
    tables.register(spark, folder)
    starts = spark.sql("SELECT DISTINCT rules_id, rules, start, first FROM games").collect()
    keyed = [
        (start.rules_id, start.start, start.first, start_key(program, corpus, (start.rules, start.start, start.first)))
        for start in starts
    ]
    schema = "rules_id long, start string, first string, key long"
    spark.createDataFrame(keyed, schema).createOrReplaceTempView("starts")
    spark.sql(_STEPS).createOrReplaceTempView("steps")
    return spark.sql(_COUNTS)


def write(spark: SparkSession, program: Program, corpus: str, folder: str) -> None:
    """Write the table `positions` beside the tables that it is counted from, sorted by rules and key."""
    counted = positions(spark, program, corpus, folder).repartitionByRange("rules_id", "key")
    counted = counted.sortWithinPartitions("rules_id", "key", "child")
    counted.write.mode("overwrite").parquet(f"{folder}/{tables.POSITIONS}")
