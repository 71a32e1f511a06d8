"""Merging of several pages into one output, without the blocks that they repeat."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Final

import numpy as np

from thresher.chunking import estimate_tokens
from thresher.document import Document, WriteOptions
from thresher.errors import UsageError
from thresher.page.tags import CODE_OF
from thresher.writers import FORMATS, JOINED_FORMATS
from thresher.writers.formats import FormatName

_MIN_WORDS: Final = 10
"""Words from which the same text on two pages is a repetition, not a coincidence."""
_BLOCKQUOTE, _H1 = CODE_OF["blockquote"], CODE_OF["h1"]
_REASON: Final = "on an earlier page already"
_HTML_END: Final = "\n</body>\n</html>"
"""End of the HTML writer's output."""
_MIN_LEFT: Final = 100
"""Fewest characters or tokens to begin a page with, see `WriteOptions`."""


@dataclass(slots=True)
class RepeatFilter:
    """Drops blocks of later pages that repeat those of earlier ones.

    A block that is exactly the same on an earlier page is dropped if it is in a common prefix or
    suffix of both pages (title, author, lead; author's note, links), is the main heading, or has
    ten words or more and is not quoted. Short blocks in the middle stay, such as names in a thread.
    """

    _pages: list[list[str]] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def drop(self, document: Document) -> Document:
        """Return the next page without repeated blocks; its selection gives the reason."""
        page, selection = document.page, document.selection
        kept = np.flatnonzero(selection.block_keep)
        keys = [_key(document, block) for block in kept.tolist()]
        n_word = page.blocks.sums(page.leaf_words * selection.keep)[kept]
        row = page.block_row[kept]
        is_solid = (n_word >= _MIN_WORDS) & ~page.within(page.tag == _BLOCKQUOTE)[row]
        is_solid |= page.tag[row] == _H1
        is_repeat = is_solid & np.array([key in self._seen for key in keys], np.bool_)
        for earlier in self._pages:
            is_repeat[: _n_equal(keys, earlier)] = True
            n_tail = _n_equal(keys[::-1], earlier[::-1])
            is_repeat[len(keys) - n_tail :] = True
        self._pages.append(keys)
        self._seen.update(keys)
        if not is_repeat.any():
            return document
        repeated = np.zeros(len(page.blocks), np.bool_)
        repeated[kept[is_repeat]] = True
        keep = selection.keep & ~repeated[page.blocks.of_leaf]
        return replace(document, selection=selection.with_reason(_REASON, repeated, keep=keep))


def write_pages(
    documents: Sequence[Document], format: FormatName, options: WriteOptions | None = None
) -> str:
    """Write several pages as one, with metadata and title of the first page only.

    JSON is the first page's object, with those of the others as ``next_pages``; JSON Lines have one
    line per record. Limits apply to all pages together, and a note at the end gives the number of
    pages left out; in JSON Lines it is ``pages_left_out`` of the last line. In JSON the limits
    apply to each page.
    UsageError for a format not in `thresher.writers.JOINED_FORMATS`.
    """
    options = options or WriteOptions()
    if len(documents) == 1:
        return documents[0].write(format, options)
    if format not in JOINED_FORMATS:
        raise UsageError(f"{format} holds one page; several fit in {', '.join(JOINED_FORMATS)}")
    if FORMATS[format].nests_pages:
        records = [json.loads(document.write(format, options)) for document in documents]
        record = {**records[0], "next_pages": records[1:]}
        return json.dumps(record, ensure_ascii=False, allow_nan=False)
    return _join(documents, format, options)


def _join(documents: Sequence[Document], format: FormatName, options: WriteOptions) -> str:
    """Write the pages in order until a limit is reached, and note how many are left out.

    A page is begun only if there is room for it and for that note.
    """
    separator = _separator_of(format)
    text = end = ""
    for index, document in enumerate(documents):
        own = replace(options, metadata=False, title=False) if index else options
        note = _note(format, len(documents) - index - 1, len(documents))
        start = text and text + separator
        more, own_end = _write(document, format, _limit(own, start + end), text)
        end = end or own_end
        so_far = start + more if more else text
        is_last = index + 1 == len(documents)
        if is_last or _limit(own, so_far + end + separator) is not None:
            text = so_far
            continue
        if not _fits(own, so_far + end + note):
            less = _limit(own, start + end + note)
            if less is None:
                note = _note(format, len(documents) - index, len(documents))
                return (text + note if text else note.lstrip()) + end
            more, _ = _write(document, format, less, text)
            so_far = start + more if more else text
        return _add_note(so_far, note, format, len(documents) - index - 1) + end
    return text + end


def _write(
    document: Document, format: FormatName, options: WriteOptions | None, before: str
) -> tuple[str, str]:
    """Write a page that follows others; return it and the end of the document separately."""
    assert options is not None, "a page is begun only with room for it"
    more = document.write(format, options)
    if format == "thread" and before:
        more = _drop_title(more, before)
    end = _HTML_END if format == "html" and more.endswith(_HTML_END) else ""
    return more.removesuffix(end), end


def _separator_of(format: FormatName) -> str:
    separator = FORMATS[format].separator
    assert separator is not None, "only formats whose pages can be joined come here"
    return separator


def _note(format: FormatName, n_left: int, n_page: int) -> str:
    """Return the note with the separator before it; empty for JSON Lines."""
    note = f"[… {n_left} of {n_page} pages left out]"
    if format == "jsonl":
        return ""
    return _separator_of(format) + (f"<p>{note}</p>" if format == "html" else note)


def _add_note(text: str, note: str, format: FormatName, n_left: int) -> str:
    """Append the note on the pages left out; in JSON Lines add it to the last line."""
    if format != "jsonl":
        return text + note
    *lines, last = text.split("\n")
    record = json.dumps({**json.loads(last), "pages_left_out": n_left}, ensure_ascii=False)
    return "\n".join([*lines, record])


def _drop_title(more: str, text: str) -> str:
    """Remove the title of a later page of a thread, which has one regardless of the options."""
    title, _, rest = more.partition("\n")
    return rest.lstrip("\n") if title.startswith("# ") and title in text.split("\n") else more


def _count_left(options: WriteOptions, text: str) -> dict[str, Any]:
    """Return how much of each limit remains after a text."""
    counts: dict[str, Callable[[str], int]] = {"max_chars": len, "max_tokens": estimate_tokens}
    return {
        name: getattr(options, name) - count(text)
        for name, count in counts.items()
        if getattr(options, name) is not None
    }


def _limit(options: WriteOptions, text: str) -> WriteOptions | None:
    """Reduce the limits by a text already written; None if too little is left."""
    left = _count_left(options, text)
    if any(amount < _MIN_LEFT for amount in left.values()):
        return None
    return replace(options, **left)


def _fits(options: WriteOptions, text: str) -> bool:
    return all(amount >= 0 for amount in _count_left(options, text).values())


def _key(document: Document, block: int) -> str:
    """Return the key by which blocks are compared: kept text, or the markup of a picture."""
    page = document.page
    text = " ".join(page.block_text(block, document.selection.keep).split())
    return text or page.markup(int(page.block_leaf[block])).decode()


def _n_equal(these: Sequence[str], those: Sequence[str]) -> int:
    """Return the length of the common prefix of two sequences."""
    pairs = zip(these, those, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
