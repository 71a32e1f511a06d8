"""All that a document can be asked for, as the soak, the fuzzers and the suite ask every page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import thresher
from thresher.chunking import MIN_CHUNK_CHARS
from thresher.explain.explanation import explain
from thresher.explain.page import write_explanation
from thresher.merging import RepeatFilter, write_pages
from thresher.writers import CHUNKED_FORMATS, JOINED_FORMATS
from thresher.writers.formats import ChunkedName, FormatName

_CUT_FORMATS: Final = ("markdown", "text", "html")
"""Formats that can be cut to a limit."""
_MIN_LIMIT: Final = 100
"""The least limit of characters and of tokens that is taken."""
_OPTIONS: Final[Mapping[str, thresher.WriteOptions]] = {
    "plain": thresher.WriteOptions(),
    "whole": thresher.WriteOptions(metadata=True, removed_links=True, title=True, tracking=True),
    "bare": thresher.WriteOptions(links=False, images=False),
}
_LIMITS: Final[Mapping[str, thresher.WriteOptions]] = {
    "characters": thresher.WriteOptions(max_chars=_MIN_LIMIT),
    "tokens": thresher.WriteOptions(max_tokens=_MIN_LIMIT),
    "both": thresher.WriteOptions(
        max_chars=_MIN_LIMIT * 5, max_tokens=_MIN_LIMIT, title=True, removed_links=True
    ),
}

Call = Callable[[thresher.Document], object]


def _write(format: FormatName, options: thresher.WriteOptions, document: thresher.Document) -> None:
    document.write(format, options)


def _chunks(
    format: ChunkedName, options: thresher.WriteOptions, max_chars: int, document: thresher.Document
) -> None:
    """Cut an output into chunks, of which each must be where it says it is."""
    output = document.write(format, options)
    for chunk in document.chunks(max_chars, format, options):
        whole = chunk.repeated + output[chunk.start : chunk.stop]
        if len(chunk.text) > max_chars or chunk.text != whole:
            raise AssertionError(f"a chunk that is not {chunk.start}:{chunk.stop} of {format}")


def _merge(format: FormatName, document: thresher.Document) -> None:
    repeats = RepeatFilter()
    write_pages([repeats.drop(document), repeats.drop(document)], format)


def _explain(document: thresher.Document) -> None:
    params = thresher.ALGORITHMS[document.selection.method].build_params({})
    write_explanation(explain(document, params, effects=len(document.blocks) < 8))


CALLS: Final[Mapping[str, Call]] = {
    **{
        f"{format}, {name}": partial(_write, format, options)
        for format in thresher.FORMATS
        for name, options in _OPTIONS.items()
    },
    **{
        f"{format} within {name}": partial(_write, format, options)
        for format in _CUT_FORMATS
        for name, options in _LIMITS.items()
    },
    **{
        f"chunks of {max_chars} of {format}, {name}": partial(_chunks, format, options, max_chars)
        for format in CHUNKED_FORMATS
        for name, options in _OPTIONS.items()
        for max_chars in (MIN_CHUNK_CHARS, 2000)
    },
    **{f"two pages as {format}": partial(_merge, format) for format in JOINED_FORMATS},
    "metadata": lambda it: it.metadata,
    "blocks": lambda it: it.blocks,
    "threads": lambda it: it.threads,
    "outline": lambda it: it.outline,
    "removed links": lambda it: it.removed_links,
    "next page": lambda it: it.next_url,
    "verdict": lambda it: (it.verdict, it.confidence, it.page_type, it.obstacle),
    "explanation": _explain,
}
"""Every call by name; none may raise anything but Thresher's own errors."""
