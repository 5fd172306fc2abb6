from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

SideName = Literal["attackers", "defenders"]

class TaflError(ValueError):
    kind: str
    message: str
    help: str | None
    parameter: str | None

class Rules:
    """Rules, named by a variant or a rules string."""

    def __new__(cls, variant: str, rule: Sequence[str] = ...) -> Rules: ...
    name: str
    title: str
    text: str
    cells: list[str]
    plane_shape: tuple[int, int]
    start: Position
    def position(
        self, position: str | None = None, side: SideName | None = None, moves: str | None = None
    ) -> Position: ...
    def sheet(self) -> dict[str, Any]: ...

class Position:
    """A position of a game in progress, which doesn't change."""

    rules: Rules
    record: str
    to_move: SideName
    n_plies: int
    outcome: tuple[Literal["attackers", "defenders", "draw"], str] | None
    key: int
    def piece(self, cell: str) -> str | None: ...
    def legal_moves(self) -> list[str]: ...
    def legal_actions(self) -> NDArray[np.int32]: ...
    def play(self, move: str) -> Position: ...
    def act(self, action: int) -> Position: ...
    def move_of(self, action: int) -> str: ...
    def act_nth(self, number: int) -> Position | None: ...
    def image(
        self,
        format: Literal["svg", "text", "png", "pdf"] = "svg",
        *,
        theme: Literal["light", "dark", "print"] | None = None,
        width: int | None = None,
        flip: bool | None = None,
    ) -> str | bytes: ...
    def explain(self, move: str) -> dict[str, Any]: ...

def planes(positions: Sequence[Position]) -> NDArray[np.uint8]: ...
def request(name: str, parameters: str, text: bytes = ...) -> str: ...
def records(name: str, parameters: str) -> tuple[list[str], str]: ...
def picture(parameters: str) -> bytes: ...
