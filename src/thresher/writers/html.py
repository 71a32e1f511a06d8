"""HTML: the main content as clean markup that is safe to embed in any page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Final

from turbohtml import Html, Indent

from thresher.analysis.links import find_base
from thresher.chunking import OutputLayout
from thresher.document import Document, WriteOptions
from thresher.writers.fragment.clean import clean_fragment
from thresher.writers.fragment.fragment import lay_out_marked, write_whole_fragment
from thresher.writers.shared.added import shorten_values
from thresher.writers.shared.limit import HTML, write_limited

_LINES: Final = Html(layout=Indent(0))
"""A line for each block; no indentation, which would grow with the square of the depth."""
_HEAD_LINES: Final = {
    "title": "<title>{}</title>",
    "canonical_url": '<link rel="canonical" href="{}">',
    "authors": '<meta name="author" content="{}">',
    "published": '<meta property="article:published_time" content="{}">',
    "modified": '<meta property="article:modified_time" content="{}">',
    "site_name": '<meta property="og:site_name" content="{}">',
    "description": '<meta name="description" content="{}">',
    "image": '<meta property="og:image" content="{}">',
    "tags": '<meta property="article:tag" content="{}">',
    "licence": '<link rel="license" href="{}">',
}
"""Field of the metadata → how pages themselves declare it."""
_SIGN_CHARS: Final = max(map(len, _HEAD_LINES.values()))
"""Characters of a line besides its value."""
_BEHIND_MARK: Final = rb"%b(\s+|<pre><code[^>]*>)"
"""Pattern that is put before the mark of a run's start."""
_DIRECTIONS: Final = frozenset(("ltr", "rtl", "auto"))


def write(document: Document, options: WriteOptions) -> str:
    """Write clean HTML: a fragment, or with ``options.metadata`` a whole page.

    The fragment is wrapped in a `<div>` if the page sets a text direction.
    """
    if options.is_limited:
        return write_limited(partial(lay_out, document, options), options, HTML)
    return _render(document, options, write_whole_fragment(document, options).markup)


def lay_out(
    document: Document, options: WriteOptions, n_metadata: int | None = None
) -> OutputLayout:
    """Write clean HTML of any length, with the positions at which it can be cut.

    Metadata have about ``n_metadata`` characters, or are complete.
    """
    render = partial(_render, document, options, n_metadata=n_metadata)
    return lay_out_marked(document, options, render)


def _render(
    document: Document,
    options: WriteOptions,
    fragment: bytes,
    mark: str = "",
    *,
    n_metadata: int | None = None,
) -> str:
    """Render markup as clean HTML; ``mark``, if any, is where runs of the outline start."""
    if mark:
        # At the start of a line, so that white space there is as without marks.
        fragment = re.sub(_BEHIND_MARK % mark.encode(), rb"\1" + mark.encode(), fragment)
    tree = clean_fragment(fragment, find_base(document.page), tracking=options.tracking)
    body = tree.serialize(_LINES, inner=True)
    language = _inherited(document, "lang")
    direction = (_inherited(document, "dir") or "").lower()
    setting = f' lang="{escape(language)}"' if language else ""
    setting += f' dir="{direction}"' if direction in _DIRECTIONS else ""
    if options.metadata:
        head = _head(document, n_metadata)
        return f"<!DOCTYPE html>\n<html{setting}>\n{head}\n<body>\n{body}\n</body>\n</html>"
    if body and direction in _DIRECTIONS:
        return f"<div{setting}>\n{body}\n</div>"
    return body


def _head(document: Document, n_metadata: int | None) -> str:
    fields: Mapping[str, object] = document.metadata_values
    if n_metadata is not None:
        fields = shorten_values(fields, n_metadata, _SIGN_CHARS)
    lines = ['<meta charset="utf-8">']
    for field, line in _HEAD_LINES.items():
        value = fields.get(field, [])
        lines += [
            line.format(escape(str(entry)))
            for entry in (value if isinstance(value, list) else [value])
        ]
    return "\n".join(("<head>", *lines, "</head>"))


def _inherited(document: Document, name: str) -> str | None:
    """Return an attribute that all kept text inherits, from the nearest element that sets it."""
    page = document.page
    kept = page.leaves[document.selection.keep]
    values = page.attributes.values(name)
    if not kept.size:
        return None
    around = [row for row in values if row <= kept[0] and kept[-1] < page.end[row]]
    return values[max(around)] if around else None
