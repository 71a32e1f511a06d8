"""Site evidence for a page of the site, and for a page unlike it."""

from __future__ import annotations

from tests.sites.pages import BANNER, NOTICE, form, stories
from thresher.page import Page
from thresher.page.parse import parse
from thresher.sites.evidence import Evidence, match, read_evidence
from thresher.sites.learning import MIN_LIKENESS, learn


def facts(page: Page, evidence: Evidence) -> dict[str, tuple[int, int]]:
    """Return text → on how many pages of how many."""
    pairs = zip(evidence.repeated.tolist(), evidence.seen.tolist(), strict=True)
    return {page.block_text(block): pair for block, pair in enumerate(pairs)}


def test_repeated_blocks_are_told() -> None:
    """A text that all pages have in its place is on all of them, a story on none."""
    (page,) = stories(4)
    found = facts(page, read_evidence(learn(stories(1, 2, 3)), page))
    assert (3, 3) == found[BANNER] == found[NOTICE]
    assert 0 == max(pair[0] for text, pair in found.items() if "week" in text)


def test_a_learned_page_is_not_evidence_against_itself() -> None:
    """Its own story does not count as repeated."""
    pages = stories(1, 2, 3)
    found = facts(pages[0], read_evidence(learn(pages), pages[0]))
    assert (2, 2) == found[BANNER]
    assert 0 == max(pair[0] for text, pair in found.items() if "week" in text)


def test_one_page_says_nothing_of_itself() -> None:
    """A site learned only from the page itself gives no evidence."""
    pages = stories(1)
    evidence = read_evidence(learn(pages), pages[0])
    assert not evidence.repeated.any()
    assert not evidence.share.any()


def test_a_page_of_the_site_matches_its_layout() -> None:
    """The layout with the most common places is returned."""
    site = learn([*stories(1, 2, 3), parse(form())])
    found = match(site, stories(4)[0])
    assert 0 == found.layout
    assert found.likeness > 0.9


def test_a_changed_site_is_told() -> None:
    """A page that matches no layout has a low likeness."""
    assert match(learn(stories(1, 2, 3)), parse(form())).likeness < MIN_LIKENESS
