"""Notes on pages that are not ordinary articles."""

from __future__ import annotations

import pytest

import thresher
from thresher.app.verdict_notes import note_on

TEXT = "Rye is sown in autumn, and stands green through the winter while others lie bare. "


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>x</title><div id=root></div><script>boot()</script>", "Needs a browser"),
        ("<p>Loading the map</p><script src=a.js></script>", "Probably needs a browser"),
        ("<p>Loading the map</p>", None),
        (f"<p>{TEXT * 10}</p><script src=a.js></script>", None),
        (
            "<p>Rye.<img src=a.jpg><img src=b.jpg><img src=c.jpg><script src=a.js></script>",
            None,
        ),
        ("<title>404 Not Found</title><h1>404 Not Found</h1><p>nginx", "Blocked or error page"),
        ("<p></p>", "No main content"),
    ],
)
def test_a_note_says_what_is_wrong(html: str, title: str | None) -> None:
    """Shells, errors and empty pages have a note; texts, short pages and pictures have none."""
    note = note_on(thresher.extract(html, method="keep_all"))
    assert title == (note.title if note else None)


def test_who_needs_a_browser_is_told_what_to_do() -> None:
    """The note has evidence, and advice."""
    note = note_on(thresher.extract("<p>Loading</p><script></script>", method="keep_all"))
    assert note and note.advice
    assert "1 word outside links, 1 script." == note.evidence
