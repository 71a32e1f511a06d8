"""Properties of every output, whatever was kept, checked for one document.

- once: every kept word is written once, in Markdown, text and HTML;
- invented: Markdown and HTML contain only words of the page, from its text or from an attribute;
- blocks: Markdown rendered as HTML by a CommonMark library has the kept blocks. Only in cells,
headings and preformatted text may several become one;
- characters: nothing is written that the kept text does not have, but quotation marks of a `q`,
brackets around the readings of characters, and signs of lists in cells;
- spaces: where the characters are the same, none is written inside a word that the page shows
whole, and none is missing between words that it parts.

Numbers, and the marks of notes and of items, are not counted where the order differs: writers move
and number notes. Buttons, edit links and links of headings to themselves, line numbers and bars of
code are not written, and a post of a forum begins with a line of author and date. A page shows a
word whole in one text, and in texts that only elements without a class or the like part: how others
are displayed is up to style sheets, as is what is between two elements.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

import numpy as np

from thresher.analysis.links import find_inner_links
from thresher.document import Document, WriteOptions
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.evaluation.fidelity.structure import find_tex
from thresher.evaluation.tokens import split_words
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.page.tags import CELLS, CODE_OF, TEXT, flags_of
from thresher.writers.code.gutters import find_gutters
from thresher.writers.fragment.posts import describe_post, find_shown_posts, find_unstated
from thresher.writers.outline.content import content_of, find_boxes
from thresher.writers.outline.headings import find_permalinks

_JOINED, _STYLED, _PARTED = range(3)
"""Between two characters: nothing, what styles decide, white space or an edge of a block. Of
several gaps the last of these counts."""
_BR, _LI = CODE_OF["br"], CODE_OF["li"]
_INLINE: Final = flags_of(
    "a abbr b bdi bdo big code del dfn em font i ins kbd mark s samp small span strike strong sub"
    " sup tt u var wbr"
)
"""Elements that do not part a word unless a style sheet says so."""
_MATH: Final = CODE_OF["math"]
_ENCLOSED: Final = (("q", "\"'“”‘’„‚«»‹›「」『』"), ("rt", "()"))
"""Elements that get signs around them."""
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\u2063\ufeff\ufe0e\ufe0f"
_STYLES: Final = ("class", "id", "style")
_CHARS_SHOWN: Final = 40
PROPERTIES: Final = ("once", "invented", "blocks", "characters", "spaces")
_CONTENT: Final = WriteOptions(title=False)
"""The title is not part of the selection."""
_BARE: Final = replace(_CONTENT, links=False, images=False, alerts=False)
"""Alternative texts of media and images are not text of the page; an alert names its kind."""
_ONE: Final = flags_of("caption dt h1 h2 h3 h4 h5 h6 pre summary td th")
"""Elements that merge several blocks into one."""
_READINGS: Final = flags_of("rp rt")
"""Parts of ruby texts, which are written in brackets behind the characters."""
_RAISED: Final = _READINGS | flags_of("sub sup")
_MARK: Final = re.compile(r"^[ \t]*([a-zA-Z]{1,5})\. ", re.MULTILINE)
"""The mark of an item in plain text, where a list counts by letters."""
_EXCERPT_CHARS: Final = 60
_CHECKBOX: Final = re.compile(r"=\s*[\"']?(?:checkbox|inline-task)", re.IGNORECASE)
_TASK: Final = re.compile(r"(<li>\s*(?:<p>)?)\[[ xX]\] ")
_SOFT_HYPHEN: Final = "\u00ad"
"""Not written: it only says where a line may break."""


class _Shown(NamedTuple):
    """The visible characters of a page, white space left out."""

    chars: str
    before: list[int]
    """What is before each character: `_JOINED`, `_PARTED` or `_STYLED`."""


def compare_shown(
    page: Page, keep: BoolArray, written: Page, added: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield violations as property and detail; ``keep`` flags the kept leaves, bool[n_leaf].

    ``written`` is the page that the Markdown was converted back to, ``added`` are texts that are
    written besides.
    """
    expected = _read_shown(page, keep)
    shown = _read_shown(written)
    extra = Counter(shown.chars) - Counter(expected.chars) - Counter("".join(added))
    for name, signs in _ENCLOSED:
        if (page.tag == CODE_OF[name]).any():
            extra = Counter({char: n for char, n in extra.items() if char not in signs})
    if (page.within(CELLS[page.tag]) & (page.tag == _LI)).any():
        extra = Counter({char: n for char, n in extra.items() if char not in "-."})
    if invented := "".join(char for char in extra if not char.isdigit()):
        yield "characters", invented[:_CHARS_SHOWN]
    if expected.chars != shown.chars:
        return
    for place, (wanted, given) in enumerate(zip(expected.before, shown.before, strict=True)):
        if place and {wanted, given} == {_JOINED, _PARTED}:
            verb = "parted" if given == _PARTED else "joined"
            around = slice(max(place - 15, 0), place + 15)
            yield (
                "spaces",
                f"{verb} before {shown.chars[place : place + 5]!r}: {shown.chars[around]}",
            )
            return


