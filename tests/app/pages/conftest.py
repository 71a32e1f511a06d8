"""App with pages to label, for the tests of labelling, training and the leaderboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.app.conftest import OpenApp, Post
from tests.app.pages.desk import add

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture
def desk(open_app: OpenApp, post: Post) -> Iterator[TestClient]:
    """An app with three pages to label."""
    with open_app() as client:
        assert 200 == add(client, post).status_code
        yield client
