"""JSON Lines: one flat record per page, on one line; the schema is docs/agents.md."""

from __future__ import annotations

import json
from typing import Final

from thresher.document import Document, WriteOptions
from thresher.writers import markdown, text
from thresher.writers.shared.limit import keep_only_limits
from thresher.writers.shared.record import describe, describe_cut

__all__ = ["SCHEMA", "write"]

SCHEMA: Final = "thresher.page/1"
"""Name and version of the record. Fields may be added; a change of meaning is a new version."""


def write(document: Document, options: WriteOptions) -> str:
    """Write one line, without its line end; links and images apply to the Markdown in it."""
    plain, whole = text.write_within(document, options)
    record = {
        "schema": SCHEMA,
        **describe(document, plain),
        "markdown": markdown.write(
            document,
            keep_only_limits(
                options, links=options.links, images=options.images, title=options.title
            ),
        ),
        "truncated": describe_cut(options, whole, plain),
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
