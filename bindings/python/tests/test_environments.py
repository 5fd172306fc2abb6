"""Environments."""

import random

import numpy as np
import pytest
import taflbase

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from taflbase.environments import TaflAec, TaflEnv  # noqa: E402


def test_a_random_game_ends_with_a_reward():
    env = TaflEnv("brandubh7", max_plies=400)
    _, info = env.reset(seed=3)
    env.action_space.seed(3)
    reward, done = 0.0, False
    while not done:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert env.observation_space.contains(observation)
        done = terminated or truncated
    if terminated and env.position.outcome[0] != "draw":
        assert abs(reward) == 1.0


def test_an_illegal_action_is_an_error():
    env = TaflEnv("brandubh7")
    env.reset()
    with pytest.raises(taflbase.TaflError):
        env.step(0)


@pytest.mark.parametrize("variant", ["brandubh7", "hexentafl4", "cyngesheall7"])
def test_both_agents_play_and_their_rewards_are_opposite(variant):
    env = TaflAec(variant, max_plies=60)
    env.reset()
    rng = random.Random(5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    assert env.agents == [] and total["attackers"] == -total["defenders"]


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_accepts_the_environment():
    from pettingzoo.test import api_test

    api_test(TaflAec("brandubh7", max_plies=40), num_cycles=100)


def test_boards_are_rendered():
    for make in (TaflEnv, TaflAec):
        for mode, start in ((None, "<svg"), ("svg", "<svg"), ("ansi", "7")):
            env = make("brandubh7", render_mode=mode)
            env.reset()
            assert env.render().strip().startswith(start)
        with pytest.raises(ValueError, match="expected one of svg, ansi"):
            make("brandubh7", render_mode="human")


def test_a_vector_of_games_is_that_of_single_ones():
    from taflbase.environments import TaflVectorEnv

    env = TaflVectorEnv("brandubh7", 3, max_plies=40)
    observations, info = env.reset(seed=7)
    single = [taflbase.Rules("brandubh7").start] * 3
    n_restarted = 0
    for _ in range(200):
        assert env.observation_space.contains(observations)
        assert (observations == taflbase.planes(single)).all()
        for mask, position in zip(info["action_mask"], single):
            over = position.outcome is not None or position.n_plies >= 40
            assert sorted(position.legal_actions()) == mask.nonzero()[0].tolist() or over
        actions = env.sample()
        observations, rewards, terminated, truncated, info = env.step(actions)
        for number, (position, action) in enumerate(zip(single, actions)):
            if position.outcome is not None or position.n_plies >= 40:
                single[number], n_restarted = position.rules.start, n_restarted + 1
                assert rewards[number] == 0.0
                continue
            single[number] = after = position.act(int(action))
            assert terminated[number] == (after.outcome is not None)
            assert truncated[number] == (after.outcome is None and after.n_plies == 40)
            winner = after.outcome[0] if after.outcome else "draw"
            assert rewards[number] == (0.0 if winner == "draw" else 1.0 if winner == position.to_move else -1.0)
    assert n_restarted >= 3


def test_only_a_seed_repeats_the_random_actions():
    from taflbase.environments import TaflVectorEnv

    env = TaflVectorEnv("brandubh7", 8)
    def sample(**seed):
        observations, _ = env.reset(**seed)
        assert (observations == taflbase.planes([env.rules.start] * 8)).all()
        actions = env.sample().tolist()
        env.step(actions)
        return actions

    assert sample(seed=3) == sample(seed=3)
    assert sample() != sample()


def test_arrays_are_those_of_pgx():
    from taflbase.environments import TaflArrays

    games = TaflArrays("hexentafl4", 8, max_plies=200)
    state = games.init(seed=3)
    total = state.rewards.copy()
    n_cells = len(games.rules.cells)
    assert state.observation.shape[0] == 8 and state.observation.shape[-1] == 14 and state.observation.dtype == bool
    assert state.legal_action_mask.shape == (8, n_cells**2) and games.num_actions == n_cells**2
    while not (state.terminated | state.truncated).all():
        state = games.step(games.sample())
        total += state.rewards
    assert (state.legal_action_mask.sum(1) == 0).all() and (total.sum(1) == 0).all()
    assert (abs(total[:, 0]) <= 1).all() and abs(total).sum() > 0
    steps = state._step_count
    after = games.step(games.sample())
    assert (after.rewards == 0).all() and (after._step_count == steps).all()


def test_a_batch_takes_names_and_rules_and_any_integers():
    rules = taflbase.Rules("brandubh7")
    actions = [rules.start.action_of("d1-c1"), rules.start.action_of("d1-e1")]
    for given in (actions, tuple(actions), np.array(actions), np.array(actions, np.uint16), np.array(actions, np.int32)):
        for variant in ("brandubh7", rules.text, rules):
            batch = taflbase.Batch(variant, 2)
            batch.step(given)
            assert [batch.position(number).record for number in range(2)] == [rules.start.act(one).record for one in actions]
    taflbase.Batch("brandubh7", 0).step([])


def test_a_batch_names_what_it_expects():
    for variant in (["brandubh7", "tablut9_wtf"], 7, None):
        with pytest.raises(TypeError, match="expected the name of one variant"):
            taflbase.Batch(variant, 2)
    with pytest.raises(taflbase.TaflError, match="brandubh77"):
        taflbase.Batch("brandubh77", 2)
    for count in (-1, 10**6 + 1, 10**9):
        with pytest.raises(ValueError, match=f"count is {count}; expected 0 to 1000000 games"):
            taflbase.Batch("brandubh7", count)
    batch = taflbase.Batch("brandubh7", 2)
    for actions in ([1.5, 2.0], np.zeros(2), [True, False], ["a", "b"]):
        with pytest.raises(TypeError, match="expected integers"):
            batch.step(actions)
    with pytest.raises(ValueError, match="there are 3 actions; expected one for each of 2 games"):
        batch.step([1, 2, 3])
    for actions in (7, [[1, 2]]):
        with pytest.raises(ValueError, match="shape"):
            batch.step(actions)
    for actions in ([-1, 0], [49**2, 0], [2**62, 0]):
        with pytest.raises(taflbase.TaflError, match="game 0"):
            batch.step(actions)


def test_environments_take_rules_and_whole_numbers_only():
    from taflbase.environments import TaflArrays, TaflVectorEnv

    rules = taflbase.Rules("brandubh7", rule=["sw=n"])
    single, vector, both, arrays = TaflEnv(rules), TaflVectorEnv(rules, 1), TaflAec(rules), TaflArrays(rules, 1)
    assert all(made.rules == rules for made in (single, vector, both, arrays))
    with pytest.raises(RuntimeError, match="call `init` first"):
        arrays.step([0])
    for env in (single, vector, both):
        env.reset()
    arrays.init()
    for step, action in ((single.step, 1.5), (both.step, 1.5), (vector.step, [1.5]), (arrays.step, [1.5])):
        with pytest.raises(TypeError, match="integer"):
            step(action)
    action = rules.start.action_of("d1-c1")
    assert single.step(action)[4]["current_player"] == 1
    assert vector.step([action])[4]["current_player"].tolist() == [1]
    assert arrays.step([action]).current_player.tolist() == [1]


def test_a_wrong_action_of_a_batch_names_its_game():
    batch = taflbase.Batch(taflbase.Rules("brandubh7"), 2)
    with pytest.raises(taflbase.TaflError, match="game 1"):
        actions = batch.sample()
        actions[1] = 0
        batch.step(actions)
    assert batch.plies().tolist() == [0, 0], "no game has moved"
    with pytest.raises(ValueError):
        batch.step(batch.sample()[:1])
    with pytest.raises(IndexError):
        batch.position(2)
