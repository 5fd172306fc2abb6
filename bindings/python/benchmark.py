"""Speeds of the package: `python benchmark.py` for environments, `python benchmark.py CORPUS` for tables."""

import sys
import time

import numpy as np
import taflbase
from taflbase.environments import TaflArrays, TaflEnv, TaflVectorEnv

GAMES = 256


def rate(name, play, seconds=4):
    """Prints the number of plies for a second of processor time."""
    began, plies = time.process_time(), 0
    while time.process_time() - began < seconds:
        plies += play()
    print(f"{name}: {plies / (time.process_time() - began):,.0f} plies a second", flush=True)


def single(variant):
    """Plays a random game through `TaflEnv`."""
    env, rng = TaflEnv(variant), np.random.default_rng(1)

    def play():
        _, info = env.reset()
        plies, is_over = 0, False
        while not is_over:
            _, _, terminated, truncated, info = env.step(rng.choice(info["action_mask"].nonzero()[0]))
            plies, is_over = plies + 1, terminated or truncated
        return plies

    return play


def vector(variant):
    """Plays a random move of many games through `TaflVectorEnv`."""
    env = TaflVectorEnv(variant, GAMES)
    env.reset(seed=1)

    def play():
        env.step(env.sample())
        return GAMES

    return play


def arrays(variant):
    """Plays the first 30 moves of many games through `TaflArrays`."""
    games = TaflArrays(variant, GAMES)

    def play():
        games.init(1)
        for _ in range(30):
            games.step(games.sample())
        return 30 * GAMES

    return play


def table(folder):
    """Reads a million plies of a corpus as a frame, three times."""
    corpus = taflbase.Corpus(folder)
    for _ in range(3):
        clock, processor = time.perf_counter(), time.process_time()
        frame = corpus.sql("SELECT * FROM plies LIMIT 1000000")
        print(f"{frame.shape}: {time.perf_counter() - clock:.2f} s, {time.process_time() - processor:.2f} s of processor time")


if len(sys.argv) > 1:
    table(sys.argv[1])
else:
    for name in ("brandubh7", "tablut9_wtf", "copenhagen11"):
        for kind in (single, vector, arrays):
            rate(f"{name} {kind.__name__}", kind(name))
