"""The program `tafl`: where it is, on the driver and on the workers, and whether both are the same."""

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
    """The program is missing, is another one than the driver's, or failed."""


@dataclass(frozen=True)
class Program:
    """The program as the driver found it. It travels to the workers inside the functions that use it."""

    path: str
    """Where it is: on the driver, and on the workers unless it was shipped."""
    version: str
    """What `tafl --version` says on the driver."""
    is_shipped: bool = False
    """Whether workers have it among the files of the Spark application."""

    def command(self, *arguments: str) -> list[str]:
        """Return a command line for the process that asks, after the version was compared."""
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
    """Return what a program says of its version; each process asks once."""
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
        raise ProgramError("there is no `tafl` on PATH: say where it is with --tafl PATH")
    found = os.path.abspath(found)
    return Program(found, version_of(found))


def ship_program(spark: SparkSession, program: Program) -> Program:
    """Send the program to all workers, those that come later too, and return it as they have it."""
    spark.sparkContext.addFile(program.path)
    return Program(program.path, program.version, is_shipped=True)
