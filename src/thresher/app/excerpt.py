"""The beginning of a text, to know it by."""

from __future__ import annotations

__all__ = ["excerpt"]


def excerpt(text: str, max_chars: int) -> str:
    """Return a text on one line, cut at ``max_chars`` with a mark of the cut."""
    flat = " ".join(text[: 2 * max_chars].split())
    return flat if len(flat) <= max_chars else f"{flat[: max_chars - 1]}…"
