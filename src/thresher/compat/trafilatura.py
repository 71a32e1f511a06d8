"""trafilatura's calls, answered by Thresher.

>>> from thresher.compat import trafilatura
>>> trafilatura.extract("<nav><a href='/'>Home</a></nav><p>The story itself.</p>")
'The story itself.'
"""

from __future__ import annotations

import csv
import inspect
import json
import logging
import warnings
from collections.abc import Callable, Mapping
from configparser import ConfigParser
from functools import wraps
from html import escape
from io import StringIO
from typing import Any, Final, ParamSpec, TypeVar
from xml.etree import ElementTree

from thresher.compat.trafilatura_document import (
    FIELDS,
    CallOptions,
    TrafilaturaDocument,
    gather_options,
)
from thresher.compat.trafilatura_reading import read_document
from thresher.document import WriteOptions
from thresher.errors import InputError, LimitError, UsageError
from thresher.support.xml import keep_allowed
from thresher.writers.shared.added import format_value

__all__ = ["Document", "bare_extraction", "extract", "extract_with_metadata"]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = logging.getLogger(__name__)

Document = TrafilaturaDocument
"""The name that trafilatura has for it."""
_DEPRECATED: Final = {"no_fallback": '"fast"', "as_dict": "the .as_dict() method"}
"""Arguments of which trafilatura warns → what it says to use."""


def _all_parameters(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: object = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> None:
    """The parameters of all calls; each lacks some of them."""


def _call(
    parameters: Callable[_P, None], without: str, **defaults: object
) -> Callable[[Callable[[dict[str, Any]], _R]], Callable[_P, _R]]:
    """Give a function of a call's arguments by name these parameters but some.

    ``defaults`` are those that differ.
    """
    signature = inspect.signature(parameters)
    own = [
        parameter.replace(default=defaults.get(name, parameter.default))
        for name, parameter in signature.parameters.items()
        if name not in without.split()
    ]

    def decorate(run: Callable[[dict[str, Any]], _R]) -> Callable[_P, _R]:
        result = inspect.signature(run).return_annotation
        bare = signature.replace(parameters=own, return_annotation=result)

        @wraps(run)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            bound = bare.bind(*args, **kwargs)
            for name in bound.arguments.keys() & _DEPRECATED:
                if bound.arguments[name]:
                    message = f'"{name}" will be removed, use {_DEPRECATED[name]} instead'
                    warnings.warn(message, DeprecationWarning, stacklevel=2)
            bound.apply_defaults()
            return run(bound.arguments)

        vars(call)["__signature__"] = bare
        return call

    return decorate


@_call(_all_parameters, "as_dict")
def extract(arguments: dict[str, Any]) -> str | None:
    """Extract the text of a page in one of `FORMATS`; None if there is none, or it is unwanted.

    ``filecontent`` is HTML as text or bytes, a tree of lxml, or a response with ``data``. The
    arguments are trafilatura's; docs/compat.md says which have no effect.
    """
    document = _extract_document(arguments)
    return document.text if document else None


@_call(_all_parameters, "no_fallback with_metadata only_with_metadata max_tree_size as_dict")
def extract_with_metadata(arguments: dict[str, Any]) -> TrafilaturaDocument | None:
    """Extract as `extract` does; return the metadata too, with the output as ``text``."""
    return _extract_document(arguments | {"with_metadata": True})


@_call(_all_parameters, "record_id tei_validation settingsfile", output_format="python")
def bare_extraction(arguments: dict[str, Any]) -> TrafilaturaDocument | dict[str, Any] | None:
    """Extract text, comments and metadata as Python objects; None as `extract`."""
    document = _read_or_discard(arguments["filecontent"], gather_options(arguments))
    return document.as_dict() if document and arguments["as_dict"] else document


def _extract_document(arguments: dict[str, Any]) -> TrafilaturaDocument | None:
    """Extract, and replace the text of the document by the output asked for."""
    options = gather_options(arguments)
    if options.output_format == "python":
        raise UsageError("the format 'python' is that of bare_extraction alone")
    document = _read_or_discard(arguments["filecontent"], options)
    if document is None:
        return None
    document.id = arguments["record_id"]
    document.text = _WRITERS[options.output_format](document, options)
    return document


def _read_or_discard(filecontent: Any, options: CallOptions) -> TrafilaturaDocument | None:
    """Read a document; None where trafilatura discards it, or it is no page."""
    try:
        return read_document(filecontent, options)
    except (InputError, LimitError) as error:
        _log.debug("discarding data: %s", error)
        return None


_HEADER_FIELDS: Final = tuple(
    "title author url hostname description sitename date categories tags fingerprint id"
    " license".split()
)
"""Fields of the header of text, in trafilatura's order."""
_ATTRIBUTES: Final = {
    **{name: name for name in ("sitename", "title", "author", "date", "url", "hostname")},
    "description": "excerpt",
    **{name: name for name in ("categories", "tags", "license", "id", "fingerprint", "language")},
}
"""Fields that an XML document has as attributes → their names there."""
_CSV_FIELDS: Final = tuple(
    "url id fingerprint hostname title image date text comments license pagetype".split()
)
_RENAMED: Final = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
"""Fields whose names in JSON are others."""
_TREES: Final = frozenset(("body", "commentsbody"))
_NULL: Final = "null"
"""Content of a cell without a value in trafilatura's CSV."""


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
        # The trees are left out, as they would have to be made.
        names = [name for name in FIELDS if name not in _TREES and name not in record]
        fields = {name: getattr(document, name) for name in names}
        joined = {name: ";".join(fields.pop(name) or ()) for name in ("categories", "tags")}
        renamed = {_RENAMED.get(name, name): value for name, value in fields.items()}
        record = renamed | joined | record
    return json.dumps(record, ensure_ascii=False)


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
