"""Hidden text that is read all the same: shown by a control, or words in a sentence."""

from __future__ import annotations

import pytest

from thresher import extract
from thresher.page.hidden import Hidden
from thresher.page.parse import parse

_TEXT = "<p>" + "This is the text of a page, which has many words more than that. " * 3
REST = "x one two three four five six seven eight"


def is_unseen(html: str, *, alone: bool = False) -> bool:
    """Return whether the first text that begins with x is unseen, after other text or alone."""
    page = parse(html if alone else f"{_TEXT}</p>{html}")
    row = next(row for row in range(len(page)) if not page.tag[row] and page.text_of(row)[0] == "x")
    return bool(page.hidden[row] & Hidden.UNSEEN)


@pytest.mark.parametrize(
    "html",
    [
        "<button aria-controls=i>Q</button><i>-</i><div id=i hidden>x</div>",
        "<ul><li><a href=#i>Tab</a></ul><div id=i style=display:none>x</div>",
        "<div><h3 onclick=f()>Q</h3><div hidden>x</div></div>",
        "<div><div @click=f><h3>Q</h3></div><ul style=display:none><li>x</ul></div>",
        "<div><div hidden>x</div> <a href=#>Read more</a></div>",
        "<div><h3 role=button>Q</h3><div hidden>x</div></div><p role=note>y",
        "<dl><dt>Q<dd hidden>x</dl>",
        "<div class=accordion><div hidden>x</div></div>",
        "<div class=reply>a</div><div class='reply late' hidden>x</div>",
        f"<p>Text <span style=display:none>{REST}</span><button>more</button>",
        "<div><template shadowrootmode=open><p>x</p></template></div>",
        f"<p>Text … <span style=display:none>{REST}</span>",
        "<ruby>y<rt style=display:none>x</rt></ruby>",
    ],
)
def test_what_a_control_shows_is_not_unseen(html: str) -> None:
    """Panels, answers, further replies and the rest of a text are shown on demand."""
    assert not is_unseen(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div hidden>x</div>",
        "<h2>Title</h2><div style=display:none>x</div>",
        "<p>a<p hidden>x",
        "<template>x</template>",
        "<dialog>x</dialog>",
        "<div class=note> x</div><div class=note style=visibility:hidden>x</div>",
        "<a href=#>y</a><span style=display:none>x</span>",
        "<style>.a{display:none}</style><p class=a>x",
        "<p style=font-size:0>x",
        "<p style=opacity:0;font-size:1px>x",
        "<p>Text … <span style=display:none>x</span>",
        "<dialog><button>Close</button></dialog><p style=display:none>x",
        "<style>main .a{display:none}</style><main><p class=a>x</main>",
        "<style>.a{display:none} .b:hover .a{display:block}</style><p class=b>y <b class=a>x</b>",
        "<h2 aria-hidden=true>x</h2><h2>x</h2>",
        "<noscript>x: turn on JavaScript</noscript>",
    ],
)
def test_what_nothing_shows_is_unseen(html: str) -> None:
    """Hidden text without a control is for nobody who looks at the page."""
    assert is_unseen(html)


@pytest.mark.parametrize(
    "html",
    [
        "<dialog open>x</dialog>",
        "<p aria-hidden=true>x",
        "<style>main .a{display:none}</style><p class=a>x",
        "<div style=font-size:0><div style=font-size:1em>x</div></div>",
        "<body style=visibility:hidden>x",
        "<noscript>x</noscript>",
    ],
)
def test_what_is_shown_is_not_unseen(html: str) -> None:
    """An open dialog, words without a copy, and what is most of the page are seen."""
    assert not is_unseen(html, alone=True)


TEXT = "<p>The council met on Tuesday evening to decide about the old net store by the quay."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("the letter<b class=sr-only> of (1911)</b> and", "the letter of (1911) and"),
        ("the letter<b class=sr-only> (by mail)</b> and", "the letter and"),
        ("the <a href=/>letter<b class=sr-only> (PDF)</b></a> and", "the letter (PDF) and"),
        ("the <b class=visually-hidden>current </b>fee", "the current fee"),
        ("the letter<b class=sr-only>(opens)</b> and", "the letter and"),
        ("is <b class=visuallyHidden>Price: </b>12 crowns", "is 12 crowns"),
        ("a<b class=sr-only> tab</b> b<b class=sr-only> tab</b> c", "a b c"),
        ("15<b class=sr-only> minutes</b> <i aria-hidden=true>minutes</i> on", "15 minutes on"),
        ("<i aria-hidden=true>W</i><b class=sr-only>W</b>hen it", "When it"),
        ("4 <i aria-hidden=true>(193)</i> <b class=tw-sr-only>193 votes</b> of", "4 (193) of"),
        ("4 <i aria-hidden=true>•</i> <b class=tw-sr-only>193 votes</b> of", "4 • 193 votes of"),
        (
            "4 <svg aria-hidden=true><title>a</title></svg> <b class=sr-only>votes</b> on",
            "4 votes on",
        ),
        ("the <b class=ada-hidden>Term:</b> letter", "the letter"),
        ("the letter<b class=accessibility-text>(x)</b> and", "the letter and"),
        ("the letter<b class=accessibility>(x)</b> and", "the letter(x) and"),
        ("the letter<b class=not-sr-only>(x)</b> and", "the letter(x) and"),
        ("the letter<b class=usa-sr-only>(x)</b> and", "the letter and"),
        ("the letter<b class=MuiVisuallyHidden>(x)</b> and", "the letter and"),
        ("the letter<b class=element-invisible>(x)</b> and", "the letter and"),
        ("a <a href=/ target=_blank>letter<b class=sr-only> opens</b></a> c", "a letter c"),
    ],
)
def test_words_for_screen_readers_are_written_where_they_belong(html: str, expected: str) -> None:
    """Words of the sentence are written; labels, twins and what is said of links are not."""
    assert expected == extract(f"{TEXT}<p>{html}", method="keep_all").text.split("\n\n")[1]
