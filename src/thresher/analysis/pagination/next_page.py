"""The next page of an article, thread or list that spans several pages.

A link leads to it if its address is that of the next page
(`thresher.analysis.pagination.page_addresses`) and further evidence agrees: ``rel=next``, a text
that is the page's number or a word for “next”, or pager class names around it. Where only a number
in the address has increased, as it does for the next article too, either the link must be in a row
of page numbers right after the current page's, or the first page must be known, for example by
``rel=canonical``, and have the same address without a number.

This excludes: the next article of a blog, with or without ``rel=next`` (its address differs in more
than a page number, or there is no row of numbers); calendars (rows of dates); carousels and tabs
(they lead to the page itself); pagers of other lists on the page (their addresses start
differently); pages of comments, which repeat the article.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.links import find_base, resolve_link
from thresher.analysis.pagination.next_words import NEXT_WORDS
from thresher.analysis.pagination.page_addresses import (
    PageAddress,
    PageStep,
    is_later_page,
    read_address,
    step_after,
    step_between,
)
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_property

__all__ = ["find_next_url"]

_A, _LINK = (CODE_OF[name] for name in ("a", "link"))
_MAX_LINK_WORDS: Final = 8
"""Most words of a link to the next page: “Continue reading: page 2 of 4”, not a headline."""
_MAX_LINKS_AN_END: Final = 2_000
"""Links examined from each end of the page, where pagers are."""
_MAX_GAP_LEAVES: Final = 3
"""Leaves between this page's number and the next one's: a bar, a dot, a comma."""
_MAX_UP: Final = 4
"""Ancestors whose names count as the link's: link, item, list, box."""
_PAGER_NAMES: Final = re.compile(
    r"pagin|\bpager|page-?_?(?:nav|num|link|break|list|bar)|(?:nav|multi)-?_?page|\bpages?\b"
    r"|\bnext\b|next-?_?page|wp-link-pages|post-page|article-?_?page|\bfanye\b|\bfenye\b",
    re.IGNORECASE,
)
_CURRENT_NAMES: Final = re.compile(r"current|active|selected|\bon\b|\bcur\b|\bnow\b", re.IGNORECASE)
_OTHER_NAMES: Final = re.compile(r"calend|datepicker|carousel|slider|swiper|slick", re.IGNORECASE)
_COMMENT_PAGE: Final = re.compile(r"comment-page-|[?&]cpage=", re.IGNORECASE)
"""WordPress's addresses of comment pages."""
_NUMBER_TEXT: Final = re.compile(
    r"[\W_]*(?:(?:page|seite|página|pagina|strona|страница|第)\W*)?(\d{1,3})(?:\s*[页頁ページ]+)?[\W_]*",
    re.IGNORECASE,
)
_EDGES: Final = re.compile(r"^[\W\d_]+|(?<![\W\d_])[\W\d_]+$")
_ARROWS: Final = frozenset("» › → > >> ❯ ▶ ► ⟩ ⇒ ➔ ➜ ⏵ 〉 ≫ ＞ ›› »»".split())
_DIGIT: Final = re.compile(r"[0-9]")
_TOPS: Final = frozenset(("article", "body", "main"))
"""Elements that hold much more than a pager."""


class _NextLink(NamedTuple):
    """A link that may lead to the next page; ordered by certainty."""

    step: PageStep
    in_row: bool
    """Whether it is in a row of page numbers, right after this page's."""
    n_sign: int
    place: int
    """Minus its row, so that of equals the first on the page wins."""
    url: str


def find_next_url(page: Page, first_url: str | None = None) -> str | None:
    """Return the address of the next page; None if there is none or the page's own is unknown.

    ``first_url`` is the address of the first page, if known. The result is absolute, without a
    fragment, on the same site, and never the page's own. Cost: one walk over the short links whose
    addresses have a digit.
    """
    canonical = _read_canonical(page)
    owns = _own_addresses(page, canonical)
    base = find_base(page)
    if not owns or base is None:
        return None
    firsts = [first for first in (read_address(first_url or ""), canonical) if first]
    search = _Search(page, owns, base)
    best: _NextLink | None = None
    seen: dict[str, tuple[PageAddress | None, PageStep, int]] = {}
    for row, href in _short_links(page):
        if href not in seen:
            seen[href] = _compare(owns, firsts, resolve_link(href, base))
        address, step, number = seen[href]
        if address is None or step is PageStep.NONE:
            continue
        found = search.weigh(row, address, step, number)
        if found and (best is None or found > best):
            best = found
    return best.url if best else None


def _read_canonical(page: Page) -> PageAddress | None:
    """Return the canonical address: the page's own, or that of its first page."""
    for row, rel in page.attributes.values("rel").items():
        if page.tag[row] == _LINK and "canonical" in rel.lower().split():
            return read_address(resolve_link(page.attr(row, "href") or "", page.url))
    return None


def _own_addresses(page: Page, canonical: PageAddress | None) -> list[PageAddress]:
    """Return the page's address, and the canonical one if its path differs."""
    own = read_address(page.url or "")
    if own is None:
        return []
    if canonical is None or canonical.site != own.site or canonical.path == own.path:
        return [own]
    # A later page often states the first page as canonical, whose next page is not this one's.
    is_later = is_later_page(canonical, own) or _DIGIT.search(own.parts.query)
    if is_later or step_between(canonical, own)[0]:
        return [own]
    return [own, canonical]


