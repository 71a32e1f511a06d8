"""Extension of a page's Content Security Policy by one inline style sheet or script (W3C CSP 3).

It is allowed by its hash only: everything else that the policy blocked stays blocked.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

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
    return ", ".join(_allow(each, source, kind) for each in policies.split(",") if each.strip())


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
    allowed = [each for each in sources if each.lower() != "'none'"] + [source]
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
    restricts = any(each.startswith(("'nonce-", "'sha")) for each in lower)
    is_dynamic = kind == SCRIPTS and _DYNAMIC in lower
    return "'unsafe-inline'" in lower and not (restricts or is_dynamic)
