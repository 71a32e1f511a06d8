"""Read a page into the fields that trafilatura gives, with elements in its vocabulary."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, SubElement, fromstring

import numpy as np

from thresher.algorithms.learned.reasons import COMMENT_REASON
from thresher.compat.page_input import prune, read_input
from thresher.compat.trafilatura_document import CallOptions, TrafilaturaDocument
from thresher.document import Document, WriteOptions
from thresher.extraction import document_of, extract
from thresher.page import Page
from thresher.page.blocks import NEWLINE, join_leaves
from thresher.page.rows import BoolArray
from thresher.selection import Selection

__all__ = ["find_dropped_comments", "read_document"]

# Readers' comments are those that the default method left out, or by the names of elements. The
# roles that the method predicts would cost a quarter of an extraction more.
_WORD: Final = b"omment"  # with and without a capital
_NAMED_AFTER: Final = re.compile(
    rb'<(?:article|details|div|li|ol|section|ul) (?:[^<>]* )?(?:class|id)="(?:[^"<>]*[ _-])?[cC]\Z'
)
"""Start of a container with a class or id in which that word begins here."""
_BEFORE: Final = frozenset(
    sign + letter for sign in (b'"', b" ", b"_", b"-") for letter in (b"c", b"C")
)
"""Pairs of bytes that it ends with."""
_COMMENTARY: Final = b"ommentary"
"""A word that is not about readers."""
_MAX_NAME_BYTES: Final = 200
"""Bytes of a start tag that are looked at."""
_AROUND_COMMENTS: Final = ("button", "form", "h1", "h2", "h3", "h4", "h5", "h6", "label", "nav")
"""Elements in such containers whose text is no comment."""
_MIN_KEPT_SHARE: Final = 0.3
"""Share of a page's words from which the method has told comments apart, if there are any: it does
not for elements with 0.7 of the words or more. Names need not be looked for then, which takes 2 to
3 % of an extraction."""


def find_dropped_comments(selection: Selection) -> BoolArray:
    """Flag the leaves of comments that the default method does not keep; bool[n_leaf]."""
    page = selection.page
    if COMMENT_REASON not in selection.reasons:  # a page without blocks
        return np.zeros(page.leaves.size, np.bool_)
    is_comment = selection.reason_code == selection.reasons.index(COMMENT_REASON)
    if is_comment.any():
        # Without the links around them, to reply or to read more.
        is_comment &= page.blocks.sums(page.leaf_words - page.leaf_link_words) > 0
        of_leaf: BoolArray = is_comment[page.blocks.of_leaf]
        return of_leaf & ~page.within(page.tagged(_AROUND_COMMENTS))[page.leaves]
    if selection.words >= _MIN_KEPT_SHARE * page.words_before[-1]:
        return np.zeros(page.leaves.size, np.bool_)
    return _flag_comments(page) & ~selection.block_keep[page.blocks.of_leaf]


def _flag_comments(page: Page) -> BoolArray:
    """Flag the leaves in containers named after comments; bool[n_leaf].

    A container with a heading of the first level holds the article as well, and does not count.
    """
    rows = _find_named(page)
    if not rows.size:
        return np.zeros(page.leaves.size, np.bool_)
    headlines = np.concatenate(([0], np.cumsum(page.tagged(("h1",)))))
    rows = rows[headlines[page.end[rows]] == headlines[rows]]
    inside = page.within(page.flag(rows)) & ~page.within(page.tagged(_AROUND_COMMENTS))
    return inside[page.leaves]


def _find_named(page: Page) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    buffer, starts = page.buffer, []
    at = buffer.find(_WORD)
    while at >= 0:
        # Most such words are in texts and scripts.
        is_name = buffer[at - 2 : at] in _BEFORE
        start = buffer.rfind(b"<", max(0, at - _MAX_NAME_BYTES), at) if is_name else -1
        if (
            start >= 0
            and _NAMED_AFTER.match(buffer, start, at)
            and not buffer.startswith(_COMMENTARY, at)
        ):
            starts.append(start)
        at = buffer.find(_WORD, at + 1)
    # Rows that script data added have no tags in this order.
    return np.searchsorted(page.open_start[: page.n_own_row], starts)


_TEI: Final = "{http://www.tei-c.org/ns/1.0}"
_RENDITIONS: Final = {
    ("hi", "bold"): "#b",
    ("hi", "italic"): "#i",
    ("hi", "underline"): "#u",
    ("hi", "subscript"): "#sub",
    ("hi", "superscript"): "#sup",
    ("list", "bulleted"): "ul",
    ("list", "numbered"): "ol",
}
"""Element and its rendition in TEI → trafilatura's rendition."""
_UNWRAPPED: Final = frozenset(("div", "figure", "hi"))
"""Elements that trafilatura's trees do not have; ``hi`` only without formatting."""


