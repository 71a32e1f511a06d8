"""Content Security Policies of pages that get one style sheet of ours (W3C CSP Level 3).

A style sheet within the page is allowed by its hash, and by nothing else: whatever the policy kept
out before it still keeps out.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

__all__ = ["allow_style", "hash_source"]

_ELEMENT, _STYLE, _DEFAULT = "style-src-elem", "style-src", "default-src"
_BY_PRECEDENCE: Final = (_ELEMENT, _STYLE, _DEFAULT)
"""Which directive governs `<style>` elements (CSP Level 3, 6.8.3); the first that is there."""


def hash_source(style: str) -> str:
    """Return the source expression of a style sheet, as `'sha256-…'`."""
    digest = hashlib.sha256(style.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def allow_style(policies: str, source: str) -> str:
    """Return a header's policies with a style sheet allowed; several are told apart by commas."""
    return ", ".join(_allow(policy, source) for policy in policies.split(",") if policy.strip())


def _allow(policy: str, source: str) -> str:
    directives = [directive.strip() for directive in policy.split(";") if directive.strip()]
    names = [directive.split(None, 1)[0].lower() for directive in directives]
    governing = next((name for name in _BY_PRECEDENCE if name in names), None)
    if governing is None:
        return "; ".join(directives)
    place = names.index(governing)  # of one that is named twice, the first counts
    sources = directives[place].split()[1:]
    if _allows_inline(sources):
        return "; ".join(directives)
    allowed = [each for each in sources if each.lower() != "'none'"] + [source]
    if governing == _DEFAULT:
        # To add to default-src itself would allow scripts by the same hash.
        directives.append(" ".join((_STYLE, *allowed)))
    else:
        directives[place] = " ".join((directives[place].split(None, 1)[0], *allowed))
    return "; ".join(directives)


def _allows_inline(sources: list[str]) -> bool:
    """Say whether sources allow any style within the page: a hash or a nonce takes that back."""
    lower = [source.lower() for source in sources]
    restricts = any(source.startswith(("'nonce-", "'sha")) for source in lower)
    return "'unsafe-inline'" in lower and not restricts
