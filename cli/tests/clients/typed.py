"""Sends requests with a generated client, and checks that the responses are objects of its classes.

Usage: typed.py FOLDER ADDRESS; FOLDER contains the package `tafl_client`.
"""

import io
import sys

folder, address = sys.argv[1:]
sys.path.insert(0, folder)

from tafl_client import Client  # noqa: E402
from tafl_client.api.default import analysis, explore, game, games, info, query, search, tree, validate  # noqa: E402
from tafl_client.api.default import convert, report  # noqa: E402
from tafl_client.models import AnalysisFormat, Error, ReportFormat, ReportKind  # noqa: E402
from tafl_client.types import File  # noqa: E402

GAME = b"[attackers:Red]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n2. b4-b2 d4-e9\n"
client = Client(base_url=address, raise_on_unexpected_status=True)


def is_map(model):
    """Returns whether an object is a map with arbitrary keys."""
    return [field.name for field in type(model).__attrs_attrs__] == ["additional_properties"]


def check(value, place):
    """Checks that a value and its parts are typed, and that objects have no members beyond their schema."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            check(item, f"{place}[{number}]")
    elif hasattr(type(value), "__attrs_attrs__"):
        more = value.additional_properties
        assert is_map(value) or not more, f"{place} has untyped members: {list(more)}"
        for name, item in more.items():
            check(item, f"{place}[{name!r}]")
        for field in type(value).__attrs_attrs__:
            if field.name != "additional_properties":
                check(getattr(value, field.name), f"{place}.{field.name}")
    else:
        assert not isinstance(value, (dict, tuple)), f"{place} is {type(value).__name__}"


def typed(name, response, kind):
    """Checks the class and the parts of a response, and returns it."""
    assert type(response).__name__ == kind, f"{name}: {response}"
    check(response, name)
    return response


found = typed("explore", explore.sync(client=client, variant="brandubh7"), "TimedExploreAnswer")
assert found.games > 0 and found.moves[0].games > 0 and "-" in found.moves[0].move
assert found.attackers_share is None or 0 <= found.attackers_share.low <= 1
assert isinstance(found.took_ms, float)

found = typed("tree", tree.sync(client=client, variant="brandubh7", min_games=1), "TimedTreeAnswer")
assert found.children[0].games > 0

found = typed("search", search.sync(client=client, query="king_moved", limit=2), "SearchAnswer")
assert found.hits[0].at.position.startswith("/") and found.summary.hits >= len(found.hits) == 2

found = typed("query", query.sync(client=client, query="king_moved"), "QueryAnswer")
assert found.about == "positions"

listed = typed("games", games.sync(client=client, query="variant:brandubh7"), "GamesAnswer")
assert listed.total > 0 and listed.games[0].plies > 0
for entry in listed.games:
    found = typed("game", game.sync(entry.game, client=client), "GamePage")
    assert found.game.game == entry.game and len(found.plies) == len(found.positions) - 1
assert any(len(game.sync(entry.game, client=client).evals.plies) > 0 for entry in listed.games if entry.plies == 14)

found = analysis.sync(client=client, variant="brandubh7", nodes=2000, lines=2, format_=AnalysisFormat.JSON)
found = typed("analysis", found, "Analysis")
assert len(found.lines) == 2 and "-" in found.lines[0].moves[0] and 0 <= found.lines[0].expected <= 1


def body():
    return File(payload=io.BytesIO(GAME))


found = typed("validate", validate.sync(client=client, body=body()), "ValidateTextAnswer")
assert found.records == 1 and found.games[0].attackers == "Red" and found.findings[0].caret.end > 0

found = typed("convert", convert.sync(client=client, body=body()), "ConvertTextAnswer")
assert found.games == 1 and "d2-c2" in found.text

found = report.sync(client=client, kind=ReportKind.PLAYERS, format_=ReportFormat.JSON)
found = typed("report", found, "ReportDocument")
assert found.kind == "players" and found.sections.additional_properties

found = typed("info", info.sync(client=client), "Info")
assert found.program == "taflbase" and found.corpus.games >= listed.total

found = explore.sync(client=client, variant="brandubh77")
assert isinstance(found, Error) and found.error.parameter == "variant"
print("all responses are typed")
