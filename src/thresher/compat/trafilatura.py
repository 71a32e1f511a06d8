"""trafilatura's calls, answered by Thresher.

>>> from thresher.compat import trafilatura
>>> trafilatura.extract("<nav><a href='/'>Home</a></nav><p>The story itself.</p>")
'The story itself.'
"""

from __future__ import annotations

import logging
from configparser import ConfigParser
from typing import Any

from thresher.compat.trafilatura_document import TrafilaturaDocument
from thresher.compat.trafilatura_options import CallOptions, gather_options, read_config
from thresher.compat.trafilatura_outputs import write_output
from thresher.compat.trafilatura_reading import read_document
from thresher.errors import InputError, LimitError, UsageError

__all__ = ["Document", "bare_extraction", "extract", "extract_with_metadata"]

_log = logging.getLogger(__name__)

Document = TrafilaturaDocument
"""The name that trafilatura has for it."""


def extract(
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
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> str | None:
    """Extract the text of a page in one of `FORMATS`; None if there is none, or it is unwanted.

    ``filecontent`` is HTML as text or bytes, a tree of lxml, or a response with ``data``. The
    arguments are trafilatura's; docs/compat.md says which have no effect.
    """
    document = _extract_document(dict(locals()))
    return document.text if document else None


def extract_with_metadata(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
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
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> TrafilaturaDocument | None:
    """Extract as `extract` does; return the metadata too, with the output as ``text``."""
    return _extract_document(dict(locals()) | {"with_metadata": True})


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
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
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> TrafilaturaDocument | dict[str, Any] | None:
    """Extract text, comments and metadata as Python objects; None as `extract`."""
    arguments = dict(locals())
    gathered = _gather(arguments)
    document = _read(filecontent, gathered)
    return document.as_dict() if document and as_dict else document


def _extract_document(arguments: dict[str, Any]) -> TrafilaturaDocument | None:
    """Extract, and replace the text of the document by the output asked for."""
    filecontent, record_id = arguments["filecontent"], arguments["record_id"]
    options = _gather(arguments)
    if options.output_format == "python":
        raise UsageError("the format 'python' is that of bare_extraction alone")
    document = _read(filecontent, options)
    if document is None:
        return None
    document.id = record_id
    document.text = write_output(document, options)
    return document


def _gather(arguments: dict[str, Any]) -> CallOptions:
    """Gather the options among a call's arguments; the rest have no effect on the result."""
    if settingsfile := arguments.pop("settingsfile", None):
        arguments["config"] = read_config(settingsfile)
    for name in (
        *("filecontent", "record_id"),  # not options
        "fast",  # there is one method, and it is fast
        "tei_validation",  # the output is valid; theirs writes the outcome to a log
        "date_extraction_params",  # of htmldate, which is not used
    ):
        arguments.pop(name, None)
    return gather_options(arguments)


def _read(filecontent: Any, options: CallOptions) -> TrafilaturaDocument | None:
    """Read a document; None where trafilatura discards it, or it is no page."""
    try:
        return read_document(filecontent, options)
    except (InputError, LimitError) as error:
        _log.debug("discarding data: %s", error)
        return None
