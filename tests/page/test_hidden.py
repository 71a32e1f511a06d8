"""Hidden rows are flagged with the reasons; what is hidden in a line is no leaf."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from thresher import extract
from thresher.page import Page
from thresher.page.attribute_places import find_attributes
from thresher.page.hidden import Hidden, flag_hidden
from thresher.page.parse import parse

NONE = Hidden(0)
VALUES = st.lists(
    st.sampled_from("display visibility content- backface- : none hidden collapse true".split())
    | st.sampled_from("opacity font-size clip rect(0 inset(50% left overflow height width".split())
    | st.sampled_from(
        ["position", "absolute", "0", "0.0", "-9999", "999", "1px", "padding", "anim"]
    )
    | st.sampled_from(["DISPLAY", "Hidden", "_", "-", ";", " ", "\t", "é", "&", "x", "1", "::"]),
    max_size=16,
).map("".join)
"""Values that nearly hide."""

CASES = [
    ("<p>x", NONE),
    ("<body><noscript>x</noscript>", Hidden.NOSCRIPT),
    ("<body><template>x</template>", Hidden.TEMPLATE),
    ("<video><p>x</video>", Hidden.FALLBACK),
    ("<audio>x</audio>", Hidden.FALLBACK),
    ("<object>x</object>", Hidden.FALLBACK),
    ("<canvas>x</canvas>", Hidden.FALLBACK),
    ("<p hidden>x", Hidden.ATTRIBUTE),
    ("<p hidden=until-found>x", Hidden.ATTRIBUTE),
    ("<p HIDDEN=''>x", Hidden.ATTRIBUTE),
    ("<p data-hidden>x", NONE),
    ("<p style='display:none'>x", Hidden.STYLE),
    ("<p style='color: red; DISPLAY : None !important'>x", Hidden.STYLE),
    ("<p style='visibility: hidden'>x", Hidden.STYLE),
    ("<p style='visibility:collapse'>x", Hidden.STYLE),
    ("<p style='content-visibility: hidden'>x", Hidden.STYLE),
    ("<p style='backface-visibility: hidden'>x", NONE),
    ("<p style='-webkit-backface-visibility:hidden'>x", NONE),
    ("<p style='--display:none'>x", NONE),
    ("<p style='display: block'>x", NONE),
    ("<p style='overflow: hidden'>x", NONE),
    ("<p title='display:none'>x", NONE),
    ("<p aria-hidden=true>x", Hidden.ARIA),
    ("<p aria-hidden=' TRUE '>x", Hidden.ARIA),
    ("<p aria-hidden=false>x", NONE),
    ("<p aria-hidden=nottrue>x", NONE),
    ("<p aria-hidden>x", NONE),
    ("<div hidden><b style='display:none'>x</b></div>", Hidden.ATTRIBUTE | Hidden.STYLE),
    ("<div hidden style='display:none' aria-hidden=true>x", Hidden(8 | 16 | 32)),
    ("<body><noscript><div hidden>x</div></noscript>", Hidden.NOSCRIPT | Hidden.ATTRIBUTE),
    ("<div hidden></div>x", NONE),
    ("<style media=print>.a{display:none}</style><p class=a>x", NONE),
    ("<style media='(min-width:9em)'>.a{display:none}</style><p class=a>x", Hidden.STYLE),
]


def hidden_at_x(page: Page) -> Hidden:
    """Return why the text x is hidden."""
    [leaf] = [leaf for leaf in range(page.leaves.size) if page.leaf_text(leaf) == "x"]
    return Hidden(int(page.hidden[page.leaves[leaf]]))


@pytest.mark.parametrize(("html", "expected"), CASES, ids=[html for html, _ in CASES])
def test_hidden_of_a_text(html: str, expected: Hidden) -> None:
    """A text is hidden by its ancestors, with all their reasons; it stays a leaf."""
    assert expected == hidden_at_x(parse(html))


@cases(__file__, "lines")
def test_what_is_hidden_in_a_line_is_no_leaf(html: str, expected: list[str]) -> None:
    """Hidden words of a line are left out; a hidden block stays one, a formula stays a leaf."""
    rest = "<p>Other text of the page, with more words than what is hidden.</p>"
    page = parse(f"{rest}<table><tr><td>{html}</table>" if "<td>" in html else f"{rest}<p>{html}")
    assert expected == page.leaf_texts(np.arange(1, page.leaves.size))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>Tides</b><i class=sr-only>: </i>Late", "Tides Late"),
        ("<b>W</b><i class=sr-only>W</i>hen", "When"),
        ("here<i class=sr-only>, in a new tab </i>.", "here."),
        ("in<i hidden>(x)</i>side", "inside"),
    ],
)
def test_words_for_screen_readers_part_what_their_space_parts(html: str, expected: str) -> None:
    """White space of unseen words is between the words around them, and before no sign.

    No space is written where hidden words stood between two letters.
    """
    page = parse(f"<p>The gauge is on the pier.</p><p>{html}")
    assert expected == page.block_text(1)


@pytest.mark.parametrize(
    ("html", "is_hidden"),
    [
        ("<h2 class='headline hidden'>x</h2>", True),
        ("<h2 class='hidden md:block'>x</h2>", False),
        ("<p>a <i class=tw-hidden>x</i></p>", True),
        ("<p>a <i class='tw-hidden lg:tw-block'>x</i></p>", False),
        ("<div class=hidden>x</div>", False),
        ("<p>a<span class=is_blind>x</span></p>", True),
        ("<p>a <span class=blinds>x</span></p>", False),
        ("<a href=/b>a<span class=tooltip-content>x</span></a>", True),
        ("<a href=/b>a<span class=tooltip>x</span></a>", False),
        ("<p>a <span class=method-click-advice>x</span>", True),
        ("<p>a.<span class=footnote_tooltip>x</span> b</p>", True),
        ("<p>a</p><span class=off-screen>x</span>", True),
        ("<p>a</p><span class='caption offscreen'>x</span>", True),
        ("<p>a<i class=HiddenText>x</i></p>", True),
        ("<p>a<i class=u-hidden-text>x</i></p>", True),
        ("<p>a <i class=off-screens>x</i></p>", False),
        ("<p>a <i class=material-icons>x</i></p>", True),
        ("<a href=/b><span class='material-symbols-outlined icon'>x</span> a</a>", True),
        ("<p>a <i class=material-iconset>x</i></p>", False),
        ("<div class=material-icons-loaded>The x is here.</div>", False),
        ("<p>a <span class=method-click-advices>x</span>", False),
    ],
)
def test_classes_that_hide(html: str, is_hidden: bool) -> None:
    """Those of frameworks within a line or of a heading, and of tooltips, in whole words."""
    document = extract(f"<p>The gauge is on the pier.</p>{html}", method="keep_all")
    assert is_hidden == ("x" not in document.text)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("<span><figcaption>The  mill</figcaption></span>", ["The mill"]),
        ("<figcaption>The miller</figcaption>", ["The mill", "The miller"]),
        ("</figure><figure><img src=/b><figcaption>The mill</figcaption>", ["The mill"] * 2),
    ],
)
def test_caption_for_another_width_of_window_is_written_once(
    second: str, expected: list[str]
) -> None:
    """Of captions with the same words in one figure, style sheets show one at a time."""
    figure = f"<figure><img src=/a><div><figcaption>The mill</figcaption></div>{second}</figure>"
    assert expected == extract(figure, method="keep_all").text.split("\n\n")


def test_names_of_icons_that_a_font_draws_are_signs_in_cells() -> None:
    """A cell that has only such a name says yes or no; other names are no words."""
    row = "<tr><td>{}<td><i class='material-icons md-18'>{}</i>"
    rows = [row.format(*pair) for pair in (("a", "check"), ("b", "close"), ("c", "anchor"))]
    document = extract(f"<table><tr><th>d<th>e{''.join(rows)}</table>", method="keep_all")
    assert ["| a | ✓ |", "| b | ✗ |", "| c |  |"] == document.markdown.split("\n")[2:]


def test_hidden_of_fallback_spares_the_element() -> None:
    """A video itself is shown; its children are only a fallback."""
    page = parse("<video><p>x</video>")
    video = page.leaves[0]
    assert (NONE, Hidden.FALLBACK) == (Hidden(page.hidden[video]), Hidden(page.hidden[video + 1]))


def test_hidden_ends_with_the_subtree() -> None:
    """Neighbours of a hidden element are not hidden."""
    page = parse("<p>a<p hidden>b<b>c</b><p>d")
    leaf_flags = page.hidden[page.leaves].tolist()
    assert [NONE, Hidden.ATTRIBUTE, Hidden.ATTRIBUTE, NONE] == leaf_flags


@given(st.lists(st.tuples(st.sampled_from(["style", "aria-hidden", "hidden", "id"]), VALUES)))
def test_attributes_hide_with_and_without_compiled_steps(attributes: list[tuple[str, str]]) -> None:
    """The compiled step reads colons, numpy searches for patterns; both give the same flags."""
    odd = '<p a"=1>x'  # a tag that numpy reads by itself: then columns have gaps in memory
    page = parse(odd + "".join(f"<p {name}='{value}'>x" for name, value in attributes))
    expected = flag_hidden.definition(page.attributes, len(page)).tolist()
    assert expected == flag_hidden(page.attributes, len(page)).tolist()
    strided = find_attributes.definition(page.buffer, page.tag, page.open_start, page.open_stop)
    assert expected == flag_hidden(strided, len(page)).tolist()
