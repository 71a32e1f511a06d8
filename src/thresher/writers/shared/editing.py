"""A page's own source with rows removed or changed, and everything else unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

import numpy as np
import numpy.typing as npt
import turbohtml
from turbohtml import Doctype, DocumentFragment, Element, Text

from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.html_parser import parse_html
from thresher.page.parse import pair_elements
from thresher.page.tags import TEXT
from thresher.page.xml_syntax import close_empty
from thresher.writers.shared.cutting import Replacement, SourceRanges, apply_replacements
from thresher.writers.shared.edits import BODY, Edits, edit_canonical

__all__ = ["edit_page", "parse_source", "remove_rows", "serialise_source"]


def edit_page(page: Page, edits: Edits) -> str:
    """Return the edited source of a page.

    What is kept is the same to the character, unless the source is so malformed that an edit has no
    clear place in it; then it is serialised canonically, except for scripts, styles and comments.
    """
    replacements = _find_replacements(page, edits, SourceRanges(page))
    cut = apply_replacements(page.source, replacements) if replacements is not None else None
    read = None if cut is None else _canonicalise(cut)
    check_deadline()
    if cut is not None and read == edit_canonical(page, edits):
        return cut
    # Canonical HTML may be read as another page, which only a tree can tell.
    tree = parse_source(page)
    element_of = pair_elements(page, tree)
    check_deadline()
    written = _edit_tree(page, edits, tree, element_of)
    return cut if cut is not None and read == _canonicalise(written) else written


def _find_replacements(page: Page, edits: Edits, ranges: SourceRanges) -> list[Replacement] | None:
    """Return the edits as replacements in the source; None if one has no place there."""
    groups: list[Iterable[Replacement] | None] = [
        _one(ranges.cut(row)) for row in watch(edits.removed.tolist())
    ]
    groups += [ranges.edit_attributes(*each) for each in watch(edits.attributes.items())]
    groups += map(ranges.cut_tags, edits.unwrapped)
    groups += [_one(ranges.cut(row, escape(text))) for row, text in edits.replaced.items()]
    body = np.flatnonzero(page.tag[: page.n_own_row] == BODY)
    if edits.appended and body.size:
        # After the end tag of the body too, it becomes the last child (13.2.6.4.19).
        at = len(page.source)
        groups.append(((at, at, edits.appended),))
    if any(each is None for each in groups):
        return None
    return [each for group in groups if group is not None for each in group]


def _one(replacement: Replacement | None) -> tuple[Replacement] | None:
    return None if replacement is None else (replacement,)


def _canonicalise(html: str) -> bytes:
    return canonicalise(html.encode("utf-8", "replace")).html


def _edit_tree(
    page: Page, edits: Edits, tree: turbohtml.Document, element_of: Mapping[int, Element]
) -> str:
    """Apply the edits to a tree, and return it serialised canonically.

    `plaintext`, which has no end tag, becomes `pre`. Elements that are not in the source, as those
    of a frame's `srcdoc`, are not edited.
    """
    remove_rows(page, element_of, edits.removed)
    in_source = element_of.keys()
    for row in watch(edits.attributes.keys() & in_source):
        attributes, attrs = edits.attributes[row], element_of[row].attrs
        for name, value in attributes.items():
            if value is not None:
                attrs[name] = value
            elif name in attrs:
                del attrs[name]
    for row in watch([row for row in edits.unwrapped if row in in_source]):
        element_of[row].unwrap()
    for row in watch(edits.replaced.keys() & in_source):
        element_of[row].replace_with(Text(edits.replaced[row]))
    body = np.flatnonzero(page.tag == BODY)
    if edits.appended and body.size:
        fragment = turbohtml.parse_fragment(edits.appended, positions=False)
        element_of[int(body[0])].extend(list(fragment.children))
    check_deadline()
    return serialise_source(tree)


def parse_source(page: Page) -> turbohtml.Document:
    """Parse the source of a page into a tree whose elements pair with its rows."""
    html = close_empty(page.source).html
    check_deadline()
    tree = parse_html(html, positions=False)
    for element in tree.find_all("plaintext"):
        if element.namespace is turbohtml.Namespace.HTML:
            element.tag = "pre"  # its own end tag would be read as text
    return tree


def serialise_source(tree: turbohtml.Document) -> str:
    """Serialise a tree of `parse_source`.

    Canonical HTML (HTML Living Standard, 13.3) writes all doctypes the same; here the identifiers
    are kept, because they decide how a browser lays the page out (13.2.6.4.1, quirks mode).
    """
    return "".join(
        _format_doctype(node) if isinstance(node, Doctype) else node.html for node in tree.children
    )


def remove_rows(
    page: Page, element_of: Mapping[int, Element], rows: npt.NDArray[np.integer]
) -> None:
    """Remove elements and texts from the tree of `parse_source`; this must be the first edit.

    ``element_of`` is the result of `pair_elements` for it; rows that it does not have stay.
    """
    is_text = page.tag[rows] == TEXT
    texts = rows[is_text]
    unwanted = set(texts.tolist())
    for parent in watch(np.unique(page.parent[texts]).tolist()):
        if (element := element_of.get(parent)) is not None:
            _remove_texts(page, element_of, parent, element, unwanted)
    for row in watch(rows[~is_text].tolist()):
        if (element := element_of.get(row)) is not None:
            element.decompose()


def _format_doctype(doctype: Doctype) -> str:
    identifiers = [doctype.public_id, doctype.system_id]
    if identifiers == [None, None]:
        return doctype.html
    quoted = [
        "" if text is None else f"'{text}'" if '"' in text else f'"{text}"' for text in identifiers
    ]
    keyword = "SYSTEM" if doctype.public_id is None else "PUBLIC"
    return f"<!DOCTYPE {' '.join((doctype.name, keyword, *filter(None, quoted)))}>"


def _remove_texts(
    page: Page,
    element_of: Mapping[int, Element],
    parent: int,
    element: Element,
    unwanted: set[int],
) -> None:
    """Remove the children of one element that are the texts of unwanted rows.

    Comments may split a text of the page; elements do not, so they are counted.
    """
    places: set[int] = set()
    wanted: set[int] = set()  # a text with added line breaks goes as a whole
    n_element = 0
    child = parent + 1
    while child < page.end[parent]:
        if page.tag[child] == TEXT:
            (places if child in unwanted else wanted).add(n_element)
        n_element += child in element_of
        child = int(page.end[child])
    places -= wanted
    n_element = 0
    children = list(element.children)
    if len(children) == 1 and isinstance(children[0], DocumentFragment):
        children = list(children[0].children)  # of a template
    for node in children:
        if isinstance(node, Element):
            n_element += 1
        elif isinstance(node, Text) and n_element in places:
            node.extract()
