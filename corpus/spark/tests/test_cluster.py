"""A corpus that two executors built is the one that `tafl import` builds, and its tables say the same."""

from __future__ import annotations

import json
from pathlib import Path

import ask
import pytest
from pyspark.sql import SparkSession

from taflbase_spark import explore, importing, jobs, records, sources, tables
from taflbase_spark.importing import Import
from taflbase_spark.program import Program

QUESTIONS = (
    "SELECT variant, result, COUNT(*) AS n FROM games GROUP BY variant, result ORDER BY variant, result",
    'SELECT p."from", p."to", COUNT(*) AS n FROM plies p JOIN games g ON g.game = p.game '
    'WHERE p.ply = 1 AND g.variant = \'brandubh7\' GROUP BY p."from", p."to" ORDER BY n DESC, p."from", p."to"',
    "SELECT source, place, plies, attackers_captures, findings, copies FROM games ORDER BY source, place",
    "SELECT events, COUNT(*) AS n, SUM(moves) AS moves FROM plies GROUP BY events ORDER BY n DESC, events",
    "SELECT side, king_danger, MIN(king_distance) AS near, COUNT(*) AS n FROM plies "
    "WHERE captured IS NOT NULL GROUP BY side, king_danger ORDER BY side, king_danger",
)
"""Questions that both must answer alike, with orders that leave nothing open."""


class Built:
    """A corpus of the games, built twice: by Spark in `spark/corpus`, and by one process in `alone/corpus`."""

    def __init__(self, folder: Path) -> None:
        self.out = folder / "spark"
        self.corpus = self.out / "corpus"
        self.tables = str(self.out / "tables")
        self.alone = folder / "alone" / "corpus"


