"""Style sheets for elements that scripts add to a page later, and that would be removed from it.

Rules match the page as it was sent. What they name in it is removed there; this hides the same
elements where a script makes them, as filter lists do in a browser.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.filters.ad_rules import ad_rules_of
from thresher.filters.blocklist import BlockList
from thresher.filters.scripting import read_raw_elements
from thresher.filters.settings import Filters
from thresher.proxy.csp import hash_source
from thresher.sites import Rules

__all__ = ["rule_style_source", "write_frame_style", "write_rule_style"]

_HOST: Final = re.compile(
    r"""(?:\\?/){2}((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?=[/\\"'`?#:])""", re.IGNORECASE
)
"""Host of an address in a script, where slashes may be escaped."""
_MAX_HOSTS: Final = 100

_UNSAFE: Final = re.compile(r"[{}<&@;\\\0-\x1f]|/\*")
"""What could end a rule or the style sheet, or is escaped in XML; such a selector is left out."""


def write_rule_style(rules: Rules) -> str:
    """Return the style sheet as markup, in ASCII; empty if there is nothing to hide."""
    style = _style_of(rules)
    return f'<style data-thresher="rules">{style}</style>' if style else ""


def rule_style_source(rules: Rules) -> str:
    """Return the source expression of the style sheet for a policy; empty if there is none."""
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
