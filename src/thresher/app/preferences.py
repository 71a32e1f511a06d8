"""Display preferences, stored in a cookie, so that they work without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

__all__ = ["CHOICES", "COOKIE", "read_preferences", "write_preferences"]

COOKIE: Final = "thresher_view"
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "face": ("serif", "sans"),
    "size": ("3", "1", "2", "4", "5"),
    "width": ("normal", "narrow", "wide"),
}
"""Options of each preference, the default first; each is a `data-…` attribute of the document."""


def read_preferences(cookie: str) -> dict[str, str]:
    """Parse the cookie, with defaults for missing or invalid values."""
    chosen = dict(parse_qsl(cookie.strip('"')))
    return {
        name: chosen[name] if chosen.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }


def write_preferences(chosen: Mapping[str, str]) -> str:
    """Serialize the cookie, without invalid values."""
    return urlencode(
        [(name, chosen[name]) for name in CHOICES if chosen.get(name) in CHOICES[name]]
    )
