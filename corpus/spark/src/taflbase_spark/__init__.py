"""Runs `tafl`, the program of Taflbase, on many machines with Apache Spark.

The modules, each of which uses those before it: `program` (the path and version of `tafl`), `stream` and `batch` (lines
through a program), `sources` (the inputs), `records` (each record processed alone), `rows`, `parts`, and `importing` (a
corpus), `tables` and `explore` (its tables), `jobs` (validate, replay, annotate, selfplay), `cli`.
"""

__version__ = "0.2.0"
