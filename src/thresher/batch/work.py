"""Extraction of one page of a batch, in this process: item in, record out, never an exception."""

from __future__ import annotations

import time
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

from thresher import __version__
from thresher.batch.known import KNOWN
from thresher.batch.model import Item, Record, Settings
from thresher.deadline import deadline, processor_time
from thresher.document import Document
from thresher.extraction import extract_request

_DIGEST_BYTES: Final = 16
"""Among 10^12 pages, two have the same digest by chance with a probability of 1e-15."""


def extract_item(item: Item, settings: Settings) -> Record:
    """Extract one page. Any exception becomes the error of the record, which then has no content.

    A known page (`Settings.known`) is not extracted.

    The deadline of ``settings.limits``, of processor time, covers the whole page; if partial
    results are accepted, it applies to each step, so that a partial result can still be written.
    """
    start = time.monotonic()
    limits = settings.limits
    basics = _basics(item, settings)
    if settings.known is not None and basics["digest"] in settings.known:
        return Record(**basics, duplicate=KNOWN)
    try:
        with processor_time(), deadline(None if limits.partial else limits.deadline_s):
            document = extract_request(
                item.body,
                settings.select_request(item.url),
                limits,
                url=item.url,
                http_charset=item.http_charset,
            )
            columns = _read(document, item, settings)
    except Exception as error:
        return failed(item, settings, describe_error(error), elapsed_s=time.monotonic() - start)
    return Record(**basics | columns, elapsed_s=time.monotonic() - start, scope=scope_of(settings))


def failed(item: Item, settings: Settings, error: str, *, elapsed_s: float) -> Record:
    """Return the record of a page that failed."""
    return Record(**_basics(item, settings), elapsed_s=elapsed_s, error=error)


def describe_error(error: BaseException) -> str:
    """Return the name of an exception and its message, in one line."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def scope_of(settings: Settings) -> str | None:
    """Return the requested scope; None if the method has no scopes. Raises UsageError."""
    _, params = settings.select_request().resolve()
    scope: str | None = getattr(params, "scope", None)
    return scope


def _basics(item: Item, settings: Settings) -> dict[str, Any]:
    """Return the columns that do not depend on the extraction."""
    body = item.body
    source = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    return {
        "id": item.id,
        "url": item.url,
        "method": settings.method,
        "n_bytes": len(source),
        "digest": blake2b(source, digest_size=_DIGEST_BYTES).hexdigest(),
        "version": __version__,
    }


def _read(document: Document, item: Item, settings: Settings) -> dict[str, Any]:
    columns: dict[str, Any] = {name: document.write(name) for name in settings.formats}
    columns["verdict"] = document.verdict.value
    columns["page_type"] = document.page_type.name if document.page_type else None
    columns["confidence"] = document.confidence
    if settings.metadata:
        metadata: dict[str, str | Sequence[str]] = dict(document.metadata_values)
        columns["authors"] = tuple(metadata.get("authors", ()))
        columns["url"] = item.url or metadata.get("canonical_url")
        for name in ("title", "published", "modified", "language", "site_name", "description"):
            columns[name] = metadata.get(name)
    return columns
