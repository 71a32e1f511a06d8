"""Style sheet of what a person's rules drop, for elements that scripts add to a page later.

Rules match the page as it was sent. What they name in it is removed there; this hides the same
elements where a script makes them, as filter lists do in a browser.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.proxy.csp import hash_source
from thresher.sites import Rules

__all__ = ["rule_style_source", "write_rule_style"]

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
