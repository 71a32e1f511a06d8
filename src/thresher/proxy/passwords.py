"""Salted password hashes for the settings file, and a lock-out, so that guessing one takes years.

After a few failures for a name from one address, further passwords are not even checked for a
while; with each failure after that the time doubles. Others with that name, from other addresses,
are not affected, nor are connections that have given the password already.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thresher.errors import UsageError

_PREFIX: Final = "scrypt"
_COST: Final = {"n": 2**14, "r": 8, "p": 1}
"""16 MiB and some 50 ms per attempt: scrypt of the OWASP Password Storage Cheat Sheet, lower n."""
_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32


def hash_password(password: str) -> str:
    """Return the hash of a password: ``scrypt$SALT$KEY``, both in base64.

    Raises UsageError if it is empty or has a colon, which some versions of mitmproxy reject.
    """
    if not password or ":" in password:
        raise UsageError("a password must not be empty or contain a colon")
    salt = secrets.token_bytes(_SALT_BYTES)
    return "$".join((_PREFIX, _encode(salt), _encode(_derive(password, salt))))


def check_password(password: str, hashed: str) -> bool:
    """Return whether a password matches a hash.

    Raises UsageError if ``hashed`` was not made by `hash_password`. Browsers send the password with
    every connection, so recent results are cached.
    """
    prefix, _, rest = hashed.partition("$")
    salt, _, key = rest.partition("$")
    if prefix != _PREFIX or not key:
        raise UsageError("a password must be hashed as by `hash_password`")
    try:
        return _is_same(password, base64.b64decode(salt), base64.b64decode(key))
    except ValueError as error:
        raise UsageError("a password hash must be in base64") from error


def is_hash(text: str) -> bool:
    """Return whether a text was made by `hash_password`."""
    try:
        check_password("", text)
    except UsageError:
        return False
    return True


@lru_cache(maxsize=256)
def _is_same(password: str, salt: bytes, key: bytes) -> bool:
    return hmac.compare_digest(_derive(password, salt), key)


def _derive(password: str, salt: bytes) -> bytes:
    encoded = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(encoded, salt=salt, dklen=_KEY_BYTES, maxmem=2**26, **_COST)


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


_FREE: Final = 5
"""Failures before the first lock-out: a mistyped password, in a browser that asks again."""
_FIRST_S: Final = 30.0
_LONGEST_S: Final = 3600.0
_FORGET_S: Final = 24 * 3600.0
"""Seconds without a failure after which the earlier ones are forgotten."""
_MAX: Final = 10_000
"""Maximum number of addresses; the least recently seen are evicted first."""


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
        failures = self._known.get(key)
        return max(0.0, failures.until_s - self._clock()) if failures else 0.0

    def fail(self, key: object) -> None:
        """Record a wrong password."""
        now = self._clock()
        failures = self._known.pop(key, None)
        if failures is None or now - failures.last_s > _FORGET_S:
            failures = _Failures()
        failures.n += 1
        failures.last_s = now
        if failures.n >= _FREE:
            failures.until_s = now + min(_LONGEST_S, _FIRST_S * 2 ** min(failures.n - _FREE, 16))
        self._known[key] = failures
        while len(self._known) > _MAX:
            self._known.popitem(last=False)

    def succeed(self, key: object) -> None:
        """Forget the failures of a key."""
        self._known.pop(key, None)
