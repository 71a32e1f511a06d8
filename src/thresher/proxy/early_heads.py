"""Pages whose head can be sent before the rest has been processed."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from thresher.filters.settings import Filters

__all__ = ["EarlyHeads", "leaves_heads"]

_MAX_HOSTS: Final = 10_000
"""Maximum of hosts; the least recently noted are evicted first."""
_OF_HEADS: Final = (
    *("scripts", "styles", "external_styles", "refreshes", "style_attributes", "backgrounds"),
    *("text_links", "image_links", "objects", "iframes"),
)
"""Filters that the user switches on to change what may be in a head, or the root element."""


def leaves_heads(filters: Filters, *, stops_requests: bool) -> bool:
    """Return whether heads can stay as they are without loading what the filters remove.

    In a head these are scripts, style sheets and hints of advertisers and consent services, the
    requests for which are stopped too.
    """
    loads = filters.ads or filters.consent_scripts
    chosen = any(getattr(filters, name) for name in _OF_HEADS)
    return not chosen and (stops_requests or not loads)


class EarlyHeads:
    """A record of the hosts on one of whose pages the rest did not fit a head that was sent."""

    def __init__(self) -> None:
        self._misfits: OrderedDict[str, None] = OrderedDict()

    def note_misfit(self, host: str) -> None:
        """Record that a page of a host could not be rewritten after its head was sent."""
        # For good: if such pages alternated with others, each would pass unfiltered.
        self._misfits.pop(host, None)
        self._misfits[host] = None
        if len(self._misfits) > _MAX_HOSTS:
            self._misfits.popitem(last=False)

    def fits(self, host: str) -> bool:
        """Return whether no page of a host has misfitted so far."""
        return host not in self._misfits
