"""The calls of compiled steps while a page is extracted, repeated with altered arguments."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import thresher
from bench.native_fuzz.drawing import alter
from tests.helpers.compiled_steps import compiled_steps, with_steps
from thresher.algorithms import MethodName
from thresher.page.parse import parse

__all__ = ["repeat_altered"]


def repeat_altered(chance: random.Random, html: str) -> None:
    """Extract a page, and call each step again as it was called, with altered arguments."""
    spy = _Spy()
    methods: list[MethodName] = ["learned", "keep_all"]
    with with_steps(spy):
        document = thresher.document_of(thresher.select(parse(html), chance.choice(methods)))
        document.write(chance.choice(thresher.FORMATS[:3]))
    for name, given in spy.calls:
        arguments = [alter(chance, each) for each in given]
        with suppress(ValueError, BufferError, OverflowError):
            getattr(compiled_steps(), name)(*arguments)


class _Spy:
    """Stands in for the compiled steps, and records their calls."""

    def __init__(self) -> None:
        self.steps = compiled_steps()
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        step = getattr(self.steps, name)

        def call(*args: Any) -> Any:
            self.calls.append((name, args))
            return step(*args)

        return call
