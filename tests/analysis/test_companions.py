"""thresher.analysis.companions: captions, posts and players written beside the kept content."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.analysis import companions
from thresher.document import WriteOptions
from thresher.page.parse import parse
from thresher.roles import ROLES
from thresher.selection import KnownRoles

_TWEET = (
    '<blockquote class="twitter-tweet"><p>The tide is in.</p>— Ada (@ada)'
    ' <a href="https://x.com/ada/status/20">May 9, 2026</a></blockquote>'
)


def _write(inside: str, **options: bool) -> str:
    html = f'<p class="k">first</p>{inside}<p class="k">last</p><p>behind'
    return document_keeping(html, [".k"]).write("markdown", WriteOptions(**options))  # type: ignore[arg-type]


@cases(__file__, "companions")
def test_companion_is_written_when_its_neighbours_are_kept(inside: str, expected: str) -> None:
    """A caption must be written with its picture, a post and a player among what is kept."""
    assert expected in _write(inside)


@pytest.mark.parametrize(
    "inside",
    [
        '<figure><img src="/a.png"><figcaption>a dial</figcaption></figure>',
        f"<aside>{_TWEET}</aside>",
        _TWEET.replace("<blockquote", "<blockquote hidden"),
        '<iframe src="https://ads.example/frame"></iframe>',
        '<iframe class="k" src="https://www.facebook.com/plugins/like.php?href=x"></iframe>',
        "<blockquote>a quote</blockquote>",
    ],
)
def test_nothing_is_added_when_it_does_not_belong_to_what_is_kept(inside: str) -> None:
    """No caption without its picture, nothing hidden or aside, no advertisement or button."""
    assert "first\n\nlast" == _write(inside)


@pytest.mark.parametrize(
    ("behind", "is_shown"),
    [
        ('<div class="admonition seealso"><p>Mind</p><p><a href=/a>the tide.</a></div>', True),
        ('<p>by Ada</p><div class="admonition seealso">Mind the tide.</div>', False),
        ('<div class="alert alert-info">Mind the tide.</div>', False),
    ],
)
def test_note_directly_behind_the_text_is_shown(behind: str, is_shown: bool) -> None:
    """A manual's note may end a section; other messages there may be of the site."""
    html = f'<p class="k">It ebbs, and it flows.</p>{behind}<p>Next'
    assert is_shown == ("the tide." in document_keeping(html, [".k"]).write("markdown"))


@pytest.mark.parametrize(("n_word", "is_shown"), [(3, True), (90, False)])
def test_player_between_heading_and_text_is_shown(n_word: int, is_shown: bool) -> None:
    """A recording stands below the heading of its page; one before a long rest is another's."""
    html = (
        f"<h1>Tides</h1><audio src=/a.mp3></audio><p>{'tide ' * n_word}</p><p class=k>It ebbs.</p>"
    )
    assert is_shown == ("a.mp3" in document_keeping(html, [".k"]).write("markdown"))


@pytest.mark.parametrize(
    ("name", "between", "is_shown"),
    [
        ("caption k", "", True),
        ("img-caption k", "", True),
        ("caption", "", False),
        ("captions-on k", "", False),
        ("caption k", "<p>Share</p>", False),
    ],
)
def test_picture_directly_above_a_kept_caption_is_shown(
    name: str, between: str, is_shown: bool
) -> None:
    """A kept caption without a figure has its picture, with nothing between the two."""
    shown = _write(f'<img src="/a.png" alt="dial">{between}<p class="{name}">a dial</p>')
    assert is_shown == ("![dial]" in shown)


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        ('<div><img class="k" src="/a.png"><div>a dial</div></div>', True),
        ('<div><img class="k" src="/a.png"><div>by Ada</div><div>a dial</div></div>', True),
        ('<div><img src="/a.png"><div>a dial</div></div>', False),
        ('<div><img class="k" src="/a.png"><h3>a dial</h3></div>', False),
        ('<div><img class="k" src="/a.png"><h3>a dial</h3><p>a dial</div>', True),
        ('<div><img class="k" src="/a.png"><div><a href="/b">a dial</a></div></div>', False),
        ('<div><img class="k" src="/a.png"></div><p>b<p>c<p>d<div>a dial</div>', False),
    ],
    ids=["behind", "by a credit", "of a dropped picture", "heading", "number", "link", "far"],
)
def test_what_is_a_caption_by_its_role_is_shown_with_its_picture(html: str, is_shown: bool) -> None:
    """A line behind a kept picture needs no class to be its caption if a network says so."""
    document = document_keeping(f'<p class="k">first</p>{html}<p class="k">last</p>', [".k"])
    page = document.page
    codes = np.array(
        [ROLES.index("caption" if text == "a dial" else "other") for text in page.block_texts()],
        np.int8,
    )
    selection = replace(document.selection, predict_roles=KnownRoles(codes))
    assert is_shown == ("a dial" in replace(document, selection=selection).markdown)


