"""The next page of an article, thread or list that spans several pages.

The addresses of consecutive pages differ only in a page number that increases by one: ``?page=2``,
``/page/2``, ``-2.html``, ``_2.shtml``, ``/2``, ``?start=20``. The first page often has no number.
Addresses of other texts differ in more, or in the number of the text.

A link leads to the next page if its address is that of the next page and further evidence agrees:
``rel=next``, a text that is the page's number or a word for “next”, or pager class names around it.
Where only a number in the address has increased, as it does for the next article too, either the
link must be in a row of page numbers right after the current page's, or the first page must be
known, for example by ``rel=canonical``, and have the same address without a number.

This excludes: the next article of a blog, with or without ``rel=next`` (its address differs in more
than a page number, or there is no row of numbers); calendars (rows of dates); carousels and tabs
(they lead to the page itself); pagers of other lists on the page (their addresses start
differently); pages of comments, which repeat the article.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.links import find_base, resolve_link
from thresher.analysis.pagination.addresses import (
    PageAddress,
    PageStep,
    read_address,
    read_appended,
    step_after,
    step_between,
)
from thresher.analysis.structured import read_canonical
from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_property

__all__ = ["find_next_url"]

_BY_LANGUAGE: Final[Mapping[str, str]] = {
    "ar": "التالي|التالية|الصفحة التالية",
    "bg": "следваща|следваща страница|напред",
    "bn": "পরবর্তী|পরের পাতা|পরবর্তী পাতা",
    "ca": "següent|pàgina següent",
    "cs": "další|další strana|další stránka|následující",
    "da": "næste|næste side",
    "de": "weiter|nächste|nächste seite|zur nächsten seite|vor|vorwärts|weiterlesen auf seite",
    "el": "επόμενη|επόμενο|επόμενη σελίδα",
    "en": "next|next page|next »|continue|continued|go to next page|page next|next part"
    "|continue reading|continue to page|older|more",
    "es": "siguiente|página siguiente|siguiente página|próxima|continuar",
    "et": "järgmine|järgmine leht",
    "eu": "hurrengoa|hurrengo orria",
    "fa": "بعدی|صفحه بعد|صفحه بعدی",
    "fi": "seuraava|seuraava sivu",
    "fr": "suivant|suivante|page suivante|la suite|lire la suite",
    "gl": "seguinte|páxina seguinte",
    "he": "הבא|הבאה|לעמוד הבא|העמוד הבא",
    "hi": "अगला|अगला पृष्ठ|अगला पेज",
    "hr": "sljedeća|sljedeća stranica|dalje",
    "hu": "következő|következő oldal|tovább",
    "id": "selanjutnya|berikutnya|halaman selanjutnya|halaman berikutnya",
    "it": "successivo|successiva|pagina successiva|avanti|prossima|pagina seguente",
    "ja": "次|次へ|次のページ|次ページ|次のページへ|続きを読む|次のページを読む",
    "ka": "შემდეგი",
    "ko": "다음|다음 페이지|다음페이지",
    "lt": "kitas|kitas puslapis|toliau",
    "lv": "nākamā|nākamā lapa|tālāk",
    "mk": "следна|следна страница",
    "ms": "seterusnya|halaman seterusnya",
    "nl": "volgende|volgende pagina|verder",
    "no": "neste|neste side",
    "pl": "następna|następna strona|dalej|następne",
    "pt": "próxima|próximo|seguinte|próxima página|página seguinte|avançar",
    "ro": "următoarea|următorul|pagina următoare|înainte",
    "ru": "следующая|следующая страница|далее|вперед|вперёд|след",
    "sk": "ďalej|ďalšia|ďalšia strana|nasledujúca",
    "sl": "naslednja|naslednja stran|naprej",
    "sr": "следећа|следећа страна|sledeća|sledeća strana",
    "sv": "nästa|nästa sida",
    "th": "ถัดไป|หน้าถัดไป|หน้าต่อไป",
    "tr": "sonraki|sonraki sayfa|ileri",
    "uk": "наступна|наступна сторінка|далі",
    "ur": "اگلا|اگلا صفحہ",
    "vi": "tiếp|tiếp theo|trang sau|trang tiếp",
    "zh": "下一页|下一頁|下页|下頁|后一页|後一頁|下一步",
}

_NEXT_WORDS: Final = frozenset(
    " ".join(word.split()).casefold()
    for words in _BY_LANGUAGE.values()
    for word in words.split("|")
)
"""Words of all languages, casefolded."""


# -- links to the next page ------------------------------------------------------------------------

_A, _LINK = (CODE_OF[name] for name in ("a", "link"))
_MAX_LINK_WORDS: Final = 8
"""Maximum words of a link to the next page: “Continue reading: page 2 of 4”, not a headline."""
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


class _Step(NamedTuple):
    """The step to another address."""

    url: str
    kind: PageStep
    number: int
    """The number in the address."""


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
    # It is the address of the page, or that of its first page.
    stated = read_canonical(page)
    canonical = read_address(resolve_link(stated, page.url)) if stated else None
    owns = _own_addresses(page, canonical)
    base = find_base(page)
    if not owns or base is None:
        return None
    firsts = [first for first in (read_address(first_url or ""), canonical) if first]
    search = _Search(page, owns, base)
    links: list[_NextLink] = []
    steps: dict[str, _Step | None] = {}
    for row, href in watch(_short_links(page)):
        if href not in steps:
            steps[href] = _compare(owns, firsts, resolve_link(href, base))
        if (step := steps[href]) and (link := search.weigh(row, step)):
            links.append(link)
    return max(links).url if links else None


def _own_addresses(page: Page, canonical: PageAddress | None) -> list[PageAddress]:
    """Return the page's address, and the canonical one if its path differs."""
    own = read_address(page.url or "")
    if own is None:
        return []
    if canonical is None or canonical.site != own.site or canonical.path == own.path:
        return [own]
    # A later page often states the first page as canonical, whose next page is not this one's.
    is_later = (
        canonical.query == own.query and read_appended(canonical.path, own.path)[1] > 0
    ) or _DIGIT.search(own.parts.query)
    if is_later or step_between(canonical, own)[0]:
        return [own]
    return [own, canonical]


