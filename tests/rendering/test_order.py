"""An order and its answer cross between processes unchanged."""

from __future__ import annotations

import pytest

from thresher.errors import FetchError, LimitError, MissingExtraError, ThresherError, UsageError
from thresher.fetching.model import Fetched
from thresher.rendering.order import Order, read_answer, write_answer


def test_order_is_read_as_it_was_written() -> None:
    """All settings arrive, in one line whatever the address holds."""
    order = Order("https://grain.example/\n?ä", 3.5, 100, "a/1", allow_private=True)
    assert 1 == order.write().count(b"\n")
    assert order == Order.read(order.write())


def test_page_is_read_as_it_was_written() -> None:
    """The page arrives with its address; it is UTF-8 now."""
    body = "<p>Roggen, рожь\n".encode()
    page = Fetched("https://grain.example/", body, "utf-8", "text/html", 200, False)
    assert page == read_answer(write_answer(page))


@pytest.mark.parametrize(
    "error",
    [
        FetchError("HTTP 404", url="https://grain.example/", status=404),
        LimitError("bytes of the page", limit=10, value=11),
        MissingExtraError("rendering pages", "browser"),
        UsageError("no browser"),
        ThresherError("the browser failed"),
    ],
)
def test_error_is_raised_as_it_was_written(error: ThresherError) -> None:
    """An error keeps its class, its message and what it carries."""
    with pytest.raises(type(error)) as raised:
        read_answer(write_answer(error))
    assert (type(error), str(error)) == (type(raised.value), str(raised.value))
    assert vars(error) == vars(raised.value)


def test_death_of_the_worker_is_an_error() -> None:
    """No answer, or half of one, is an error of ours."""
    for line in (b"", b'{"url": "https://gr'):
        with pytest.raises(ThresherError, match="died"):
            read_answer(line)
