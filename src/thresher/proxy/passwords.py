"""Passwords as the settings file keeps them: salted and slow to guess."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Final

from thresher.errors import UsageError

__all__ = ["check_password", "hash_password"]

_PREFIX: Final = "scrypt"
_COST: Final = {"n": 2**14, "r": 8, "p": 1}
"""16 MiB and some 50 ms a try: OWASP Password Storage Cheat Sheet's scrypt, at a lower n."""
_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32


def hash_password(password: str) -> str:
    """Return a password as it can be kept: ``scrypt$SALT$KEY``, both in base64.

    UsageError for one that is empty, or has a colon, which not every version of mitmproxy takes.
    """
    if not password or ":" in password:
        raise UsageError("a password is not empty, and has no colon")
    salt = secrets.token_bytes(_SALT_BYTES)
    return "$".join((_PREFIX, _encode(salt), _encode(_derive(password, salt))))


def check_password(password: str, kept: str) -> bool:
    """Say whether a password is the one that is kept.

    UsageError where ``kept`` was not made by `hash_password`. Browsers send the password with
    every connection, so the last few are remembered.
    """
    prefix, _, rest = kept.partition("$")
    salt, _, key = rest.partition("$")
    if prefix != _PREFIX or not key:
        raise UsageError("a password is kept as `hash_password` writes it")
    try:
        return _is_same(password, base64.b64decode(salt), base64.b64decode(key))
    except ValueError as error:
        raise UsageError("a password is kept in base64") from error


@lru_cache(maxsize=256)
def _is_same(password: str, salt: bytes, key: bytes) -> bool:
    return hmac.compare_digest(_derive(password, salt), key)


def _derive(password: str, salt: bytes) -> bytes:
    encoded = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(encoded, salt=salt, dklen=_KEY_BYTES, maxmem=2**26, **_COST)


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
