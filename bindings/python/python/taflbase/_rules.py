"""Rules and positions."""

import html
import json

from . import _taflbase
from ._request import parameters, request
from ._taflbase import Batch, Position, Rules, planes

__all__ = ["Batch", "Position", "Rules", "planes", "variants"]


def variants(filter=None):
    """Returns the known variants as dictionaries with names, titles, and rules strings."""
    return request("rules-list", filter=filter)


def rules_of(variant):
    """Returns the rules of a variant, which is a name, a rules string, or already `Rules`."""
    return variant if isinstance(variant, Rules) else Rules(variant)


def variant_of(rules):
    """Returns the parameter `variant` of requests about rules: the name of the variant, or the rules string if there is none."""
    return rules.name or rules.text


def _image(self, format="svg", *, theme=None, width=None, flip=None):
    """Draws the board: `svg` and `text` as a text, `png` and `pdf` as bytes."""
    drawn = bytes(
        _taflbase.picture(
            parameters(
                variant=self.rules.text,
                position=self.record,
                format=format,
                theme=theme,
                width=width,
                flip=flip,
            )
        )
    )
    return drawn.decode() if format in ("svg", "text") else drawn


def _explain(self, move):
    """Explains a move: whether it is legal, why not, and its captures in sentences."""
    return json.loads(self._explain(move))


def _sheet(self):
    """Returns the rules in plain language, by subject."""
    return request("rules-explain", variant=variant_of(self))


def _rules_html(self):
    return f"<b>{html.escape(self.title)}</b>{self.start.image()}"


def _same(self, memo=None):
    return self


# The classes are those of the library; what only formats requests is added here. Their objects don't change, so a copy is the same.
Position.__copy__ = Position.__deepcopy__ = Rules.__copy__ = Rules.__deepcopy__ = _same
Position.image = _image
Position.explain = _explain
Position._repr_svg_ = lambda self: self.image("svg")
Rules.sheet = _sheet
Rules._repr_html_ = _rules_html
