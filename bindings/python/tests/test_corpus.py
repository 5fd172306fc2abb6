"""Corpora: tables, searches, the explorer, and reports."""

import io
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest
import taflbase

SAMPLES = Path(__file__).parents[3] / "cli" / "samples"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "games.corpus"
    return taflbase.Corpus.build(folder, [SAMPLES / "brandubh.csv", SAMPLES / "tablut.pgn"])


def test_tables_have_all_games_and_plies(corpus):
    games, plies = corpus.games(), corpus.plies()
    assert (len(games), len(plies)) == (corpus.info().games, corpus.info().plies)
    counted = plies.group_by("game").len("n").join(games.select("game", "plies"), on="game")
    assert (counted["n"] == counted["plies"]).all() and len(counted) == len(games)
    assert games["game"].dtype == polars.String and games["game"].str.len_chars().unique().to_list() == [16]
    assert len(corpus.evals()) == 0


def test_other_libraries_read_the_same_table(corpus):
    bytes_ = corpus.arrow("SELECT variant, count(*) AS games FROM games GROUP BY variant ORDER BY variant")
    table = pyarrow.ipc.open_stream(bytes_).read_all()
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert dict(zip(frame["variant"], frame["games"])) == {
        name: counts["games"] for name, counts in corpus.info().variants.items()
    }
    assert polars.read_ipc_stream(io.BytesIO(bytes_)).rows() == list(frame.itertuples(index=False, name=None))


def test_hits_are_the_positions_of_the_games(corpus):
    found = corpus.search("king_captured", per="position", limit=100)
    assert found.summary["hits"] == len(found.hits) > 0
    assert {hit["game"] for hit in found.hits} <= set(corpus.games()["game"])
    with pytest.raises(taflbase.TaflError) as caught:
        corpus.search("king_captred")
    assert caught.value.kind == "bad-query" and "king_captured" in str(caught.value)


def test_a_position_is_explored(corpus):
    start = taflbase.Rules("brandubh7").start
    explored = corpus.explore(start)
    assert explored.variant == "brandubh7"
    assert corpus.explore(taflbase.Rules("brandubh7", rule=["sw=w"]).start).variant is None
    assert explored.games == sum(move["games"] for move in explored.moves) > 0
    assert explored.moves == corpus.explore(variant="brandubh7").moves
    after = corpus.explore(start.play(explored.moves[0]["move"]))
    assert after.games == explored.moves[0]["games"]


def test_a_player_has_results_by_side_and_opponent(corpus):
    red = corpus.player("Red", opponents=1)
    assert red.name == "Red" and red.total["games"] == 2 and red.opponents[0]["name"] == "Blue"
    with pytest.raises(taflbase.TaflError) as caught:
        corpus.player("Redd")
    assert (caught.value.kind, caught.value.parameter) == ("unknown-player", "name")


def test_reports_have_figures_and_files(corpus):
    figures = corpus.report("balance", variant="brandubh7")
    assert figures.kind == "balance"
    assert corpus.report("balance", format="html", variant="brandubh7").startswith("<!DOCTYPE html>")
    assert corpus.report("players", format="parquet").startswith(b"PAR1")
    with pytest.raises(taflbase.TaflError):
        corpus.report("balance", variant="no such variant")


def test_a_missing_corpus_is_an_error(tmp_path):
    for folder, message in ((tmp_path / "missing", "no such corpus"), (tmp_path, "not a corpus: manifest.json is missing")):
        with pytest.raises(taflbase.TaflError, match=message) as caught:
            taflbase.Corpus(folder)
        assert (caught.value.kind, caught.value.parameter) == ("io", "corpus")


def test_a_wrong_parameter_is_named(corpus):
    for call, parameter, message in (
        (lambda: corpus.search("king_captured", sort="x"), "sort", "`sort`: unknown value `x`"),
        (lambda: taflbase.Rules("brandubh7").start.image(theme="x"), "theme", "`theme`: unknown value `x`"),
        (lambda: taflbase.Engine(hash=0).evaluate(taflbase.Rules("brandubh7").start), "hash", "0 is not in 1..=65536"),
        (lambda: corpus.report("openings", variant="brandubh7", qurey="x"), "qurey", "unknown parameter `qurey`"),
        (lambda: corpus.report("player", name="Red", against="Red"), "against", "another one with `against`"),
        (lambda: taflbase.Rules("brandubh7", rule=["zz=w"]), "rule", "zz"),
        (lambda: corpus.explore(), "variant", "set `variant` to the name of a variant"),
    ):
        with pytest.raises(taflbase.TaflError) as caught:
            call()
        assert caught.value.parameter == parameter
        assert message in str(caught.value) and "line 1" not in str(caught.value)


def test_wrong_sql_is_an_error(corpus):
    with pytest.raises(taflbase.TaflError) as caught:
        corpus.sql("SELECT nothing FROM games")
    assert caught.value.kind == "bad-query"
