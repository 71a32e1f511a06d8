"""Bylines and dates that a page shows: marked elements, and lines near the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.dates import find_date
from thresher.analysis.metadata.headline import join_words
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.visible import MAX_SHORT_CHARS, VisibleEvidence
from thresher.deadline import find_all, watch
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, flags_of
from thresher.support.cached import cached_lookup, cached_view

_DT: Final = CODE_OF["dt"]
_FIGURE, _CITE, _LINK = flags_of("figure"), flags_of("cite"), flags_of("a")
_WRITES: Final = re.compile("author|contributor|creator|journalist|reporter|writer")
MAX_ROLE_WORDS: Final = 2
"""Words beside the author's name in a link to an author: a role."""
MAX_SIGNERS: Final = 8
"""Maximum elements with one mark; more are a list of other articles, not a byline."""

_BY: Final = r"(?i:(?:(?:written|posted|reported|story|words) )?by:?|von|par|por|door)"
_ALONE: Final = re.compile(rf"{_BY}|(?i:(?:\w+ ){{1,3}}(?:by|from):?|e-?mail|print|share)")
"""A line that only introduces a name, and controls beside one."""
_SIGNED: Final = re.compile(rf"{_BY}\s+[^\W\d_a-z]")
"""Start of an unmarked byline; the next word is capitalised."""


