"""The page of an archive, such as browsers save."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """The page of an archive."""

    html: bytes
    charset: str | None
    """Charset that the archive names, as a server would."""
    url: str | None


def web_address(*stated: str) -> str | None:
    """Return the first of some addresses that is one of the web; None if none is."""
    stripped = (url.strip() for url in stated)
    return next((url for url in stripped if url.lower().startswith(("http://", "https://"))), None)
