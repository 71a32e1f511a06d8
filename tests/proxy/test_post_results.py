"""Results of forms."""

from __future__ import annotations

from thresher.proxy.memory import PostResult, PostResults
from thresher.proxy.rewrite_model import ReceivedPage

URL = "http://mill.example/search"


def result(user: str = "anna", size: int = 10) -> PostResult:
    """Return a result of a user."""
    return PostResult(user, ReceivedPage(b"x" * size, "text/html", URL), ())


def test_a_result_answers_once() -> None:
    """A chosen result answers the next request of its user for its address, and only that one."""
    results = PostResults()
    results.keep("one", result())
    assert results.take("anna", URL) is None
    results.choose("anna", "one", f"{URL}#top")
    assert results.take("bert", URL) is None
    assert results.take("anna", "http://mill.example/") is None
    assert ("one", result()) == results.take("anna", URL)
    assert results.take("anna", URL) is None


def test_a_result_is_of_its_user_and_address() -> None:
    """Names of others' results and of other pages choose nothing."""
    results = PostResults()
    results.keep("one", result())
    for user, name, url in (("bert", "one", URL), ("anna", "two", URL), ("anna", "one", URL[:-1])):
        results.choose(user, name, url)
        assert results.take(user, url) is None


def test_results_are_bounded() -> None:
    """Results expire after ten minutes, and the oldest make room for new ones."""
    now = [0.0]
    results = PostResults(25, lambda: now[0])
    for name in ("one", "two", "three"):
        results.keep(name, result())
        results.choose("anna", name, URL)
    results.choose("anna", "one", URL)
    assert results.take("anna", URL) == ("three", result())
    results.choose("anna", "two", URL)
    now[0] = 601.0
    assert results.take("anna", URL) is None
    results.keep("four", result(size=30))
    results.choose("anna", "four", URL)
    assert results.take("anna", URL) is None
