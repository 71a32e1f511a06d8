"""Cards, pull quotes, captions and fields: boxes whose paragraphs are not those of their markup."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.kept_page import KeptPage
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import CODE_OF, HEADINGS, REPLACED, flags_of

_A, _BLOCKQUOTE, _DIV, _FIGURE = (CODE_OF[name] for name in "a blockquote div figure".split())
_MARKED: Final = HEADINGS | flags_of("p")
_MAX_ROWS: Final = 200
"""Elements and texts of a box; a bound on the cost, as boxes can be nested."""


@dataclass(frozen=True, slots=True)
class BoxParts:
    """What boxes on a page are written as; each finder adds to it."""

    tags: dict[int, int] = field(default_factory=dict)
    """Row → the code of the tag that it is written as."""
    links: dict[int, str] = field(default_factory=dict)
    """Link of a card → its address; what its tooltip says is said of the card."""
    dropped: list[int] = field(default_factory=list)
    """Leaves that are not written."""
    texts: dict[int, str] = field(default_factory=dict)
    """Row of a leaf → the text that it is written as."""
    continued: list[int] = field(default_factory=list)
    """Leaves that continue the paragraph before."""


NO_BOXES: Final = BoxParts()


def unmark(page: Page, parts: BoxParts, box: int, leaf: int) -> None:
    """Write the paragraphs and headings around a leaf in a box as the box's own."""
    above = int(page.parent[page.leaves[leaf]])
    while above > box:
        if _MARKED[page.tag[above]]:
            parts.tags[above] = _DIV
        above = int(page.parent[above])


# -- cards -------------------------------------------------------------------------------------

_CARD_PARTS: Final = CLASS_PARTS.bits(b"bookmark", b"card", b"link-block", b"onebox", b"preview")
_CARD: Final = (
    rb"(?<![a-z])(?:bookmark|onebox|link-?block|(?:blog|link)-?card|link-?preview)(?![a-z])"
)
"""Classes of cards: Ghost, Notion, Discourse, Medium, Zhihu, themes of blogs in Japan."""
_LINKED: Final = rb"(?<![a-z])(?:card|preview)(?![a-z])"
"""Classes of what is a card if all of it is one link."""
_TITLE_CLASS: Final = re.compile(r"(?<![a-z])title(?![a-z])", re.IGNORECASE)
_HOST: Final = re.compile(r"https?://(?:www\.)?([^/?#:]+)", re.ASCII | re.IGNORECASE)
_FILE: Final = re.compile(r"[^\s/]+\.\w{1,5}")
"""The name of a file, alone in its block."""
_LINKS: Final = flags_of("a")
_MAX_CARD_WORDS: Final = 80
"""Kept words of a card; what is longer is a text of its own."""


def find_cards(kept: KeptPage, parts: BoxParts) -> None:
    """Add the cards among the paragraphs of a text.

    A card shows one address, with a title; a list of cards is no text, and stays whole.
    """
    page = kept.page
    attributes = page.attributes
    named = attributes.rows_classed(_CARD_PARTS, _CARD).tolist()
    linked = attributes.rows_classed(_CARD_PARTS, _LINKED).tolist()
    files = attributes.rows_named("download")
    files = files[page.tag.take(files) == _A].tolist()
    links = page.rows_of(_LINKS)
    whole = {*linked, *files, *_find_signed(kept, links)} - {*named}
    if not (named or whole):
        return
    stop = -1
    for row in sorted({*named, *whole}):
        n_word = kept.count(row, kept.words)
        if row < stop or not 0 < n_word <= _MAX_CARD_WORDS or page.end[row] - row > _MAX_ROWS:
            continue
        link = _find_link(kept, row, links)
        if link is None or (row in whole and kept.count(link) != kept.count(row)):
            continue
        if kept.blocks_of(row) > 1 and _stands_in_text(kept, row):
            stop = int(page.end[row])
            _add_card(kept, parts, row, link)


def _find_signed(kept: KeptPage, links: npt.NDArray[np.int64]) -> list[int]:
    """Return the links that hold a heading and end with the name of the site they lead to."""
    page = kept.page
    headings = page.rows_of(HEADINGS)
    holds_heading = headings.searchsorted(page.end[links]) > headings.searchsorted(links)
    return [
        link
        for link in links[holds_heading].tolist()
        if (leaves := kept.leaves_of(link))
        and (host := _HOST.match(page.attr(link, "href") or ""))
        and page.leaf_text(leaves[-1]).strip().lower() == host[1].lower()
    ]


