"""Length of texts and time to read them."""

from __future__ import annotations

import pytest

from thresher.app.texts import ReadingTime, measure


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ReadingTime(0, None)),
        ("— … !", ReadingTime(0, None)),
        ("Rye is sown in autumn.", ReadingTime(5, 0)),
        ("well-known rye " * 238, ReadingTime(476, 2)),
        ("黑麦在秋天播种，冬天是绿色的。" * 60, ReadingTime(780, 3)),
        ("राई शरद ऋतु में बोई जाती है " * 34, ReadingTime(238, 1)),
    ],
)
def test_words_are_what_readers_take_for_them(text: str, expected: ReadingTime) -> None:
    """Words end at spaces, not at vowel signs or hyphens; ideographs count one by one."""
    assert expected == measure(text)


def test_scripts_without_spaces_are_measured_in_letters() -> None:
    """A Thai text without any space takes minutes, as its letters do."""
    found = measure("ข้าวไรย์หว่านในฤดูใบไม้ร่วง" * 100)
    assert found.minutes is not None and 2 <= found.minutes <= 3
