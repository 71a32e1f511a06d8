"""Start tags that are not those of the page: spelled from the attributes that may stay."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from thresher.page import Page
from thresher.writers.clean import ALLOWED_ATTRIBUTES

__all__ = ["keep_attributes", "spell_start_tag"]


def keep_attributes(page: Page, row: int, name: str) -> dict[str, str]:
    """Return the attributes of a row that an element of some name may have in clean HTML."""
    allowed = (ALLOWED_ATTRIBUTES["*"] - {"id"}) | ALLOWED_ATTRIBUTES.get(name, frozenset())
    return {key: value for key, value in page.attrs(row).items() if key in allowed}


def spell_start_tag(name: str, attrs: Mapping[str, str]) -> str:
    """Return a start tag, its attributes escaped."""
    spelled = (f' {key}="{escape(value)}"' for key, value in attrs.items())
    return f"<{name}{''.join(spelled)}>"
