"""Data of the reading page."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from thresher.app.engine import PageSource, Task
from thresher.app.reading import DOWNLOADS, read, sign_image, write
from thresher.request import SelectRequest

KEY = b"a key"
TEXT = "Rye is sown in autumn, and stands green through the winter while other fields lie bare. "
PAGE = f"""<html lang="en"><head><title>Rye in winter</title>
<meta property="og:site_name" content="Field Notes"><meta name="author" content="Ada Field"></head>
<body><nav><a href="/home">All the notes</a> <a href="/home">All the notes</a>
<a href="mailto:a@b.c">Write to us</a></nav><article><h1>Rye in winter</h1><p>{TEXT * 30}</p>
<h2>Soil</h2><p>{TEXT}</p><img src="/a.png" alt="A field"></article></body></html>"""


def look(html: str, image_base: str | None = None, **source: str) -> Any:
    """Read a page with a method that finds its article."""
    task = Task(PageSource(html, **source), SelectRequest("link_quota"))  # type: ignore[arg-type]
    return read(task, image_base, KEY)


def test_view_has_what_is_known_of_the_page() -> None:
    """A view has title, author, site, outline, length, reading time and unique removed links."""
    view = look(PAGE, url="https://www.example.org/rye")
    assert ("Rye in winter", ("Ada Field",), "Field Notes") == (
        view.title,
        view.authors,
        view.site_name,
    )
    assert "example.org" == view.host
    assert ["Soil"] == [heading.title for heading in view.headings]
    assert "<h1" not in view.markup
    assert 31 * 16 + 4 == view.n_word
    assert 2 == view.minutes
    assert ["https://www.example.org/home"] == [link.url for link in view.removed_links]
    assert view.note is None
    assert view == pickle.loads(pickle.dumps(view))


@pytest.mark.parametrize(
    ("html", "verdict"),
    [
        ("<title>x</title><script>boot()</script><div id=root></div>", "needs a browser"),
        ("<title>404 Not Found</title><h1>404 Not Found</h1><p>nginx</p>", "blocked or error page"),
    ],
)
def test_view_says_when_the_page_is_not_fine(html: str, verdict: str) -> None:
    """A verdict other than content is explained, with evidence."""
    view = look(html)
    assert verdict == view.verdict
    assert view.note and view.note.evidence


def test_view_says_when_nothing_was_kept() -> None:
    """An empty result is explained."""
    view = look("<p></p>")
    assert "" == view.markup
    assert view.note


def test_view_has_a_title_whatever_the_page() -> None:
    """The title falls back to the host or file name."""
    assert "e.org" == look("<p>Rye.", url="https://e.org/a").title
    assert "rye.html" == look("<p>Rye.", name="rye.html").title
    assert look("<p>Rye.").title


def test_images_carry_their_proof() -> None:
    """Images are loaded through the app, with a signature."""
    view = look(PAGE, "/read/1/image", url="https://e.org/")
    proof = sign_image("https://e.org/a.png", KEY)
    assert f"/read/1/image?url=https%3A%2F%2Fe.org%2Fa.png&amp;proof={proof}" in view.markup
    assert proof != sign_image("https://e.org/a.png", b"another")
    assert "<img" not in look(PAGE, url="https://e.org/").markup


def test_direction_is_the_pages_own() -> None:
    """The writing direction is kept."""
    html = f"<html dir=rtl lang=he><article><p>{'השיפון נזרע בסתיו, ' * 20}</p></article>"
    assert "rtl" == look(html).direction
    assert look(PAGE).direction is None


@pytest.mark.parametrize("format", DOWNLOADS)
def test_downloads_have_the_title_and_the_text(format: Any) -> None:
    """Every format contains the title and the text."""
    title, data = write(Task(PageSource(PAGE), SelectRequest("link_quota")), format)
    assert "Rye in winter" == title
    if format == "epub":
        assert data.startswith(b"PK")
    else:
        assert b"Rye in winter" in data and b"sown in autumn" in data
        assert data.endswith(b"\n")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
def test_addresses_that_are_no_pages_are_not_linked(url: str) -> None:
    """Only http and https addresses are linked."""
    view = look(PAGE, url=url)
    assert view.url is None
    assert () == view.removed_links


def test_confidence_is_not_given_to_what_is_no_content() -> None:
    """A confidence is about content: a page that needs a browser has none."""
    assert look("<p>Loading the map</p><script></script>").confidence is None


def test_threads_are_taken_along_as_posts() -> None:
    """The Markdown of a thread has its posts under their authors, as they are read."""
    post = "<div class=comment><b class=author>{0}</b> <time datetime=2026-11-0{1}></time><p>{2}"
    text = "".join(post.format(name, at, TEXT) for at, name in enumerate(("Ada", "Bo", "Cy"), 1))
    task = Task(PageSource(f"<h1>Rye</h1>{text}"), SelectRequest("keep_all"))
    assert ["Ada", "Bo", "Cy"] == [each.post.author for each in read(task, None, KEY).posts]
    _, data = write(task, "markdown")
    assert b"## Bo \xc2\xb7 2026-11-02" in data
