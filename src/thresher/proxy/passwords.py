"""Salted password hashes for the settings file."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Final

from thresher.errors import UsageError

__all__ = ["check_password", "hash_password", "is_hash"]

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
