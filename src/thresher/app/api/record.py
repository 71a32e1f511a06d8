"""The answer to a request: what is known of a page, and its content; made in a worker process."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from thresher.app.engine import Task, extract_task
from thresher.document import Document, WriteOptions

__all__ = ["FIELDS", "label_record", "write_record"]

FIELDS: Final = {
    "id": "Yours, where the request had one.",
    "url": "Address of the page, after redirects.",
    "verdict": "What came of it, as in docs/verdicts.md; content where all is well.",
    "page_type": "What kind of page it most probably is, with the probability; or null.",
    "confidence": "The word F1 to be expected, 0 to 1; or null.",
    "obstacle": "What stands between a reader and the content, with the evidence; or null.",
    "limit": "The limit that the page is beyond, where a part of it had to do; or null.",
    "metadata": "Title, authors, dates and the like, as far as they are known.",
    "next_url": "Where the article goes on; or null.",
    "method": "The method that found it.",
    "encoding": "The encoding of the page's bytes; null for text.",
    "elapsed_s": "Seconds of work.",
    "output": "The content in each format that was asked for; an object for json.",
}
"""The fields of a record, in order."""


def write_record(task: Task, formats: tuple[str, ...], options: WriteOptions) -> tuple[str, bytes]:
    """Extract a page and write its record as one line of JSON; return its verdict too."""
    start_s = time.monotonic()
    document = extract_task(task)
    output = [(name, document.write(name, options)) for name in dict.fromkeys(formats)]
    known = _describe(document) | {"elapsed_s": round(time.monotonic() - start_s, 4)}
    head = json.dumps(known, ensure_ascii=False, allow_nan=False)
    written = ", ".join(f'"{name}": {_embed(name, text)}' for name, text in output)
    # What the writer `json` wrote is JSON, and may be long: it is not read again.
    line = f'{head[:-1]}, "output": {{{written}}}}}'
    return document.verdict.value, line.encode("utf-8", "replace")


def label_record(label: Mapping[str, object], record: bytes) -> bytes:
    """Put some fields before those of a record."""
    if not label:
        return record
    fields = json.dumps(label, ensure_ascii=False)[1:-1].encode("utf-8", "replace")
    return b"{%b, %b" % (fields, record[1:])


def _embed(format: str, text: str) -> str:
    return text if format == "json" else json.dumps(text, ensure_ascii=False)


def _describe(document: Document) -> dict[str, object]:
    obstacle, limit = document.obstacle, document.limit
    return {
        "url": document.page.url,
        "verdict": document.verdict.value,
        "page_type": document.page_type._asdict() if document.page_type else None,
        "confidence": document.confidence,
        "obstacle": {**asdict(obstacle), "kind": obstacle.kind.value} if obstacle else None,
        "limit": str(limit) if limit else None,
        "metadata": document.metadata.as_dict(),
        "next_url": document.next_url,
        "method": document.selection.method,
        "encoding": document.page.encoding,
    }
