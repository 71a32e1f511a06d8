"""Text of an imported file."""

from __future__ import annotations

from tests.proxy.pages.conftest import Pages


def test_text_that_is_none(pages: Pages) -> None:
    """Without a file and text, and for a file that is not UTF-8, the page says what is missing."""
    empty = pages.post(pages.admin, "/files/proxy.toml", text="  ")
    assert (422, True) == (empty.status_code, "choose a file or paste its text" in empty.text)
    file = {"file": ("proxy.toml", b"\xff")}
    other = pages.post(pages.admin, "/files/proxy.toml", files=file)
    assert (422, True) == (other.status_code, "the file is not UTF-8" in other.text)
