"""One text of several pages: what they repeat is kept once, and they are written as one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

import numpy as np

from thresher.chunking import estimate_tokens
from thresher.document import Document, WriteOptions
from thresher.errors import UsageError
from thresher.tags import CODE_OF

__all__ = ["JOINED_FORMATS", "Repeats", "write_pages"]

_SEPARATORS: Final = {
    "markdown": "\n\n",
    "thread": "\n\n",
    "text": "\n\n",
    "html": "\n",
    "jsonl": "\n",
}
"""What stands between two pages in each format that can hold several."""
JOINED_FORMATS: Final = (*_SEPARATORS, "json")
"""Formats in which several pages can be written as one."""
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
    line each. Limits are for all pages together. UsageError for a format not in `JOINED_FORMATS`.
    """
    options = options or WriteOptions()
    if len(documents) == 1:
        return documents[0].write(format, options)
    if format == "json":
        records = [json.loads(document.write(format, options)) for document in documents]
        record = {**records[0], "next_pages": records[1:]}
        return json.dumps(record, ensure_ascii=False, allow_nan=False)
    if format not in _SEPARATORS:
        raise UsageError(f"{format} holds one page; several fit in {', '.join(JOINED_FORMATS)}")
    separator = _SEPARATORS[format]
    text = documents[0].write(format, options)
    end = _HTML_END if format == "html" and text.endswith(_HTML_END) else ""
    text = text.removesuffix(end)
    later = replace(options, metadata=False, title=False)
    for document in documents[1:]:
        limited = _limit(later, text + separator)
        if limited is None:
            break
        more = document.write(format, limited)
        if format == "thread":
            more = _drop_title(more, text)
        text += f"{separator if text and more else ''}{more}"
    return text + end


def _drop_title(more: str, text: str) -> str:
    """Take the title off a later page of a thread, which has it whatever the options say."""
    title, _, rest = more.partition("\n")
    return rest.lstrip("\n") if title.startswith("# ") and title in text.split("\n") else more


def _limit(options: WriteOptions, text: str) -> WriteOptions | None:
    """Take what is written already off the limits; None where too little is left."""
    counts: dict[str, Callable[[str], int]] = {"max_chars": len, "max_tokens": estimate_tokens}
    left = {
        name: getattr(options, name) - count(text)
        for name, count in counts.items()
        if getattr(options, name) is not None
    }
    if any(amount < _MIN_LEFT for amount in left.values()):
        return None
    return replace(options, **left)


def _key(document: Document, block: int) -> str:
    """Return what makes a block the same as another: its kept text, or the markup of a picture."""
    page = document.page
    text = " ".join(page.block_text(block, document.selection.keep).split())
    return text or page.markup(int(page.block_leaf[block])).decode()


def _n_equal(these: Sequence[str], those: Sequence[str]) -> int:
    """Count the entries that two sequences begin with alike."""
    pairs = zip(these, those, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
