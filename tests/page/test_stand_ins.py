"""Scripts of a page put other markup in the place of what the page has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import extract
from thresher.page.parse import parse


def text_of(html: str) -> str:
    """Return all text of a page in one line."""
    return " ".join(extract(html, method="keep_all").text.split())


def code(address: str, key: int = 103) -> str:
    """Encode an address as Cloudflare does."""
    return bytes([key, *(byte ^ key for byte in address.encode())]).hex()


HIDDEN = "[email&#160;protected]"


def test_streamed_parts_are_in_their_place() -> None:
    """Also one inside another; without a place, or before it, a part stays hidden where it is."""
    place, part = '<p>a<p><template id="B:{0}"></template>', '<div hidden id="S:{0}"><p>{1}</div>'
    first = part.format(0, f"b{place.format(1)}")
    page = f"{place.format(0)}<p>c</p>{first}{part.format(1, 'd')}{part.format(2, 'e')}"
    assert "a b a d c" == text_of(f"<body>{page}")
    early = part.format(0, "b") + place.format(0)
    assert "b" not in text_of(f"<body><p>c is here.</p>{early}")


def test_parts_that_name_each_other_end() -> None:
    """A place within its own part is none."""
    part = '<div hidden id="S:0"><p>b</p><template id="B:0"></template></div>'
    assert "The tide is low." == text_of(f"<body><p>The tide is low.</p>{part}")


@pytest.mark.parametrize("tag", ["span", "a href=/cdn-cgi/l/email-protection"])
def test_hidden_addresses_are_shown(tag: str) -> None:
    """A link leads to the address, too."""
    element = f'<{tag} data-cfemail="{code("ann@mill.example")}">{HIDDEN}</{tag.partition(" ")[0]}>'
    document = extract(f"<p>Write to {element}, please.</p>", method="keep_all")
    assert "Write to ann@mill.example, please." == document.text.strip()
    assert ("(mailto:ann@mill.example)" in document.markdown) == tag.startswith("a")


def test_hidden_links_lead_to_their_addresses() -> None:
    """A link that says something else keeps its words; a code that is none changes nothing."""
    link = '<a class=b href="/cdn-cgi/l/email-protection#{}">us</a>'
    address, none = (link.format(value) for value in (code("ann@mill.example"), "a4c5"))
    page = f"<p>Write to {address}, or {none}, please.</p>"
    document = extract(page, method="keep_all", url="https://a.example/")
    assert "Write to [us](mailto:ann@mill.example), or [us](https://a.ex" in document.markdown


@pytest.mark.parametrize("value", ["", "67", "zz" * 9, code("no address"), code("a@b\n.example")])
def test_what_is_no_address_stays(value: str) -> None:
    """Bytes that are none in UTF-8, without an at sign, or with control characters."""
    page = f'<p>Write to <span data-cfemail="{value}">{HIDDEN}</span>, please.</p>'
    assert "Write to [email protected], please." == text_of(page)


@given(st.binary(min_size=4, max_size=40))
def test_any_code_is_no_harm(data: bytes) -> None:
    """A page with any code is read, and markup in an address is none."""
    page = f'<p>a <span data-cfemail="{data.hex()}">b</span> c</p>'
    assert len(parse(page.replace("cfemail", "email"))) == len(parse(page))


YOUTUBE = "https://www.youtube.com/watch?v=abcdefghi-k"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<lite-youtube videoid=abcdefghi-k></lite-youtube>", f"<{YOUTUBE}>"),
        (
            "<lite-youtube videoid=abcdefghi-k title='A &lt;mill>'><a href=/x>x</a></lite-youtube>",
            f"[A &lt;mill>]({YOUTUBE})",
        ),
        ("<div class=youtube-player data-id=abcdefghi-k></div>", f"<{YOUTUBE}>"),
        ("<div class='youtube lazy' data-video-id=abcdefghi-k>x</div>", f"<{YOUTUBE}>"),
        ("<lite-vimeo videoid=12345678></lite-vimeo>", "<https://vimeo.com/12345678>"),
        ("<lite-youtube videoid='abc\"&amp;>'>x</lite-youtube>", "x"),
        ("<div data-video-id=abcdefghi-k>x</div>", "x"),
        (
            "<div class=youtube data-video-id=abcdefghi-k><iframe src=https://youtu.be/x></iframe></div>",
            "<https://youtu.be/x>",
        ),
    ],
)
def test_player_is_shown_that_a_click_would_load(html: str, expected: str) -> None:
    """It is a link to the video; what has a player already, or names no video, stays."""
    markdown = extract(f"<p>The tide is low.</p>{html}", method="keep_all").markdown
    assert ["The tide is low.", expected] == markdown.split("\n\n")
