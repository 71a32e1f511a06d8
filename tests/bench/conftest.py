"""Fixtures of the tests of benchmarks."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def frozen_heap() -> Iterator[None]:
    """Leave what the test run holds in memory out of the collections before measurements."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
