"""Short excerpts of texts."""

from __future__ import annotations

__all__ = ["excerpt"]


def excerpt(text: str, max_chars: int) -> str:
    """Return the beginning of a text on one line, with an ellipsis if cut at ``max_chars``."""
    flat = " ".join(text[: 2 * max_chars].split())
    return flat if len(flat) <= max_chars else f"{flat[: max_chars - 1]}…"
