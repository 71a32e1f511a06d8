"""The user's rules for one site."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Rules"]


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules for a site, as CSS selectors; they override what was learned."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
