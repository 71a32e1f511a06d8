"""Fixtures of the tests of benchmarks."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.helpers.corpora import write_corpus

Run = Callable[..., str]


@pytest.fixture
def frozen_heap() -> Iterator[None]:
    """Leave what the test run holds in memory out of the collections before measurements."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def corpus(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A corpus of the pages that a module of tests has."""
    return write_corpus(tmp_path, "tiny", request.module.PAGES)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a benchmark that ends with a status, and returns what it printed."""

    def run_main(module: ModuleType, *arguments: str, status: int = 0) -> str:
        monkeypatch.setattr("sys.argv", [module.__name__, *arguments])
        with pytest.raises(SystemExit) as stop:
            module.main()
        assert status == stop.value.code
        return capsys.readouterr().out

    return run_main
