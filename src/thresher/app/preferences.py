"""How a reader likes pages to look: kept in a cookie, so that it holds without scripts too."""

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
"""What can be chosen, the default first. Each is an attribute `data-…` of the document."""


def read_preferences(cookie: str) -> dict[str, str]:
    """Read the cookie; defaults for whatever it does not have."""
    chosen = dict(parse_qsl(cookie.strip('"')))
    return {
        name: chosen[name] if chosen.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }


def write_preferences(chosen: Mapping[str, str]) -> str:
    """Write the cookie; what is not among the choices is left out."""
    return urlencode(
        [(name, chosen[name]) for name in CHOICES if chosen.get(name) in CHOICES[name]]
    )
