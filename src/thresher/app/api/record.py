"""Record of a page: metadata and content; computed in a worker process."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from thresher.app.engine import Task, extract_task
from thresher.document import Document, WriteOptions
from thresher.writers.formats import FormatName

__all__ = ["label_record", "write_record"]


def write_record(
    task: Task, formats: Sequence[FormatName], options: WriteOptions
) -> tuple[str, bytes]:
    """Extract a page; return its verdict, and its record as one line of JSON."""
    start_s = time.monotonic()
    document = extract_task(task)
    output = [(name, document.write(name, options)) for name in dict.fromkeys(formats)]
    known = _describe(document) | {"elapsed_s": round(time.monotonic() - start_s, 4)}
    head = json.dumps(known, ensure_ascii=False, allow_nan=False)
    written = ", ".join(f'"{name}": {_embed(name, text)}' for name, text in output)
    # The output of the writer `json` is JSON already; it may be long, and is not parsed again.
    line = f'{head[:-1]}, "output": {{{written}}}}}'
    return document.verdict.value, line.encode("utf-8", "replace")


def label_record(label: Mapping[str, object], record: bytes) -> bytes:
    """Insert fields at the start of a record."""
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