def _read_shown(page: Page, keep: BoolArray | None = None) -> _Shown:
    """Read the kept leaves, or all."""
    leaves = _kept_leaves(page, keep)
    styled = np.zeros(len(page), np.bool_)
    for name in _STYLES:
        styled[list(page.attributes.values(name))] = True
    parts = styled | ~_INLINE[page.tag]
    chars: list[str] = []
    before: list[int] = []
    gap = _PARTED
    for leaf, following in pairwise([*leaves, -1]):
        row = int(page.leaves[leaf])
        if page.tag[row] == TEXT:
            for char in page.text[page.text_offset[row] : page.text_offset[row + 1]]:
                if char.isspace():
                    gap = _PARTED
                elif char not in _INVISIBLE:
                    chars.append(char)
                    before.append(gap)
                    gap = _JOINED
        elif page.tag[row] == _MATH:
            gap = _STYLED
        if following >= 0 and gap != _PARTED:
            gap = max(_read_gap(page, leaf, following, parts), gap)
    return _Shown("".join(chars), before)


def _read_gap(page: Page, leaf: int, following: int, parts: BoolArray) -> int:
    """Return what is between two leaves."""
    first, second = int(page.leaves[leaf]), int(page.leaves[following])
    inside = slice(int(page.end[first]), second)
    between = page.text[page.text_offset[inside.start] : page.text_offset[second]]
    is_edge = page.blocks.of_leaf[leaf] != page.blocks.of_leaf[following]
    if following != leaf + 1 or (between.strip() and not is_edge):
        return _STYLED  # something is left out, or words that no one sees
    if is_edge or between or (page.tag[first:second] == _BR).any():
        return _PARTED
    if page.tag[second] != TEXT or parts[inside].any():
        return _STYLED
    n_side = 0
    for row, other in ((first, second), (second, first)):
        above = int(page.parent[row])
        n_side += not above <= other < page.end[above]
        while not above <= other < page.end[above]:
            if parts[above]:
                return _STYLED
            above = int(page.parent[above])
    return _STYLED if n_side > 1 else _JOINED


class Violation(NamedTuple):
    """A violated property of a document."""

    property: str
    format: str
    detail: str
    """The expected and the actual text, abbreviated."""


def check(document: Document) -> Iterator[Violation]:
    """Yield the violations; raises MissingExtraError as `render_markdown`."""
    page = document.page
    keep = document.selection.keep & ~find_gutters(page, document.selection.keep)
    boxes = find_boxes(page, keep)
    keep[boxes.dropped] = False
    content = content_of(document.selection)
    keep[list(content.repeated)] = False
    notes = content.footnotes
    inner = find_inner_links(page, keep)
    others = [link for link in inner if link.row not in notes.references]
    keep[find_permalinks(page, keep, others).leaves] = False
    markdown = _read_back(document, _BARE)
    written = {
        "text": split_words(document.text),
        "html": _words(_parse_or_none(document.write("html", _BARE))),
        "markdown": _words(markdown),
    }
    written_in = dict.fromkeys(written, keep)
    if (unstated := find_unstated(document)) is not None:
        written_in["markdown"] = keep & ~unstated
    kept = {format: _split(_leaf_texts(page, leaves)) for format, leaves in written_in.items()}
    # Images and scripts of formulas contain no text and become some; MathML becomes TeX.
    formulas = _formula_letters(page, keep), _formula_letters(markdown)
    heads = [describe_post(post) for post in find_shown_posts(document)]
    marks = [page.text_of(row) for row in (*notes.references, *notes.back_links)]
    marks += page.leaf_texts(np.array([*notes.ornaments, *notes.arrows], np.intp))
    labels = [note.label for note in notes.notes] + _MARK.findall(document.text)
    changed = (
        formulas[0] + _letters(marks),
        formulas[1] + _letters([*marks, *labels, *_split(heads)]),
    )
    for format, words in written.items():
        if problem := _differ(kept[format], words, changed):
            yield Violation("once", format, problem)
    readings = {
        "html": _parse_or_none(document.write("html", _CONTENT)),
        "markdown": _read_back(document, _CONTENT),
    }
    for format, reading in readings.items():
        if reading is not None and (invented := _invented(page, reading, heads)):
            yield Violation("invented", format, " ".join(invented)[:_EXCERPT_CHARS])
    if markdown is None or boxes.continued:
        return  # paragraphs are joined on purpose, and names of files are in parentheses
    leaves = written_in["markdown"]
    for name, detail in compare_shown(page, leaves, markdown, heads):
        yield Violation(name, "markdown", detail)
    if "".join(kept["markdown"]) == "".join(written["markdown"]):
        for detail in _moved_edges(page, leaves, markdown):
            yield Violation("blocks", "markdown", detail)


def _read_back(document: Document, options: WriteOptions) -> Page | None:
    """Convert Markdown back to a page; task markers are not text of it."""
    html = render_markdown(document.write("markdown", options))
    if _CHECKBOX.search(document.page.source):
        html = _TASK.sub(r"\1", html)
    return _parse_or_none(html)


def _parse_or_none(html: str) -> Page | None:
    return parse(html) if html.strip() else None


