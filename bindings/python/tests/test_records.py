"""Records, and the engine."""

from pathlib import Path

import pytest
import taflbase

SAMPLES = Path(__file__).parents[3] / "cli" / "samples"


def test_games_are_read():
    (game, *_) = taflbase.read(SAMPLES / "brandubh.csv")
    assert game.variant == "brandubh7" and game.moves[0] == game.plies[0]["move"]
    position = taflbase.Rules(game.variant).start
    for move in game.moves:
        position = position.play(move)
    assert position.record == game.final


def test_records_are_validated():
    checked = taflbase.validate([SAMPLES / "brandubh-broken.csv"])
    assert "L001" in [finding.code for finding in checked.findings]
    assert checked.summary["games"] >= 1


def test_a_missing_file_is_an_error():
    with pytest.raises(taflbase.TaflError) as caught:
        taflbase.read(SAMPLES / "missing.csv")
    assert caught.value.kind == "io"


def test_records_are_converted_and_read_again(tmp_path):
    converted = taflbase.convert(SAMPLES / "brandubh.csv", "jsonl")
    copy = tmp_path / "games.jsonl"
    copy.write_text(converted.text)
    assert [game.moves for game in taflbase.read(copy)] == [game.moves for game in taflbase.read(SAMPLES / "brandubh.csv")]


def test_converted_records_form_one_table():
    converted = taflbase.convert([SAMPLES / "tablut.pgn", SAMPLES / "brandubh.csv"], "csv")
    assert len(converted.records) > 2 and "text" not in converted.summary
    assert [line.startswith("id,") for line in converted.text.splitlines()].count(True) == 1


def test_broken_records_are_repaired():
    (broken, *_) = taflbase.repair(SAMPLES / "brandubh-broken.csv")
    assert broken.repairs and broken.repairs[0]["edits"]


def test_evaluations_are_those_of_one_position_after_the_other():
    start = taflbase.Rules("brandubh7").start
    positions = [start, start.play("d1-c1"), start.play("d2-c2")]
    engine = taflbase.Engine(nodes=500)
    together = engine.evaluate(positions)
    assert together == [engine.evaluate(position) for position in positions]
    assert together[0].side == "attackers" and together[0].best.moves[0] in start.legal_moves()
