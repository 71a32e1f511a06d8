"""Normalisation of page URLs."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit, urlunsplit

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from thresher.errors import FetchError
from thresher.fetching.addresses import read_literal
from thresher.support.hosts import to_ascii

__all__ = ["normalize_url"]

_SCHEMES: Final = ("http", "https")


def normalize_url(url: str) -> str:
    """Normalise an http(s) URL to ASCII: percent-encoded, IDN host as Punycode, no fragment.

    Raises FetchError for another scheme, a missing or malformed host or port, and a URL with user
    name or password, which would appear in the output.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        if parts.scheme not in _SCHEMES:
            raise FetchError("only http and https addresses can be fetched", url=url)
        if not host:
            raise FetchError("the address has no host", url=url)
        if parts.username is not None:
            raise FetchError("a user name in an address is not supported", url=url)
        if not read_literal(host):
            host = to_ascii(host)
        place = f"[{host}]" if ":" in host else host
        if port is not None:
            place += f":{port}"
        path = parts.path or "/"
        return parse_url(urlunsplit((parts.scheme, place, path, parts.query, ""))).url
    except (ValueError, LocationParseError) as error:  # UnicodeError is a ValueError
        raise FetchError(f"the address is malformed: {error}", url=url) from error
