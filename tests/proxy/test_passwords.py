"""Password hashes, and the lock-out after failures."""

from __future__ import annotations

import pytest

from thresher.errors import UsageError
from thresher.proxy.passwords import Lockout, check_password, hash_password


def test_passwords() -> None:
    """Only the right password matches a salted hash; invalid passwords and hashes are errors."""
    kept = hash_password("grain é")
    assert "grain" not in kept
    assert check_password("grain é", kept)
    assert not check_password("chaff", kept)
    assert kept != hash_password("grain é")
    for password in ("", "a:b"):
        with pytest.raises(UsageError):
            hash_password(password)
    for wrong in ("", "grain", "md5$a$b", "scrypt$a", "scrypt$é$b"):
        with pytest.raises(UsageError):
            check_password("grain", wrong)


def test_time_doubles_with_each_failure() -> None:
    """Four failures are free; from the fifth on the time doubles, up to an hour."""
    now = [0.0]
    lockout = Lockout(lambda: now[0])
    found = []
    for _ in range(20):
        lockout.fail("a")
        found.append(lockout.left_s("a"))
    assert [0, 0, 0, 0, 30, 60, 120] == found[:7]
    assert 3600 == found[-1]
    assert 0 == lockout.left_s("b")
    now[0] = 3600.0
    assert 0 == lockout.left_s("a")
    lockout.fail("a")
    assert 3600 == lockout.left_s("a")


def test_failures_are_forgotten() -> None:
    """A right password, a day, or ten thousand others end the count."""
    now = [0.0]
    lockout = Lockout(lambda: now[0])
    for _ in range(4):
        lockout.fail("a")
    lockout.succeed("a")
    lockout.fail("a")
    assert 0 == lockout.left_s("a")
    for _ in range(9):
        lockout.fail("a")
    now[0] = 100_000.0
    lockout.fail("a")
    assert 0 == lockout.left_s("a")
    for _ in range(4):
        lockout.fail("a")
    assert 0 < lockout.left_s("a")
    for number in range(10_000):
        lockout.fail(number)
    assert 0 == lockout.left_s("a")
