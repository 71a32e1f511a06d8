"""thresher.analysis.stated_parts: texts that are not free, and what asks readers to pay."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher
from thresher.analysis.stated_parts import find_paid_parts, flag_pleas, is_teaser
from thresher.page import Page
from thresher.page.parse import parse

_TEASER = "<p>The council met on Tuesday to decide about the store.</p>"
_PLEA = '<div class="regwall"><h2>For subscribers</h2><p>Take out a subscription.</p></div>'


def _make_page(body: str, free: object = False, selector: object = ".paid") -> Page:
    part = {"isAccessibleForFree": free, "cssSelector": selector}
    data = {"@type": "NewsArticle", "isAccessibleForFree": free, "hasPart": [part]}
    return parse(f'<script type="application/ld+json">{json.dumps(data)}</script>{body}')


def _is_teaser(page: Page) -> bool:
    return is_teaser(page, np.ones(page.leaves.size, np.bool_))


@pytest.mark.parametrize("free", [False, "False", "https://schema.org/False"])
@pytest.mark.parametrize("selector", [".paid", "#rest, .paid", [".paid"]])
def test_a_page_without_its_paid_part_is_a_teaser(free: object, selector: object) -> None:
    """It states that a part is not free, and does not have it."""
    assert _is_teaser(_make_page(_TEASER, free, selector))


def test_a_page_with_its_paid_part_is_none() -> None:
    """The text is there, whoever may read it; nor is a free page a teaser."""
    text = f'{_TEASER}<div class="paid"><p>They kept it.</p></div>'
    assert not _is_teaser(_make_page(text))
    assert not _is_teaser(_make_page(_TEASER, free=True))
    assert not _is_teaser(_make_page(_TEASER + "<p>" + "word " * 400))
    assert not _is_teaser(parse(_TEASER))


def test_microdata_states_the_same() -> None:
    """The work may be an item of the page's elements."""
    page = parse(
        f'<div itemscope itemtype="https://schema.org/Article">{_TEASER}'
        f'<meta itemprop="isAccessibleForFree" content="False">{_PLEA}</div>'
    )
    assert find_paid_parts(page) is not None
    assert _is_teaser(page)


def test_pleas_are_flagged_where_the_text_costs() -> None:
    """A wall is a plea only on such a page, and not if it is around the text."""
    page = _make_page(_TEASER + _PLEA)
    flags = flag_pleas(page)
    assert flags is not None
    assert ["div"] == page.names(np.flatnonzero(flags))
    assert flag_pleas(parse(_TEASER + _PLEA)) is None
    assert flag_pleas(_make_page('<p class="wallpaper">Paste</p>')) is None
    inside = '<div class="paid"><div class="paywall"><p>They kept it.</p></div></div>'
    assert flag_pleas(_make_page(inside)) is None
    assert flag_pleas(_make_page(f'<div class="paywall">{inside}</div>')) is None


def test_the_verdict_says_so() -> None:
    """A teaser has a verdict of its own."""
    document = thresher.extract(_make_page(_TEASER).utf8, method="keep_all")
    assert document.verdict is thresher.Verdict.TEASER


@pytest.mark.parametrize("value", ["x", "null", "[[[]]]", '{"cssSelector": {"a": 1}}'])
def test_odd_data_are_no_harm(value: str) -> None:
    """What is no selector selects nothing."""
    data = f'{{"isAccessibleForFree": false, "hasPart": {value}}}'
    page = parse(f'<script type="application/ld+json">{data}</script>{_TEASER}')
    assert not _is_teaser(page)
