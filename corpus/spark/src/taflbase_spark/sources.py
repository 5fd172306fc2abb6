"""Sources: files, folders, globs, and addresses, in a fixed order."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECORD_LINE = b'{"taflbase_record":'
"""The start of a file of record lines, which Spark may split between any two lines."""
_ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]+://", re.IGNORECASE)


class SourceError(ValueError):
    """A source does not exist."""


@dataclass(frozen=True)
class Source:
    """A source file."""

    number: int
    """Its index in the list of all sources, from 0. It decides which of two copies of a game is the first."""
    path: str
    """Its path, or its address for Hadoop's file systems."""
    size: int
    """Its size in bytes."""
    is_found: bool = False
    """Whether it was found in a folder: it is then skipped if it does not contain records."""

    @property
    def is_remote(self) -> bool:
        """Whether Spark must read it, because it is not in a folder shared by the workers."""
        return _ADDRESS.match(self.path) is not None


def find_sources(inputs: Sequence[str], spark: SparkSession | None = None) -> list[Source]:
    """Return all files of inputs in their order, with the files of a folder sorted by name, like `tafl`.

    Raises:
        SourceError: An input is not there.

    """
    found: list[tuple[str, int, bool]] = []
    for name in inputs:
        if _ADDRESS.match(name):
            found += _remote(name, spark)
        elif os.path.isdir(name):
            found += _walk(name)
        elif os.path.exists(name):
            found.append((os.path.abspath(name), os.path.getsize(name), False))
        else:
            found += _glob(name)
    return [Source(number, *file) for number, file in enumerate(found)]


def _walk(folder: str) -> list[tuple[str, int, bool]]:
    """Return the files below a folder by name; hidden files are skipped, and links to folders are not followed."""
    found = []
    for entry in sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name)):
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            found += _walk(entry.path)
        elif entry.is_file():
            found.append((os.path.abspath(entry.path), entry.stat().st_size, True))
    return found


def _glob(pattern: str) -> list[tuple[str, int, bool]]:
    found = []
    for path in sorted(glob.glob(pattern)):
        if os.path.isdir(path):
            found += _walk(path)
        else:
            found.append((os.path.abspath(path), os.path.getsize(path), False))
    if not found:
        raise SourceError(f"{pattern}: no such file or folder, and nothing matches")
    return found


def _remote(address: str, spark: SparkSession | None) -> list[tuple[str, int, bool]]:
    """Return the files of an address, a folder or a glob, as Hadoop's file systems list them."""
    if spark is None:
        raise SourceError(f"{address}: an address needs a Spark session")
    context = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(address)
    system = path.getFileSystem(context._jsc.hadoopConfiguration())
    matches = system.globStatus(path)
    found = []
    for status in matches or []:
        files = system.listFiles(status.getPath(), True)
        while files.hasNext():
            file = files.next()
            if not file.getPath().getName().startswith((".", "_")):
                found.append((file.getPath().toString(), int(file.getLen()), status.isDirectory()))
    if not found:
        raise SourceError(f"{address}: nothing is there")
    return sorted(found)


def is_record_lines(source: Source) -> bool:
    """Return whether a local file contains uncompressed record lines."""
    if source.is_remote:
        return source.path.endswith(".records.jsonl")
    with open(source.path, "rb") as file:
        return file.read(len(RECORD_LINE)) == RECORD_LINE


def bins(sources: Sequence[Source], n_bins: int) -> list[list[Source]]:
    """Return sources in at most this number of bins of similar size, the largest file first."""
    n_bins = max(1, min(n_bins, len(sources)))
    filled: list[list[Source]] = [[] for _ in range(n_bins)]
    sizes = [0] * n_bins
    for source in sorted(sources, key=lambda source: (-source.size, source.number)):
        # A file costs something even if it is empty.
        least = min(range(n_bins), key=lambda at: (sizes[at], at))
        filled[least].append(source)
        sizes[least] += source.size + 4096
    return [sorted(own, key=lambda source: source.number) for own in filled if own]
