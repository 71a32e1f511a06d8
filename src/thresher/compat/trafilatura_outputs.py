"""The outputs of `thresher.compat.trafilatura.extract`, one function a format."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from html import escape
from io import StringIO
from typing import Any, Final
from xml.etree import ElementTree

from thresher.compat.trafilatura_document import FIELDS, TrafilaturaDocument
from thresher.compat.trafilatura_options import CallOptions
from thresher.document import WriteOptions
from thresher.support.xml import keep_allowed
from thresher.writers.shared.added import format_value

__all__ = ["write_output"]

_HEADER_FIELDS: Final = (
    *("title", "author", "url", "hostname", "description", "sitename", "date", "categories"),
    *("tags", "fingerprint", "id", "license"),
)
"""Fields of the header of text, in trafilatura's order."""
_ATTRIBUTES: Final = {
    **{name: name for name in ("sitename", "title", "author", "date", "url", "hostname")},
    "description": "excerpt",
    **{name: name for name in ("categories", "tags", "license", "id", "fingerprint", "language")},
}
"""Fields that an XML document has as attributes → their names there."""
_CSV_FIELDS: Final = (
    *("url", "id", "fingerprint", "hostname", "title", "image", "date", "text", "comments"),
    *("license", "pagetype"),
)
_RENAMED: Final = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
"""Fields whose names in JSON are others."""
_TREES: Final = frozenset(("body", "commentsbody"))
_NULL: Final = "null"
"""Content of a cell without a value in trafilatura's CSV."""


def write_output(document: TrafilaturaDocument, options: CallOptions) -> str:
    """Write a document that was read in the format of the options."""
    return _WRITERS[options.output_format](document, options)


def _write_text(document: TrafilaturaDocument, options: CallOptions) -> str:
    parts = [document.text, document.comments]
    text = "\n".join(part for part in parts if part)
    if not options.reads_metadata:
        return text
    named = ((name, getattr(document, name)) for name in _HEADER_FIELDS)
    lines = (f"{name}: {format_value(value)}\n" for name, value in named if value)
    return f"---\n{''.join(lines)}---\n{text}"


def _write_json(document: TrafilaturaDocument, options: CallOptions) -> str:
    record: dict[str, Any] = {"text": document.text, "comments": document.comments or ""}
    if options.reads_metadata:
        fields = {name: value for name, value in _plain(document).items() if name not in record}
        joined = {name: ";".join(fields.pop(name) or ()) for name in ("categories", "tags")}
        renamed = {_RENAMED.get(name, name): value for name, value in fields.items()}
        record = renamed | joined | record
    return json.dumps(record, ensure_ascii=False)


def _plain(document: TrafilaturaDocument) -> dict[str, Any]:
    """Return the fields of a document without its trees, which would have to be made."""
    return {name: getattr(document, name) for name in FIELDS if name not in _TREES}


def _write_csv(document: TrafilaturaDocument, options: CallOptions) -> str:
    row = StringIO()
    cells = (getattr(document, name) or _NULL for name in _CSV_FIELDS)
    csv.writer(row, delimiter="\t").writerow(cells)
    return row.getvalue()


def _write_html(document: TrafilaturaDocument, options: CallOptions) -> str:
    written = WriteOptions(links=options.include_links, images=options.include_images, title=False)
    metas = ""
    if options.reads_metadata:
        named = ((name, getattr(document, name)) for name in _HEADER_FIELDS)
        metas = "".join(
            f'<meta name="{name}" content="{escape(_joined(value))}"/>'
            for name, value in named
            if value
        )
    head = f"<head>{metas}</head>" if metas else ""
    return f"<html>{head}<body>{document.content.write('html', written)}</body></html>"


def _write_xml(document: TrafilaturaDocument, options: CallOptions) -> str:
    values = {theirs: getattr(document, name) for name, theirs in _ATTRIBUTES.items()}
    root = ElementTree.Element(
        "doc", {name: keep_allowed(_joined(value)) for name, value in values.items() if value}
    )
    body, comments = document.make_elements()
    body.tag, comments.tag = "main", "comments"
    root.extend((body, comments))
    # As lxml writes empty elements; text and values have no ">" of their own.
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ";".join(value)


def _write_tei(document: TrafilaturaDocument, options: CallOptions) -> str:
    written = WriteOptions(links=options.include_links, images=options.include_images)
    return document.content.write("tei", written)


_WRITERS: Final[Mapping[str, Callable[[TrafilaturaDocument, CallOptions], str]]] = {
    "csv": _write_csv,
    "html": _write_html,
    "json": _write_json,
    "markdown": _write_text,
    "txt": _write_text,
    "xml": _write_xml,
    "xmltei": _write_tei,
}
"""Format of trafilatura → what writes it."""
