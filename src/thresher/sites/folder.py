"""A folder of sites: a file of `write_site` for each host, read when a page of it comes."""

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
"""Sites that are kept once they were read, at some 100 kB each: a crawl comes back to its hosts."""


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """The sites in a folder, by host; pickles small. Their files are taken not to change."""

    path: Path

    def file_of(self, host: str) -> Path:
        """Return where the site of a host is, or would be."""
        return self.path / f"{quote(host, safe='')}.toml"

    def site_of(self, url: str | None) -> Site | None:
        """Return the site of a page; None where it has no host, or the host no file.

        Raises UsageError for a file that holds no site, or cannot be read.
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
