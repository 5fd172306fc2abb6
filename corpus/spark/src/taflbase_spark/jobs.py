"""Jobs that process each record separately: `validate`, `replay`, `annotate`, and `selfplay`, whose jobs are seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taflbase_spark import batch, stream
from taflbase_spark.program import Program
from taflbase_spark.records import TASKS_PER_CORE, Question

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

COMMANDS = ("validate", "replay", "annotate")
"""The commands that answer each record line with one line."""


def question(name: str, options: Sequence[str] = ()) -> Question:
    """Return the answers of a command for each record, as JSON lines.

    Raises:
        ValueError: It is none of `COMMANDS`.

    """
    if name not in COMMANDS:
        raise ValueError(f"`{name}` does not answer line by line; these do: {', '.join(COMMANDS)}")
    return Question((name, "-", "--record-lines", "--format", "jsonl", "--threads", "1", "--quiet", *options))


@dataclass(frozen=True)
class SelfPlay:
    """A range of self-play jobs: each job has its own seed and plays some games."""

    options: tuple[str, ...]
    """The options of `tafl selfplay`: rules and limits, such as `--variant NAME --nodes 2000`."""
    jobs: int
    """The number of jobs."""
    games: int = 100
    """The number of games per job."""
    first_seed: int = 1
    """The seed of the first job; the following jobs have the following seeds."""

    def arguments(self, number: int) -> list[str]:
        """Return the arguments of `tafl` for a job by its number, from 0. The same arguments give the same games."""
        seed = self.first_seed + number
        return ["selfplay", "--seed", str(seed), "--games", str(self.games), "--threads", "1", "--quiet", *self.options]


def play(spark: SparkSession, program: Program, asked: SelfPlay, n_tasks: int | None = None) -> DataFrame:
    """Return the games of self-play as lines, each a record. Workers create the jobs, so there is no input."""

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for numbers in batches:
            for number in numbers.column("id").to_pylist():
                yield from batch.batches(stream.answers(program.command(*asked.arguments(number))))

    n_tasks = n_tasks or TASKS_PER_CORE * spark.sparkContext.defaultParallelism
    return spark.range(0, asked.jobs, 1, min(n_tasks, asked.jobs)).mapInArrow(answer, batch.LINES)
