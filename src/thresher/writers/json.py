"""JSON: all known data of a page; the schema is docs/formats.md."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Final

import numpy as np

from thresher.analysis.obstacles import Obstacle
from thresher.analysis.threads import Thread, text_of
from thresher.deadline import check_deadline, watch
from thresher.document import Document, WriteOptions
from thresher.output_room import count_bytes, take_room
from thresher.writers import text
from thresher.writers.shared.block_list import describe_path, write_blocks
from thresher.writers.shared.link_list import write_links
from thresher.writers.shared.record import describe_cut

__all__ = ["write"]

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def write(document: Document, options: WriteOptions) -> str:
    """Write one JSON object; of the options only the limits for its text and ``tracking`` count."""
    plain, whole = text.write_within(document, options)
    check_deadline()
    known = {
        "url": document.page.url,
        "encoding": document.page.encoding,
        "method": document.selection.method,
        "verdict": document.verdict.value,
        "page_type": document.page_type._asdict() if document.page_type else None,
        "confidence": document.confidence,
        "obstacle": _describe_obstacle(document.obstacle) if document.obstacle else None,
        "metadata": document.metadata.as_evidence(),
        "text": plain,
        "truncated": describe_cut(options, whole, plain),
    }
    start = _ENCODER.encode(known)[:-1]
    take_room(count_bytes(start))
    threads = _fit(_ENCODER.encode([_describe_thread(document, it) for it in document.threads]))
    links = _fit(write_links(document, tracking=options.tracking))
    blocks = write_blocks(document.selection)
    return f'{start}, "blocks": {blocks}, "removed_links": {links}, "threads": {threads}}}'


def _fit(items: str) -> str:
    """Return a JSON array; empty if the output may end early and has no room for it."""
    return items if take_room(count_bytes(items)) else "[]"


def _describe_obstacle(obstacle: Obstacle) -> dict[str, object]:
    return {**asdict(obstacle), "kind": obstacle.kind.value}


def _describe_thread(document: Document, thread: Thread) -> dict[str, object]:
    page, keep = document.page, document.selection.keep
    paths = page.paths(np.array([post.row for post in thread.posts], np.int64))
    posts = [
        {
            "author": post.author,
            "date": asdict(post.date) if post.date else None,
            "depth": post.depth,
            "parent": post.parent,
            "score": post.score,
            "is_question": post.is_question,
            "is_answer": post.is_answer,
            "accepted": post.accepted,
            "permalink": post.permalink,
            "text": text_of(page, post.leaves),
            "kept": bool(keep[post.leaves].any()),
            "path": describe_path(path),
        }
        for post, path in watch(zip(thread.posts, paths, strict=True))
    ]
    return {"kind": thread.kind.value, "posts": posts}
