"""The sites of a folder as one value, for machines that do not have the folder.

The settings of an engine's job go to every process that works on it, and a `PackedSites` in them
goes along.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from thresher.errors import UsageError
from thresher.sites.learning import Site
from thresher.sites.site_files import SiteFolder, parse_site
from thresher.support.hosts import host_of

_KEPT: Final = 64
"""Sites cached, as by `SiteFolder`."""
_DIGEST_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class PackedSites:
    """The sites of a folder, by host, each compressed to some 10 kB."""

    digest: str
    """Of the files; with it the settings of a job say which sites it had."""
    data: bytes = field(repr=False)
    """A ZIP archive of the files."""

    def site_of(self, url: str | None) -> Site | None:
        """Return the site of a page; None if it has no host, or the host has no file.

        UsageError for a file that is not a site file.
        """
        host = host_of(url)
        return _read_of_host(self, host) if host else None


def pack_sites(folder: SiteFolder) -> PackedSites:
    """Return the sites in a folder as one value; OSError if it cannot be read.

    Equal files give an equal value.
    """
    packed, digest = io.BytesIO(), blake2b(digest_size=_DIGEST_BYTES)
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(folder.path.iterdir()):
            if path.suffix == ".toml":
                content = path.read_bytes()
                digest.update(b"%d %s %d " % (len(path.name), path.name.encode(), len(content)))
                digest.update(content)
                # With a time of its own, the same files would not be the same archive.
                archive.writestr(ZipInfo(path.name), content, ZIP_DEFLATED)
    return PackedSites(digest.hexdigest(), packed.getvalue())


@lru_cache(maxsize=_KEPT)
def _read_of_host(sites: PackedSites, host: str) -> Site | None:
    name = SiteFolder.name_of(host)
    archive = _open(sites)
    if name not in archive.NameToInfo:
        return None
    try:
        return parse_site(archive.read(name).decode("utf-8"))
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{name} is not a site file: {error}") from error


@lru_cache(maxsize=1)
def _open(sites: PackedSites) -> ZipFile:
    return ZipFile(io.BytesIO(sites.data))