def find_marked_bylines(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the texts of elements marked as author by itemprop, then by rel."""
    for rows in (visible.rows_with("itemprop", "author"), visible.rows_with("rel", "author")):
        yield from _names_in(visible, rows)


def find_likely_bylines(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the texts of elements marked by class or id, then of links to author pages."""
    for rows in (visible.bylines, visible.author_links):
        yield from _names_in(visible, rows)


def find_signed_lines(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the short lines near the headline that begin with "By"."""
    return (line for line in visible.lines_near_headline if _SIGNED.match(line))


def _names_in(visible: VisibleEvidence, rows: IntArray) -> Iterator[str]:
    for row in _one_byline(visible, visible.near(_without_others(visible.page, rows))):
        yield from _byline_of(visible, row)


def _without_others(page: Page, rows: IntArray) -> IntArray:
    """Leave out who made a picture, who is quoted, and who signs a teaser that is one link.

    And sections: what is named by its heading.
    """
    if rows.size and page.rows_of(_FIGURE).size:
        rows = rows[~page.within(_FIGURE.take(page.tag)).take(rows)]
    if rows.size and page.rows_of(_CITE).size:
        rows = rows[~page.below(_CITE.take(page.tag)).take(rows)]
    if rows.size:
        links, n_word = page.nearest(_LINK.take(page.tag), rows), page.subtree_words
        is_teaser = n_word.take(links) > n_word.take(rows) + MAX_ROLE_WORDS
        rows = rows[~((links >= 0) & is_teaser)]
    headings = page.rows_of(HEADINGS)
    inside = headings.searchsorted(page.end.take(rows)) > headings.searchsorted(rows, "right")
    if inside.any():
        sections = [row for row in rows[inside].tolist() if _is_section(page, row, headings)]
        rows = np.setdiff1d(rows, sections)
    return rows


def _is_section(page: Page, row: int, headings: npt.NDArray[np.integer]) -> bool:
    """Return whether the id of an element, made of its first heading, says that it is a byline."""
    name = key_of(page.attr(row, "id") or "")
    heading = int(headings[headings.searchsorted(row, "right")])
    return _WRITES.search(name) is not None and name in key_of(page.text_of(heading))


def _one_byline(visible: VisibleEvidence, near: list[int]) -> list[int]:
    """Return the nearest marked element with words, and others in the same container."""
    page = visible.page
    if not near:
        return []
    rows = np.array(near)
    filled = rows[page.has_text(rows)].tolist()
    if not filled:
        return []
    first = filled[0]
    holder = max(0, int(page.parent[page.parent[first]]))
    equals = [row for row in sorted(filled) if holder <= row < page.end[holder]]
    outer = [row for row in equals if not any(other < row < page.end[other] for other in equals)]
    return outer if len(outer) <= MAX_SIGNERS else [first]


def _begins_with_term(page: Page, row: int, text: str) -> bool:
    """Return whether the first term in an element has this text: it is the label of a fact."""
    terms = row + np.flatnonzero(page.tag[row : page.end[row]] == _DT)
    return any(plain_text(join_words(page, term)) == text for term in terms[:1].tolist())


def _byline_of(visible: VisibleEvidence, row: int) -> Iterator[str]:
    """Yield the names in an element: links to authors, else its first line with words."""
    links = visible.author_links
    inside = links[(links >= row) & (links < visible.page.end[row])][:MAX_SIGNERS].tolist()
    texts = [plain_text(join_words(visible.page, link)) for link in inside]
    if not any(texts):
        cards = visible.rows_with("class", "vcard")
        cards = cards[(cards > row) & (cards < visible.page.end[row])]
        row = int(cards[0]) if cards.size == 1 else row
        lines = (plain_text(line) for line in join_words(visible.page, row, "\n").split("\n"))
        texts = [line for line in lines if line and not _ALONE.fullmatch(line)][:1]
        if texts and _begins_with_term(visible.page, row, texts[0]):
            return
    yield from (text for text in texts if text and len(text) <= MAX_SHORT_CHARS)


# -- dates -----------------------------------------------------------------------------------------

_UPDATED: Final = re.compile(
    r"[aAmMuU](?i:(?<=a)(?:ktualis|c?tualiz|ggiorn)|(?<=m)(?:odif|ise?[ -]?à[ -]?jour)|(?<=u)pdat)"
)
"""Words that mark a date as that of an update; a set of first letters is searched for fast."""
_OTHER_DAY: Final = re.compile(
    r"\b(?:until|through|expires?|deadline|joined|(?:prices?|rates?) as of)\b", re.IGNORECASE
)
"""Words before the end of an offer, the first day of a member, or that of a price."""
_MIN_SENTENCE_WORDS: Final = 8
_MAX_LABEL_WORDS: Final = 3
_QUOTE: Final = r"""(?:\\?["']|&quot;|&\#34;)?"""
_SCRIPT_DATE: Final = re.compile(
    rf":(?=\s{{0,50}}{_QUOTE}(\d{{4}}-\d\d-\d\d[\w:.+ -]{{0,25}}|\d{{10,13}}\b))"
)
"""A date after a name in embedded data: in scripts, and in attributes with escaped quotes."""
_SCRIPT_NAMES: Final = tuple(
    re.compile(rf"(?:{names}){_QUOTE}\s*\Z")
    for names in (
        r"datePublished|date_?[pP]ublished|published_?[aA]t|(?:first_?)?[pP]ublish(?:ed)?_?[dD]ate"
        r"|pub_?[dD]ate|publication_?[dD]ate|published_?[tT]ime|firstPublish(?:ed|Date)?|(?<!un)published",
        r"date_?[cC]reated|created_?[aA]t|creation_?[dD]ate|upload_?[dD]ate|uploaded_?[aA]t",
    )
)
"""Names of these dates, searched backwards from a date: much else starts like a name."""
_MAX_NAME_CHARS: Final = 100
"""Text before the colon searched for the name, in characters."""
_MAX_DATE_CHARS: Final = 100
"""A date in a script with the colon and the white space before it, in characters."""
_EDITS: Final = flags_of("del ins")
_HINT_CHARS: Final = 40
"""Text before a time searched for hints, in characters."""


class Dateline(NamedTuple):
    """A date as found, and whether its context marks it as an update."""

    text: str
    is_update: bool


def find_item_dates(visible: VisibleEvidence, name: str) -> Iterator[str]:
    """Yield the values of elements with this itemprop, also outside items."""
    for row in visible.near(visible.rows_with("itemprop", name)):
        attrs = visible.page.attrs(row)
        yield attrs.get("content") or attrs.get("datetime") or visible.short_text(row)


def find_times(visible: VisibleEvidence, *, anywhere: bool = False) -> Iterator[Dateline]:
    """Yield the values of elements with a time, nearest to the headline first.

    These are `<time>` and other elements with a `datetime`, such as `<relative-time>`. Those in
    unrelated parts of the page count only if ``anywhere``.
    """
    rows = visible.near(_time_rows(visible), anywhere=True) if anywhere else _related_rows(visible)
    yield from (_read_time(visible, row) for row in rows)


def find_near_times(visible: VisibleEvidence) -> Iterator[Dateline]:
    """Yield the results of `find_times` that are near the headline."""
    near = (row for row in _related_rows(visible) if visible.headline.is_near(row))
    yield from (_read_time(visible, row) for row in near)


@cached_view
def _related_rows(visible: VisibleEvidence) -> list[int]:
    """Return the elements with a time, except those in unrelated parts, nearest first."""
    return visible.near(_time_rows(visible))


@cached_view
def _time_rows(visible: VisibleEvidence) -> npt.NDArray[np.intp]:
    page = visible.page
    # On `<ins>` and `<del>` it is the time of an edit (HTML Living Standard, 4.7).
    is_time = page.tag == CODE_OF["time"]
    is_time[page.attributes.rows_named("datetime")] = True
    rows: npt.NDArray[np.intp] = (is_time & ~_EDITS[page.tag]).nonzero()[0]
    return rows


@cached_lookup  # several sources, and the refinement of dates, read the same
def _read_time(visible: VisibleEvidence, row: int) -> Dateline:
    page = visible.page
    attrs, text = page.attrs(row), visible.short_text(row)
    holder = int(page.parent[row])
    around = visible.short_text(holder)
    before = around.partition(text)[0] if text else around
    hints = (
        attrs.get("class", ""),
        attrs.get("itemprop", ""),
        text,
        page.attr(holder, "class") or "",
        before[-_HINT_CHARS:],
    )
    return Dateline(attrs.get("datetime") or text, bool(_UPDATED.search(" ".join(hints))))


def find_datelines(visible: VisibleEvidence, language: str | None) -> Iterator[Dateline]:
    """Yield dates in elements marked by class or id, nearest to the headline first."""
    for row in visible.near(visible.datelines):
        if dateline := _read_dateline(visible, row, language):
            yield dateline


@cached_lookup
def _read_dateline(visible: VisibleEvidence, row: int, language: str | None) -> Dateline | None:
    attrs, text = visible.page.attrs(row), visible.short_text(row)
    # If the text is "2 hours ago", the tooltip has the date.
    date = find_date(text, language) or find_date(attrs.get("title", ""), language)
    hints = f"{attrs.get('class', '')} {text}"
    return Dateline(date, bool(_UPDATED.search(hints))) if date else None


def find_script_dates(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the first date in scripts under a name for publishing, then for creating."""
    source = visible.page.source
    dates = [(match.start(), match[1]) for match in find_all(_SCRIPT_DATE, source, _MAX_DATE_CHARS)]
    for names in _SCRIPT_NAMES:
        for colon, date in watch(dates):
            if names.search(source, max(0, colon - _MAX_NAME_CHARS), colon):
                yield date
                break


def find_dates_in(
    visible: VisibleEvidence, lines: Iterable[str], language: str | None
) -> Iterator[Dateline]:
    """Yield the first date of each of some lines of the page that has one.

    A line such as "Last updated:" belongs to the one behind it.
    """
    label = ""
    for text in lines:
        if dateline := _read_line(visible, label + text, language):
            yield dateline
        is_label = text.endswith(":") and len(text.split()) <= _MAX_LABEL_WORDS
        label = f"{text} " if is_label else ""


@cached_lookup
def _read_line(_visible: VisibleEvidence, text: str, language: str | None) -> Dateline | None:
    date = find_date(text, language)
    if date and "T" not in date and _is_sentence(text):
        return None
    if date and (word := _OTHER_DAY.search(text)) and not find_date(text[: word.start()], language):
        return None
    return Dateline(date, _says_update(text, language)) if date else None


def _is_sentence(text: str) -> bool:
    """Return whether a line is a sentence of the text: without a time, it tells of another day."""
    return text.rstrip().endswith((".", "。")) and len(text.split()) >= _MIN_SENTENCE_WORDS


def _says_update(text: str, language: str | None) -> bool:
    """Return whether the first date of a line is an update: not in "3 May, updated 4 May"."""
    word = _UPDATED.search(text)
    if word is None:
        return False
    first, second = text[: word.start()], text[word.end() :]
    return not (find_date(first, language) and find_date(second, language))
