"""JSON: everything known of a page; the schema is docs/formats.md."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

from thresher.document import Block, Document, WriteOptions
from thresher.hidden import Hidden
from thresher.obstacles import Obstacle
from thresher.writers import text

__all__ = ["write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write one JSON object; ``options`` change nothing, for all is in it."""
    record = {
        "url": document.page.url,
        "encoding": document.page.encoding,
        "method": document.selection.method,
        "verdict": document.verdict.value,
        "page_type": document.page_type._asdict() if document.page_type else None,
        "confidence": document.confidence,
        "obstacle": _describe_obstacle(document.obstacle) if document.obstacle else None,
        "metadata": document.metadata.as_evidence(),
        "text": text.write(document, WriteOptions()),
        "blocks": [_describe_block(block) for block in document.blocks],
        "removed_links": [asdict(link) for link in document.removed_links],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _describe_obstacle(obstacle: Obstacle) -> dict[str, object]:
    return {**asdict(obstacle), "kind": obstacle.kind.value}


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
    }
