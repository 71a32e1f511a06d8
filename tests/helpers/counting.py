"""How often a document's page is parsed, and its content read, whatever is asked of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType, FrameType
from typing import Any, Final
from unittest.mock import patch

import turbohtml

from tests.helpers.compiled_steps import with_steps
from thresher.native import kernels

_PARSERS: Final = ("parse", "parse_fragment", "parse_xml", "IncrementalParser")
"""All that makes a tree in turbohtml."""
_STEP: Final = "canonicalise"
"""The compiled step that parses a page."""


@contextmanager
def count_parses() -> Iterator[Counter[str]]:
    """Count the calls of each parser with input, by name."""
    counts: Counter[str] = Counter()

    def counted(name: str, parse: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            # Names of encodings are looked up by parsing nothing.
            counts[name] += bool(not args or args[0])
            return parse(*args, **kwargs)

        return call

    class CountingSteps:
        def __getattr__(self, name: str) -> Any:
            step = getattr(steps, name)
            return counted(name, step) if name == _STEP else step

    steps = kernels.steps
    with ExitStack() as stack:
        for name in _PARSERS:
            parse = getattr(turbohtml, name)
            stack.enter_context(patch.object(turbohtml, name, counted(name, parse)))
        if steps is not None:
            stack.enter_context(with_steps(CountingSteps()))
        yield counts


@contextmanager
def count_calls(*functions: Callable[..., Any]) -> Iterator[Counter[str]]:
    """Count the calls of Python functions by name, wherever they are called from."""
    counts: Counter[str] = Counter()
    wanted: dict[CodeType, str] = {each.__code__: each.__name__ for each in functions}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in wanted:
            counts[wanted[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield counts
    finally:
        sys.setprofile(before)