@pytest.mark.parametrize(
    ("picture", "is_shown"),
    [
        ("<p><img src=/dial.jpg></p>", True),
        ("<p><a href=/large/dial.jpg><img src=/dial.jpg></a></p>", True),
        ("<p><a href=/author/ada><img src=/dial.jpg></a></p>", False),
        ("<aside><p><img src=/dial.jpg></p></aside>", False),
        ("<p>A dial <img src=/dial.jpg></p>", True),
    ],
)
def test_picture_below_the_heading_is_shown(picture: str, is_shown: bool) -> None:
    """A picture by its role is the page's; one with a link leads to who wrote the text."""
    document = document_keeping(f"<h1>Tides</h1>{picture}<p class=k>It ebbs.", [".k"])
    codes = np.full(len(document.page.blocks), ROLES.index("caption"), np.int8)
    selection = replace(document.selection, predict_roles=KnownRoles(codes))
    assert is_shown == ("/dial.jpg)" in replace(document, selection=selection).markdown)


FAR = f"<h1>Millwright</h1><p class=k>{'It flows. ' * 120}"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h1>Millwright</h1><h2>1. Tides</h2>", ["# Millwright", "## 1. Tides"]),
        ("<h1>1. Tides</h1>", ["# 1. Tides"]),
        ("<h1>1. Tides</h1><p class=k>It flows.<h1>2. Ebb</h1>", ["# Millwright", "# 2. Ebb"]),
        ("<h1>Millwright</h1><h2>1. Tides</h2><p>A list.", ["# Millwright"]),
        ("<h1>Millwright</h1><h2>The millwright</h2>", ["# Millwright"]),
        (f"{FAR}<h2>The millwright</h2>", ["# Millwright", "## The millwright"]),
        (f"{FAR}<h2>The millwright</h2><p>by Ada", ["# Millwright", "## The millwright"]),
        (f"{FAR}<h2>The millwright</h2>{'<p>A list.' * 20}", ["# Millwright"]),
    ],
    ids=[
        *("section", "the only one", "one of several", "of what is dropped", "title once more"),
        *("card", "card by somebody", "far from kept words"),
    ],
)
def test_heading_taken_for_the_title_is_shown(html: str, written: list[str]) -> None:
    """What a network takes for the title may be the heading of the first section, or the headline.

    It begins a kept text, and says something else than the title.
    """
    title = "<title>Millwright</title>"
    document = document_keeping(f"{title}{html}<p class=k>It ebbs.", [".k"])
    is_heading = [text.isalpha() or text[0] in "12T" for text in document.page.block_texts()]
    codes = np.where(is_heading, ROLES.index("title"), ROLES.index("body")).astype(np.int8)
    selection = replace(document.selection, predict_roles=KnownRoles(codes))
    lines = replace(document, selection=selection).markdown.split("\n\n")
    assert written == [line for line in lines if line[0] == "#"]


def test_text_and_selection_are_the_same_when_there_are_companions() -> None:
    """Formats without pictures must have what was selected, and so must the document."""
    document = document_keeping(f'<p class="k">first</p>{_TWEET}<p class="k">last</p>', [".k"])
    before = document.selection.keep.tolist()
    assert "Ada" in document.markdown
    assert "first\n\nlast" == document.text
    assert before == document.selection.keep.tolist()


