"""One text of several pages: what they repeat is kept once, and they are written as one."""

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

__all__ = ["Repeats", "write_pages"]

_MIN_WORDS: Final = 10
"""Words from which on a text that is the same on two pages was not written twice by chance."""
_BLOCKQUOTE, _H1 = CODE_OF["blockquote"], CODE_OF["h1"]
_REASON: Final = "on an earlier page already"
_HTML_END: Final = "\n</body>\n</html>"
"""How the HTML writer ends a whole page."""
_MIN_LEFT: Final = 100
"""Characters or tokens a page needs at least, see `WriteOptions`."""


@dataclass(slots=True)
class Repeats:
    """The blocks of the pages so far, and what of the next page repeats them.

    Left out of a later page is, where an earlier one kept exactly the same: what both begin with or
    end with (title, author, lead; author's note, links), the main heading, and a block of ten words
    or more, unless it is quoted. Short blocks in the middle stay, such as names in a thread.
    """

    _pages: list[list[str]] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def drop(self, document: Document) -> Document:
        """Return the next page without its repeats; its selection says which blocks those were."""
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
        code = np.where(repeated, len(selection.reasons), selection.reason_code)
        less = replace(
            selection,
            keep=selection.keep & ~repeated[page.blocks.of_leaf],
            reason_code=code.astype(np.int16),
            reasons=(*selection.reasons, _REASON),
        )
        return replace(document, selection=less)


def write_pages(
    documents: Sequence[Document], format: str, options: WriteOptions | None = None
) -> str:
    """Write pages as one; of metadata and title only the first page's.

    JSON is the first page's object, with those of the others as ``next_pages``; JSON Lines are a
    line each. Limits are for all pages together, and a note at the end says how many pages they
    left out; of JSON Lines the last one says it, as ``pages_left_out``. In JSON they are for each.
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


def _join(documents: Sequence[Document], format: str, options: WriteOptions) -> str:
    """Write one page after another; where the limits end this, say how many are left out.

    A page is begun only with room for it and for that note.
    """
    separator = _separator_of(format)
    text = end = ""
    for index, document in enumerate(documents):
        own = replace(options, metadata=False, title=False) if index else options
        behind = _note(format, len(documents) - index - 1, len(documents))
        start = text and text + separator
        more, own_end = _write(document, format, _limit(own, start + end), text)
        end = end or own_end
        so_far = start + more if more else text
        is_last = index + 1 == len(documents)
        if is_last or _limit(own, so_far + end + separator) is not None:
            text = so_far
            continue
        if not _fits(own, so_far + end + behind):
            less = _limit(own, start + end + behind)
            if less is None:
                behind = _note(format, len(documents) - index, len(documents))
                return (text + behind if text else behind.lstrip()) + end
            more, _ = _write(document, format, less, text)
            so_far = start + more if more else text
        return _say(so_far, behind, format, len(documents) - index - 1) + end
    return text + end


def _write(
    document: Document, format: str, options: WriteOptions | None, before: str
) -> tuple[str, str]:
    """Write a page that comes after others, and what ends it."""
    assert options is not None, "a page is begun only with room for it"
    more = document.write(format, options)
    if format == "thread" and before:
        more = _drop_title(more, before)
    end = _HTML_END if format == "html" and more.endswith(_HTML_END) else ""
    return more.removesuffix(end), end


def _separator_of(format: str) -> str:
    separator = FORMATS[format].separator
    assert separator is not None, "only formats whose pages can be joined come here"
    return separator


def _note(format: str, n_left: int, n_page: int) -> str:
    """Return the note with the separator before it; JSON Lines have none."""
    note = f"[… {n_left} of {n_page} pages left out]"
    if format == "jsonl":
        return ""
    return _separator_of(format) + (f"<p>{note}</p>" if format == "html" else note)


def _say(text: str, behind: str, format: str, n_left: int) -> str:
    """Say behind a text how many pages are left out; of JSON Lines the last one says it."""
    if format != "jsonl":
        return text + behind
    *lines, last = text.split("\n")
    record = json.dumps({**json.loads(last), "pages_left_out": n_left}, ensure_ascii=False)
    return "\n".join([*lines, record])


def _drop_title(more: str, text: str) -> str:
    """Take the title off a later page of a thread, which has it whatever the options say."""
    title, _, rest = more.partition("\n")
    return rest.lstrip("\n") if title.startswith("# ") and title in text.split("\n") else more


def _count_left(options: WriteOptions, text: str) -> dict[str, Any]:
    """Return what a text leaves of each limit."""
    counts: dict[str, Callable[[str], int]] = {"max_chars": len, "max_tokens": estimate_tokens}
    return {
        name: getattr(options, name) - count(text)
        for name, count in counts.items()
        if getattr(options, name) is not None
    }


def _limit(options: WriteOptions, text: str) -> WriteOptions | None:
    """Take what is written already off the limits; None where too little is left."""
    left = _count_left(options, text)
    if any(amount < _MIN_LEFT for amount in left.values()):
        return None
    return replace(options, **left)


def _fits(options: WriteOptions, text: str) -> bool:
    return all(amount >= 0 for amount in _count_left(options, text).values())


def _key(document: Document, block: int) -> str:
    """Return what makes a block the same as another: its kept text, or the markup of a picture."""
    page = document.page
    text = " ".join(page.block_text(block, document.selection.keep).split())
    return text or page.markup(int(page.block_leaf[block])).decode()


def _n_equal(these: Sequence[str], those: Sequence[str]) -> int:
    """Count the entries that two sequences begin with alike."""
    pairs = zip(these, those, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
