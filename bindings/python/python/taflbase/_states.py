"""States of games with their history, as JSON: for frameworks of reinforcement learning and programs in other languages."""

import json
from functools import cache

from ._rules import Rules, planes, variants

VERSION = 1
PLAYERS = ("attackers", "defenders")


@cache
def _names():
    return frozenset(variant["name"] for variant in variants())


class GameState:
    """A game in progress: its start, its moves, and its position. It doesn't change; `play` and `act` return another one.

    Players are numbers: 0 for the attackers, and 1 for the defenders.

    >>> state = GameState("brandubh7").play("d1-c1")
    >>> GameState.from_json(state.to_json()) == state, state.player
    (True, 1)
    """

    def __init__(self, start, moves=()):
        """Creates a game from a variant, `Rules`, or a `Position`, and the moves that are played from there."""
        if isinstance(start, str):
            start = Rules(start)
        self.start = start.start if isinstance(start, Rules) else start
        self.moves, self.position = (), self.start
        for move in moves:
            after = self.play(move)
            self.moves, self.position = after.moves, after.position

    def play(self, move):
        """Returns the game after a move, such as `d1-d3`."""
        position = self.position.play(move)
        return self._after(self.position.move_of(self.position.action_of(move)), position)

    def act(self, action):
        """Returns the game after an action: `from * n_cells + to`."""
        return self._after(self.position.move_of(int(action)), self.position.act(int(action)))

    def _after(self, move, position):
        after = object.__new__(GameState)
        after.start, after.moves, after.position = self.start, (*self.moves, move), position
        return after

    @property
    def rules(self):
        """The rules."""
        return self.start.rules

    @property
    def player(self):
        """The player to move, or None after the end of the game."""
        return None if self.is_over else PLAYERS.index(self.position.to_move)

    @property
    def is_over(self):
        """Whether the game has ended by the rules."""
        return self.position.outcome is not None

    @property
    def returns(self):
        """The results of the players: 1 for a win, -1 for a loss, 0 for a draw or a game in progress."""
        winner = self.position.outcome[0] if self.is_over else "draw"
        return [0.0, 0.0] if winner == "draw" else [1.0 if player == winner else -1.0 for player in PLAYERS]

    def observation(self):
        """Returns the planes of the position, as `planes` does for several."""
        return planes([self.position])[0]

    def to_dict(self, *, observation=False):
        """Returns the game as a dictionary; with `observation`, with its planes as nested lists."""
        state = {
            "version": VERSION,
            "variant": self.rules.name,
            "rules": self.rules.text,
            "start": self.start.record,
            "first": PLAYERS.index(self.start.to_move),
            "history": list(self.moves),
            "position": self.position.record,
            "current_player": self.player,
            "is_terminal": self.is_over,
            "reason": self.position.outcome[1] if self.is_over else None,
            "returns": self.returns,
            "legal_moves": self.position.legal_moves(),
            "legal_actions": self.position.legal_actions().tolist(),
            "n_actions": len(self.rules.cells) ** 2,
        }
        if observation:
            state["observation"] = self.observation().tolist()
        return state

    def to_json(self, *, observation=False):
        """Returns the game as JSON."""
        return json.dumps(self.to_dict(observation=observation))

    @classmethod
    def from_dict(cls, state):
        """Returns the game of a dictionary. Only `rules`, `start`, `first`, and `history` are read; the rest follows from them."""
        if state.get("version") != VERSION:
            raise ValueError(f"unknown version {state.get('version')!r} of a state; expected {VERSION}")
        rules = Rules(state["rules"])
        # Of the same rules, those with the name are taken.
        named = Rules(state["variant"]) if state.get("variant") in _names() else rules
        start = (named if named == rules else rules).position(state["start"], PLAYERS[state["first"]])
        return cls(start, state["history"])

    @classmethod
    def from_json(cls, text):
        """Returns the game of a JSON text."""
        return cls.from_dict(json.loads(text))

    def __eq__(self, other):
        return isinstance(other, GameState) and (self.start, self.moves) == (other.start, other.moves)

    def __hash__(self):
        return hash((self.start, self.moves))

    def __repr__(self):
        return f"GameState({self.rules.name!r}, {list(self.moves)!r})"

    def __reduce__(self):
        return (GameState.from_dict, (self.to_dict(),))
