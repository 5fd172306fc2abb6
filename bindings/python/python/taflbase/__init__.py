"""Rules, records, and an engine for hnefatafl, tablut, brandubh, and other tafl games.

>>> import taflbase
>>> start = taflbase.Rules("brandubh7").start
>>> start.play("d1-c1").to_move
'defenders'
"""

from ._corpus import Corpus
from ._engine import Engine, Evaluation, Line
from ._records import Converted, Game, Record, Validation, convert, read, repair, validate
from ._rules import Batch, Position, Rules, planes, variants
from ._states import GameState
from ._taflbase import TaflError

__all__ = [
    "Batch",
    "Converted",
    "Corpus",
    "Engine",
    "Evaluation",
    "Game",
    "GameState",
    "Line",
    "Position",
    "Record",
    "Rules",
    "TaflError",
    "Validation",
    "convert",
    "planes",
    "read",
    "repair",
    "validate",
    "variants",
]