def _short_links(page: Page) -> list[tuple[int, str]]:
    """List row and target of the links with a digit in the address and few words, in order.

    Of very many, those in the middle of the page are skipped.
    """
    attributes = page.attributes
    entries = attributes.matching("href", rb"[0-9]")
    rows = attributes.row[entries]
    n_word = page.words_before[page.end[rows]] - page.words_before[rows]
    is_link = (page.tag[rows] == _A) | (page.tag[rows] == _LINK)
    short = np.flatnonzero(is_link & (n_word <= _MAX_LINK_WORDS))
    if short.size > 2 * _MAX_LINKS_AN_END:
        short = np.concatenate((short[:_MAX_LINKS_AN_END], short[-_MAX_LINKS_AN_END:]))
    return [(int(rows[at]), attributes.value(int(entries[at]))) for at in short.tolist()]


def _compare(
    owns: list[PageAddress], firsts: list[PageAddress], url: str
) -> tuple[PageAddress | None, PageStep, int]:
    address = read_address(url)
    if address is None or address.is_same(owns[0]) or _COMMENT_PAGE.search(url):
        return None, PageStep.NONE, 0
    steps = [step_between(own, address) for own in owns]
    steps += [step_after(first, owns[0], address) for first in firsts]
    return address, *max(steps)


@dataclass(frozen=True)
class _Search:
    """A page and the addresses that its links are compared with."""

    page: Page
    owns: list[PageAddress]
    base: str

    def weigh(
        self, row: int, address: PageAddress, step: PageStep, number: int
    ) -> _NextLink | None:
        """Weigh the evidence that a link leads to the next page; None if it is insufficient."""
        page = self.page
        attrs = page.attrs(row)
        is_next = "next" in attrs.get("rel", "").lower().split()
        if page.tag[row] == _LINK:
            enough = is_next and step >= PageStep.APPENDED
            return _NextLink(step, False, 1, -row, address.url) if enough else None
        names = _names_around(page, row)
        if _OTHER_NAMES.search(names):
            return None
        text = " ".join(page.text_of(row).split())
        match = _NUMBER_TEXT.fullmatch(text)
        shown = int(match[1]) if match else None
        in_row = shown is not None and self._follows_own(row, shown)
        # With zero-based numbers, the second page is 1.
        is_number = shown is not None and shown == max(number, 2)
        if shown is not None and not in_row and not is_number:
            return None
        titles = (text, attrs.get("title", ""), attrs.get("aria-label", ""))
        says_next = is_next or any(_says_next(title) for title in titles)
        is_doubtful = step is PageStep.OFFSET or (step is PageStep.NAMED and number == 1)
        n_sign = is_next + says_next + is_number + bool(_PAGER_NAMES.search(names))
        if step is PageStep.NUMBER:
            enough = in_row
        elif is_doubtful:
            enough = in_row or says_next or (is_number and number == 1)
        else:
            enough = n_sign > 0
        return _NextLink(step, in_row, n_sign, -row, address.url) if enough else None

    def _follows_own(self, row: int, number: int) -> bool:
        """Return whether the number right before the link is that of the page itself."""
        page = self.page
        first = int(page.leaf_offset[row])
        for leaf in range(first - 1, max(first - 1 - _MAX_GAP_LEAVES, -1), -1):
            text = " ".join(page.leaf_text(leaf).split())
            match = _NUMBER_TEXT.fullmatch(text)
            if match:
                return int(match[1]) == number - 1 and self._is_own(int(page.leaves[leaf]))
            if any(char.isalnum() for char in text):
                return False
        return False

    def _is_own(self, row: int) -> bool:
        """Return whether a number is unlinked, links to the page itself, or is marked current."""
        link = int(self._nearest_link[row])
        if link < 0:
            return True
        attrs = self.page.attrs(link)
        href = attrs.get("href", "").strip()
        if not href or href.startswith("#") or "aria-current" in attrs:
            return True
        target = read_address(resolve_link(href, self.base))
        if target is not None and any(target.is_same(own) for own in self.owns):
            return True
        around = self.page.attr(int(self.page.parent[link]), "class") or ""
        return bool(_CURRENT_NAMES.search(f"{attrs.get('class', '')} {around}"))

    @cached_property
    def _nearest_link(self) -> IntArray:
        return self.page.nearest(self.page.tag == _A)


def _says_next(text: str) -> bool:
    text = " ".join(text.split())
    return text in _ARROWS or _EDGES.sub("", text).casefold() in NEXT_WORDS


def _names_around(page: Page, row: int) -> str:
    """Join the classes and ids of a link and its closest ancestors."""
    names = []
    for _ in range(_MAX_UP + 1):
        attrs = page.attrs(row)
        names += [attrs.get("class", ""), attrs.get("id", "")]
        row = int(page.parent[row])
        if row < 0 or page.name(row) in _TOPS:
            break
    return " ".join(names)
