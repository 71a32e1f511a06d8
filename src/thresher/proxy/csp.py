"""Extension of a page's Content Security Policy by one inline style sheet (W3C CSP Level 3).

The style sheet is allowed by its hash only: everything else that the policy blocked stays blocked.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

__all__ = ["allow_style", "hash_source"]

_ELEMENT, _STYLE, _DEFAULT = "style-src-elem", "style-src", "default-src"
_BY_PRECEDENCE: Final = (_ELEMENT, _STYLE, _DEFAULT)
"""Directives that govern `<style>` elements (CSP Level 3, 6.8.3); the first present applies."""


def hash_source(style: str) -> str:
    """Return the source expression of a style sheet: `'sha256-…'`."""
    digest = hashlib.sha256(style.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def allow_style(policies: str, source: str) -> str:
    """Return the comma-separated policies of a header, each extended by a style source."""
    return ", ".join(_allow(policy, source) for policy in policies.split(",") if policy.strip())


def _allow(policy: str, source: str) -> str:
    directives = [directive.strip() for directive in policy.split(";") if directive.strip()]
    names = [directive.split(None, 1)[0].lower() for directive in directives]
    governing = next((name for name in _BY_PRECEDENCE if name in names), None)
    if governing is None:
        return "; ".join(directives)
    place = names.index(governing)  # of duplicates, the first applies
    sources = directives[place].split()[1:]
    if _allows_inline(sources):
        return "; ".join(directives)
    allowed = [each for each in sources if each.lower() != "'none'"] + [source]
    if governing == _DEFAULT:
        # Extending default-src itself would allow scripts by the same hash.
        directives.append(" ".join((_STYLE, *allowed)))
    else:
        directives[place] = " ".join((directives[place].split(None, 1)[0], *allowed))
    return "; ".join(directives)


def _allows_inline(sources: list[str]) -> bool:
    """Return whether sources allow any inline style; a hash or nonce disables 'unsafe-inline'."""
    lower = [source.lower() for source in sources]
    restricts = any(source.startswith(("'nonce-", "'sha")) for source in lower)
    return "'unsafe-inline'" in lower and not restricts
