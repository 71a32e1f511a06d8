"""What options add before and after the content: metadata, the title, removed links."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape, unescape
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import clean_address
from thresher.analysis.metadata.headline import read_heading
from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.metadata.titles import is_worded_like, shares_most_words
from thresher.chunking import Heading, find_headings
from thresher.document import Document, WriteOptions
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import HEADINGS, NAMES, flags_of

if TYPE_CHECKING:
    from thresher.analysis.removed_links import Link

# -- metadata in fewer characters --------------------------------------------------------------

_LENGTHS: Final = (1600, 800, 400, 200, 100, 50, 25)
"""Lengths that values are cut to, in characters, the first that is short enough."""
_FIRST: Final = ("title", "verdict")
"""Fields that are left out last."""
_CUT: Final = "…"
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)


def find_metadata_room(options: WriteOptions) -> int:
    """Return the characters that metadata may take of an output with limits: at most half of them.

    A token of a language model is counted as one character, as in Chinese.
    """
    limits = [limit for limit in (options.max_chars, options.max_tokens) if limit is not None]
    return min(limits) // 2


def shorten_values(fields: Mapping[str, object], max_chars: int, n_sign: int) -> dict[str, object]:
    """Cut the longest values, and if that is not enough leave out fields, from the last on.

    Each takes ``n_sign`` characters besides its name and value. Addresses, which mean nothing when
    they are cut, are left out instead.
    """
    for n_most in _LENGTHS:
        shorter = {
            name: short
            for name, value in fields.items()
            if (short := _shorten(value, n_most)) is not None
        }
        if sum(_count(name, value, n_sign) for name, value in shorter.items()) <= max_chars:
            return shorter
    order = sorted(shorter, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    kept: set[str] = set()
    for name in order:
        max_chars -= _count(name, shorter[name], n_sign)
        if max_chars < 0:
            break
        kept.add(name)
    return {name: value for name, value in shorter.items() if name in kept}


def _shorten(value: object, n_most: int) -> object:
    """Return a value of at most so many characters; None if it means nothing then."""
    if isinstance(value, list):
        items = list(value)
        while items and sum(map(len, items)) > n_most:
            items.pop()
        return items or None
    if not isinstance(value, str) or len(value) <= n_most:
        return value
    return None if _ADDRESS.match(value) else value[: n_most - 1].rstrip() + _CUT


def _count(name: str, value: object, n_sign: int) -> int:
    n_char = sum(map(len, value)) if isinstance(value, list) else len(str(value))
    return len(name) + n_char + n_sign


# -- front matter ------------------------------------------------------------------------------

_SIGN_CHARS: Final = len(': ""\n')
"""Characters of a line besides name and value."""
_ESCAPED: Final = re.compile("[<`\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that begin markup; and those that JSON leaves as they are, but YAML does not allow, or
readers of YAML 1.1 take for the end of a line (YAML 1.2, 5.1; 1.1, 4.2)."""
_LINK: Final = re.compile(r"\](?=[(\[:])")
_LINK_ESCAPE: Final = r"\\u005d"
"""The middle of a link, or of its definition."""


def write_front_matter(document: Document, max_chars: int | None = None) -> str:
    """Return the document's metadata between two lines of dashes, and an empty line.

    The verdict comes last and, for methods that predict them, page type and confidence. Values are
    encoded as JSON, which is valid YAML 1.2; unknown fields are omitted. With ``max_chars`` values
    are shortened to about so many characters in all; empty if there is room for none.
    """
    judged = {
        "verdict": document.verdict.value,
        "page_type": document.page_type.name if document.page_type else None,
        "confidence": None if document.confidence is None else round(document.confidence, 2),
    }
    fields: dict[str, object] = {
        **document.metadata_values,
        **{name: value for name, value in judged.items() if value is not None},
    }
    if max_chars is not None:
        fields = shorten_values(fields, max_chars, _SIGN_CHARS)
    lines = [f"{name}: {format_value(value)}" for name, value in fields.items()]
    return "\n".join(("---", *lines, "---", "", "")) if lines else ""


def format_value(value: object) -> str:
    """Encode a value as JSON, which is valid YAML 1.2, in one line and without markup.

    Markdown readers that do not support front matter treat it as text, so it must not contain HTML
    tags, URLs in angle brackets, or links. Markup is in strings only, where it can be escaped.
    """
    written = json.dumps(value, ensure_ascii=False)
    escaped = _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written)
    return _LINK.sub(_LINK_ESCAPE, escaped)


