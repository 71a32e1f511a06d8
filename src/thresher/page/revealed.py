"""What of hidden text is read all the same.

Elements that a control of the page shows (tabs, accordions, slides, "read more"), and words for
screen readers that continue the sentence that everyone reads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page.attributes import whole
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import BLOCK, CODE_OF, HEADINGS, REPLACED, TEXT, flags_of

if TYPE_CHECKING:
    from thresher.page.page import Page

_Rows = npt.NDArray[np.integer]
_POINTERS: Final = ("aria-controls", "data-target", "data-bs-target", "href")
"""Attributes of controls that name by its id what they show."""
_SETTING: Final = tuple(
    "aria-expanded aria-controls data-toggle data-bs-toggle onclick @click @click.prevent"
    " x-on:click v-on:click ng-click".split()
)
"""Attributes that only controls have, also those of Alpine, Vue and Angular."""
_CONTROL: Final = flags_of("button summary")
_CONTROL_ROLE: Final = whole(rb"button|tab")
_NAMED: Final = re.compile(
    r"accordi|collaps|expand|toggl|panel|spoiler|slide|carousel|swiper|gallery|faq"
    r"|(?<![a-z])tabs?(?![a-z])|tab-?(?:pane|content)|(?:read|show|view|load)-?more"
)
"""Parts of class names of what is shown in turn or on demand."""
_LISTED: Final = flags_of("a article div li section tr")
"""Elements of a list, some of which a control may add."""
_A, _DD, _DT, _LABEL = (CODE_OF[name] for name in ("a", "dd", "dt", "label"))
_LEVELS: Final = 3
"""Elements whose classes are read: the hidden one and those around it."""
_MAX_CLIMB: Final = 64
"""Levels between an element and the end of the one before it, at most."""
_LABEL_WORDS: Final = 30
"""Words of a control, or of a heading with one, at most."""
_DOTS: Final = ("...", "…", "⋯")
_DOTS_CHARS: Final = 8
"""Characters before the rest of a text among which are its dots."""
_SPAN_WORDS: Final = 8
"""Words of the rest of a text, at least: what is shorter in a line is a sign or a tooltip."""


def find_revealed(page: Page, rows: _Rows, own: npt.NDArray[np.uint8]) -> list[int]:
    """Find those of some hidden rows that a control shows, given why each row itself is hidden.

    What measures the room for its text, or stands in for it, is none: its words are shown beside.
    """
    if not rows.size:
        return []
    words, end = page.words_before, page.end
    shadow = page.attributes.named("shadowrootmode", "shadowroot")
    shadows = set(page.attributes.row.take(shadow).tolist())
    targets = _find_targets(page, rows)
    has_control = sum_before(_flag_controls(page))
    shown_among = _ShownKinds(page, own)
    named: dict[int, bool] = {}
    revealed: list[int] = []
    for row in watch(rows.tolist()):
        size = words[end[row]] - words[row]
        is_block = bool(BLOCK[page.tag[row]])
        if (
            row in shadows
            or (row in targets and (is_block or size >= _SPAN_WORDS))
            or (is_block and _is_named(page, row, named))
            or ((is_block or size >= _SPAN_WORDS) and _is_beside(page, row, own, has_control))
            or (size >= _SPAN_WORDS and not is_block and _goes_on(page, row))
            or (_LISTED[page.tag[row]] and shown_among(row))
        ) and not has_shown_twin(page, row, own):
            revealed.append(row)
    return revealed


def find_siblings(page: Page, row: int) -> Iterator[int]:
    """Yield the elements directly before and after a row, with at most white space between."""
    parent, tag, chars = page.parent, page.tag, page.chars_before
    before = row - 1
    while before > parent[row]:
        for _ in range(_MAX_CLIMB):
            if parent[before] == parent[row]:
                break
            before = int(parent[before])
        else:
            break
        if tag[before] != TEXT:
            yield before
            break
        if chars[before + 1] > chars[before]:
            break
        before -= 1
    after, stop = int(page.end[row]), int(page.end[parent[row]]) if row else 0
    while after < stop:
        if tag[after] != TEXT:
            yield after
            break
        if chars[after + 1] > chars[after]:
            break
        after += 1


def _find_targets(page: Page, rows: _Rows) -> set[int]:
    """Find the hidden rows whose ids controls or links name."""
    attributes = page.attributes
    ids = attributes.named("id")
    ids = ids[np.isin(attributes.row.take(ids), rows)]
    if not ids.size:
        return set()
    named: set[str] = set()
    for name in _POINTERS:
        entries = attributes.inner_links if name == "href" else attributes.named(name)
        for value in attributes.texts_of(entries):
            named.update(part.removeprefix("#") for part in value.split())
    return {row for row, value in attributes.values_of(ids).items() if value in named}


def _flag_controls(page: Page) -> BoolArray:
    """Flag the controls of a page: buttons, and links that lead nowhere; bool[n_row]."""
    attributes = page.attributes
    controls: BoolArray = _CONTROL.take(page.tag)
    controls[attributes.rows_named(*_SETTING)] = True
    controls[attributes.rows_matching("role", _CONTROL_ROLE)] = True
    href = attributes.named("href")
    first = attributes.first_bytes(href)
    leads = (first != b"#"[0]) & (first != b'"'[0]) & (first != b"j"[0])
    dead = page.tag == _A
    dead[attributes.row.take(href[leads])] = False
    controls |= dead
    return controls


def _is_named(page: Page, row: int, named: dict[int, bool]) -> bool:
    """Return whether a class of an element, or of those around it, tells that it is shown.

    ``named`` collects what was found about each.
    """
    for _ in range(_LEVELS):
        if row <= 0:
            return False
        if row not in named:
            named[row] = _NAMED.search(_read_classes(page, row).lower()) is not None
        if named[row]:
            return True
        row = int(page.parent[row])
    return False


def _read_classes(page: Page, row: int) -> str:
    return page.attr(row, "class") or ""


def _goes_on(page: Page, row: int) -> bool:
    """Return whether an element in a line goes on where three dots are."""
    stop = int(page.text_offset[row])
    return page.text[max(0, stop - _DOTS_CHARS) : stop].rstrip().endswith(_DOTS)


def _is_beside(
    page: Page, row: int, own: npt.NDArray[np.uint8], has_control: npt.NDArray[np.integer]
) -> bool:
    """Return whether an element follows or precedes its control, or answers a term."""
    for other in find_siblings(page, row):
        stop = page.end[other]
        if own[other] or page.words_before[stop] - page.words_before[other] > _LABEL_WORDS:
            continue
        if has_control[stop] > has_control[other] or page.tag[other] == _LABEL:
            return True
        if page.tag[other] == _DT and page.tag[row] == _DD:
            return True
    return False


class _ShownKinds:
    """Whether an element is one of several alike, in class and name, of which one is shown."""

    def __init__(self, page: Page, own: npt.NDArray[np.uint8]) -> None:
        self._page, self._own = page, own
        self._shown: dict[int, set[tuple[int, str]]] = {}
        """Parent → tags and classes of its children that are shown."""

    def __call__(self, row: int) -> bool:
        parent = int(self._page.parent[row])
        if parent not in self._shown:
            self._shown[parent] = set(self._read(parent))
        tag = int(self._page.tag[row])
        names = _read_classes(self._page, row).split()
        return any((tag, name) in self._shown[parent] for name in names)

    def _read(self, parent: int) -> Iterator[tuple[int, str]]:
        page = self._page
        row = parent + 1
        while row < page.end[parent]:
            if page.tag[row] != TEXT and not self._own[row]:
                for name in _read_classes(page, row).split():
                    yield int(page.tag[row]), name
            row = int(page.end[row])


MAX_TWIN_WORDS: Final = 60
"""Words of a copy for the eye or the ear, at most."""
_MAX_CHARS: Final = 2000
"""Characters of texts that are compared, at most."""
_LABEL_ENDS: Final = (":", "：")
_ASIDE: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*")


def find_read_along(
    page: Page, rows: npt.NDArray[np.integer], own: npt.NDArray[np.uint8], is_drawn: BoolArray
) -> list[int]:
    """Find those of some words for screen readers that belong to the sentence around them.

    ``is_drawn`` flags what is shown but kept from screen readers; bool[n_row].

    They stand apart from the words before and after by white space, once on the page, and no other
    form of them is beside them, such as words for the eye alone. A label (`Price:`) is none, nor
    what says where a link opens, nor an aside in parentheses behind one. A heading names a section
    for everyone.
    """
    read_along: list[int] = rows[HEADINGS.take(page.tag.take(rows))].tolist()
    level = BLOCK.take(page.tag) | REPLACED.take(page.tag)
    before = sum_before(level)
    rows = rows[before.take(page.end.take(rows)) == before.take(rows)]
    rows = rows[
        page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows) <= _MAX_CHARS
    ]
    if not rows.size:
        return read_along
    texts = ((page.tag == TEXT) & (np.diff(page.words_before) > 0)).nonzero()[0]
    at = texts.searchsorted(rows)
    last = np.append(texts, -1).take(at - 1)
    following = np.append(texts, -1).take(texts.searchsorted(page.end.take(rows)))
    holders = [page.nearest(BLOCK.take(page.tag), column) for column in (rows, last, following)]
    links = page.nearest(page.tag == _A, rows)
    opened = set(page.attributes.rows_named("target").tolist())
    spoken = {row: page.text_of(row) for row in rows.tolist()}
    times = Counter(" ".join(text.split()) for text in spoken.values())
    places = zip(
        rows.tolist(),
        ((last >= 0) & (holders[1] == holders[0])).tolist(),
        ((following >= 0) & (holders[2] == holders[0])).tolist(),
        links.tolist(),
        strict=True,
    )
    for row, before_it, behind_it, link in watch(places):
        text = spoken[row]
        start, stop = int(page.text_offset[row]), int(page.text_offset[page.end[row]])
        is_glued = (before_it and _touch(page.text, start)) or (
            behind_it and _touch(page.text, stop)
        )
        if (
            (before_it or behind_it)
            and not is_glued
            and times[" ".join(text.split())] == 1
            and not text.rstrip().endswith(_LABEL_ENDS)
            and not (link < 0 and _ASIDE.fullmatch(text))
            and link not in opened
            and not any(
                (is_drawn[other] and page.subtree_words[other] > 0)
                or (own[other] and have_same_words(page, row, other))
                for other in find_siblings(page, row)
            )
        ):
            read_along.append(row)
    return read_along


def _touch(text: str, place: int) -> bool:
    """Return whether no white space is on either side of a place."""
    return not any(char.isspace() for char in text[place - 1 : place + 1])


def have_same_words(page: Page, row: int, other: int) -> bool:
    """Return whether two elements have the same words, not too many."""
    words = page.words_before
    if words[page.end[other]] - words[other] > MAX_TWIN_WORDS or not (
        is_short(page, row) and is_short(page, other)
    ):
        return False
    return page.text_of(row).split() == page.text_of(other).split()


def has_shown_twin(page: Page, row: int, own: npt.NDArray[np.uint8]) -> bool:
    """Return whether the words of a hidden element are shown directly before or after it."""
    return any(
        not own[other] and have_same_words(page, row, other) for other in find_siblings(page, row)
    )


def is_short(page: Page, row: int) -> bool:
    """Return whether the text of an element is short enough to be read for each one around it."""
    return int(page.text_offset[page.end[row]] - page.text_offset[row]) <= _MAX_CHARS
