"""Generated pages that replace those of a site: the reader view and the text view.

Scripts, forms and framing are disabled; images and media load from anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from thresher.document import Document, WriteOptions
from thresher.proxy.badge import Badge
from thresher.proxy.csp import hash_source
from thresher.proxy.site_addresses import to_path, with_paths

__all__ = ["POLICY", "write_reader", "write_text_page"]

_STYLE: Final = """\
:root{color-scheme:light dark}
body{margin:0 auto;padding:1rem 1.25rem 4rem;max-width:42rem;font:1.125rem/1.6 Georgia,serif}
header,footer{font:.8125rem/1.5 system-ui,sans-serif;opacity:.75}
header a,footer a{margin-right:1em;color:inherit}
h1,h2,h3,h4{line-height:1.25;font-family:system-ui,sans-serif}
img,video,svg{max-width:100%;height:auto}
pre{overflow:auto;font-size:.875rem}
pre.text{white-space:pre-wrap;font:1.0625rem/1.6 Georgia,serif}
table{border-collapse:collapse;display:block;overflow:auto}
td,th{border:1px solid #8888;padding:.2em .6em;text-align:start}
blockquote{margin-inline:0;padding-inline-start:1em;border-inline-start:3px solid #8888}
figcaption{font-size:.875rem;opacity:.8}
@media print{header{display:none}}
"""
POLICY: Final = (
    "default-src 'none'; img-src http: https: data:; media-src http: https: data:; "
    f"style-src {hash_source(_STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content Security Policy of a generated page."""


def write_reader(
    document: Document, badge: Badge | None, note: str, hidden_origin: str = ""
) -> str:
    """Return a page with the main content as an article.

    Addresses of ``hidden_origin`` become paths.
    """
    known = document.metadata.as_dict()
    facts = [*known.get("authors", ()), *_present(known, "published", "site_name")]
    byline = " · ".join(map(escape, facts))
    content = document.write("html", WriteOptions(title=True))
    if hidden_origin:
        content = with_paths(content, hidden_origin)
    line = f"<p><small>{byline}</small></p>\n" if byline else ""
    return _wrap(document, f"{line}<article>\n{content}\n</article>", badge, note, hidden_origin)


def write_text_page(
    document: Document, badge: Badge | None, note: str, hidden_origin: str = ""
) -> str:
    """Return a page with the main content as plain text, and links to other views."""
    content = f'<pre class="text">{escape(document.text)}</pre>'
    return _wrap(document, content, badge, note, hidden_origin)


def _wrap(
    document: Document, content: str, badge: Badge | None, note: str, hidden_origin: str
) -> str:
    known = document.metadata.as_dict()
    address = to_path(document.page.url or "", hidden_origin)
    title = next(iter(_present(known, "title")), address)
    setting = "".join(f' lang="{escape(each)}"' for each in _present(known, "language"))
    links = badge.write_links(badge.links) if badge else ""
    bar = f"<header>{escape(note)} {links}</header>\n" if badge else ""
    return (
        f'<!DOCTYPE html>\n<html{setting}>\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{bar}<main>\n{content}\n</main>\n</body>\n</html>\n"
    )


def _present(known: Mapping[str, object], *names: str) -> list[str]:
    """Return the values of the fields that are present."""
    return [str(known[name]) for name in names if known.get(name)]