# -- title -------------------------------------------------------------------------------------

_H1: Final = flags_of("h1")
_OF_BOOKS: Final = "epub:type"
_NO_HEADLINES: Final = flags_of("caption figcaption th")
"""Elements whose words are the name of an infobox, a picture or a column."""
_MIN_LETTERS: Final = 8
_MIN_SHARE: Final = 0.8
"""Minimum letters of a title recognised inside a longer heading, and their share of it: "News: Cat
wins" is the title, "How to cook a cat" is not."""


_BOXES: Final = flags_of("aside table")
"""Elements whose heading is their own: an infobox."""
_MAX_WORDS_ABOVE: Final = 30
"""Words above the heading that is the title of the page, at most: its section, names, a caption."""


class MissingTitle(NamedTuple):
    """A title that no kept heading shows."""

    text: str
    """In one line, as its own heading shows it if there is one."""
    level: int
    """That heading's level, else 1."""


def find_missing_title(
    document: Document, *, unwritten: BoolArray | None = None
) -> MissingTitle | None:
    """Return the page's title; None if it is unknown or its heading is kept.

    None also if a rule of the user drops its heading. ``unwritten`` flags kept leaves below no h1
    that the writer leaves out; bool[n_leaf].
    """
    # Most pages that keep their h1 need neither all headings nor metadata.
    if _begins_with_only_h1(document):
        return None
    selection = document.selection
    if unwritten is not None:
        selection = replace(selection, keep=selection.keep & ~unwritten)
    headings = find_headings(selection)
    if headings and headings[0].level == 1 and _find_h1(document.page).size == 1:
        return None
    if headings and document.page.attributes.named(_OF_BOOKS).size:
        return None  # the title of a file of a book, whose chapters have headings
    title = " ".join((document.page_title.text or "").split())
    row = document.page_title.row
    is_dropped = bool(row) and _holds(document, row, selection.dropped_by_rule)
    if not title or is_dropped or _is_kept(document, selection.keep, title, headings):
        return None
    return _read_heading(document, title, selection.keep) or MissingTitle(title, 1)


def _read_heading(document: Document, title: str, keep: BoolArray) -> MissingTitle | None:
    """Return the title as its own heading shows it, if there is one that is not kept."""
    page, row = document.page, document.page_title.row
    if not HEADINGS[page.tag[row]] or _holds(document, row, keep):
        return None
    shown = " ".join(read_heading(page, row).split())
    key = key_of(unescape(shown))  # metadata decode what is encoded twice
    is_title = key == key_of(title) or _is_told_by(key_of(title), key)
    return MissingTitle(shown, int(NAMES[page.tag[row]][1])) if is_title else None


def _is_told_by(title: str, heading: str) -> bool:
    """Return whether a longer heading has a title in it; both as keys."""
    is_long = len(title) >= max(_MIN_LETTERS, _MIN_SHARE * len(heading))
    return is_long and title in heading


def _find_h1(page: Page) -> npt.NDArray[np.intp]:
    """Return the rows of the page's h1 elements with words."""
    rows = page.rows_of(_H1)
    return rows[page.has_text(rows)]


def _begins_with_only_h1(document: Document) -> bool:
    """Return whether the first kept heading is surely the only h1 with words of its page."""
    page, keep = document.page, document.selection.keep
    rows = _find_h1(page)
    if rows.size != 1:
        return False
    row = int(rows[0])
    leaves = slice(*page.leaf_span(row))
    in_link = page.in_link[page.leaves[leaves]]
    if not (keep[leaves] & (page.leaf_words[leaves] > 0) & ~in_link).any():
        return False
    earlier = page.rows_of(HEADINGS)
    return not any(_holds(document, heading, keep) for heading in earlier[earlier < row].tolist())


