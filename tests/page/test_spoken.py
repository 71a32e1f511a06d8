"""thresher.page.spoken: words for screen readers in a sentence."""

from __future__ import annotations

import pytest

from thresher import extract

TEXT = "<p>The council met on Tuesday evening to decide about the old net store by the quay."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("the letter<b class=sr-only> (PDF)</b> and", "the letter (PDF) and"),
        ("the <b class=visually-hidden>current </b>fee", "the current fee"),
        ("the letter<b class=sr-only>(opens)</b> and", "the letter and"),
        ("is <b class=visuallyHidden>Price: </b>12 crowns", "is 12 crowns"),
        ("a<b class=sr-only> tab</b> b<b class=sr-only> tab</b> c", "a b c"),
        ("15<b class=sr-only> minutes</b> <i aria-hidden=true>minutes</i> on", "15 minutes on"),
        ("<i aria-hidden=true>W</i><b class=sr-only>W</b>hen it", "When it"),
        ("the letter<b class=not-sr-only>(x)</b> and", "the letter(x) and"),
        ("a <a href=/ target=_blank>letter<b class=sr-only> opens</b></a> c", "a letter c"),
    ],
)
def test_words_for_screen_readers_are_written_where_they_belong(html: str, expected: str) -> None:
    """Words of the sentence are written; labels, twins and what is said of links are not."""
    assert expected == extract(f"{TEXT}<p>{html}", method="keep_all").text.split("\n\n")[1]
