"""JSON: everything known of a page; the schema is docs/formats.md."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

from thresher.document import Block, Document, WriteOptions
from thresher.hidden import Hidden
from thresher.obstacles import Obstacle
from thresher.threads import Thread
from thresher.threads.texts import text_of
from thresher.writers import text
from thresher.writers.limit import only_limits
from thresher.writers.record import describe_cut
from thresher.writers.removed_links import read_links

__all__ = ["write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write one JSON object; of the options only limits, for its text, and ``tracking`` count."""
    whole = text.write(document, WriteOptions())
    plain = text.write(document, only_limits(options)) if options.is_limited else whole
    record = {
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
        "blocks": [_describe_block(block) for block in document.blocks],
        "removed_links": list(map(asdict, read_links(document, tracking=options.tracking))),
        "threads": [_describe_thread(document, thread) for thread in document.threads],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _describe_obstacle(obstacle: Obstacle) -> dict[str, object]:
    return {**asdict(obstacle), "kind": obstacle.kind.value}


def _describe_thread(document: Document, thread: Thread) -> dict[str, object]:
    page, keep = document.page, document.selection.keep
    posts = []
    for post in thread.posts:
        path = page.path(post.row)
        posts.append(
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
                "path": path._asdict() if path else None,
            }
        )
    return {"kind": thread.kind.value, "posts": posts}


def _describe_block(block: Block) -> dict[str, object]:
    return {
        "index": block.index,
        "text": block.text,
        "tag": block.tag,
        "kept": block.kept,
        "score": block.score if math.isfinite(block.score) else None,
        "reason": block.reason,
        "hidden": [flag.name.lower() for flag in Hidden if flag & block.hidden and flag.name],
        "path": block.path._asdict() if block.path else None,
        "source": list(block.source) if block.source else None,
        "origin": block.origin.value,
    }
