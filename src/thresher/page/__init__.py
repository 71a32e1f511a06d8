"""Decoding, parsing and the `Page`: a table of DOM nodes and the views that all else reads."""

from __future__ import annotations

from thresher.page.page import Attached, Origin, Page, Span

__all__ = ["Attached", "Origin", "Page", "Span"]
