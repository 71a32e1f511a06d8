"""Notes on pages that are not ordinary articles."""

from __future__ import annotations

import pytest

import thresher
from tests.helpers import judged
from thresher.app.reading import note_on

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


ITEMS = "".join(f"<li><a href=/{name}>{name} and more</a>" for name in ("Rye", "Oats", "Spelt"))


@pytest.mark.parametrize(
    ("html", "page_type", "text"),
    [
        (f"<ul>{ITEMS}</ul>", "listing", "This page is a list of links without a main text."),
        (f"<p>{TEXT * 40}<ul>{ITEMS}</ul>", "listing", "This page is an overview of others, or of"),
        (f"<p>{TEXT * 40}", "collection", "This page is an overview of others, or of products"),
        (f"<p>{TEXT}", "article", None),
    ],
)
def test_a_list_of_links_is_called_so_only_if_it_is_one(
    html: str, page_type: str, text: str | None
) -> None:
    """A page with text that is judged a listing is called an overview, not a list of links."""
    params = judged.Params(page_type=page_type)
    note = note_on(thresher.extract(html, method=judged.select, params=params))
    assert note is None if text is None else note is not None and note.text.startswith(text)


def test_a_menu_of_the_footer_is_no_main_content() -> None:
    """Where a menu is all that there is, the note says so; links to read are content."""
    names = "About us|Contact|Privacy policy|Terms of service|Careers|Press|Help centre|Sitemap"
    links = " | ".join(f"<a href=/{name}>{name}</a>" for name in names.split("|"))
    note = note_on(thresher.extract(f"<title>Mill</title><footer>{links}</footer>"))
    assert note is not None
    assert ("No main content", "Only a menu was found") == (note.title, note.text[:21])
    assert note_on(thresher.extract(f"<h1>Rye</h1><p>{TEXT * 9}<footer>{links}</footer>")) is None


def test_who_needs_a_browser_is_told_what_to_do() -> None:
    """The note has evidence, and advice."""
    note = note_on(thresher.extract("<p>Loading</p><script></script>", method="keep_all"))
    assert note and note.advice
    assert "1 word outside links, 1 script." == note.evidence
