"""The compiled steps exchanged, switched off, or called alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import pytest

from thresher.native import REFUSALS, Steps, kernels
from thresher.page import Page
from thresher.page.canonical import Canonical, _canonicalise_by_step
from thresher.page.parse import parse

needs_steps = pytest.mark.skipif(kernels.steps is None, reason="the steps are not compiled")


def compiled_steps() -> Steps:
    """Return the compiled steps; AssertionError if there are none."""
    assert kernels.steps is not None, "the steps are not compiled"
    return kernels.steps


def refuses(kernel: Callable[[Page], object], html: str) -> bool:
    """Return whether the compiled step of a kernel refuses a page."""
    page = parse(html)
    before = REFUSALS.total()
    kernel(page)
    return before < REFUSALS.total()


def with_steps(steps: object) -> AbstractContextManager[Any]:
    """Let every kernel use other compiled steps."""
    return patch.object(kernels, "steps", steps)


def without_compiled_steps() -> AbstractContextManager[Any]:
    """Let every kernel run its definition, as if the steps had not been compiled."""
    return with_steps(None)


def canonicalise_by_step(html: str) -> Canonical | None:
    """Canonicalise a page with the compiled step alone; None if it refuses."""
    return _canonicalise_by_step(compiled_steps(), html.encode())