def _make_element(document: Document | None, options: CallOptions) -> Element:
    """Make an element ``body`` that holds a document's content; empty without a document."""
    root = Element("body")
    if document is None:
        return root
    tei = document.write(
        "tei", WriteOptions(links=options.include_links, images=options.include_images)
    )
    body = fromstring(tei).find(f"{_TEI}text/{_TEI}body")
    unwrapped = _UNWRAPPED if not options.is_formatted else _UNWRAPPED - {"hi"}
    if body is not None:
        _move(body, root, unwrapped)
    return root


def _move(source: Element, target: Element, unwrapped: frozenset[str]) -> None:
    """Copy what is in one element into another, in the other vocabulary."""
    # Text follows the last element that was made in its parent, or begins the parent.
    todo: list[tuple[Element | str | None, Element]] = [
        (part, target) for part in reversed(_parts_of(source))
    ]
    while todo:
        part, parent = todo.pop()
        if part is None:
            continue
        if isinstance(part, str):
            _append_text(parent, part)
            continue
        name = part.tag.removeprefix(_TEI)
        if name == "head" and "rend" not in part.attrib:
            name = "p"  # a caption: headings have their level
        inside = parent
        if name not in unwrapped:
            inside = SubElement(parent, name, _attributes_of(name, part))
        if name == "graphic":
            continue  # its description is an attribute here
        todo.extend((child, inside) for child in reversed(_parts_of(part)))


def _parts_of(element: Element) -> list[Element | str | None]:
    parts: list[Element | str | None] = [element.text]
    for child in element:
        parts += (child, child.tail)
    return parts


def _append_text(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _attributes_of(name: str, element: Element) -> dict[str, str]:
    attributes = {key: value for key, value in element.attrib.items() if not key.startswith("{")}
    if rendition := _RENDITIONS.get((name, attributes.get("rend", ""))):
        attributes["rend"] = rendition
    if name == "cell" and attributes.get("role") == "label":
        attributes["role"] = "head"
    if name == "graphic" and "url" in attributes:
        attributes["src"] = attributes.pop("url")
        if alternative := element.findtext(f"{_TEI}desc"):
            attributes["alt"] = alternative
    return attributes


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
    comments = None
    if options.include_comments and (dropped := find_dropped_comments(content.selection)).any():
        comments = document_of(replace(content.selection, keep=dropped))
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
    return _make_element(body, options), _make_element(comments, options)


def _narrow(content: Document, options: CallOptions) -> Document:
    """Leave out of a document what the options leave out of the text."""
    selection, keep = content.selection, content.selection.keep
    page = selection.page
    if not options.include_tables:
        keep = keep & ~page.within(page.tagged(("table",)))[page.leaves]
    is_thread = content.page_type is not None and content.page_type.name == _THREAD_TYPE
    if not options.include_comments and not is_thread:
        keep = keep & ~_flag_comments(page)
    if options.deduplicate:
        keep = keep & ~_find_repeated(selection)
    if keep is selection.keep:
        return content
    return document_of(replace(selection, keep=keep))


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


def _read_metadata(content: Document, options: CallOptions) -> dict[str, Any]:
    metadata = content.metadata.as_dict()
    address = metadata.get("canonical_url", options.url)
    tags = metadata.get("tags")
    unwanted = {name.lower() for name in options.author_blacklist or ()}
    authors = [name for name in metadata.get("authors") or () if name.lower() not in unwanted]
    return {
        "title": metadata.get("title"),
        "author": "; ".join(authors) or None,
        "url": address,
        "hostname": urlsplit(str(address)).hostname if address else None,
        "description": metadata.get("description"),
        "sitename": metadata.get("site_name"),
        "date": str(metadata["published"])[:10] if "published" in metadata else None,
        "categories": [],
        "tags": list(tags) if tags else [],
        "license": metadata.get("licence"),
        "language": metadata.get("language"),
        "image": metadata.get("image"),
        "pagetype": content.page_type.name if content.page_type else None,
        "filedate": date.today().isoformat(),
    }


def _is_unwanted(content: Document, metadata: dict[str, Any], options: CallOptions) -> bool:
    if options.only_with_metadata and not all(metadata[name] for name in ("date", "title", "url")):
        return True
    if options.url_blacklist and metadata["url"] in options.url_blacklist:
        return True
    if options.target_language is None:
        return False
    language = content.metadata.language
    code = language.value.partition("-")[0].lower() if language else options.target_language
    return code != options.target_language
