"""Markup of the proxy's own: the badge, style sheets added to a page, and generated pages.

A page's Content Security Policy (W3C CSP 3) is extended by each inline style sheet or script of
ours. It is allowed by its hash only: everything else that the policy blocked stays blocked.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from thresher.document import Document, WriteOptions
from thresher.filters.blocklist import BlockList, ad_rules_of
from thresher.filters.disposal import read_raw_elements
from thresher.filters.settings import Filters
from thresher.proxy.navigation import to_path, with_paths
from thresher.sites import Rules

STYLES, SCRIPTS, _DEFAULT = "style-src", "script-src", "default-src"
_DYNAMIC: Final = "'strict-dynamic'"


def hash_source(style: str) -> str:
    """Return the source expression of a style sheet or script: `'sha256-…'`."""
    digest = hashlib.sha256(style.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def allow_source(policies: str, source: str, kind: str) -> str:
    """Return the comma-separated policies of a header, each extended by a source.

    ``kind`` is the directive: ``style-src`` or ``script-src``.
    """
    return ", ".join(
        _allow(policy, source, kind) for policy in policies.split(",") if policy.strip()
    )


def _allow(policy: str, source: str, kind: str) -> str:
    directives = [directive.strip() for directive in policy.split(";") if directive.strip()]
    names = [directive.split(None, 1)[0].lower() for directive in directives]
    # Those that govern such elements (CSP Level 3, 6.8.3); the first present applies.
    governing = next((name for name in (f"{kind}-elem", kind, _DEFAULT) if name in names), None)
    if governing is None:
        return "; ".join(directives)
    place = names.index(governing)  # of duplicates, the first applies
    sources = directives[place].split()[1:]
    if _allows_inline(sources, kind):
        return "; ".join(directives)
    allowed = [old for old in sources if old.lower() != "'none'"] + [source]
    if governing == _DEFAULT:
        # Extending default-src itself would allow scripts by the hash of a style, and vice versa.
        directives.append(" ".join((kind, *allowed)))
    else:
        directives[place] = " ".join((directives[place].split(None, 1)[0], *allowed))
    return "; ".join(directives)


def _allows_inline(sources: list[str], kind: str) -> bool:
    """Return whether sources allow any inline code.

    A hash or nonce disables 'unsafe-inline', for scripts 'strict-dynamic' does too.
    """
    lower = [source.lower() for source in sources]
    restricts = any(value.startswith(("'nonce-", "'sha")) for value in lower)
    is_dynamic = kind == SCRIPTS and _DYNAMIC in lower
    return "'unsafe-inline'" in lower and not (restricts or is_dynamic)


_BADGE_STYLE: Final = (
    "thresher-mark{all:initial;position:fixed;z-index:2147483647;right:8px;bottom:8px;"
    "font:12px/1.5 system-ui,sans-serif;color:#333;direction:ltr;opacity:.65;contain:content}"
    "thresher-mark:hover,thresher-mark:focus-within{opacity:1}"
    "thresher-mark *{all:revert;color:inherit;font:inherit;float:none;margin:0;padding:0}"
    "thresher-mark details{background:#fff;border:1px solid #999;border-radius:6px;"
    "padding:1px 8px;max-width:20em}"
    "thresher-mark summary{cursor:pointer;list-style-position:inside}"
    "thresher-mark a{display:block;text-decoration:underline;padding:3px 0}"
    "thresher-mark p{padding:3px 0}"
    "@media print{thresher-mark{display:none}}"
    "@media (prefers-color-scheme:dark){thresher-mark{color:#ddd}"
    "thresher-mark details{background:#222;border-color:#666}}"
)
STYLE_SOURCE: Final = hash_source(_BADGE_STYLE)
_BASE: Final = re.compile(r"<base(?=[\s/])", re.IGNORECASE)
_OWN_BASE: Final = re.compile(
    r"""\s+(?:target=["']?\w+["']?\s*/?>|href=(["']?)/?(?:[\w.-][\w./-]*)?\1\s*/?>)"""
)
"""Attributes of a base that only sets a target, or an address that begins neither with a scheme nor
with a host."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Links that the badge of a page offers."""

    links: Sequence[tuple[str, str]]
    """Label and address of each link: absolute, with or without a scheme, or a path of the page's
    own site."""
    keyed: str = ""
    """Label of the link that a key opens."""
    key: str = ""
    """The key, a letter or a digit; empty for none."""

    def write_links(self, links: Sequence[tuple[str, str]], more: str = "") -> str:
        """Return some of the links as markup, with further attributes."""
        key = f' accesskey="{escape(self.key)}"' if self.key else ""
        return "".join(
            f'<a href="{escape(url)}" rel="nofollow noreferrer"{more}'
            f"{key if says == self.keyed else ''}>{escape(says)}</a>"
            for says, url in links
        )


