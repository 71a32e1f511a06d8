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
from enum import IntEnum
from typing import Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import numpy as np

from thresher.analysis.links import find_base, resolve_link
from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF
from thresher.support.bounded_cache import MAX_ADDRESS_CHARS
from thresher.support.cached import cached_property

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


# -- page numbers in addresses ---------------------------------------------------------------------

_MAX_PAGE: Final = 999
"""Largest page number; larger numbers are those of texts, or dates."""
_MAX_OFFSET: Final = 99_999
"""Largest item offset, where addresses count items."""
_WORDS: Final = (
    r"page(?:s|d|no|num|number|index|nr|id)?|pag(?:e|ina|in)?|p[áà]gina|pagine?|pg|pn|p"
    r"|(?:cur|current|show|this)page|page[-_](?:no|num|number)"
    r"|seite|side|sida|sivu|strana|str[aá]nka|strona|oldal|lap|sayfa|trang|halaman|hal"
    r"|stranica|stran|leht|lehek[uü]lg|puslapis|lapa|faqja|bladsy|sahifa|страница|стр|сторінка"
)
"""Words for “page” in addresses, in several languages."""
_PAGE_KEY: Final = re.compile(rf"(?:{_WORDS})", re.IGNORECASE)
_OFFSET_KEY: Final = re.compile(r"(?:start|offset|from|st|skip|limitstart)", re.IGNORECASE)
"""Query parameters that count items instead of pages, as in forums."""
_PASSING_KEY: Final = re.compile(
    r"utm_\w+|fbclid|gclid|mc_[ce]id|sid|s|phpsessid|jsessionid|ref|source|src|cmpid|ito|ref_\w+|lang",
    re.IGNORECASE,
)
"""Query parameters for tracking and sessions, which do not select content."""
_INDEX: Final = re.compile(r"/(?:index|default)\.\w{2,5}$", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"\.(?:[sx]?html?|php\d?|aspx?|jspx?|do|cfm)$", re.IGNORECASE)
_APPENDED: Final = re.compile(
    rf"(?P<mark>[/\-_,.;~]|/index[-_]?)?(?P<word>(?:{_WORDS})[/\-_=,.]?)?0?(?P<number>\d{{1,3}})/?",
    re.IGNORECASE,
)
"""Suffixes that later pages append to the address of the first one."""
_WORD_BEFORE: Final = re.compile(rf"(?:^|[/\-_,.;~])(?:{_WORDS})[/\-_=,.]?0?$", re.IGNORECASE)
_DIGITS: Final = re.compile(r"(\d+)")


class PageStep(IntEnum):
    """The certainty that one address is the next page of another."""

    NONE = 0
    NUMBER = 1
    """A number increases by one; it could be that of another text."""
    OFFSET = 2
    """An item offset increases; it could be a page further on."""
    APPENDED = 3
    """The second page appends a number to the address of the first."""
    NAMED = 4
    """The number is labelled as a page number."""


@dataclass(frozen=True)
class PageAddress:
    """A parsed address."""

    url: str
    """Without its fragment."""
    parts: SplitResult

    @cached_property
    def site(self) -> str:
        """Host and port, without ``www.``."""
        return self.parts.netloc.lower().removeprefix("www.")

    @cached_property
    def path(self) -> str:
        """Decoded path without the name of an index file and a trailing slash.

        A query that is a path, as in ``index.php?/topic/1/``, is part of it.
        """
        path = _INDEX.sub("", unquote(self.parts.path)).rstrip("/")
        return f"{path}?{unquote(self.parts.query).rstrip('/')}" if self._has_route else path

    @cached_property
    def query(self) -> dict[str, str]:
        """The query parameters that select content."""
        if self._has_route:
            return {}
        pairs = parse_qsl(self.parts.query.replace(";", "&"), keep_blank_values=True)
        return {key: value for key, value in pairs if not _PASSING_KEY.fullmatch(key)}

    @property
    def _has_route(self) -> bool:
        return self.parts.query.startswith("/")

    def is_same(self, other: PageAddress) -> bool:
        """Return whether both addresses show the same page."""
        # Most differ in their paths, which cost less to read than queries.
        return self.site == other.site and self.path == other.path and self.query == other.query


def read_address(url: str) -> PageAddress | None:
    """Parse an absolute address; None if it is not http or https, or too long."""
    if len(url) > MAX_ADDRESS_CHARS:
        return None
    try:
        parts = urlsplit(url.strip())
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
            return None
    except ValueError:
        return None
    return PageAddress(parts._replace(fragment="").geturl(), parts)


