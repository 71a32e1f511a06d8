"""Foreign text in messages."""

from __future__ import annotations

import pytest

from thresher.support.quoting import one_line, quote, without_controls


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Körner, 穀物", "Körner, 穀物"),
        ("a\r\nb", "a\\r\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\udcff.html", "\\udcff.html"),
        ("a\u2028b\u202eb", "a\\u2028b\\u202eb"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    """Nothing that breaks a line or steers a terminal is left, everything readable is."""
    assert line == one_line(text)


def test_quoted_values_are_as_typed() -> None:
    """Quotation marks are plain, and only line breaks and control codes are escaped."""
    assert '"it\'s C:\\Müller"' == quote("it's C:\\Müller")
    assert '"a\\nb"' == quote("a\nb")
    assert f'"{"x" * 120}…"' == quote("x" * 500)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc\r\nd", "a\tb\nc\r\nd"),
        ("a\rb\x00\x1b[0m\x7f", r"a\rb\x00\x1b[0m\x7f"),
        ("\x9b2J\x85\x90", r"\x9b2J\x85\x90"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("\u200fشلوم\u200d é 日本", "\u200fشلوم\u200d é 日本"),
    ],
)
def test_controls_are_visible(text: str, shown: str) -> None:
    """Controls and reordering of text are escaped; line breaks, tabs and letters are not."""
    assert shown == without_controls(text)