def write_badge(badge: Badge, note: str, page: str) -> str:
    """Return the badge as HTML, in ASCII only, so that it is valid in any charset.

    ``note`` describes the current view of the page. Links to paths are left out if ``page``, the
    HTML that the badge is written into, has a base on which they may lead to another site: they
    contain the page's address and a token.
    """
    links = badge.links
    if any(_is_path(url) for _, url in links) and any(
        not _OWN_BASE.match(page, tag.end()) for tag in _BASE.finditer(page)
    ):
        links = [(says, url) for says, url in links if not _is_path(url)]
    anchors = badge.write_links(links, ' target="_top"')
    markup = (
        f"<thresher-mark><style>{_BADGE_STYLE}</style><details><summary>Thresher</summary>"
        f"<p>{escape(note)}</p>{anchors}</details></thresher-mark>"
    )
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _is_path(url: str) -> bool:
    return url.startswith("/") and not url.startswith("//")


_HOST: Final = re.compile(
    r"""(?:\\?/){2}((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?=[/\\"'`?#:])""", re.IGNORECASE
)
"""Host of an address in a script, where slashes may be escaped."""
_MAX_HOSTS: Final = 100

_UNSAFE: Final = re.compile(r"[{}<&@;\\\0-\x1f]|/\*")
"""What could end a rule or the style sheet, or is escaped in XML; such a selector is left out."""


def write_rule_style(rules: Rules) -> str:
    """Return a style sheet for what rules drop, as markup in ASCII; empty if there is none."""
    style = _style_of(rules)
    return f'<style data-thresher="rules">{style}</style>' if style else ""


def rule_style_source(rules: Rules) -> str:
    """Return the source expression of `write_rule_style` for a policy; empty if there is none."""
    style = _style_of(rules)
    return hash_source(style) if style else ""


def _style_of(rules: Rules) -> str:
    # A rule for each, since one invalid selector would make a rule of several void.
    return "".join(
        f"{selector}{{display:none!important}}"
        for selector in rules.drop
        if selector.isascii() and not _UNSAFE.search(selector)
    )


def write_frame_style(
    html: str, filters: Filters, blocklist: BlockList, page_host: str | None
) -> str:
    """Return a style sheet for the frames that scripts of a page add for advertisements, or "".

    What such a frame loads is stopped, but it would leave a gap. A filter of the source cannot see
    it, so the frames of all blocked hosts that these scripts name are hidden.
    """
    rules = ad_rules_of(filters, blocklist)
    if not filters.ads or rules.excepts_site(page_host):
        return ""
    named = {
        host.lower()
        for _, script in read_raw_elements(html, "script")
        for host in _HOST.findall(script)
    }
    hosts = [host for host in sorted(named) if rules.blocks_host(host, page_host)][:_MAX_HOSTS]
    frames = ",".join(f'iframe[src*="//{host}/"]' for host in hosts)
    return f"<style>{frames}{{display:none!important}}</style>" if hosts else ""


_PAGE_STYLE: Final = """\
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
    f"style-src {hash_source(_PAGE_STYLE)}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Content Security Policy of a generated page."""


def write_reader(
    document: Document, badge: Badge | None, note: str, hidden_origin: str = ""
) -> str:
    """Return a page with the main content as an article.

    Addresses of ``hidden_origin`` become paths.
    """
    metadata = document.metadata.as_dict()
    facts = [*metadata.get("authors", ()), *_present(metadata, "published", "site_name")]
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
    metadata = document.metadata.as_dict()
    address = to_path(document.page.url or "", hidden_origin)
    title = next(iter(_present(metadata, "title")), address)
    languages = "".join(f' lang="{escape(name)}"' for name in _present(metadata, "language"))
    links = badge.write_links(badge.links) if badge else ""
    bar = f"<header>{escape(note)} {links}</header>\n" if badge else ""
    return (
        f'<!DOCTYPE html>\n<html{languages}>\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n<body>\n"
        f"{bar}<main>\n{content}\n</main>\n</body>\n</html>\n"
    )


def _present(metadata: Mapping[str, object], *names: str) -> list[str]:
    return [str(metadata[name]) for name in names if metadata.get(name)]
