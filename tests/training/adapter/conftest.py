"""Training takes fewer steps in these tests, as the pages are few and similar."""

from __future__ import annotations

import pytest

from thresher.training.adapter import fit


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "N_STEP", 150)
