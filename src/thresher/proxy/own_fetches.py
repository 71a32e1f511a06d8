"""The proxy's own requests, for block lists and previews, by the same route as pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from thresher.fetching.model import Fetched
from thresher.proxy.state import ProxyState

__all__ = ["fetch_as_proxy"]

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def fetch_as_proxy(
    state: ProxyState,
    url: str,
    *,
    timeout_s: float,
    max_bytes: int,
    allow_private: bool,
    headers: Mapping[str, str] = _NONE,
) -> Fetched:
    """Fetch an address, as `thresher.fetching.fetch`, through the upstream proxy if there is one.

    The certificate authorities of ``--upstream-ca`` are trusted too.
    """
    # The HTTP library is needed only here.
    from thresher.fetching.fetch import fetch  # noqa: PLC0415

    return fetch(
        url,
        timeout_s=timeout_s,
        max_bytes=max_bytes,
        allow_private=allow_private,
        headers=headers,
        via=state.settings.upstream or None,
        ca_file=state.upstream_ca,
    )
