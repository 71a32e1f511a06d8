"""Extraction for agents: a few tools with text in and out, and the server that offers them."""

from __future__ import annotations

__all__: list[str] = []
