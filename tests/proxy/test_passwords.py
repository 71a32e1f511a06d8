"""Password hashes."""

from __future__ import annotations

import pytest

from thresher.errors import UsageError
from thresher.proxy.passwords import check_password, hash_password


def test_passwords() -> None:
    """Only the right password matches, and hashes are salted."""
    kept = hash_password("grain é")
    assert "grain" not in kept
    assert check_password("grain é", kept)
    assert not check_password("chaff", kept)
    assert kept != hash_password("grain é")


@pytest.mark.parametrize("password", ["", "a:b"])
def test_what_is_no_password(password: str) -> None:
    """Empty passwords and those with a colon are rejected."""
    with pytest.raises(UsageError):
        hash_password(password)


@pytest.mark.parametrize("kept", ["", "grain", "md5$a$b", "scrypt$a", "scrypt$é$b"])
def test_what_was_not_kept(kept: str) -> None:
    """An invalid hash raises an error."""
    with pytest.raises(UsageError):
        check_password("grain", kept)
