"""A web server for every test of fetching."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fetching.web import Web, serving


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with serving(monkeypatch) as server:
        yield server
