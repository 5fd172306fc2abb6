"""States of games with their history, as JSON: for frameworks of reinforcement learning and programs in other languages."""

import json
from functools import cache
from operator import index

from ._request import tafl_error
from ._rules import Position, Rules, planes, rules_of, variant_of, variants

VERSION = 1
PLAYERS = ("attackers", "defenders")

# The fields that `from_dict` reads, and what they are.
_FIELDS = {
    "version": f"the number {VERSION}",
    "rules": "a rules string",
    "start": "a position record",
    "first": "0 for the attackers, or 1 for the defenders",
    "history": "a list of moves, such as d1-d3",
}


@cache
def _names():
    return frozenset(variant["name"] for variant in variants())


class GameState:
    """A game in progress: its start, its moves, and its position. It doesn't change; `play` and `act` return another one.

    Players are numbers: 0 for the attackers, and 1 for the defenders.

    >>> state = GameState("brandubh7").play("d1-c1")
    >>> GameState.from_json(state.to_json()) == state, state.current_player
    (True, 1)
    """

    def __init__(self, start, moves=()):
        """Creates a game from a variant, `Rules`, or a `Position`, and the moves that are played from there, as a list or a text.

        The moves before a `Position` are not part of the game. Raises a `TaflError` if no game can begin there.
        """
        start = _without_history(start) if isinstance(start, Position) else rules_of(start).start
        if isinstance(moves, str):
            moves = moves.split()
        self.start = start
        self.history, self.position = (), self.start
        for move in moves:
            after = self.play(move)
            self.history, self.position = after.history, after.position

    def play(self, move):
        """Returns the game after a move, such as `d1-d3`."""
        position = self.position.play(move)
        return self._after(self.position.move_of(self.position.action_of(move)), position)

    def act(self, action):
        """Returns the game after an action: `from * n_cells + to`."""
        number = index(action)
        return self._after(self.position.move_of(number), self.position.act(number))

    def _after(self, move, position):
        after = object.__new__(GameState)
        after.start, after.history, after.position = self.start, (*self.history, move), position
        return after

    @property
    def rules(self):
        """The rules."""
        return self.start.rules

    @property
    def current_player(self):
        """The player to move, or None after the end of the game."""
        return None if self.is_terminal else PLAYERS.index(self.position.to_move)

    @property
    def is_terminal(self):
        """Whether the game has ended by the rules."""
        return self.position.outcome is not None

    @property
    def returns(self):
        """The results of the players: 1 for a win, -1 for a loss, 0 for a draw or a game in progress."""
        winner = self.position.outcome[0] if self.is_terminal else "draw"
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
            "history": list(self.history),
            "position": self.position.record,
            "current_player": self.current_player,
            "is_terminal": self.is_terminal,
            "reason": self.position.outcome[1] if self.is_terminal else None,
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
        _check_fields(state)
        rules = Rules(state["rules"])
        # Of the same rules, those with the name are taken.
        variant = state.get("variant")
        named = Rules(variant) if isinstance(variant, str) and variant in _names() else rules
        start = (named if named == rules else rules).position(state["start"], PLAYERS[state["first"]])
        return cls(start, state["history"])

    @classmethod
    def from_json(cls, text):
        """Returns the game of a JSON text."""
        try:
            state = json.loads(text)
        except (TypeError, ValueError) as problem:
            raise _bad_state(f"the state is not JSON: {problem}") from None
        return cls.from_dict(state)

    def __eq__(self, other):
        return isinstance(other, GameState) and (self.start, self.history) == (other.start, other.history)

    def __hash__(self):
        return hash((self.start, self.history))

    def __repr__(self):
        return f"GameState({variant_of(self.rules)!r}, {list(self.history)!r})"

    def __reduce__(self):
        return (GameState.from_dict, (self.to_dict(),))


def _without_history(position):
    """Returns a position as the start of a game: earlier occurrences of positions don't count, as in the JSON of the game."""
    start = position.rules.position(position.record, position.to_move)
    # Records have no chains.
    if position.outcome is not None or start != position:
        reason = "is in the middle of a chain" if position.outcome is None else "ends the game"
        advice = "create the state from the rules and the moves that lead there"
        raise tafl_error(f"the position {reason}, so no game can begin there", help=advice, parameter="start")
    return start


def _check_fields(state):
    if not isinstance(state, dict):
        raise _bad_state(f"the state is a {type(state).__name__}, not an object with fields")
    for name, expected in _FIELDS.items():
        if name not in state:
            raise _bad_state(f"the state has no field `{name}`; expected {expected}", name)
        if not _is_valid(name, state[name]):
            raise _bad_state(f"`{name}` is {state[name]!r}; expected {expected}", name)


def _is_valid(name, value):
    if name == "version":
        return type(value) is int and value == VERSION
    if name == "first":
        return type(value) is int and 0 <= value < len(PLAYERS)
    if name == "history":
        return isinstance(value, (list, tuple)) and all(isinstance(move, str) for move in value)
    return isinstance(value, str)


def _bad_state(message, parameter=None):
    return tafl_error(message, help="`GameState.to_json` writes states that can be read", parameter=parameter)
