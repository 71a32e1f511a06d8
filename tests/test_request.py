"""A request becomes an algorithm and its params, whoever asks."""

from __future__ import annotations

import pickle

import pytest

from tests.sites.pages import NOTICE, stories, story
from thresher.algorithms import ALGORITHMS, MethodName
from thresher.errors import UsageError
from thresher.extraction import extract, extract_request, select_request
from thresher.page import Page
from thresher.page.parse import parse
from thresher.request import SelectRequest
from thresher.selection import Selection
from thresher.sites import HostRules, Rulebook, Rules, learn


def keep_nothing(page: Page, params: object) -> Selection:
    """Keep nothing, whatever the params."""
    return Selection.of_nothing(page, "nothing", reason=f"{params}")


@pytest.mark.parametrize("method", ALGORITHMS)
def test_a_name_resolves_to_its_algorithm(method: MethodName) -> None:
    """It is found by its name, with its defaults; built params stay as they are."""
    algorithm, params = SelectRequest(method).resolve()
    assert algorithm is ALGORITHMS[method]
    assert params == algorithm.params()
    assert SelectRequest(method, params).resolve() == (algorithm, params)
    assert SelectRequest(method, params).resolve()[1] is params


def test_a_function_resolves_to_an_algorithm_of_its_own() -> None:
    """It has the params it is given, and no say on what a site repeats."""
    algorithm, params = SelectRequest(keep_nothing, "mine").resolve()
    assert (keep_nothing, "mine") == (algorithm.select, params)
    assert algorithm.select_with_repeats is None
    assert "keep_nothing" == SelectRequest(keep_nothing).method_name
    selection = select_request(parse("<p>one"), SelectRequest(keep_nothing, "mine"))
    assert ("mine",) == selection.reasons


def test_no_algorithm_is_imported_but_the_one_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a page of a known site, too, the method is found by its name."""
    site = learn(stories(1, 2, 3))

    class Unused:
        @property
        def select(self) -> object:
            raise AssertionError("nobody asked for it")

    for name in ALGORITHMS:
        if name != "keep_all":
            monkeypatch.setitem(ALGORITHMS, name, Unused())
    assert NOTICE not in extract(story(4), method="keep_all", site=site).text


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (SelectRequest("magic"), 'unknown method "magic"; one of learned'),
        (SelectRequest("bte", scope="page"), "bte has no scope; .*learned has"),
        (SelectRequest("bte", favor="recall"), "bte has no favor; .*learned has"),
        (SelectRequest(keep_nothing, favor="recall"), "pass scope and favor of a function"),
        (SelectRequest("learned", {"scope": "page"}, scope="thread"), "scope is given twice"),
        (SelectRequest("learned", {"magic": 1}), 'no parameter "magic"'),
    ],
)
def test_usage_error_when_a_request_contradicts_itself(
    request_: SelectRequest, message: str
) -> None:
    """The message says what is wrong."""
    with pytest.raises(UsageError, match=message):
        request_.resolve()


def test_a_request_without_its_site() -> None:
    """Only the site and the rules go; a request is data that pickles."""
    rules = Rulebook({"mill.example": HostRules(Rules(drop=("p",)))})
    request = SelectRequest("keep_all", site=learn(stories(1)), rules=rules)
    assert request.has_site_knowledge
    assert SelectRequest("keep_all") == request.without_site()
    assert not request.without_site().has_site_knowledge
    again = pickle.loads(pickle.dumps(SelectRequest("keep_all", rules=rules)))
    assert rules == again.rules


def test_a_request_does_what_its_arguments_do() -> None:
    """`extract` is `extract_request` with its arguments gathered."""
    url, site = "https://mill.example/4", learn(stories(1, 2, 3))
    request = SelectRequest("learned", scope="article", favor="recall", site=site)
    gathered = extract_request(story(4), request, url=url)
    spread = extract(story(4), url=url, scope="article", favor="recall", site=site)
    assert gathered.json() == spread.json()
