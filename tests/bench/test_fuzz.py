"""The fuzz target accepts its seeds."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from bench import fuzz
from thresher.errors import ThresherError

NEEDED = {"app": ("uvicorn",), "serve": ("uvicorn",), "proxy": ("mitmproxy", "uvicorn")}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what mitmproxy needs
@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_target_bears_the_seeds(target: str, tmp_path: Path) -> None:
    """Every seed gives a result or one of Thresher's own errors."""
    for needed in NEEDED.get(target, ()):
        pytest.importorskip(needed, reason="its extra is not installed")
    fuzz.plant_seeds(tmp_path)
    seeds = sorted(tmp_path.iterdir())
    assert len(seeds) > 50
    for seed in seeds:
        with contextlib.suppress(ThresherError):
            fuzz.TARGETS[target](seed.read_bytes())


def test_dictionary_has_tags_and_attributes() -> None:
    """Words are in the format of the fuzzer's dictionaries, without quotation marks inside."""
    words = fuzz.spell_words()
    assert {"<table>", " href=", "</p>"} <= set(words)
    assert not any('"' in word or "\\" in word for word in words)