def test_caption_stays_out_when_pictures_are_not_wanted() -> None:
    """Without pictures there is nothing that captions belong to."""
    inside = '<figure><img class="k" src="/a.png"><figcaption>a dial</figcaption></figure>'
    assert "first\n\nlast" == _write(inside, images=False)


_FIGURE = '<figure><img src="/a.png"><figcaption>a dial</figcaption></figure>'
_STORY = (
    '<p class="k">The tide comes in twice a day, and twice a day it leaves the harbour dry.</p>'
)


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        (f"<article>{_STORY}<div>{_FIGURE}</div>{_STORY}</article>", True),
        (f"<article>{_FIGURE}{_STORY}</article>", True),
        (f"<article>{_STORY}<div><p>Read on</p>{_FIGURE}</div></article>", False),
        (f"<article>{_STORY}<aside>{_FIGURE}</aside></article>", False),
        (f"<article>{_STORY}{_FIGURE.replace('a dial', 'a dial ' * 60)}</article>", False),
        (f"<article>{_STORY}<figure><svg></svg></figure></article>", False),
    ],
)
def test_illustration_of_kept_text_is_shown(html: str, is_shown: bool) -> None:
    """A figure is written, with its caption, where most words around it are kept."""
    written = document_keeping(html, [".k"]).write("markdown")
    assert is_shown == ("/a.png)" in written)
    assert is_shown == ("a dial" in written)


@pytest.mark.parametrize(
    ("said", "is_shown"), [("Ada Bell, pilot", True), ("Related: " + "tides " * 20, False)]
)
def test_attribution_of_a_kept_quote_is_shown(said: str, is_shown: bool) -> None:
    """The short rest of a quote of which most is kept is written with it."""
    html = f"<blockquote>{_STORY}<p>{said}</p></blockquote>"
    assert is_shown == (said[:7] in document_keeping(html, [".k"]).write("markdown"))


@pytest.mark.parametrize(("tag", "is_shown"), [("aside", True), ("div", False)])
def test_attribution_beside_a_quote_in_an_aside_is_shown(tag: str, is_shown: bool) -> None:
    """Forums name who is quoted in an aside around the quote."""
    html = f"<{tag}><div>Ada wrote:</div><blockquote>{_STORY}</blockquote></{tag}>"
    assert is_shown == ("Ada wrote:" in document_keeping(html, [".k"]).write("markdown"))


@pytest.mark.parametrize(("tag", "is_shown"), [("footer", True), ("cite", True), ("p", False)])
def test_attribution_in_an_element_for_it_is_shown(tag: str, is_shown: bool) -> None:
    """A quote may be shorter than the name of who said it."""
    html = (
        f"<blockquote><p class=k>It ebbs.</p><{tag}>Ada Bell, pilot of Orrin</{tag}></blockquote>"
    )
    assert is_shown == ("Ada" in document_keeping(html, [".k"]).write("markdown"))


_REFERENCE = '<p class="k">first<sup><a href="#n">1</a></sup></p>'


@cases(__file__, "notes")
def test_note_is_written_when_a_reference_to_it_is(html: str, expected: str) -> None:
    """A dropped footnote is written if the text, or a caption beside it, refers to it."""
    assert expected == document_keeping(html, [".k"]).markdown


@pytest.mark.parametrize(
    "inside",
    ["<h2 id=n>Part</h2>", "<div id=n>" + 201 * "word " + "</div>", "<p id=n hidden>Box 4."],
)
def test_no_part_of_the_page_is_a_note_for_a_number(inside: str) -> None:
    """Headings, long and hidden texts are not added for a link to them."""
    assert "[^1]" not in document_keeping(f"{_REFERENCE}{inside}", [".k"]).markdown


def test_the_clock_is_looked_at_between_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may have a million that could be embedded posts."""
    looks: list[None] = []
    page = parse("<blockquote>w</blockquote>" * 2000)
    monkeypatch.setattr("thresher.deadline.check_deadline", lambda: looks.append(None))
    companions._flag_embeds(page, 0, len(page) - 1)
    assert len(looks) >= 4
