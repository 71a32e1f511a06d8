"""Read a page into the fields that trafilatura gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

import numpy as np

from thresher.compat.comments import find_dropped_comments, flag_comments
from thresher.compat.page_input import prune, read_input
from thresher.compat.trafilatura_document import TrafilaturaDocument
from thresher.compat.trafilatura_options import CallOptions
from thresher.compat.trafilatura_trees import make_element
from thresher.document import Document, WriteOptions
from thresher.extraction import document_of, extract
from thresher.page.blocks import NEWLINE, join_leaves
from thresher.page.rows import BoolArray
from thresher.selection import Selection

__all__ = ["read_document"]

_THREAD_TYPE: Final = "forum"
"""Type of pages whose posts are content, for trafilatura as well."""
_MIN_REPEATED_CHARS: Final = 100
_MAX_REPETITIONS: Final = 2
"""trafilatura's MIN_DUPLCHECK_SIZE and MAX_REPETITIONS: a longer text is written so often."""


def read_document(filecontent: Any, options: CallOptions) -> TrafilaturaDocument | None:
    """Read a page; None where the options discard it. Raises as `thresher.extract` does."""
    html = read_input(filecontent)
    if options.prune_xpath:
        html = prune(html, options.prune_xpath)
    content = extract(html, url=options.url, favor=options.favor, max_bytes=options.max_bytes)
    metadata = _read_metadata(content, options) if options.reads_metadata else {}
    if _is_unwanted(content, metadata, options):
        return None
    body = _narrow(content, options)
    comments = _comments_of(content) if options.include_comments else None
    text = _write_text(body, options)
    comments_text = _write_comments(comments, options) if comments else ""
    if len(text) < options.min_output_chars and not comments_text:
        return None
    return TrafilaturaDocument(
        body,
        partial(_make_elements, body, comments, options),
        **metadata,
        text=text,
        raw_text=text,
        comments=comments_text if options.include_comments else None,
    )


def _write_comments(comments: Document, options: CallOptions) -> str:
    """Write comments as `_write_text` does the body; as text they are paragraphs, one a line.

    The writer of text would lay out the whole page again, which takes a quarter of an extraction.
    """
    if options.is_markdown:
        return _write_text(comments, options)
    keep, page = comments.selection.keep, comments.selection.page
    leaves = keep.nonzero()[0].astype(np.int32)
    gaps = page.gaps_of(leaves, page.gaps_before(keep))
    gaps[1:][np.diff(page.blocks.of_leaf[leaves]) > 0] = NEWLINE
    text = join_leaves(page.leaf_texts(leaves), gaps)
    return "\n".join(filter(None, text.split("\n")))


def _write_text(document: Document, options: CallOptions) -> str:
    """Write a document as text, or as Markdown if formatting, links or pictures are asked for."""
    if options.is_markdown:
        markdown = WriteOptions(
            links=options.include_links, images=options.include_images, title=False, alerts=False
        )
        return document.write("markdown", markdown)
    # Their text has one line a paragraph, and no empty ones between.
    return "\n".join(filter(None, document.text.split("\n")))


def _make_elements(
    body: Document, comments: Document | None, options: CallOptions
) -> tuple[Element, Element]:
    return make_element(body, options, "body"), make_element(comments, options, "body")


def _narrow(content: Document, options: CallOptions) -> Document:
    """Leave out of a document what the options leave out of the text."""
    selection, keep = content.selection, content.selection.keep
    page = selection.page
    if not options.include_tables:
        keep = keep & ~page.within(page.tagged(("table",)))[page.leaves]
    if not options.include_comments and not _is_thread(content):
        keep = keep & ~flag_comments(page)
    if options.deduplicate:
        keep = keep & ~_find_repeated(selection)
    if keep is selection.keep:
        return content
    return document_of(replace(selection, keep=keep))


def _is_thread(content: Document) -> bool:
    """Return whether the comments of a page are its content."""
    return content.page_type is not None and content.page_type.name == _THREAD_TYPE


def _find_repeated(selection: Selection) -> BoolArray:
    """Flag the leaves of kept long blocks whose text was kept often enough before."""
    seen: dict[str, int] = {}
    repeated = np.zeros(len(selection.page.blocks), np.bool_)
    texts = selection.page.block_texts()
    for block, (text, kept) in enumerate(zip(texts, selection.block_keep, strict=True)):
        if kept and len(text) >= _MIN_REPEATED_CHARS:
            seen[text] = seen.get(text, 0) + 1
            repeated[block] = seen[text] > _MAX_REPETITIONS
    return repeated[selection.page.blocks.of_leaf]


def _comments_of(content: Document) -> Document | None:
    """Return the comments that are not among the content; None if there are none."""
    comments = find_dropped_comments(content.selection)
    return document_of(replace(content.selection, keep=comments)) if comments.any() else None


def _read_metadata(content: Document, options: CallOptions) -> dict[str, Any]:
    """Return the metadata of a page by the names that trafilatura has for them."""
    known = content.metadata.as_dict()
    address = known.get("canonical_url", options.url)
    tags = known.get("tags")
    unwanted = {name.lower() for name in options.author_blacklist or ()}
    authors = [name for name in known.get("authors") or () if name.lower() not in unwanted]
    return {
        "title": known.get("title"),
        "author": "; ".join(authors) or None,
        "url": address,
        "hostname": urlsplit(str(address)).hostname if address else None,
        "description": known.get("description"),
        "sitename": known.get("site_name"),
        "date": str(known["published"])[:10] if "published" in known else None,
        "categories": [],
        "tags": list(tags) if tags else [],
        "license": known.get("licence"),
        "language": known.get("language"),
        "image": known.get("image"),
        "pagetype": content.page_type.name if content.page_type else None,
        "filedate": date.today().isoformat(),
    }


def _is_unwanted(content: Document, metadata: dict[str, Any], options: CallOptions) -> bool:
    """Return whether the blacklist, the language or missing metadata exclude a page."""
    if options.only_with_metadata and not all(metadata[name] for name in ("date", "title", "url")):
        return True
    if options.url_blacklist and metadata["url"] in options.url_blacklist:
        return True
    if options.target_language is None:
        return False
    language = content.metadata.language
    known = language.value.partition("-")[0].lower() if language else options.target_language
    return known != options.target_language
