"""The headline of a page, elements near it, and unrelated parts."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parts import find_parts_in
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.titles import words_of
from thresher.analysis.metadata.visible import _AUTHOR_PARTS, _AUTHOR_PATH, VisibleEvidence
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF


def show(html: str) -> VisibleEvidence:
    return VisibleEvidence(parse(html))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>Rye</h1>", "Rye"),
        ("<h1><a>Rye</a> <b>is</b> back</h1>", "Rye is back"),
        ("<title>Rye is back</title><h1>Sheaf</h1><h1>Rye is back</h1>", "Rye is back"),
        ("<h1>Sheaf</h1><h1>Rye</h1>", "Sheaf"),
        ("<title>Notes</title><p class=MsoTitle>Rye</p><h1>1. Sheaf</h1>", "Rye"),
        ("<h1> </h1><h1>Rye</h1>", "Rye"),
        ("<h1 hidden>Sheaf</h1><h1>Rye</h1>", "Rye"),
        ("<template><h1>Sheaf</h1></template><h1>Rye</h1>", "Rye"),
        ("<h1><img src=a></h1>", None),
        ("<title>Rye is back</title><h2>Rye is back</h2>", None),
        ("", None),
    ],
)
def test_headline(html: str, expected: str | None) -> None:
    """The h1 that the title names, else the first that shows anything."""
    assert expected == show(html).headline.text


def test_headings_when_the_title_names_a_lesser_one_has_it() -> None:
    """An h2 or h3 counts if the title contains it."""
    html = "<title>Rye is back | Sheaf</title><h2>Oats are out</h2><h2>Rye is back</h2>"
    assert ("Rye is back",) == show(html).headline.headings


def test_near_when_marks_are_around_sorts_by_distance_behind_first() -> None:
    """Marks behind the headline come first, nearest first; those elsewhere never."""
    html = """<p class=author>before</p><h1>Rye</h1><p class=author>next</p><p class=author>later
      <nav><p class=author>nav</p></nav><footer><p class=author>foot</p></footer>
      <div class="related-stories"><p class=author>related</p></div>"""
    visible = show(html)
    rows = visible.near(visible.bylines)
    assert ["next", "later", "before"] == [visible.short_text(row).split()[0] for row in rows]


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Old Mill: Rye is back", "<h1>Old Mill</h1><article><h2>Rye is back</h2></article>", "h2"),
        ("Rye is back : old mill", "<h1>Old Mill</h1><h3>Rye is back</h3>", "h3"),
        ("Old Mill: Rye is back", "<article><h1>Old Mill</h1><h2>Rye is back</h2></article>", "h1"),
        ("Old Mill: Rye is back", "<h1>Old Mill</h1><h2>Rye</h2>", "h1"),
    ],
    ids=["name before", "name behind", "in the article", "other heading"],
)
def test_headline_when_the_name_of_the_blog_is_the_h1(title: str, body: str, expected: str) -> None:
    """The heading that makes up the title with an h1 outside the article is the headline."""
    visible = show(f"<title>{title}</title>{body}")
    assert expected == visible.page.name(visible.headline.row)


def test_near_when_the_headline_is_inside_such_a_part_counts_all_the_same() -> None:
    """A class like `sidebar-layout` around the whole page does not hide it."""
    visible = show("<body class=sidebar><footer></footer><h1>Rye</h1><p class=author>Ada")
    assert 1 == len(visible.near(visible.bylines))


def test_near_when_a_footer_is_an_article_s_own_counts() -> None:
    """An article's own footer is about the article."""
    visible = show("<article><h1>Rye</h1><footer><p class=author>Ada</footer></article>")
    assert 1 == len(visible.near(visible.bylines))


def test_lines_near_headline_when_the_page_is_long_are_the_short_ones_around() -> None:
    """Short blocks around the headline are read, paragraphs and what is far away are not."""
    html = f"<p>before<h1>Rye</h1><p>By Ada<p>{'long ' * 100}<p>May 3" + "<hr>x" * 50
    lines = list(show(html).lines_near_headline)
    assert ["Rye", "By Ada", "May 3"] == lines[:3]
    assert "before" == lines[-1]
    assert 20 > len(lines)


def test_lines_near_headline_when_there_is_none_are_none() -> None:
    """Without a headline there is no place beside it."""
    assert [] == list(show("<p>By Ada").lines_near_headline)


def test_words_of_when_inline_elements_touch_keeps_words_apart() -> None:
    """Words of different elements must stay separate, and the separator must join blocks."""
    visible = show("<section><span>By</span><a>Ada</a>, <a>Tom</a><div>Farming</div></section>")
    row = visible.page.tag.tolist().index(CODE_OF["section"])
    assert "By Ada, Tom|Farming" == words_of(visible.page, row, "|")


def test_author_links_are_links_whose_address_says_so() -> None:
    """Only an <a> whose address is that of one author's page may count as an author link."""
    html = "<a href='/Author/ada'>Ada</a><a href='/authors/'>All</a><link href='/author/ada'>"
    visible = show(html)
    assert ["Ada"] == [visible.short_text(row) for row in visible.author_links.tolist()]


@given(st.from_regex(re.compile(_AUTHOR_PATH.pattern)))
def test_addresses_of_authors_have_a_part_to_look_for(address: bytes) -> None:
    """Whatever matches contains one of the parts."""
    assert find_parts_in([address], _AUTHOR_PARTS)[0]


def test_tag_links_when_there_are_some_are_in_order() -> None:
    """Links with rel=tag give their texts in the page's order."""
    visible = show("<a rel=tag>rye</a><h1>Rye</h1><a rel='tag nofollow'>oats</a><a rel=x>no</a>")
    assert ["rye", "oats"] == visible.tag_links()


def test_body_text_when_the_page_is_long_stops() -> None:
    """Only as many leaves are read as requested."""
    assert "aaaa bbbb" == show("<p>aaaa<p>bbbb<p>cccc").body_text(8)


def test_marked_elements_when_names_differ_in_case_and_contain_each_other() -> None:
    """Classes and ids are compared in lower case, each as a whole."""
    html = (
        "<p id=Author>a<p class=authority>b<p class='big BYLINE'>c<p class=big>d<p class=byline>e"
    )
    visible = show(html)
    texts = [visible.page.text_of(row) for row in visible.bylines.tolist()]
    assert texts == ["a", "c", "e"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Rye is back", True),
        ("<b>«Rye</b> is BACK!»", True),
        ("_ Rye_is_back", True),
        ("&amp;laquo;Rye is back", True),
        ("&lt;i&gt;Rye&lt;/i&gt; is back", True),
        ("<img alt=R src=a> Rye is back", True),
        ("\u115fRye is back", False),
        ("Rye is back again", False),
        ("Oats are back", False),
        ("Rye", False),
    ],
)
def test_line_is_recognised_by_letters_and_digits(line: str, expected: bool) -> None:
    """A short block is found whatever signs, markup and references stand around its letters."""
    html = f"<h1>Sheaf</h1><p>{line}</p><nav><p>Menu</p></nav>"
    assert expected == show(html).shows_line("ryeisback")


@given(st.text("Rr _&<>;ßſ­\u115f1.", max_size=6))
def test_lines_are_found_as_their_texts_say(text: str) -> None:
    """A block is found by its key, and by no other."""
    evidence = show(f"<h1>Sheaf</h1><p>{escape(escape(text))}</p>")
    key = key_of(plain_text(evidence.page.block_text(len(evidence.page.blocks) - 1)))
    assert not key or evidence.shows_line(key)
    assert not evidence.shows_line(key + "x")