def _words(page: Page | None) -> list[str]:
    return [] if page is None else _split(_leaf_texts(page))


def _split(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in split_words(text)]


def _kept_leaves(page: Page, keep: BoolArray | None) -> list[int]:
    return list(range(page.leaves.size)) if keep is None else np.flatnonzero(keep).tolist()


def _leaf_texts(page: Page, keep: BoolArray | None = None) -> Iterator[str]:
    """Yield the texts of the kept leaves, or of all, and the TeX of formulas."""
    for leaf in _kept_leaves(page, keep):
        row = int(page.leaves[leaf])
        text = _tex(page, row) if page.tag[row] == _MATH else page.leaf_text(leaf)
        yield text.replace(_SOFT_HYPHEN, "")


def _tex(page: Page, row: int) -> str:
    tex = find_tex(page, row)
    return page.text_of(row) if tex is None else tex


def _formula_letters(page: Page | None, keep: BoolArray | None = None) -> Counter[str]:
    if page is None:
        return Counter()
    is_formula = page.tag[page.leaves] == _MATH
    flags = is_formula if keep is None else is_formula & keep
    return _letters(_split(_leaf_texts(page, flags)))


def _differ(
    kept: list[str], words: list[str], formulas: tuple[Counter[str], Counter[str]]
) -> str | None:
    """Describe where the letters differ; None if they do not, or only notes were moved.

    Letters of ``formulas``, those on the page and those written, may be changed.
    """
    first, second = "".join(kept), "".join(words)
    if first == second:
        return None
    before, after = _letters(kept), _letters(words)
    if not before - after - formulas[0] and not after - before - formulas[1]:
        return None
    pairs = zip(first, second, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
    begin = max(at - 15, 0)
    stop = begin + _EXCERPT_CHARS
    return f"{first[begin:stop]!r} became {second[begin:stop]!r}"


def _letters(words: Iterable[str]) -> Counter[str]:
    text = normalize("NFKC", "".join(words))  # some raised letters have characters of their own
    return Counter(char for char in text if not char.isdigit() and char != "_")


def _invented(page: Page, written: Page, heads: list[str]) -> list[str]:
    by_leaf, by_block = Counter(_words(page)), Counter(_split(_block_texts(page)))
    joined = _split(map("".join, pairwise(_leaf_texts(page))))
    # Attributes count, and so do URLs, which are resolved on the page's own, or are those of media.
    places = " ".join(written.attributes.values("href").values())
    places = f"{places} {unquote(places)}"
    source = page.source.replace(_SOFT_HYPHEN, "")
    said = set(split_words(f"{page.url} {source} {places} {heads}".lower()))
    is_text = written.tag[written.leaves] != _MATH
    extra = Counter(_split(_leaf_texts(written, is_text))) - (by_leaf | by_block)
    # Whether parts of a line are words of their own is what `compare_shown` checks.
    said |= {word.lower() for word in joined}
    return [word for word in extra if word.lower() not in said and not word.isdigit()]


def _block_texts(page: Page) -> Iterator[str]:
    """Yield the texts of all blocks, and of those with readings or raised text what is between."""
    readings = page.within(_RAISED[page.tag])[page.leaves]
    has_reading = page.blocks.any(readings)
    for block in range(len(page.blocks)):
        yield page.block_text(block).replace(_SOFT_HYPHEN, "")
        if has_reading[block]:
            first, stop = page.blocks.start[block : block + 2].tolist()
            yield "".join(
                " " if readings[leaf] else page.leaf_text(leaf) for leaf in range(first, stop)
            )


def _moved_edges(page: Page, keep: BoolArray, written: Page) -> Iterator[str]:
    """Yield the places where blocks of the page were merged or split in Markdown."""
    before, now = _edges(page, keep), _edges(written)
    for edge in sorted(now.keys() - before.keys())[:1]:
        yield f"cut before {now[edge][0]!r}"
    position = 0
    inside: dict[int, int] = {}
    for edge in sorted(now):
        for place in range(position + 1, edge):
            inside[place] = edge
        position = edge
    for edge in sorted(before.keys() - now.keys()):
        around = inside.get(edge)
        tags = before[edge][1], now[around][1] if around is not None else -1
        if not any(tag >= 0 and _ONE[tag] for tag in tags):
            yield f"grown together before {before[edge][0]!r}"
            return


def _edges(page: Page, keep: BoolArray | None = None) -> dict[int, tuple[str, int]]:
    """Return the ends of blocks, counted in letters → the block's end, and its container."""
    edges: dict[int, tuple[str, int]] = {}
    count = 0
    one = page.nearest(_ONE[page.tag])
    texts = dict(zip(_kept_leaves(page, keep), _leaf_texts(page, keep), strict=True))
    for block in range(len(page.blocks)):
        first, stop = page.blocks.start[block : block + 2].tolist()
        text = " ".join(texts[leaf] for leaf in range(first, stop) if leaf in texts)
        letters = sum(map(len, split_words(text)))
        if letters:
            count += letters
            row = int(one[page.leaves[first]])
            edges[count] = (text[-_EXCERPT_CHARS:], int(page.tag[row]) if row >= 0 else -1)
    return edges
