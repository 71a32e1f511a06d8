"""Controls in a sentence continue it; elsewhere they are blocks of their own."""

from __future__ import annotations

import pytest

from thresher import extract
from thresher.page.parse import parse


def texts_of(html: str) -> list[str]:
    """Return the texts of a page's blocks."""
    return list(parse(html).block_texts())


@pytest.mark.parametrize(
    "control",
    [
        "<button type=button>ebb</button>",
        "<gloss-term><button><span>ebb</span></button></gloss-term>",
        "<select><option>ebb</select>",
        "<select><option>flood<optgroup><option selected>ebb</optgroup></select>",
        "<noscript>ebb</noscript>",
    ],
)
def test_control_in_a_sentence_continues_it(control: str) -> None:
    """Its shown word is in the sentence, whatever stands behind it."""
    assert ["A tide, or ebb, is late."] == texts_of(f"<p>A tide, or {control}, is late.")
    assert ["Seen at ebb."] == texts_of(f"<p><i>Seen at</i> {control}.</p>")


def test_control_between_pictures_of_a_sentence_continues_it() -> None:
    """A picture between word and control parts them as little as it parts words."""
    html = "<p>See <img src=a> <button>ebb</button> <img src=b> there</p>"
    assert ["See ebb there"] == texts_of(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div>Share: <button>a</button><button>b</button></div>",
        "<div><button>a</button> Listen to it</div>",
        "<header><a href=/>Home</a><button>a</button><a href=/b>more</a></header>",
        "<h2>Title <button>a</button></h2>",
        "<div>1 <button>a</button> | <button>b</button> | 2</div>",
        "<div><p>Text</p><button>a</button> more</div>",
        "<div>Text<br><button>a</button><br>more</div>",
        "<div><span>Text</span><button><div>a</div></button>more</div>",
        "<table><tr><td>Text</td><td><button>a</button></td><td>more</td></table>",
    ],
)
def test_control_that_is_in_no_sentence_is_a_block(html: str) -> None:
    """Bars of buttons, buttons beside a heading, in a cell, or on a line of their own."""
    assert "a" in texts_of(html)


def test_template_in_a_sentence_is_nothing() -> None:
    """Neither its text nor its edges are there; one with markup is no other."""
    assert ["Then it turned."] == texts_of("<p>Then <template>x</template>it turned.</p>")
    assert ["Thenit"] == texts_of("<p>Then<template><p>x</p></template>it</p>")


def test_title_of_a_drawing_does_not_link_its_paragraph() -> None:
    """A link with a titled icon is a link among words."""
    html = "<p>So <a href=/k><svg><title>Chain</title></svg>linked</a> and <svg><desc>x</svg> end."
    page = extract(html, url="https://a.example/", method="keep_all")
    assert "So [linked](https://a.example/k) and end." == page.markdown.strip()


def test_names_and_places_stay_those_of_the_markup() -> None:
    """Paths count a button in a sentence as the button that it is."""
    page = parse("<p>a <button>b</button>, c</p><p><button>d</button>e <button>f</button>, g</p>")
    rows = [row for row in range(len(page)) if page.name(row) == "button"]
    assert [1, 1, 2] == [int(page.nth_of_type[row]) for row in rows]