@pytest.fixture(scope="module")
def built(spark: SparkSession, program: Program, games: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return both corpora."""
    built = Built(tmp_path_factory.mktemp("built"))
    built.alone.parent.mkdir()
    ask.import_alone(program, [games], built.alone)
    importing.run(spark, program, Import((str(games),), str(built.out), n_parts=5))
    return built


def test_the_corpus_has_the_same_games(program: Program, built: Built) -> None:
    found = ask.info(program, built.corpus)
    assert found == ask.info(program, built.alone)
    assert found["games"] > 100
    assert found["copies"] > 40
    assert found["rejected"] > 0
    removed = [segment["removed"] for segment in tables.manifest(str(built.corpus))["segments"]]
    assert any(removed), "a better copy took the place of a game, so tables have rows to leave out"
    assert ask.is_sound(program, built.corpus)


def test_the_rows_are_the_same_byte_for_byte(program: Program, built: Built) -> None:
    assert ask.all_rows(program, built.corpus) == ask.all_rows(program, built.alone)


def test_the_report_is_the_same_byte_for_byte(program: Program, built: Built) -> None:
    assert ask.report(program, built.corpus) == ask.report(program, built.alone)


def test_nothing_is_left_of_the_parts(built: Built) -> None:
    assert not list(built.out.glob("parts-*"))
    assert not list(built.out.rglob(".attempt-*"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_in_sql_has_the_same_answer(
    spark: SparkSession, program: Program, built: Built, question: str
) -> None:
    tables.register(spark, built.tables)
    expected = ask.sql(program, built.alone, question)
    assert expected, "a question without an answer tests nothing"
    # Polars leaves nulls in their place of the order, Spark puts them first: order is not what is compared.
    answered = [row.asDict() for row in spark.sql(question).collect()]
    assert _sorted(answered) == _sorted(expected)


def _sorted(rows: list[ask.Row]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def test_rejected_records_are_a_table(spark: SparkSession, program: Program, built: Built) -> None:
    found = tables.read(spark, built.tables)[tables.REJECTED]
    assert found.count() == ask.info(program, built.alone)["rejected"]
    assert found.where("size(codes) = 0 OR text IS NULL OR source IS NULL").isEmpty()


def test_positions_are_counted_as_explore_counts(spark: SparkSession, program: Program, built: Built) -> None:
    explore.write(spark, program, str(built.corpus), built.tables)
    counted = tables.read(spark, built.tables)[tables.POSITIONS].where("child IS NULL").collect()
    positions = {(row.rules_id, row.key): row for row in counted}
    assert len(positions) == len(counted) > 1000
    lines = [("brandubh7", ""), ("tablut9_wtf", ""), ("hexentafl4", "")]
    for variant, _ in list(lines):
        first = _explore(program, built.alone, variant, "")["moves"][0]["move"]
        second = _explore(program, built.alone, variant, first)["moves"][0]["move"]
        lines += [(variant, first), (variant, f"{first} {second}")]
    for variant, moves in lines:
        expected = _explore(program, built.alone, variant, moves)
        row = positions[_place(program, built.alone, variant, expected)]
        for count in ("games", "attackers", "defenders", "draw", "unfinished"):
            assert row[count] == expected[count], (variant, moves, count)
        assert row.plies / row.games == pytest.approx(expected["mean_plies"])
        assert row.ended == expected["ended_here"]


def test_moves_are_counted_as_explore_counts(spark: SparkSession, program: Program, built: Built) -> None:
    expected = _explore(program, built.alone, "brandubh7", "")
    rules, key = _place(program, built.alone, "brandubh7", expected)
    positions = tables.read(spark, built.tables)[tables.POSITIONS].where(f"rules_id = {rules} AND key = {key}")
    found = positions.where("child IS NOT NULL").orderBy("games", ascending=False).collect()
    assert [row.games for row in found] == [move["games"] for move in expected["moves"]]
    counts = [(row.attackers, row.defenders, row.draw, row.unfinished) for row in found]
    moves = [(move["attackers"], move["defenders"], move["draw"], move["unfinished"]) for move in expected["moves"]]
    assert sorted(counts) == sorted(moves)


def _place(program: Program, corpus: Path, variant: str, explored: dict) -> tuple[int, int]:
    """Return the rules and the key under which tables have what was explored."""
    rules = ask.sql(program, corpus, f"SELECT DISTINCT rules_id FROM games WHERE variant = '{variant}'")
    assert len(rules) == 1
    return _signed(rules[0]["rules_id"]), _signed(explored["key"])


def _signed(digits: str) -> int:
    """Return an ID or a key as tables store it."""
    return int.from_bytes(bytes.fromhex(digits), "big", signed=True)


def _explore(program: Program, corpus: Path, variant: str, moves: str) -> dict:
    options = ["--variant", variant, "--moves", moves, "--limit", "1000", "--format", "json"]
    return json.loads(ask.tafl(program, "explore", corpus, *options))


def test_a_job_answers_every_record_as_one_process_does(
    spark: SparkSession, program: Program, games: Path, tmp_path: Path
) -> None:
    lines = tmp_path / "games.records.jsonl"
    lines.write_bytes(ask.tafl(program, "lines", games, "--quiet"))
    for name in ("validate", "replay"):
        question = jobs.question(name)
        alone = ask.tafl(program, *question.arguments[:1], str(lines), *question.arguments[2:]).splitlines()
        for path in (games, lines):
            found = sources.find_sources([str(path)], spark)
            answers = records.ask(spark, records.Cutter(program), found, question).collect()
            assert sorted(bytes(row.line) for row in answers) == sorted(alone), (name, path)


def test_played_games_depend_on_nothing_but_the_seed(spark: SparkSession, program: Program) -> None:
    asked = jobs.SelfPlay(("--variant", "brandubh7", "--nodes", "30"), jobs=3, games=2, first_seed=5)
    played = [sorted(bytes(row.line) for row in jobs.play(spark, program, asked, tasks).collect()) for tasks in (1, 3)]
    assert len(set(played[0])) == 6
    assert played[0] == played[1]
    alone = ask.tafl(program, "selfplay", "--seed", "6", "--games", "2", "--quiet", *asked.options).splitlines()
    assert set(alone) < set(played[0])
