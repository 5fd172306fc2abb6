"""Runs `tafl`, the program of Taflbase, on many machines with Apache Spark.

The parts, in the order in which they build on each other: `program` (where `tafl` is), `stream` and `batch` (lines
through a program), `sources` (what is read), `records` (each record asked alone), `rows`, `parts` and `importing` (a
corpus), `tables` and `explore` (tables of it), `jobs` (validate, replay, annotate, selfplay), `cli`.
"""

__version__ = "0.2.0"
