"""Records: reading, validation, conversion, and repair of files in any notation."""

from dataclasses import dataclass

from ._request import records


class Record(dict):
    """A dictionary whose items are attributes, too. Its keys are those of the program's JSON."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Game(Record):
    """A replayed game: `variant`, `plies`, `outcome`, `recorded`, `final`, `findings`."""

    @property
    def moves(self):
        """The moves that could be played."""
        return [ply["move"] for ply in self["plies"]]


@dataclass(frozen=True)
class Validation:
    """The records with their findings, and the counts."""

    records: list[Record]
    summary: Record

    @property
    def findings(self):
        """The findings of all records."""
        return [Record(finding) for record in self.records for finding in record["findings"]]


@dataclass(frozen=True)
class Converted:
    """Records in another notation: the text, the number of games by outcome, and the losses."""

    text: str
    records: list[Record]
    summary: Record


def read(paths, *, variant=None, notation=None):
    """Reads and replays the games of files, folders, or globs."""
    games, _ = records("replay", paths, variant=variant, as_=notation)
    return [Game(game) for game in games]


def validate(paths, *, variant=None, notation=None, attribute=None):
    """Checks the records of files, folders, or globs."""
    checked, summary = records("validate", paths, variant=variant, as_=notation, attribute=attribute)
    return Validation([Record(record) for record in checked], Record(summary))


def convert(paths, to, *, variant=None, notation=None):
    """Writes the records of files, folders, or globs in another notation."""
    written, summary = records("convert", paths, to=to, variant=variant, as_=notation)
    text = summary.pop("text")
    return Converted(text, [Record(record) for record in written], Record(summary))


def repair(paths, *, variant=None, notation=None, max_edits=None):
    """Suggests repairs of broken records. Returns the broken ones, each with its `repairs`."""
    broken, _ = records("repair", paths, variant=variant, as_=notation, max_edits=max_edits)
    return [Record(record) for record in broken]
