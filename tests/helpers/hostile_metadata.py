"""Attacks by metadata, and pages that state them in every place that metadata are read from."""

from __future__ import annotations

import json
from html import escape
from typing import Final

import turbohtml

ATTACKS: Final = (
    # Markup.
    "<script>boom()</script>",
    "<svg onload=boom()>x",
    "<form action=javascript:boom()><input autofocus onfocus=boom()>",
    "<img src=x onerror=boom()>",
    "</title></head><script>boom()</script>",
    '"><script>boom()</script>',
    "' onload='boom()",
    "--><script>boom()</script>",
    "]]><script>boom()</script>",
    "<!-- x",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
    "&lt;script&gt;boom()&lt;/script&gt;",
    "{{ 7 * 7 }} {% raw %} ${7}",
    # Addresses.
    "javascript:boom()",
    " java\tscript:boom()",
    "data:text/html,<script>boom()</script>",
    "//evil.example/<script>",
    # Markdown.
    "[x](javascript:boom())",
    "![x](javascript:boom())",
    "[x]: javascript:boom()",
    "<javascript:boom()>",
    "`</p>`<script>boom()</script>",
    "x\n\n# y\n\n<script>boom()</script>",
    # The end of front matter, and YAML.
    "x\n---\n\n<script>boom()</script>",
    'x"\nverdict: "none',
    "*a &b !!python/object:x {c: [d]} # e",
    "- x: |\n  y",
    # Cells that spreadsheets execute.
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    # Characters that formats do not allow, or take for the end of a line.
    "a\x00b\x1b[2Jc\x7fd\x85e\x90f",
    "a\u2028<script>\u2029b\ufeffc\ufffed\uffffe",
    "a\u202eb\u2066c",
    "\U0001f600\ud800",
)

FORBIDDEN_CHARS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
"""As in a character class: characters that YAML does not allow, or takes for the end of a line."""

_ACTIVE: Final = frozenset("embed form iframe img input link math object script style svg".split())
_NAMES: Final = (
    *("author", "description", "keywords", "dc.title", "dc.creator", "dc.date", "dc.rights"),
    *("og:title", "og:site_name", "og:image", "og:url", "og:description", "og:locale"),
    *("article:author", "article:published_time", "article:modified_time", "article:tag"),
    *("twitter:title", "twitter:image"),
)
_WORDS: Final = "Rye is sown in autumn, and stands green through the winter."


def page_with_metadata(attack: str) -> str:
    """Return a page that states an attack as all of its metadata, but the body."""
    quoted = escape(attack)
    metas = "".join(f'<meta name="{name}" property="{name}" content="{quoted}">' for name in _NAMES)
    links = "".join(f'<link rel="{rel}" href="{quoted}">' for rel in ("canonical", "license"))
    named = {"@type": "Person", "name": attack, "url": attack}
    article = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "author": named,
        "publisher": named,
        "keywords": [attack],
        **dict.fromkeys(("headline", "description", "image", "url", "license"), attack),
        **dict.fromkeys(("inLanguage", "datePublished", "dateModified"), attack),
    }
    data = json.dumps(article).replace("<", "\\u003c")
    return (
        f'<html lang="{quoted}" dir="{quoted}"><head><title>{quoted}</title>{metas}{links}'
        f'<script type="application/ld+json">{data}</script></head><body><p>{_WORDS}</p></body>'
    )


def thread_with_metadata(attack: str) -> str:
    """Return a page of two posts whose authors and dates are an attack."""
    post = (
        "<div class=comment id={0}><p><b class=author>{1}</b><time datetime='{1}'>{1}</time></p>"
        "<div class=content><p>" + _WORDS + "</p></div></div>"
    )
    posts = "".join(post.format(f"c{number}", escape(attack)) for number in range(2))
    return f"<title>{escape(attack)}</title><h1>Rye</h1>{posts}"


def render_markdown(markdown: str) -> str:
    """Return Markdown as a renderer shows it that knows no front matter and lets HTML through."""
    from markdown_it import MarkdownIt  # not installed for the tests of the proxy

    rendered: str = MarkdownIt("commonmark").enable("table").render(markdown)
    return rendered


def find_active(html: str) -> list[str]:
    """Return what a browser would run, load or send in HTML, as it parses it."""
    found: list[str] = []
    for element in turbohtml.parse(html).iter_elements():
        found += [name for name in element.attrs if name.startswith("on")]
        if _is_data(element):
            continue
        if element.tag in _ACTIVE:
            found.append(element.tag)
        addresses = (element.attr(name) or "" for name in ("href", "src"))
        found += [address for address in addresses if is_active_address(address)]
    return found


def is_active_address(address: str) -> bool:
    """Return whether an address is a script or a document of its own."""
    return address.strip().lower().startswith(("javascript:", "data:"))


def _is_data(element: turbohtml.Element) -> bool:
    """Return whether an element states facts, and runs and loads nothing."""
    is_fact = element.tag == "link" and element.attr("rel") in ("canonical", "license")
    return is_fact or (element.tag == "script" and element.attr("type") == "application/ld+json")
