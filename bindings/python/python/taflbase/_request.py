"""Requests of the library: parameters and answers are JSON, as for the command line and the web server."""

import json
import os

from . import _taflbase


def parameters(**given):
    """Returns parameters as JSON; those that are None have the default of the library."""
    known = {name.rstrip("_"): value for name, value in given.items() if value is not None}
    return json.dumps(known, default=os.fspath)


def request(name, /, **given):
    """Runs a request, and returns its answer."""
    return json.loads(_taflbase.request(name, parameters(**given)))


def tafl_error(message, *, kind="bad-parameter", help=None, parameter=None):
    """Returns an error with the attributes that those of the library have."""
    made = _taflbase.TaflError(f"{message} ({help})" if help else message)
    made.kind, made.message, made.help, made.parameter = kind, message, help, parameter
    return made


def records(name, paths, /, **given):
    """Runs a request over the records of files, and returns its answers and its summary."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    lines, summary = _taflbase.records(name, parameters(paths=[os.fspath(path) for path in paths], **given))
    return [json.loads(line) for line in lines], json.loads(summary)
