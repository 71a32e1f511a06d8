"""Lock-out of addresses from which wrong passwords come, so that guessing one takes years.

After a few failures for a name from one address, further passwords are not even checked for a
while; with each failure after that the time doubles. Others with that name, from other addresses,
are not affected, nor are connections that have given the password already.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

__all__ = ["Lockout"]

_FREE: Final = 5
"""Failures before the first lock-out: a mistyped password, in a browser that asks again."""
_FIRST_S: Final = 30.0
_LONGEST_S: Final = 3600.0
_FORGET_S: Final = 24 * 3600.0
"""Seconds without a failure after which the earlier ones are forgotten."""
_MAX: Final = 10_000
"""Maximum of addresses; the least recently seen are evicted first."""


@dataclass(slots=True)
class _Failures:
    n: int = 0
    last_s: float = 0.0
    until_s: float = 0.0


class Lockout:
    """Failures by key, such as an address and a name; bounded in number and time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[object, _Failures] = OrderedDict()

    def left_s(self, key: object) -> float:
        """Return the seconds for which no password is checked; 0 if one may be tried."""
        known = self._known.get(key)
        return max(0.0, known.until_s - self._clock()) if known else 0.0

    def fail(self, key: object) -> None:
        """Record a wrong password."""
        now = self._clock()
        known = self._known.pop(key, None)
        if known is None or now - known.last_s > _FORGET_S:
            known = _Failures()
        known.n += 1
        known.last_s = now
        if known.n >= _FREE:
            known.until_s = now + min(_LONGEST_S, _FIRST_S * 2 ** min(known.n - _FREE, 16))
        self._known[key] = known
        while len(self._known) > _MAX:
            self._known.popitem(last=False)

    def succeed(self, key: object) -> None:
        """Forget the failures of a key."""
        self._known.pop(key, None)
