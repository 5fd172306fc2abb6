"""The program `tafl` on the driver and on the workers, and the check that both are the same."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class ProgramError(RuntimeError):
    """The program is missing, differs from the driver's, or failed."""


@dataclass(frozen=True)
class Program:
    """The program as the driver found it. The functions that use it carry it to the workers."""

    path: str
    """Its path on the driver, and on the workers unless it was shipped."""
    version: str
    """The output of `tafl --version` on the driver."""
    is_shipped: bool = False
    """Whether it is shipped with the files of the Spark application."""

    def command(self, *arguments: str) -> list[str]:
        """Return a command line for the current process, after checking the version."""
        return [self._local_path(), *arguments]

    def _local_path(self) -> str:
        path = self.path
        if self.is_shipped:
            from pyspark import SparkFiles

            path = SparkFiles.get(os.path.basename(self.path))
        found = version_of(path)
        if found != self.version:
            raise ProgramError(
                f"{path} is `{found}`, but the driver has `{self.version}`: "
                "install the same program everywhere, or send the driver's with --ship"
            )
        return path


@functools.cache
def version_of(path: str) -> str:
    """Return the version of a program; each process runs it once."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ProgramError(f"{path} cannot be run: {error}") from error
    return answer.stdout.strip()


def find_program(path: str | None = None) -> Program:
    """Return the program at a path, or the `tafl` of PATH.

    Raises:
        ProgramError: It is not there or cannot be run.

    """
    found = path or os.environ.get("TAFL") or shutil.which("tafl")
    if not found:
        raise ProgramError("`tafl` is not on PATH; name it with --tafl PATH")
    found = os.path.abspath(found)
    return Program(found, version_of(found))


def ship_program(spark: SparkSession, program: Program) -> Program:
    """Send the program to all workers, including later ones, and return it with its path there."""
    spark.sparkContext.addFile(program.path)
    return Program(program.path, program.version, is_shipped=True)