def _find_link(kept: KeptPage, row: int, links: npt.NDArray[np.int64]) -> int | None:
    """Return the first link in a box if all lead to one address."""
    page = kept.page
    inside = links[slice(*links.searchsorted((row, page.end[row])))].tolist()
    inside = [link for link in inside if kept.count(link)]
    addresses = {page.attr(link, "href") for link in inside}
    return inside[0] if len(addresses) == 1 and addresses != {None} else None


def _stands_in_text(kept: KeptPage, row: int) -> bool:
    """Return whether there is more text than links around a box, and than in it."""
    box = kept.widen(row)
    around = int(kept.page.parent[box])
    if around > 0 and kept.page.tag[around] == _FIGURE:
        around = int(kept.page.parent[kept.widen(around)])
    if around < 0:
        return False
    n_own = kept.count(box, kept.words)
    n_linked = kept.count(around, kept.linked) - kept.count(box, kept.linked)
    n_plain = kept.count(around, kept.words) - n_own - n_linked
    return n_plain > max(n_own, n_linked)


def _add_card(kept: KeptPage, parts: BoxParts, row: int, link: int) -> None:
    """Write a box as its title, with the name of the file that it links."""
    page = kept.page
    title = _find_card_title(kept, row)
    if title is None:
        return
    shown, attrs = kept.leaves_of(title), page.attrs(link)
    if not page.in_link[page.leaves[shown]].all():
        return
    unmark(page, parts, row, shown[0])
    parts.links[link] = attrs.get("href", "")
    name: int | None = None
    if "download" in attrs:
        behind = [leaf for leaf in kept.leaves_of(row) if leaf > shown[-1]]
        name = next(
            (leaf for leaf in behind if _FILE.fullmatch(page.leaf_text(leaf).strip())), None
        )
    if name is not None:
        parts.texts[int(page.leaves[name])] = f"({page.leaf_text(name).strip()})"
        parts.continued.append(name)
    parts.dropped.extend({*kept.leaves_of(row)} - {*shown, name})


def _find_card_title(kept: KeptPage, row: int) -> int | None:
    """Return the first heading in a box, else the first element named a title; of one block."""
    page = kept.page
    rows = [part for part in range(row, int(page.end[row])) if kept.count(part)]
    headings = (part for part in rows if HEADINGS[page.tag[part]])
    titles = (part for part in rows if _TITLE_CLASS.search(page.attr(part, "class") or ""))
    title = next(headings, None) or next(titles, None)
    is_one = title is not None and kept.blocks_of(title) == 1 and kept.count(title, kept.words)
    return title if is_one else None


# -- pull quotes -------------------------------------------------------------------------------

_QUOTE_PARTS: Final = CLASS_PARTS.bits(b"quote")
_PULLED: Final = rb"(?<![\w-])pull-?quote(?![\w-])"
_ASIDES: Final = flags_of("aside div")
_QUOTES: Final = flags_of("blockquote q")


def find_pull_quotes(kept: KeptPage, parts: BoxParts) -> None:
    """Add the pull quotes that are no block quotes, are in no quote and hold none."""
    page = kept.page
    rows = page.attributes.rows_classed(_QUOTE_PARTS, _PULLED)
    rows = rows[_ASIDES[page.tag[rows]]]
    if not rows.size:
        return  # as most
    quotes = page.rows_of(_QUOTES)
    holds_quote = quotes.searchsorted(page.end[rows]) > quotes.searchsorted(rows)
    rows = rows[~holds_quote & ~page.below(page.flag(np.append(quotes, rows)))[rows]]
    parts.tags.update(dict.fromkeys(rows.tolist(), _BLOCKQUOTE))


# -- labels ------------------------------------------------------------------------------------

