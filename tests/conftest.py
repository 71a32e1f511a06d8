"""Settings that every test shares."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.fetching.web import Web, serving

# Examples follow from the test alone, so a run says the same on every machine. HYPOTHESIS_PROFILE
# =thorough tries more of them, as .ci/run does without the compiled steps, and =search looks
# further, at random.
settings.register_profile(
    "repeat",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("repeat"), max_examples=100)
settings.register_profile("search", settings.get_profile("thorough"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))

# pytest turns warnings of this process into errors; numpy's are errors in those that it starts too.
os.environ["PYTHONWARNINGS"] = "error::RuntimeWarning"


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """A web server on this machine."""
    with serving(monkeypatch) as server:
        yield server
