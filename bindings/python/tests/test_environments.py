"""Environments."""

import random

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
    dice = random.Random(5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if terminated or truncated else int(dice.choice(legal)))
    assert env.agents == [] and total["attackers"] == -total["defenders"]
