"""A folder of site files, one per host, read on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from thresher.errors import UsageError
from thresher.sites.model import Site
from thresher.sites.toml import read_site
from thresher.support.hosts import host_of

__all__ = ["SiteFolder"]

_KEPT: Final = 64
"""Sites cached, at some 100 kB each: a crawl returns to its hosts."""


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """The sites in a folder, by host; small when pickled. Their files are assumed not to change."""

    path: Path

    def file_of(self, host: str) -> Path:
        """Return the path of a host's site file, which may not exist."""
        return self.path / f"{quote(host, safe='')}.toml"

    def site_of(self, url: str | None) -> Site | None:
        """Return the site of a page; None if it has no host, or the host has no file.

        UsageError for a file that is not a site file, or cannot be read.
        """
        host = host_of(url)
        return _read(self.file_of(host)) if host else None


@lru_cache(maxsize=_KEPT)
def _read(path: Path) -> Site | None:
    try:
        return read_site(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
