"""From bytes to a `Page`: decoding, parsing, and the views that everything else reads."""

from __future__ import annotations

from thresher.page.page import Attached, Origin, Page, Span

__all__ = ["Attached", "Origin", "Page", "Span"]