def _is_kept(document: Document, keep: BoolArray, title: str, headings: Sequence[Heading]) -> bool:
    """Return whether an early heading is the title, or the content begins with the headline.

    Far down the title is that of a post, a recipe or a box.
    """
    page, row = document.page, document.page_title.row
    keys, key = [key_of(heading.title) for heading in headings], key_of(title)
    if key in keys:
        first = page.blocks.start[headings[keys.index(key)].block]
        return _is_early(page, keep, first) and not _is_in_box(page, keep, first)
    if keys and _is_told_by(key, keys[0]):
        return _is_early(page, keep, page.blocks.start[headings[0].block])
    if row and _holds(document, row, keep):
        if not _is_early(page, keep, page.leaf_offset[row]):
            return False
        shown = " ".join(page.text_of(row).split())
        return [key_of(shown)] == keys[:1] or shares_most_words(shown, title)
    if headings and _is_rewording(page, keep, headings[0], title):
        return True
    return _is_first_block(page, keep & (page.leaf_words > 0), key)


def _is_rewording(page: Page, keep: BoolArray, heading: Heading, title: str) -> bool:
    """Return whether a heading begins the content and says the title in other words, with a kicker.

    A sentence there is a teaser.
    """
    first = page.blocks.start[heading.block]
    begins = not page.leaf_words[:first][keep[:first]].any()
    return begins and not heading.title.endswith(".") and is_worded_like(heading.title, title)


def _is_in_box(page: Page, keep: BoolArray, leaf: np.integer) -> bool:
    """Return whether a heading is in a box that has less than half of the kept words.

    A box with no other words is layout.
    """
    box = int(page.nearest(_BOXES[page.tag], page.leaves[leaf : leaf + 1])[0])
    if box < 0:
        return False
    words = page.leaf_words * keep
    n_word = words[slice(*page.leaf_span(box))].sum()
    block = page.blocks.of_leaf[leaf]
    own = words[page.blocks.start[block] : page.blocks.start[block + 1]].sum()
    return bool(own < n_word and 2 * n_word < words.sum())


def _is_early(page: Page, keep: BoolArray, leaf: np.integer) -> bool:
    """Return whether few kept words are above a leaf."""
    return bool(page.leaf_words[:leaf][keep[:leaf]].sum() <= _MAX_WORDS_ABOVE)


def _is_first_block(page: Page, keep: BoolArray, key: str) -> bool:
    """Return whether the kept words of the first block with any have a key; keys have no gaps."""
    if not keep.any():
        return False
    leaf = int(keep.argmax())
    if page.nearest(_NO_HEADLINES[page.tag], page.leaves[leaf : leaf + 1])[0] >= 0:
        return False
    if not key.startswith(key_of(page.leaf_text(leaf))):
        return False  # as most
    block = page.blocks.of_leaf[leaf]
    leaves = leaf + np.flatnonzero(keep[leaf : page.blocks.start[block + 1]])
    return key_of("".join(page.leaf_texts(leaves))) == key


def _holds(document: Document, row: int, leaves: BoolArray) -> bool:
    return bool(leaves[slice(*document.page.leaf_span(row))].any())


# -- removed links -----------------------------------------------------------------------------
#
# Gupta, Kaiser, Neistadt and Grimm 2003, section 3: this keeps the page navigable.


def list_as_markup(document: Document, *, tracking: bool, mark: str) -> str:
    """Return a rule and a list of the links, not yet sanitised; empty if there are none.

    ``mark`` is put into each item.
    """
    items = [
        f'<li>{mark}<a href="{escape(link.url)}">{escape(link.text)}</a></li>'
        for link in list_links(document, tracking=tracking)
    ]
    return f"<hr><ul>{''.join(items)}</ul>" if items else ""


def list_as_text(document: Document, *, tracking: bool) -> str:
    """Return a line for each link, its text and its URL; empty if there are none."""
    lines = [f"- {link.text} <{link.url}>\n" for link in list_links(document, tracking=tracking)]
    return "\n" + "".join(lines) if lines else ""


def read_links(document: Document, *, tracking: bool) -> list[Link]:
    """Return the removed links; without ``tracking`` their URLs are cleaned."""
    if tracking:
        return list(document.removed_links)
    return [
        link if (url := clean_address(link.url)) == link.url else link._replace(url=url)
        for link in document.removed_links
    ]


def list_links(document: Document, *, tracking: bool) -> list[Link]:
    """Return the removed links, only the first of those with the same text and URL."""
    seen: dict[tuple[str, str], Link] = {}
    for link in read_links(document, tracking=tracking):
        seen.setdefault((link.text, link.url), link)
    return list(seen.values())
