"""Corpora: tables, searches, the explorer, and reports."""

import io
import json
import os

from . import _taflbase
from ._records import Record
from ._request import parameters, request
from ._rules import variant_of


class Corpus:
    """A corpus: a folder with games, which `tafl import` or `Corpus.build` made."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self.info()

    @classmethod
    def build(cls, path, sources, *, variant=None, notation=None, duplicates=None):
        """Imports the records of files, folders, or globs into a corpus, and creates it if necessary."""
        if isinstance(sources, (str, os.PathLike)):
            sources = [sources]
        given = parameters(
            corpus=path,
            paths=[os.fspath(source) for source in sources],
            variant=variant,
            as_=notation,
            duplicates=duplicates,
        )
        _taflbase.import_games(given)
        return cls(path)

    def __repr__(self):
        return f"Corpus({self.path!r})"

    def info(self):
        """Returns the numbers of games, plies, and positions, and the variants."""
        return self._request("info")

    def games(self):
        """Returns the table of games as a polars frame."""
        return self.sql("SELECT * FROM games")

    def plies(self):
        """Returns the table of plies as a polars frame."""
        return self.sql("SELECT * FROM plies")

    def evals(self):
        """Returns the table of evaluations as a polars frame; it is empty before `tafl annotate`."""
        return self.sql("SELECT * FROM evals")

    def sql(self, query):
        """Returns the result of an SQL query over `games`, `plies`, `players`, `openings`, and `evals` as a polars frame."""
        import polars

        return polars.read_ipc_stream(io.BytesIO(self.arrow(query)))

    def arrow(self, query):
        """Returns the result of an SQL query as bytes in the Arrow IPC stream format, for pyarrow, pandas, and others."""
        return _taflbase.table(self.path, query)

    def search(self, query, *, per=None, sort=None, reverse=None, limit=None, offset=None):
        """Returns the hits of a query of the query language, and their number in `summary`."""
        return self._request(
            "search", query=query, per=per, sort=sort, reverse=reverse, limit=limit, offset=offset
        )

    def explore(self, position=None, *, variant=None, moves=None, side=None, query=None, as_it_stands=None, limit=None):
        """Returns the moves that were played from a position, with results.

        The position is a `Position`, or a position record of the variant; without one, it is the start after `moves`.
        """
        if isinstance(position, _taflbase.Position):
            variant, side, position = variant_of(position.rules), position.to_move, position.record
        return self._request(
            "explore",
            variant=variant,
            position=position,
            side=side,
            moves=moves,
            query=query,
            as_it_stands=as_it_stands,
            limit=limit,
        )

    def player(self, name, *, opponents=None):
        """Returns the results of a player by side, variant, opponent, and month."""
        return self._request("player", name=name, opponents=opponents)

    def report(self, kind, *, format=None, **given):
        """Creates a report: `balance`, `openings`, `lengths`, `accuracy`, `players`, `player`, `crosstable`,
        `map`, `health`, or `compare`.

        Without a format, it returns the figures. `html`, `md`, and `csv` are texts, and `parquet` is bytes. The other
        parameters are those of `tafl report`, such as `variant`, `query`, and the `name` of a player.
        """
        written = bytes(
            _taflbase.report(parameters(kind=kind, sources=[self.path], **given), format or "json")
        )
        if format is None:
            return Record(json.loads(written))
        return written if format == "parquet" else written.decode()

    def _request(self, name, /, **given):
        return Record(request(name, corpus=self.path, **given))
