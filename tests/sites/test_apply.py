"""Site evidence and rules change selections and their reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sites.pages import BANNER, NOTICE, stories, story
from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.sites.apply import check_rules
from thresher.sites.learning import learn
from thresher.sites.rules import Rules


def test_the_default_method_drops_what_repeats_and_says_why() -> None:
    """A block that reads like content is dropped when other pages have it too."""
    site = learn(stories(1, 2, 3))
    assert NOTICE in extract(story(4)).text
    document = extract(story(4), site=site)
    assert NOTICE not in document.text
    assert "praised" in document.text
    (block,) = [block for block in document.blocks if block.text == NOTICE]
    assert block.reason.endswith("; on 3 of 3 pages of this site")


def test_other_methods_drop_what_repeats() -> None:
    """Repeated blocks are dropped even by the method that keeps everything."""
    document = extract(story(4), method="keep_all", site=learn(stories(1, 2, 3)))
    assert BANNER not in document.text
    assert "praised" in document.text


def test_one_other_page_is_not_enough_for_other_methods() -> None:
    """Other methods have no evidence to weigh it against, so they need two pages."""
    text = extract(story(4), method="keep_all", site=learn(stories(1))).text
    assert text == extract(story(4), method="keep_all").text


def test_a_page_is_never_silenced() -> None:
    """If all blocks are repeated, nothing is dropped."""
    html = "<p>Rye is in.</p>"
    site = learn(stories(1))
    site = replace(site, sketches=())
    for other in stories(1, 1):
        site = replace(learn([other]), texts=replace(site.texts, pages=site.texts.pages * 2))
    assert "Rye" in extract(html, method="keep_all", site=site).text
    whole = extract(story(1), method="keep_all", site=replace(site, sketches=())).text
    assert whole == extract(story(1), method="keep_all").text


def test_a_site_of_one_page_changes_nothing() -> None:
    """Selection and reasons are the same as without a site."""
    alone, known = extract(story(1)), extract(story(1), site=learn(stories(1)))
    assert [(block.kept, block.reason, block.score) for block in alone.blocks] == [
        (block.kept, block.reason, block.score) for block in known.blocks
    ]


def test_rules_of_the_user_are_stronger() -> None:
    """What a rule matches is kept or dropped whatever was learned; drop overrides keep."""
    site = replace(
        learn(stories(1, 2, 3)), rules=Rules(keep=(".top p", "h1", ".about"), drop=("article h1",))
    )
    document = extract(story(4), site=site)
    assert BANNER in document.text
    assert NOTICE in document.text
    reasons = {block.text: block.reason for block in document.blocks}
    assert "kept by a rule of the site" == reasons[BANNER]
    (title,) = [block for block in document.blocks if block.tag == "h1"]
    assert not title.kept
    assert "dropped by a rule of the site" == title.reason


def test_a_broken_selector_is_a_usage_error() -> None:
    """It is named."""
    site = replace(learn(stories(1, 2)), rules=Rules(drop=("p::",)))
    with pytest.raises(UsageError, match='"p::" is not a CSS selector'):
        extract(story(3), site=site)


@pytest.mark.parametrize("selector", ["", "p::", "a,", ":is(" * 1_000])
def test_selectors_can_be_checked_without_a_page(selector: str) -> None:
    """Invalid selectors are reported immediately."""
    check_rules(Rules(keep=("p > a:has(b)",), drop=("#x",)))
    with pytest.raises(UsageError, match="is not a CSS selector"):
        check_rules(Rules(drop=("p", selector)))
