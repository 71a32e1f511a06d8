"""Decoding, parsing and the `Page`: a table of DOM nodes and the views that all else reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.page.page import Attached, Origin, Page, Span

__all__ = ["Attached", "Origin", "Page", "Span"]

_MODULES: Final = {
    "thresher.page.page": "Attached Origin Page Span",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
