"""Embedded content: texts in a page's script data, and pages completed with them.

No script is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from html import unescape
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.embedded.rich_text import markup_of_text, write_rich_text
from thresher.analysis.embedded.scripts import is_flight, read_flight, read_texts, read_values
from thresher.analysis.embedded.state import (
    MIN_WORDS,
    estimate_words,
    find_main_text,
    letters_of,
    strip_markup,
)
from thresher.analysis.obstacles import ObstacleKind, find_obstacle
from thresher.analysis.script_elements import Script, find_scripts
from thresher.analysis.structured import JsonValue
from thresher.page import Attached, Origin, Page
from thresher.page.in_line import read_tags
from thresher.page.parse import MAX_BUFFER_BYTES, parse_fragment
from thresher.page.scan import scan
from thresher.page.tags import CODE_OF, flags_of
from thresher.roles import ROLES
from thresher.selection import ENOUGH_WORDS, Explain, PredictRoles, Selection

__all__ = ["Embedded", "Origin", "attach", "complete", "read_embedded"]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text found in script data, as markup, and its path."""

    origin: Origin
    markup: str
    """Unsanitised HTML: as in the data, or paragraphs made from plain text."""
    path: str
    """Its path in the data, of keys and indices, such as ``article.blocks[2].text``."""
    words: int
    """Estimated words of its text."""


MAX_TITLE_CHARS: Final = 400
_TITLES: Final = flags_of("title h1")
_JSON_LD_MARKS: Final = ("articleBody", '"description"', '"text"')


def read_embedded(page: Page, *, min_words: int = MIN_WORDS) -> tuple[Embedded, ...]:
    """Read the texts in a page's script data, those with most words first.

    JSON-LD gives a text only if exactly one object has one: of several, none is the page's. The
    state of an application gives its main text. Never raises and runs no script. Cost: a search for
    scripts; then parsing the JSON of those that may contain text.
    """
    scripts = list(find_scripts(page.source))
    texts: dict[str, Embedded] = {}
    for script in scripts:
        if script.is_json_ld:
            texts.update(_read_json_ld(script, min_words))
    title = _title_of(page) if scripts else ""
    state = filter(None, (find_main_text(value, title) for value in _read_states(scripts)))
    best = max(state, key=lambda text: text.words, default=None)
    embedded = list(texts.values()) if len(texts) == 1 else []
    if best and best.words >= min_words:
        embedded.append(Embedded(Origin.STATE, best.markup, best.path, best.words))
    return tuple(sorted(embedded, key=lambda text: -text.words))


def _read_json_ld(script: Script, min_words: int) -> dict[str, Embedded]:
    if not any(mark in script.text for mark in _JSON_LD_MARKS):
        return {}
    texts: dict[str, Embedded] = {}
    for path, text in read_texts(script.text):
        markup = markup_of_text(text) if isinstance(text, str) else write_rich_text(text)
        words = estimate_words(markup)
        if words >= min_words:
            texts[markup] = Embedded(Origin.JSON_LD, markup, path, words)
    return texts


def _read_states(scripts: list[Script]) -> Iterator[JsonValue]:
    """Yield the values in scripts other than JSON-LD."""
    for script in scripts:
        if not (script.is_json_ld or is_flight(script.text)):
            yield from read_values(script)
    if flight := [script.text for script in scripts if is_flight(script.text)]:
        yield read_flight(flight)


def _title_of(page: Page) -> str:
    """Return the page's titles and top headings, one per line."""
    rows = page.rows_of(_TITLES)[:4].tolist()
    texts = [page.text_of(row)[:MAX_TITLE_CHARS] for row in rows]
    values = page.attributes.values("property") if rows else {}
    texts += [
        (page.attr(row, "content") or "")[:MAX_TITLE_CHARS]
        for row, value in values.items()
        if value.lower() == "og:title"
    ]
    return "\n".join(" ".join(text.split()) for text in texts)


_BODY: Final = CODE_OF["body"]


def attach(page: Page, embedded: Iterable[Embedded]) -> Page:
    """Return a page with each text in its own `<div>` at the end of the body.

    Rows, leaves and blocks of the page keep their numbers, because new ones come last;
    ``attached`` has the new rows. The page is returned unchanged if it has no body (a frameset),
    if it would be too large, or if there are no texts.
    """
    pieces = [(text, parse_fragment(text.markup)) for text in embedded]
    body = np.flatnonzero((page.tag == _BODY) & (page.end == len(page)))
    size = len(page.buffer) + sum(len(markup) for _, markup in pieces)
    if not pieces or not body.size or size > MAX_BUFFER_BYTES:
        return page
    place = int(page.close_start[body[0]])
    buffer = b"".join((page.buffer[:place], *(markup for _, markup in pieces), page.buffer[place:]))
    columns = scan(buffer)
    attached = list(page.attached)
    start = place
    for text, markup in pieces:
        first, stop = np.searchsorted(columns.open_start, (start, start + len(markup))).tolist()
        attached.append(Attached(first, stop, text.origin, text.path))
        start += len(markup)
    own = {field.name: getattr(page, field.name) for field in fields(page)}
    own |= {name: getattr(columns, name) for name in columns.__slots__}
    own |= {"tag": read_tags(buffer, columns), "buffer": buffer, "attached": tuple(attached)}
    return Page(**own)


