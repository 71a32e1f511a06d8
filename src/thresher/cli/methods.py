"""`thresher methods`: list the methods, or describe one with its parameters."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm, find_algorithm
from thresher.cli.exits import Exit
from thresher.cli.outputs import write_stdout
from thresher.support.settings import Setting

__all__ = ["run"]

_WIDTH: Final = 88
"""Characters per line."""
_INDENT: Final = "    "
_KINDS: Final[Mapping[str, str]] = {
    "switch": "yes or no",
    "number": "number",
    "integer": "whole number",
    "text": "text",
    "choice": "one of these",
    "list": "texts separated by commas",
    "phrases": "texts separated by commas",
}
"""Kind of a parameter → its name in the output; the help text of a choice lists its values."""


def run(args: Namespace) -> Exit:
    """Describe one method in full, or list all methods."""
    if args.name is not None:
        lines = [*_describe(args.name), *_describe_parameters(find_algorithm(args.name))]
    else:
        lines = [line for name in ALGORITHMS for line in (*_describe(name), "")]
        lines.append("The parameters of a method: thresher methods NAME")
    write_stdout([(0, "\n".join(lines))], [""])
    return Exit.OK


def _describe(name: str) -> Iterator[str]:
    algorithm = find_algorithm(name)
    yield f"{name} (default)" if name == DEFAULT_METHOD else name
    yield from _wrap(algorithm.summary, 1)
    yield from _wrap(f"Source: {algorithm.source}", 1)


def _describe_parameters(algorithm: Algorithm) -> Iterator[str]:
    parameters = algorithm.parameters()
    yield ""
    yield "Parameters (set with -p NAME=VALUE):" if parameters else "Parameters: none"
    for parameter in parameters:
        yield ""
        yield f"{_INDENT}{parameter.name}"
        yield from _wrap(parameter.help, 2)
        yield from _wrap("; ".join(_facts(parameter)), 2)


def _facts(parameter: Setting) -> Iterator[str]:
    kind = _KINDS[parameter.kind]
    yield f"{kind}, or auto" if parameter.is_optional else kind
    low, high = parameter.low, parameter.high
    if low is not None and high is not None:
        yield f"from {low:g} to {high:g}"
    elif low is not None:
        yield f"{low:g} or more"
    elif high is not None:
        yield f"{high:g} or less"
    yield f"default: {parameter.display(parameter.default)}"


def _wrap(text: str, level: int) -> list[str]:
    indent = _INDENT * level
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
