"""States of games as JSON, and OpenSpiel."""

import json
import pickle
import random
import sys

import numpy as np
import pytest
import taflbase
from taflbase import GameState


def random_game(variant, seed, plies=300):
    state, rng = GameState(variant), random.Random(seed)
    while not state.is_terminal and len(state.history) < plies:
        state = state.act(rng.choice(state.position.legal_actions().tolist()))
    return state


@pytest.mark.parametrize("variant", ["brandubh7", "hexentafl4", "tablut9_wtf", "berserk-hnefatafl-11x11"])
def test_a_state_is_restored_from_json_with_its_history(variant):
    state = random_game(variant, 1, plies=80)
    text = state.to_json(observation=True)
    restored = GameState.from_json(text)
    assert restored == state and restored.to_json(observation=True) == text
    assert restored.position.n_plies == state.position.n_plies == len(state.history)
    assert pickle.loads(pickle.dumps(state)) == state


def test_a_state_has_what_other_programs_need():
    state = json.loads(GameState("brandubh7").play("d1c1").to_json(observation=True))
    assert (state["current_player"], state["first"], state["history"]) == (1, 0, ["d1-c1"])
    assert (state["is_terminal"], state["returns"], state["reason"]) == (False, [0.0, 0.0], None)
    assert len(state["legal_moves"]) == len(state["legal_actions"]) and max(state["legal_actions"]) < state["n_actions"] == 49**2
    assert np.asarray(state["observation"]).shape == (14, 7, 7)


def test_a_game_that_has_ended_has_returns():
    state = GameState("brandubh7", "d2-c2 d3-b3 c2-c3 d4-d2 a4-a3 d2-a2 g4-g3 a2-a1".split())
    assert state.is_terminal and state.current_player is None and state.returns == [-1.0, 1.0]
    assert state.to_dict()["legal_actions"] == []


@pytest.mark.parametrize(
    ("text", "parameter", "expected"),
    [
        ("", None, "not JSON"),
        (None, None, "not JSON"),
        ("[1, 2]", None, "a list, not an object"),
        ("{}", "version", "no field `version`"),
        ({"version": 2}, "version", "`version` is 2; expected the number 1"),
        ({"rules": None}, "rules", "expected a rules string"),
        ({"start": 7}, "start", "expected a position record"),
        ({"first": 7}, "first", "`first` is 7; expected 0 for the attackers"),
        ({"first": True}, "first", "expected 0 for the attackers"),
        ({"history": "d1-c1"}, "history", "expected a list of moves"),
        ({"history": [7]}, "history", "expected a list of moves"),
    ],
)
def test_a_foreign_state_is_an_error_with_what_was_expected(text, parameter, expected):
    if isinstance(text, dict):
        text = json.dumps({**GameState("brandubh7").to_dict(), **text})
    with pytest.raises(taflbase.TaflError) as caught:
        GameState.from_json(text)
    error = caught.value
    assert (error.kind, error.parameter) == ("bad-parameter", parameter) and expected in error.message
    assert "GameState.to_json" in error.help and error.help in str(error)


def test_a_state_with_wrong_contents_is_an_error():
    state = GameState("brandubh7").to_dict()
    for wrong in ({"history": ["d1-d7"]}, {"start": "nonsense"}, {"rules": "dim:99"}):
        with pytest.raises(taflbase.TaflError):
            GameState.from_dict({**state, **wrong})
    assert GameState.from_dict({**state, "variant": ["unknown"]}) == GameState("brandubh7")


def test_a_state_from_a_position_has_no_earlier_moves():
    position = taflbase.Rules("brandubh7").start
    for move in "d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1".split():
        position = position.play(move)
    assert position.play("c3-d3").outcome == ("attackers", "repetition")
    state = GameState(position)
    assert state.history == () and state.position.n_plies == 0
    for game in (state, GameState.from_json(state.to_json())):
        assert game == state and not game.play("c3-d3").is_terminal


@pytest.mark.parametrize(
    ("variant", "moves", "reason"),
    [
        ("berserk-hnefatafl-11x11", "b6-c6 h6-i6 j6-h6", "in the middle of a chain"),
        ("brandubh7", "d2-c2 d3-b3 c2-c3 d4-d2 a4-a3 d2-a2 g4-g3 a2-a1", "ends the game"),
    ],
)
def test_a_state_begins_only_where_it_can_be_restored(variant, moves, reason):
    position = taflbase.Rules(variant).position(moves=moves)
    with pytest.raises(taflbase.TaflError, match=reason) as caught:
        GameState(position)
    assert caught.value.parameter == "start" and GameState(variant, moves).position == position


def test_moves_are_a_list_or_a_text():
    assert GameState("brandubh7", "d1-c1 d5-c5") == GameState(taflbase.Rules("brandubh7"), ["d1-c1", "d5-c5"])
    with pytest.raises(TypeError):
        GameState(7)


def load(name):
    pyspiel = pytest.importorskip("pyspiel")
    import taflbase.openspiel  # noqa: F401

    return pyspiel, pyspiel.load_game(name)


@pytest.mark.parametrize("variant", ["brandubh7", "hexentafl4", "seabattle9"])
def test_openspiel_plays_random_games(variant):
    pyspiel, game = load(f"tafl(variant={variant},max_plies=60)")
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_openspiel_rejects_unknown_variants_and_stores_states():
    with pytest.raises(taflbase.TaflError, match="nonsense"):
        load("tafl(variant=nonsense)")
    pyspiel, game = load("tafl(variant=brandubh7)")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    _, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert restored.state == state.state


def test_openspiel_sees_the_same_game():
    pyspiel, game = load("tafl(variant=brandubh7)")
    state, expected = game.new_initial_state(), GameState("brandubh7")
    for action in (expected.position.action_of("d1-c1"), expected.play("d1-c1").position.action_of("d5-c5")):
        assert state.legal_actions() == sorted(expected.position.legal_actions().tolist())
        state.apply_action(action)
        expected = expected.act(action)
    assert state.state == expected and state.history() == [expected.start.action_of("d1-c1"), action]
    assert state.clone().state == expected
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert (observer.dict["observation"] == expected.observation()).all()
    assert game.new_initial_state(expected.to_dict()).state == expected


def test_openspiel_searches_a_win():
    pyspiel, game = load("tafl(variant=brandubh7)")
    from open_spiel.python.algorithms import mcts

    before = GameState("brandubh7", "d2-c2 d3-b3 c2-c3 d4-d2 a4-a3 d2-a2 g4-g3".split())
    bot = mcts.MCTSBot(
        game, 2, 300, mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1)), random_state=np.random.RandomState(1)
    )
    action = bot.step(game.new_initial_state(before.to_dict()))
    after = before.act(action)
    assert after.is_terminal and after.returns == [-1.0, 1.0]


def test_the_module_names_what_is_missing():
    if "pyspiel" not in sys.modules:
        with pytest.raises(ImportError, match="pyspiel"):
            import taflbase.openspiel  # noqa: F401