def step_between(own: PageAddress, other: PageAddress) -> tuple[PageStep, int]:
    """Return whether ``other`` is the next page of ``own``, and the number in its address.

    The number is that of the page (one-based or zero-based) or of its first item.
    """
    if own.site != other.site or own.is_same(other):
        return PageStep.NONE, 0
    if own.path == other.path:
        step, number = _step_in_query(own.query, other.query)
        # At the root of a blog, `p` is the number of a post.
        is_post = step is PageStep.NAMED and not own.path and "p" in own.query
        return (PageStep.NUMBER if is_post else step), number
    if own.query == other.query:
        return _step_in_path(own.path, other.path)
    return PageStep.NONE, 0


def step_after(first: PageAddress, own: PageAddress, other: PageAddress) -> tuple[PageStep, int]:
    """Do the same if the first page is known: both addresses append a number to its address."""
    if not first.site == own.site == other.site or not first.query == own.query == other.query:
        return PageStep.NONE, 0
    _, before = _append(first.path, own.path)
    step, number = _append(first.path, other.path)
    return (step, number) if before and number == before + 1 else (PageStep.NONE, 0)


def _step_in_query(own: dict[str, str], other: dict[str, str]) -> tuple[PageStep, int]:
    changed = [key for key in own.keys() | other.keys() if own.get(key) != other.get(key)]
    if len(changed) != 1 or changed[0] not in other:
        return PageStep.NONE, 0
    key = changed[0]
    before, after = own.get(key), _number(other[key])
    if after is None:
        return PageStep.NONE, 0
    if _PAGE_KEY.fullmatch(key) and after <= _MAX_PAGE:
        # Without a number it is the first page; with zero-based numbers, the second is 1.
        expected = (1, 2) if before is None or before == "" else (_after(before),)
        return (PageStep.NAMED, after) if after in expected else (PageStep.NONE, 0)
    if _OFFSET_KEY.fullmatch(key) and after <= _MAX_OFFSET:
        start = 0 if before is None else _number(before)
        if start is not None and after > start + 1:
            return PageStep.OFFSET, after
    return PageStep.NONE, 0


def _step_in_path(own: str, other: str) -> tuple[PageStep, int]:
    appended = _append(own, other)
    if appended[1] == 2:
        return appended
    mine, theirs = _DIGITS.split(own), _DIGITS.split(other)
    if len(mine) != len(theirs):
        return PageStep.NONE, 0
    changed = [at for at, piece in enumerate(mine) if piece != theirs[at]]
    if len(changed) != 1 or changed[0] % 2 == 0:
        return PageStep.NONE, 0
    at = changed[0]
    number = _number(theirs[at])
    if number is None or number != _after(mine[at]) or number > _MAX_PAGE:
        return PageStep.NONE, 0
    is_named = _WORD_BEFORE.search(mine[at - 1])
    return (PageStep.NAMED if is_named else PageStep.NUMBER), number


def _append(first: str, other: str) -> tuple[PageStep, int]:
    """Read the number that a path appends to the path of a first page, which has none."""
    stem, suffix = _split_suffix(first)
    longer, other_suffix = _split_suffix(other)
    if not longer.startswith(stem) or (suffix and other_suffix not in (suffix, "")):
        return PageStep.NONE, 0
    match = _APPENDED.fullmatch(longer, len(stem))
    if match is None:
        return PageStep.NONE, 0
    if not match["mark"] and (not match["word"] or stem[-1:].isalnum()):
        return PageStep.NONE, 0
    return (PageStep.NAMED if match["word"] else PageStep.APPENDED), int(match["number"])


def _split_suffix(path: str) -> tuple[str, str]:
    match = _SUFFIX.search(path)
    return (path[: match.start()], match[0].lower()) if match else (path, "")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def _after(text: str) -> int | None:
    number = _number(text)
    return None if number is None else number + 1


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
    for row, href in watch(_short_links(page)):
        if href not in seen:
            seen[href] = _compare(owns, firsts, resolve_link(href, base))
        address, step, number = seen[href]
        if address is None or step is PageStep.NONE:
            continue
        link = search.weigh(row, address, step, number)
        if link and (best is None or link > best):
            best = link
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
    is_later = (
        canonical.query == own.query and _append(canonical.path, own.path)[1] > 0
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