def _short_links(page: Page) -> list[tuple[int, str]]:
    """List row and target of the links with a digit in the address and few words, in order."""
    attributes = page.attributes
    entries = attributes.matching("href", rb"[0-9]")
    rows = attributes.row[entries]
    n_word = page.words_before[page.end[rows]] - page.words_before[rows]
    check_deadline()
    is_link = (page.tag[rows] == _A) | (page.tag[rows] == _LINK)
    short = np.flatnonzero(is_link & (n_word <= _MAX_LINK_WORDS))
    if short.size > 2 * _MAX_LINKS_AN_END:
        short = np.concatenate((short[:_MAX_LINKS_AN_END], short[-_MAX_LINKS_AN_END:]))
    return [(int(rows[at]), attributes.value(int(entries[at]))) for at in short.tolist()]


def _compare(owns: list[PageAddress], firsts: list[PageAddress], url: str) -> _Step | None:
    """Return the surest step from the page's addresses to another; None if there is none."""
    address = read_address(url)
    if address is None or address.is_same(owns[0]) or _COMMENT_PAGE.search(url):
        return None
    steps = [step_between(own, address) for own in owns]
    steps += [step_after(first, owns[0], address) for first in firsts]
    kind, number = max(steps)
    return _Step(address.url, kind, number) if kind else None


@dataclass(frozen=True)
class _Search:
    """A page and the addresses that its links are compared with."""

    page: Page
    owns: list[PageAddress]
    base: str

    def weigh(self, row: int, step: _Step) -> _NextLink | None:
        """Weigh the evidence that a link leads to the next page; None if it is insufficient."""
        page, (url, kind, number) = self.page, step
        attrs = page.attrs(row)
        is_next = "next" in attrs.get("rel", "").lower().split()
        if page.tag[row] == _LINK:
            enough = is_next and kind >= PageStep.APPENDED
            return _NextLink(kind, False, 1, -row, url) if enough else None
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
        is_doubtful = kind is PageStep.OFFSET or (kind is PageStep.NAMED and number == 1)
        n_sign = is_next + says_next + is_number + bool(_PAGER_NAMES.search(names))
        if kind is PageStep.NUMBER:
            enough = in_row
        elif is_doubtful:
            enough = in_row or says_next or (is_number and number == 1)
        else:
            enough = n_sign > 0
        return _NextLink(kind, in_row, n_sign, -row, url) if enough else None

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
    return text in _ARROWS or _EDGES.sub("", text).casefold() in _NEXT_WORDS


def _names_around(page: Page, row: int) -> str:
    names = []
    for _ in range(_MAX_UP + 1):
        attrs = page.attrs(row)
        names += [attrs.get("class", ""), attrs.get("id", "")]
        row = int(page.parent[row])
        if row < 0 or page.name(row) in _TOPS:
            break
    return " ".join(names)