_CAPTION_PARTS: Final = CLASS_PARTS.bits(b"caption", b"note")
_CAPTION: Final = rb"(?<![a-z])captions?(?![a-z])|(?<![\w-])footnote(?![\w-])"
_CAPTIONED: Final = flags_of("div section span")
_FIGCAPTION: Final = flags_of("figcaption")
_NO_TEXT: Final = REPLACED | flags_of(
    "blockquote details dl figure h1 h2 h3 h4 h5 h6 ol pre table ul"
)
_MAX_LABEL_WORDS: Final = 4
_VALUES: Final = CLASS_PARTS.bits(b"value")
_VALUE: Final = rb"(?<![a-z])value(?![a-z])"
_NAME: Final = re.compile(r"(?<![a-z])(?:key|label|name|term|title)(?![a-z])", re.IGNORECASE)
"""Words in the classes of a value, and of its label."""
_FIELDS: Final = flags_of("article div li p section")
_NOT_FIELDS: Final = _NO_TEXT | flags_of("caption dt figcaption summary th")
_EXACT: Final = flags_of("code pre samp")
_MIN_FIELDS: Final = 2
_ENDS: Final = frozenset(":?!.…：？！。")
"""Signs at the end of a label that needs no colon."""


def find_captions(kept: KeptPage, parts: BoxParts) -> None:
    """Add the labels in blocks of their own: a few words, of which the last has a digit."""
    page = kept.page
    attributes = page.attributes
    classed = attributes.rows_classed(_CAPTION_PARTS, _CAPTION)
    boxes = {*classed[_CAPTIONED[page.tag[classed]]].tolist(), *page.rows_of(_FIGCAPTION).tolist()}
    for box in sorted(boxes):
        if page.end[box] - box > _MAX_ROWS or not kept.count(box) or kept.blocks_of(box) == 1:
            continue
        leaves = kept.leaves_of(box)
        of_leaf = page.blocks.of_leaf
        label = [leaf for leaf in leaves if of_leaf[leaf] == of_leaf[leaves[0]]]
        words = "".join(map(page.leaf_text, label)).split()
        if not words or len(words) > _MAX_LABEL_WORDS or not any(map(str.isdigit, words[-1])):
            continue
        text = leaves[len(label)]
        row = int(page.leaves[text])
        while row > box and not _NO_TEXT[page.tag[row]]:
            row = int(page.parent[row])
        if row == box:
            unmark(page, parts, box, label[0])
            parts.continued.append(text)


def find_fields(kept: KeptPage, parts: BoxParts) -> None:
    """Put a colon between the label and the value of fields, of which there are some alike.

    Style sheets set the two apart, but their markup has nothing between them.
    """
    page = kept.page
    entries = page.attributes.classed(_VALUES, _VALUE)
    if entries.size < _MIN_FIELDS:
        return
    names = page.attributes.values_of(entries)
    fields = {row: name for row, name in names.items() if _is_value(kept, row)}
    alike = Counter(fields.values())
    if not alike:
        return
    is_exact = page.within(_EXACT[page.tag])
    for row in (row for row, name in fields.items() if alike[name] >= _MIN_FIELDS):
        if is_exact[row]:
            continue
        box = int(page.parent[row])
        label, value = kept.leaves[kept.before[row] - 1 : kept.before[row] + 1].tolist()
        for leaf in (label, value):
            unmark(page, parts, box, leaf)
        text = page.leaf_text(label).rstrip()
        parts.texts[int(page.leaves[label])] = text + ":" * (text[-1:] not in _ENDS)
        parts.continued.append(value)


def _is_value(kept: KeptPage, value: int) -> bool:
    """Return whether an element is all that is kept beside a label in the element around it."""
    page = kept.page
    box, n_own = int(page.parent[value]), kept.count(value)
    if box <= 0 or not n_own or page.end[box] - box > _MAX_ROWS:
        return False
    label = box + 1
    while label < value and not kept.count(label):
        label = int(page.end[label])
    if label >= value or kept.count(label) + n_own != kept.count(box):
        return False
    if not _NAME.search(page.attr(label, "class") or ""):
        return False
    if not _FIELDS[page.tag[box]] or _NOT_FIELDS[page.tag[[label, value]]].any():
        return False
    is_plain = kept.blocks_of(label) == kept.blocks_of(value) == 1
    is_short = 0 < kept.count(label, kept.words) <= _MAX_LABEL_WORDS
    return is_plain and is_short and any(map(str.isalpha, page.text_of(label)))
