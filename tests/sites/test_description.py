"""A layout is described by selectors, and the site's boilerplate by its texts."""

from __future__ import annotations

from tests.sites.pages import BANNER, NOTICE, stories
from thresher.sites.description import chrome, describe
from thresher.sites.learning import learn


def test_selectors_name_content_and_chrome() -> None:
    """Places with long, differing texts are content; those with repeated texts are dropped."""
    site = learn(stories(1, 2, 3))
    found = describe(site, site.layouts[0])
    assert ("html body main article.story div.text p",) == found.content
    assert "html body div.about p" in found.drop
    assert "html body div.top p" in found.drop
    assert "html body main article.story h1" == found.title
    assert "html body main article.story p.byline" == found.author
    assert found.date is None


def test_chrome_is_what_the_site_repeats() -> None:
    """Each repeated text occurs once, and no story does."""
    text = chrome(learn(stories(1, 2, 3)))
    assert 1 == text.count(BANNER)
    assert NOTICE[:300] in text
    assert "week" not in text


def test_one_page_has_no_chrome() -> None:
    """Nothing repeats on one page."""
    assert not chrome(learn(stories(1)))
