"""Detection of obstacles, without false positives."""

from __future__ import annotations

import dataclasses
import pickle
import re

import pytest
from hypothesis import given

from tests.analysis.embedded.pages import STORY, next_data, page
from tests.analysis.obstacles import pages
from tests.helpers.known import known
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.analysis.obstacles import MAX_WORDS, Obstacle, ObstacleKind, find_obstacle
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.extraction import document_of, extract
from thresher.page import Page
from thresher.page.parse import parse

BLOCKED = pages.CHALLENGES | pages.CAPTCHAS | pages.ERRORS | pages.PARKED | pages.WALLS
UNWRITTEN = pages.APPLICATIONS | pages.LEADS_ELSEWHERE
TEXT = f"<article><p>{pages.SENTENCE * 21}</p></article>"
"""315 words: fewer than let a page go at once, more than a page sent in place of another has."""
LONGER = {"default page", "Google consent", "Yahoo consent"}
"""Pages that may have more words yet."""
BRIEF = {
    name: html for name, html in (BLOCKED | UNWRITTEN).items() if name not in {*LONGER, "frameset"}
}


KINDS = dict.fromkeys(BLOCKED, ObstacleKind.BLOCKED) | dict.fromkeys(
    UNWRITTEN, ObstacleKind.NEEDS_BROWSER
)


@pytest.mark.parametrize("name", KINDS)
def test_obstacle_is_found_where_another_page_was_sent(name: str) -> None:
    """A page sent in place of another is no content, and one sentence of evidence says why."""
    found = find_obstacle(parse((BLOCKED | UNWRITTEN)[name]))
    assert isinstance(found, Obstacle)
    assert KINDS[name] is found.kind
    assert re.fullmatch(r"[^a-z].{,290}outside links\.", found.evidence)
    assert found.evidence[0] == found.evidence[0].upper()
    assert 0.5 < found.confidence < 1


@pytest.mark.parametrize("html", pages.ORDINARY.values(), ids=pages.ORDINARY)
def test_none_when_the_page_is_ordinary(html: str) -> None:
    """Pages with content have no obstacle, whatever they are about and whoever guards them."""
    assert find_obstacle(parse(html)) is None


@pytest.mark.parametrize("html", BRIEF.values(), ids=BRIEF)
def test_none_when_there_is_text_beside(html: str) -> None:
    """Text decides: with an article in it no page is an obstacle, whatever marks it bears."""
    assert find_obstacle(parse(html.replace("</body>", "") + TEXT)) is None


def test_signature_believed_before_what_it_looks_like() -> None:
    """A Cloudflare check with a 403 heading must be reported as Cloudflare's."""
    html = pages.page(
        f"<h1>403 Forbidden</h1>{pages.ENABLE}<div id=root></div>"
        "<script>window._cf_chl_opt={}</script>",
        "403 Forbidden",
    )
    assert "Cloudflare" in known(find_obstacle(parse(html))).evidence


@pytest.mark.parametrize(("n_word", "is_found"), [(MAX_WORDS, True), (MAX_WORDS + 1, False)])
def test_page_let_go_when_it_has_more_words_than_any_obstacle(n_word: int, is_found: bool) -> None:
    """The limit is on words outside links; those inside do not count."""
    words = " ".join(["rye"] * (n_word - 3))
    html = pages.page(f"<p>{words}</p><a href=/>{words}</a>", "Welcome to nginx!")
    assert is_found is (find_obstacle(parse(html)) is not None)


@given(soups())
def test_any_soup_is_looked_at(html: str) -> None:
    """No page makes it raise, and a page pickled and read again gives the same."""
    page = parse(html)
    assert find_obstacle(page) == find_obstacle(pickle.loads(pickle.dumps(page)))


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=NASTY_PAGES)
def test_nasty_pages_are_looked_at(html: str) -> None:
    """Nor do pages written to trip a parser; none of them is a page sent in place of another."""
    found = find_obstacle(parse(html))
    assert found is None or ObstacleKind.NEEDS_BROWSER is found.kind


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<div id=root>" * 100_000, ObstacleKind.NEEDS_BROWSER),
        ("<meta name=robots content=noindex>" * 20_000, None),
        ("<script>" * 50_000, ObstacleKind.NEEDS_BROWSER),
        ("<script" * 50_000, None),
        ("<div id=root></div><script>" + "\\u0041" * 90_000, ObstacleKind.NEEDS_BROWSER),
        ("<a href='/cdn-cgi/challenge-platform/" * 20_000, None),
        (f"<meta http-equiv=refresh content='1{' ' * 100_000}'>", None),
        (f"<p>Mill<script>location{' ' * 9_000}</script>", None),
        ("<p>Mill<script>'" + "\\ud83d rye and oats. " * 9 + "'</script>", None),
    ],
    ids=range(9),
)
def test_hostile_page_looked_at_in_time(html: str, kind: ObstacleKind | None) -> None:
    """Pages made to be slow or to trip an expression get their answer like any other."""
    found = find_obstacle(parse(html))
    assert kind is (found.kind if found else None)


@pytest.mark.parametrize(
    ("html", "n_page"),
    [
        (page(next_data(STORY), body="<div id=__next></div>"), 2),
        ("<title>404 Not Found</title><h1>404 Not Found</h1>", 1),
        (TEXT, 1),
    ],
    ids=["completed", "blocked", "content"],
)
def test_obstacle_is_found_once_for_each_page(
    html: str, n_page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Algorithm, completion and document share it; a completed page is another page."""
    searched: list[Page] = []

    class Counting(PageSignals):
        def __init__(self, page: Page) -> None:
            searched.append(page)
            super().__init__(page)

    monkeypatch.setattr("thresher.analysis.obstacles.page_signals.PageSignals", Counting)
    document = extract(html, method="learned")
    _ = (document.obstacle, document.verdict, document.json(), find_obstacle(document.page))
    again = document_of(document.selection)
    _ = (again.obstacle, again.verdict)
    assert n_page == len(searched) == len({id(each) for each in searched})
    assert bool(document.page.attached) is (n_page == 2)
    assert not [name for name in document.page.__getstate__() if "obstacle" in name]


OBSTACLE = Obstacle(ObstacleKind.BLOCKED, "A login.", 0.9)


def test_obstacle_is_written_as_verdict_and_evidence() -> None:
    """Its string is the message for users, and it does not change."""
    assert "blocked or error page: A login." == str(OBSTACLE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        OBSTACLE.confidence = 0.1  # type: ignore[misc]