# Limits, set on 2,275 pages of four labelled corpora (docs/embedded.md): correctly completed pages
# kept 0 to 141 words, of which the text repeated all but 39; if the text was of another article,
# the page kept 62 or more words that it did not repeat.
MIN_ADDED_WORDS: Final = 100
"""Minimum words of a text that completes a page."""
MAX_OTHER_WORDS: Final = 50
"""Maximum kept words that the text does not repeat: a heading, a lead, a caption. More are
content, and the text is a different one."""
MIN_RATIO: Final = 2.0
"""Minimum words of a text per kept word."""
MIN_NOVELTY: Final = 0.75
"""Minimum share of a text's pieces missing from the page's own text, visible or hidden."""
MAX_PIECES: Final = 200
PIECE_LETTERS: Final = 24
"""Letters of a piece: four or five words of a European language, a clause of Chinese."""
MIN_REPEATED_PIECES: Final = 3
REPEATED: Final = 0.7
"""Minimum share of a kept block's pieces in the text if the block is part of it."""
_SOURCES: Final = {Origin.JSON_LD: "JSON-LD", Origin.STATE: "the application's data"}


def complete(selection: Selection) -> Selection:
    """Complete a selection with a text that is only in the page's script data.

    For almost all pages the selection is returned unchanged: if enough was kept; if no script has a
    main text of `MIN_ADDED_WORDS` that is `MIN_RATIO` times as long as the kept text; if part of it
    is in the page's own text. Otherwise the result's page is `attach` of the page and the
    text; the text is kept, kept blocks that it repeats are dropped, and their reasons say so.
    """
    page = selection.page
    wanted = max(MIN_ADDED_WORDS, int(MIN_RATIO * selection.words) + 1)
    if page.attached or selection.words > ENOUGH_WORDS:
        return selection
    texts = read_embedded(page, min_words=wanted)
    if not texts:
        return selection
    own_letters = letters_of(page.text)
    chosen = next((text for text in texts if _is_missing(page, text, own_letters)), None)
    if chosen is None:
        return selection
    whole = attach(page, (chosen,))
    return _add(selection, whole, chosen) if whole is not page else selection


def _is_missing(page: Page, text: Embedded, own_letters: str) -> bool:
    """Return whether a page lacks a text, and the text is not that of an obstacle."""
    pieces = _pieces_of(letters_of(unescape(strip_markup(text.markup))))
    if not pieces or sum(piece not in own_letters for piece in pieces) < MIN_NOVELTY * len(pieces):
        return False
    if text.origin is Origin.JSON_LD:
        return True
    obstacle = find_obstacle(page)
    return obstacle is None or obstacle.kind is not ObstacleKind.BLOCKED


def _add(selection: Selection, page: Page, text: Embedded) -> Selection:
    """Extend a selection to the page with an attached text, which is kept."""
    old = selection.page
    n_leaf, n_block = selection.keep.size, selection.score.size
    keep = np.ones(page.leaves.size, np.bool_)
    keep[:n_leaf] = selection.keep
    source = _SOURCES[text.origin]
    score = np.full(len(page.blocks), selection.score.max(initial=0), np.float32)
    score[:n_block] = selection.score
    reason_code = np.full(score.size, len(selection.reasons), np.int16)
    reason_code[:n_block] = selection.reason_code
    letters = letters_of(page.text[page.text_offset[page.n_own_row] :])
    blocks = {letters_of(page.block_text(block)) for block in range(n_block, score.size)}
    for block in np.flatnonzero(selection.block_keep).tolist():
        shown = letters_of(old.block_text(block, selection.keep))
        if shown in blocks or _is_repeated(shown, letters):
            first, stop = old.blocks.start[block : block + 2].tolist()
            keep[first:stop] = False
            reason_code[block] = len(selection.reasons) + 1
    if page.leaf_words[:n_leaf][keep[:n_leaf]].sum() > MAX_OTHER_WORDS:
        return selection
    reasons = (
        *selection.reasons,
        f"from {source}, {text.path}: the page's own text lacks it",
        f"repeated by the text from {source}",
    )
    return replace(
        selection,
        page=page,
        keep=keep,
        score=score,
        reason_code=reason_code,
        reasons=reasons,
        explain=_explain_first(selection.explain, n_block) if selection.explain else None,
        predict_roles=(
            _lift_roles(selection.predict_roles, score.size) if selection.predict_roles else None
        ),
    )


def _lift_roles(predict_roles: PredictRoles, n_block: int) -> PredictRoles:
    """Return the roles of the page's own blocks; attached blocks are the body."""

    def predict() -> npt.NDArray[np.int8]:
        own = predict_roles()
        roles = np.full(n_block, ROLES.index("body"), np.int8)
        roles[: own.size] = own
        return roles

    return predict


def _explain_first(explain: Explain, n_block: int) -> Explain:
    """Explain the page's own blocks, which come first; attached blocks have no effects."""
    return lambda block: explain(block) if block < n_block else ()


def _is_repeated(block: str, text: str) -> bool:
    """Return whether most letters of a block, unless it is short, are in those of a text."""
    pieces = _pieces_of(block)
    in_text = sum(piece in text for piece in pieces)
    return len(pieces) >= MIN_REPEATED_PIECES and in_text >= REPEATED * len(pieces)


def _pieces_of(letters: str) -> list[str]:
    """Cut letters into pieces of equal length; of long texts, return evenly spaced pieces."""
    starts = range(0, len(letters) - PIECE_LETTERS + 1, PIECE_LETTERS)
    step = max(1, len(starts) // MAX_PIECES)
    return [letters[start : start + PIECE_LETTERS] for start in starts[::step]]
