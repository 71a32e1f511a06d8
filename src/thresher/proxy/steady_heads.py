"""Hosts whose pages keep their heads unchanged, so that heads can be sent early."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

__all__ = ["SteadyHeads"]

_MAX_HOSTS: Final = 10_000
"""Maximum of hosts; the least recently seen are evicted first."""


class SteadyHeads:
    """A record, for each host, of whether all its pages so far kept their heads."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, bool] = OrderedDict()

    def note(self, host: str, *, keeps_head: bool) -> None:
        """Record whether the filters left the head of a page of a host unchanged."""
        # One change disqualifies a host for good: if such pages alternated with others, each of
        # them would be sent too early, and could not be filtered.
        was_steady = self._hosts.pop(host, True)
        self._hosts[host] = was_steady and keeps_head
        if len(self._hosts) > _MAX_HOSTS:
            self._hosts.popitem(last=False)

    def __contains__(self, host: object) -> bool:
        """Return whether pages of a host have been seen, and all of them kept their heads."""
        return isinstance(host, str) and self._hosts.get(host, False)
