"""Detection of organisations among author names, by their words."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["cut_agency", "looks_like_organisation"]

_AGENCY: Final = (
    r"(?:the\s+)?(?:associated press|canadian press|press association|reuters|afp|agence"
    r" france[- ]presse|dpa|efe|ansa|xinhua|kyodo(?: news)?|tass|upi|bloomberg news)"
)
"""News agencies, whose names follow those of their reporters without a separator."""
_WHOLE_AGENCY: Final = re.compile(_AGENCY, re.IGNORECASE)
_AGENCY_TAIL: Final = re.compile(rf"(?<=\S\s){_AGENCY}$", re.IGNORECASE)
_KIND: Final = re.compile(
    r"\b(?:press|news|media|network|newsroom|staff|team|editors|editorial|desk|bureau|agency|agence"
    r"|redaktion|redazione|redacción|redação|rédaction|redactie|university|universität"
    r"|université|universidad|institute|institut|college|council|ministry|department|association"
    r"|society|foundation|journal|magazine|gazette|tribune|herald|broadcasting|communications"
    r"|publishing|company|inc|llc|ltd|gmbh|corp|hospital)\b",
    re.IGNORECASE,
)
"""Words for kinds of organisations, which are rarely names of persons."""
_CAPITALS: Final = re.compile(r"[A-Z]{2,6}|the\s.*", re.IGNORECASE)


def looks_like_organisation(name: str) -> bool:
    """Return whether a name looks like an organisation's: by its words, an article, or capitals.

    A person can be called Press, so rely on this only if there are other authors.
    """
    if _KIND.search(name) or _WHOLE_AGENCY.fullmatch(name):
        return True
    return bool(_CAPITALS.fullmatch(name)) and (name.isupper() or " " in name)


def cut_agency(name: str) -> str:
    """Cut a news agency off the end of a name: "Ada Roth The Associated Press" → "Ada Roth"."""
    if name.count(" ") < 2 or _WHOLE_AGENCY.fullmatch(name):
        return name
    return _AGENCY_TAIL.sub("", name).strip()
