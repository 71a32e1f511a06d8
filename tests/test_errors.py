"""The exception tree."""

from __future__ import annotations

import pickle

import pytest

from thresher import errors
from thresher.errors import (
    FetchError,
    InputError,
    LimitError,
    MissingExtraError,
    ThresherError,
    UsageError,
)


@pytest.mark.parametrize("name", errors.__all__)
def test_errors_are_one_tree(name: str) -> None:
    """All errors derive from the root, and the docstring lists each."""
    assert issubclass(getattr(errors, name), ThresherError)
    assert name in (errors.__doc__ or "")


@pytest.mark.parametrize(
    ("error", "builtin"),
    [(UsageError, ValueError), (InputError, ValueError), (MissingExtraError, ImportError)],
)
def test_errors_are_also_builtin_ones(error: type[Exception], builtin: type[Exception]) -> None:
    """Callers can catch the corresponding built-in exceptions."""
    assert issubclass(error, builtin)


def test_limit_error_carries_limit_and_value() -> None:
    """Message and attributes have both; the value is unknown if reading stopped at the limit."""
    error = LimitError("bytes", limit=1000, value=2500)
    assert ("bytes", 1000, 2500) == (error.what, error.limit, error.value)
    assert "bytes: 2,500, the limit is 1,000" == str(error)
    assert "bytes: more, the limit is 1,000" == str(LimitError("bytes", limit=1000))


def test_missing_extra_error_names_the_command() -> None:
    """The message contains the command to run."""
    error = MissingExtraError("the app", "app")
    assert "app" == error.extra
    assert "pip install 'thresher[app]'" in str(error)


def test_fetch_error_carries_url_and_status() -> None:
    """The URL and the HTTP status are attributes."""
    error = FetchError("gone", url="https://example.org/a", status=410)
    assert ("gone", "https://example.org/a", 410) == (str(error), error.url, error.status)


@pytest.mark.parametrize(
    "error",
    [
        ThresherError("x"),
        UsageError("x"),
        InputError("x"),
        LimitError("bytes", limit=1, value=2),
        MissingExtraError("the app", "app"),
        FetchError("gone", url="https://example.org", status=410),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_pickle(error: ThresherError) -> None:
    """Errors keep all attributes when pickled."""
    again = pickle.loads(pickle.dumps(error))
    assert type(error) is type(again)
    assert (str(error), vars(error)) == (str(again), vars(again))
