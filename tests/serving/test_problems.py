"""HTTP statuses of errors."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.exceptions import HTTPException

from thresher.errors import (
    FetchError,
    InputError,
    LimitError,
    MissingExtraError,
    ThresherError,
    UsageError,
)
from thresher.serving.problems import STATUSES, TITLES, status_of


def test_statuses_say_whose_fault_it_is() -> None:
    """Each error class has its status."""
    assert 400 == status_of(UsageError("x"))
    assert 501 == status_of(MissingExtraError("x", "y"))
    assert 422 == status_of(InputError("x"))
    assert 413 == status_of(LimitError("x", limit=1))
    assert 502 == status_of(FetchError("x", url="y"))
    assert 500 == status_of(ThresherError("x")) == status_of(KeyError("x"))
    assert 418 == status_of(HTTPException(418))
    assert list(STATUSES)[-1] is ThresherError


def test_statuses_have_titles() -> None:
    """Each status has a title, except internal errors."""
    assert [500] == [status for status in STATUSES.values() if status not in TITLES]
