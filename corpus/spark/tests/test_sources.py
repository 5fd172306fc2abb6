"""What is read, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from taflbase_spark import jobs, records, sources
from taflbase_spark.program import Program
from taflbase_spark.sources import Source, SourceError


def test_files_of_folders_stand_by_name_and_inputs_in_their_order(tmp_path: Path) -> None:
    for name in ("b/2.csv", "b/10.csv", "b/a/1.csv", "b/.hidden", "a.csv"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    found = sources.find_sources([str(tmp_path / "b"), str(tmp_path / "*.csv")])
    names = [source.path.removeprefix(f"{tmp_path}/") for source in found]
    assert names == ["b/10.csv", "b/2.csv", "b/a/1.csv", "a.csv"]
    assert [source.number for source in found] == [0, 1, 2, 3]
    with pytest.raises(SourceError, match="no such file"):
        sources.find_sources([str(tmp_path / "nothing*")])
    with pytest.raises(SourceError, match="Spark session"):
        sources.find_sources(["s3a://bucket/games"])


def test_inputs_without_files_are_an_error_of_the_sources(tmp_path: Path) -> None:
    cutter = records.Cutter(Program("tafl", "tafl 0"))
    with pytest.raises(SourceError, match="nothing to read"):
        records.ask(None, cutter, sources.find_sources([str(tmp_path)]), jobs.question("validate"))


def test_bins_hold_every_source_once_and_are_of_a_size() -> None:
    files = [Source(number, f"{number}", size) for number, size in enumerate([9, 1, 1, 1, 5, 4, 3_000_000])]
    filled = sources.bins(files, 3)
    assert sorted(source.number for own in filled for source in own) == list(range(7))
    assert [source.number for source in min(filled, key=len)] == [6]
    assert len(sources.bins(files, 100)) == 7
    assert sources.bins([], 3) == []


def test_record_lines_are_known_by_how_they_begin(tmp_path: Path) -> None:
    lines, other = tmp_path / "lines.jsonl", tmp_path / "other.jsonl"
    lines.write_text('{"taflbase_record":1,"source":"a","text":""}\n')
    other.write_text('{"taflbase":1}\n')
    known = [sources.is_record_lines(source) for source in sources.find_sources([str(lines), str(other)])]
    assert known == [True, False]
