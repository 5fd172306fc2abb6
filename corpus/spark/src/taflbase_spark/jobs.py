"""Jobs that look at each record alone: `validate`, `replay`, `annotate`, and `selfplay`, whose jobs are lines too."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from taflbase_spark import batch, stream
from taflbase_spark.program import Program
from taflbase_spark.records import Question

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

COMMANDS = ("validate", "replay", "annotate")
"""Commands that answer each record line with one line."""


def question(name: str, options: Sequence[str] = ()) -> Question:
    """Return what a command says about each record, as its JSON lines.

    Raises:
        ValueError: It is none of `COMMANDS`.

    """
    if name not in COMMANDS:
        raise ValueError(f"`{name}` does not answer line by line; these do: {', '.join(COMMANDS)}")
    return Question((name, "-", "--lines", "--format", "jsonl", "--threads", "1", "--quiet", *options))


@dataclass(frozen=True)
class SelfPlay:
    """What is played: so many games of a variant, each from a seed of its own."""

    variant: str
    """The variant by its name, or a rules string."""
    games: int
    """How many games."""
    first_seed: int = 1
    """The seed of the first game; the next games have the next ones."""
    games_per_job: int = 1
    """How many games one line of jobs stands for. The same lines give the same games."""
    limits: dict[str, int] = field(default_factory=lambda: {"nodes": 10_000})
    """The fields of the job line that limit each search, such as `nodes` or `depth`."""

    def job(self, number: int) -> bytes:
        """Return the line of a job by its number, from 0."""
        begun = number * self.games_per_job
        job = {
            "taflbase_job": 1,
            "variant": self.variant,
            "seed": self.first_seed + begun,
            "games": min(self.games_per_job, self.games - begun),
            **self.limits,
        }
        return json.dumps(job, separators=(",", ":")).encode()

    @property
    def n_jobs(self) -> int:
        """How many lines of jobs there are."""
        return -(-self.games // self.games_per_job)


def play(spark: SparkSession, program: Program, asked: SelfPlay, n_partitions: int) -> DataFrame:
    """Return the games of self-play as record lines. Jobs are made where they are done, so nothing is read."""

    def jobs(batches: Iterable[pa.RecordBatch]) -> Iterator[bytes]:
        for numbers in batches:
            for number in numbers.column("id").to_pylist():
                yield asked.job(number) + b"\n"

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        command = program.command("selfplay", "--jobs", "-", "--quiet")
        return batch.batches(stream.answers(command, jobs(batches)))

    return spark.range(0, asked.n_jobs, 1, n_partitions).mapInArrow(answer, batch.LINES)
