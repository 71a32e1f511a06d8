"""Exceptions that Thresher raises deliberately, all in one tree.

    ThresherError
    ├── UsageError           the call is wrong: unknown method, format or parameter
    │   └── MissingExtraError    an optional dependency is not installed; names the extra
    ├── InputError           the input is not a page: empty, a PDF, an image, JSON …
    ├── LimitError           the page exceeds a limit; carries the limit and the value
    ├── FetchError           a URL could not be fetched; carries the URL and the HTTP status
    └── StorageError         data could not be stored: the disk is full, the file is read-only …

An empty selection is a result with a verdict, not an error.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = [
    "FetchError",
    "InputError",
    "LimitError",
    "MissingExtraError",
    "StorageError",
    "ThresherError",
    "UsageError",
]


class ThresherError(Exception):
    """Base of all errors that Thresher raises deliberately; picklable, to cross processes."""

    def __reduce__(self) -> tuple[Callable[..., ThresherError], tuple[object, ...]]:
        # Exception's own method would call the constructor with only the message.
        return _restore, (type(self), self.args, self.__dict__)


class UsageError(ThresherError, ValueError):
    """The call is wrong: an unknown method, format or parameter, or a value out of range."""


class MissingExtraError(UsageError, ImportError):
    """An optional part of Thresher is not installed; the message names the extra to install."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'thresher[{extra}]'")
        self.extra = extra


class InputError(ThresherError, ValueError):
    """The input cannot be read as a page: it is empty, or not HTML."""


class LimitError(ThresherError):
    """The page exceeds a limit; ``limit`` and ``value`` are in the unit that ``what`` names."""

    def __init__(self, what: str, *, limit: float, value: float | None = None) -> None:
        amount = "more" if value is None else f"{value:,}"
        super().__init__(f"{what}: {amount}, the limit is {limit:,}")
        self.what = what
        self.limit = limit
        self.value = value


class FetchError(ThresherError):
    """A URL could not be fetched; ``status`` is the HTTP status if there was a response."""

    def __init__(self, message: str, *, url: str, status: int | None = None) -> None:
        super().__init__(message)
        self.url = url
        self.status = status


class StorageError(ThresherError):
    """Data could not be stored: the disk is full, or the file is read-only or locked."""


def _restore(
    kind: type[ThresherError], args: tuple[object, ...], state: dict[str, object]
) -> ThresherError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
