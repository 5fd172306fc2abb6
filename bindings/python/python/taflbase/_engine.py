"""The engine."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

from ._request import parameters


@dataclass(frozen=True)
class Line:
    """A line of play. The score is in men for the side to move, and None if one side wins.

    The first of the moves is `decline` if the side to move declines to continue a chain; the reply of the other side follows.
    """

    moves: list[str]
    score: float | None
    wins: str | None
    plies: int | None


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a position, the best line first."""

    side: str
    lines: list[Line]
    depth: int
    nodes: int

    @property
    def best(self):
        """The best line."""
        return self.lines[0]


class Engine:
    """The engine, with limits for every search.

    Without limits, those of the library apply. Positions are searched at the same time, each on one thread.
    """

    def __init__(self, *, nodes=None, depth=None, time=None, lines=None, hash=None, threads=None):
        self._given = {"nodes": nodes, "depth": depth, "time": time, "lines": lines, "hash": hash}
        self._threads = threads or cpu_count() or 1

    def evaluate(self, positions):
        """Evaluates a position, or a list of positions; returns one evaluation, or a list of them."""
        if not isinstance(positions, (list, tuple)):
            return self._search(positions)
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._search, positions))

    def _search(self, position):
        answer = json.loads(position._evaluate(parameters(**self._given)))
        lines = [Line(**line) for line in answer["lines"]]
        return Evaluation(answer["side"], lines, answer["depth"], answer["nodes"])
