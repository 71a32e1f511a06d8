"""Hosts whose pages keep their heads, which so can be sent on before a page is looked at."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

__all__ = ["SteadyHeads"]

_MAX_HOSTS: Final = 10_000
"""Hosts that are remembered; those seen the longest ago go first."""


class SteadyHeads:
    """What is known of the heads of each host's pages."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, bool] = OrderedDict()

    def note(self, host: str, *, keeps_head: bool) -> None:
        """Note whether the filters left the head of one more page of a host as it was."""
        # Once not, never again: where such pages take turns with others, each of them would be
        # sent on too early, and lose its filters.
        was_steady = self._hosts.pop(host, True)
        self._hosts[host] = was_steady and keeps_head
        if len(self._hosts) > _MAX_HOSTS:
            self._hosts.popitem(last=False)

    def __contains__(self, host: object) -> bool:
        """Say whether some page of a host is known, and all of them kept their heads."""
        return isinstance(host, str) and self._hosts.get(host, False)
