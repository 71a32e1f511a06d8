"""The reading page: article, figures, notes, length, markup and posts of threads."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers import judged
from tests.helpers.fixture_pages import document_keeping
from thresher import document_of
from thresher.algorithms import MethodName
from thresher.app.engine import PageSource, ReadingTime, Task, excerpt, measure, read_number
from thresher.app.markup import MAX_DEPTH, HeadingMark, ThreadMarkup, prepare_for_page, write_posts
from thresher.app.reading import keep_figures, note_on, read, sign_image, write
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


def test_view_has_a_title_whatever_the_page() -> None:
    """The title falls back to host or file name; direction is kept, confidence is of content."""
    assert "e.org" == look("<p>Rye.", url="https://e.org/a").title
    assert "rye.html" == look("<p>Rye.", name="rye.html").title
    assert look("<p>Rye.").title
    html = f"<html dir=rtl lang=he><article><p>{'השיפון נזרע בסתיו, ' * 20}</p></article>"
    assert ("rtl", None) == (look(html).direction, look(PAGE).direction)
    assert look("<p>Loading the map</p><script></script>").confidence is None


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
def test_addresses_that_are_no_pages_are_not_linked(url: str) -> None:
    """Only http and https addresses are linked."""
    view = look(PAGE, url=url)
    assert (None, ()) == (view.url, view.removed_links)


def test_images_carry_their_proof() -> None:
    """Images are loaded through the app, with a signature."""
    view = look(PAGE, "/read/1/image", url="https://e.org/")
    proof = sign_image("https://e.org/a.png", KEY)
    assert f"/read/1/image?url=https%3A%2F%2Fe.org%2Fa.png&amp;proof={proof}" in view.markup
    assert proof != sign_image("https://e.org/a.png", b"another")
    assert "<img" not in look(PAGE, url="https://e.org/").markup


def test_threads_are_taken_along_as_posts() -> None:
    """The Markdown of a thread has its posts under their authors, as they are read."""
    post = "<div class=comment><b class=author>{0}</b> <time datetime=2026-11-0{1}></time><p>{2}"
    text = "".join(post.format(name, at, TEXT) for at, name in enumerate(("Ada", "Bo", "Cy"), 1))
    task = Task(PageSource(f"<h1>Rye</h1>{text}"), SelectRequest("keep_all"))
    assert ["Ada", "Bo", "Cy"] == [each.post.author for each in read(task, None, KEY).posts]
    _, data = write(task, "markdown")
    assert b"## Bo \xc2\xb7 2026-11-02" in data


LINE = "Rye is sown in autumn, and stands green through the winter while others lie bare."
FIGURE = "<figure><img data-src=/rye.jpg><figcaption>The rye in May</figcaption></figure>"


def completed(html: str, *keep: str) -> str:
    """Return what is kept as HTML, once figures are added to what selectors keep."""
    selection = document_keeping(html, keep or ("p",), url="https://mill.example/").selection
    return document_of(keep_figures(selection)).html


@pytest.mark.parametrize("wrapper", ["{}", "<div><div>{}</div></div>"])
def test_a_figure_within_the_text_is_kept(wrapper: str) -> None:
    """A dropped figure between kept paragraphs is kept with its caption."""
    found = completed(f"<article><p>{LINE}</p>{wrapper.format(FIGURE)}<p>{LINE}</p></article>")
    assert "https://mill.example/rye.jpg" in found and "The rye in May" in found


@pytest.mark.parametrize(
    "html",
    [
        f"<article><p>{LINE}</p></article>{FIGURE}",
        f"<article><p>{LINE}</p><aside>{FIGURE}</aside><p>{LINE}</p></article>",
        f"<article><p>{LINE}</p>{FIGURE.replace('The rye in May', '<a href=/x>Oats too</a>')}"
        f"<p>{LINE}</p></article>",
    ],
)
def test_other_figures_stay_out(html: str) -> None:
    """Figures after the text, in an aside, or that only link to other pages are not added."""
    found = completed(html)
    assert "figure" not in found and "rye.jpg" not in found


def test_a_kept_picture_keeps_its_caption() -> None:
    """The caption of a kept picture is kept, other text of the figure is not."""
    figure = FIGURE.replace("<figcaption>", "<span>Enlarge</span><figcaption>")
    found = completed(f"{figure}<p>{LINE}</p>", "p", "img")
    assert "The rye in May" in found
    assert "Enlarge" not in found


def test_nothing_else_changes() -> None:
    """Without figures the selection is returned as it is; the reason of an added block is said."""
    plain = document_keeping(f"<p>{LINE}</p>").selection
    assert keep_figures(plain) is plain
    selection = document_keeping(f"<div><p>{LINE}{FIGURE}<p>{LINE}</div>", ("p",)).selection
    reasons = [keep_figures(selection).reason(block) for block in range(4)]
    assert "a figure within kept text" == reasons[1] == reasons[2] != reasons[0]


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>x</title><div id=root></div><script>boot()</script>", "Needs a browser"),
        ("<p>Loading</p><script src=a.js></script>", "Probably needs a browser"),
        ("<p>Loading</p>", None),
        (f"<p>{LINE * 10}</p><script src=a.js></script>", None),
        ("<p>Rye.<img src=a.jpg><img src=b.jpg><img src=c.jpg><script src=a.js></script>", None),
        ("<title>404 Not Found</title><h1>404 Not Found</h1><p>nginx", "Blocked or error page"),
        ("<p></p>", "No main content"),
    ],
)
def test_a_note_says_what_is_wrong(html: str, title: str | None) -> None:
    """Shells, errors and empty pages have a note; texts, short pages and pictures have none."""
    note = note_on(thresher.extract(html, method="keep_all"))
    assert title == (note.title if note else None)
    if note and note.title == "Probably needs a browser":
        assert note.advice
        assert "1 word outside links, 1 script." == note.evidence


ITEMS = "".join(f"<li><a href=/{name}>{name} and more</a>" for name in ("Rye", "Oats", "Spelt"))


@pytest.mark.parametrize(
    ("html", "page_type", "text"),
    [
        (f"<ul>{ITEMS}</ul>", "listing", "This page is a list of links without a main text."),
        (f"<p>{LINE * 40}<ul>{ITEMS}</ul>", "listing", "This page is an overview of others, or of"),
        (f"<p>{LINE * 40}", "collection", "This page is an overview of others, or of products"),
        (f"<p>{LINE}", "article", None),
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
    assert note_on(thresher.extract(f"<h1>Rye</h1><p>{LINE * 9}<footer>{links}</footer>")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ReadingTime(0, None)),
        ("— … !", ReadingTime(0, None)),
        ("Rye is sown in autumn.", ReadingTime(5, 0)),
        ("well-known rye " * 238, ReadingTime(476, 2)),
        ("黑麦在秋天播种，冬天是绿色的。" * 60, ReadingTime(780, 3)),
        ("राई शरद ऋतु में बोई जाती है " * 34, ReadingTime(238, 1)),
        ("ข้าวไรย์หว่านในฤดูใบไม้ร่วง" * 100, ReadingTime(579, 2)),
    ],
)
def test_words_are_what_readers_take_for_them(text: str, expected: ReadingTime) -> None:
    """Words end at spaces, not at vowel signs or hyphens; ideographs count one by one."""
    assert expected == measure(text)


@given(st.text(), st.integers(1, 40))
def test_excerpts_fit(text: str, max_chars: int) -> None:
    """An excerpt is one line within the maximum length, with its ellipsis."""
    found = excerpt(text, max_chars)
    assert len(found) <= max_chars
    assert " ".join(found.split()) == found
    assert "barley, rye" == excerpt(" barley,\n rye ", 11)
    assert "barley, r…" == excerpt("barley, rye", 10)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0), ("017", 17), ("9" * 18, 10**18 - 1), ("٣", 3)]
    + [(text, None) for text in ("", "-1", "+1", "1.5", " 1", "²", "9" * 19, "9" * 5000)],
)
def test_only_whole_numbers_that_can_be_stored_are_read(text: str, expected: int | None) -> None:
    """Anything else is no number, and raises nothing."""
    assert expected == read_number(text)


def test_headings_are_marked_and_below_the_title() -> None:
    """The title is not repeated, if it comes first; headings are demoted, empty ones ignored."""
    html = "<h1>Rye  Bread</h1><p>a</p><h2>Soil</h2><h1>Sky</h1><h2>Wind</h2><h6>Air</h6>"
    found = prepare_for_page(html, title="rye bread")
    levels = ((2, "Soil"), (2, "Sky"), (3, "Wind"), (6, "Air"))
    expected = tuple(HeadingMark(f"part-{n}", *level) for n, level in enumerate(levels, 1))
    assert expected == found.headings
    assert found.markup.startswith('<p>a</p><h2 id="part-1">Soil</h2><h2 id="part-2">Sky</h2>')
    found = prepare_for_page("<h2>Soil</h2><h2>Rye</h2><h2> </h2>", title="Rye")
    assert ["Soil", "Rye"] == [heading.title for heading in found.headings]
    assert '<h2 id="part-1">Soil</h2><h2 id="part-2">Rye</h2> ' == found.markup


def test_images_are_described_unless_they_are_placed() -> None:
    """Images are replaced by descriptions, or loaded from the given address only."""
    html = '<p><img src="https://e.org/a.png" alt="A &lt;field" width="3"><img src="b.png"></p>'
    found = prepare_for_page(html, title="")
    assert '<p><span class="picture">A &lt;field</span></p>' == found.markup
    assert 2 == found.n_image
    placed = prepare_for_page(
        html, title="", place_image=lambda url: "/i?1&2" if url.startswith("https:") else None
    )
    expected = '<p><img src="/i?1&amp;2" alt="A &lt;field" loading="lazy" width="3"></p>'
    assert expected == placed.markup


def test_page_has_no_styles_and_can_be_reached_by_keyboard() -> None:
    """Alignment becomes a class, scrollable elements get a tab stop, and links get noreferrer.

    Links without a host, of a page without an address, would lead into the app: they are none.
    """
    html = (
        '<table><tr><td style="text-align: right">1</td></tr></table><pre>x</pre>'
        '<a href="https://e.org/?a&amp;b">out</a><a href="#fn-1">in</a><input type="checkbox">'
        '<a href="/rules">1</a><a href="label">2</a><a href="?x">3</a><a href="//e.org/">4</a>'
    )
    expected = (
        '<div class="scroll" tabindex="0"><table><tr><td class="to-right">1</td></tr></table></div>'
        '<pre tabindex="0">x</pre><a href="https://e.org/?a&amp;b" rel="noreferrer">out</a>'
        '<a href="#fn-1">in</a><input type="checkbox" aria-label="to do">'
        '<a>1</a><a>2</a><a>3</a><a href="https://e.org/" rel="noreferrer">4</a>'
    )
    assert expected == prepare_for_page(html, title="").markup


@pytest.mark.parametrize("tag", ["div", "span", "blockquote"])
def test_deep_markup_is_no_trouble(tag: str) -> None:
    """Deep markup is handled, and escaped markup in text stays escaped."""
    text = '&lt;b style="text-align: left"&gt; &amp;amp; "x"'
    html = f"<{tag}>" * 20_000 + text + f"</{tag}>" * 20_000
    assert html == prepare_for_page(html, title="").markup


POST = (
    "<div class=comment><b class=author>{0}</b> <time datetime=2026-11-0{1}>then</time>"
    "<p>{0} says that the old rye stands in any <a href=/wind>wind</a>.</p>{2}</div>"
)


def written(html: str, method: MethodName = "keep_all") -> ThreadMarkup | None:
    """Write the posts of a page."""
    return write_posts(thresher.extract(html, method=method, url="https://mill.example/t"))


def test_posts_have_their_facts_and_their_own_text() -> None:
    """A post has author, date, depth and its own clean HTML, with links as those of the page."""
    reply = POST.format("Bo", 2, "")
    html = f"<h1>Rye</h1>{POST.format('Ada', 1, reply)}{POST.format('Cy', 3, '')}<p>End."
    found = written(html)
    assert found
    assert [("Ada", "2026-11-01", 0), ("Bo", "2026-11-02", 1), ("Cy", "2026-11-03", 0)] == [
        (post.author, post.iso, post.depth) for post in found.posts
    ]
    link = '<a href="https://mill.example/wind">wind</a>'
    assert f"<p>Ada says that the old rye stands in any {link}.</p>" == found.posts[0].html
    assert "<h1>Rye</h1>" == found.before.strip()
    assert "<p>End.</p>" == found.behind.strip()
    based = written(f"<base href=/old/><body>{html.replace('/wind', 'wind')}")
    assert based and 'href="https://mill.example/old/wind"' in based.posts[0].html


def test_deep_replies_are_shown_at_the_last_level() -> None:
    """The depth is bounded, so that a phone has room for the text."""
    html = ""
    for at in range(9, 0, -1):
        html = POST.format(f"Ada{at}", at, html)
    found = written(html)
    assert found and MAX_DEPTH == max(post.depth for post in found.posts)


def test_a_page_without_a_thread_has_no_posts() -> None:
    """Articles, single posts, and posts that were not kept are no threads."""
    assert written("<p>Rye is sown in autumn.</p>") is None
    assert written(f"<h1>Rye</h1>{POST.format('Ada', 1, '')}") is None
    posts = POST.format("Ada", 1, "") + POST.format("Bo", 2, "")
    document = thresher.extract(posts, method="keep_all")
    assert write_posts(document)
    dropped = thresher.document_of(~document.selection)
    assert write_posts(dropped) is None
