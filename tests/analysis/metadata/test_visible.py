"""The headline of a page, elements near it, bylines and dates, and unrelated parts."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.parts import find_parts_in
from thresher.analysis.metadata.headline import join_words
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.shown_facts import (
    find_datelines,
    find_dates_in,
    find_item_dates,
    find_likely_bylines,
    find_marked_bylines,
    find_near_times,
    find_script_dates,
    find_signed_lines,
    find_times,
)
from thresher.analysis.metadata.visible import (
    _AUTHOR_PARTS,
    _AUTHOR_PATH,
    BYLINES,
    DATELINES,
    PARTS,
    UNRELATED,
    NameMarks,
    VisibleEvidence,
)
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF


@pytest.mark.parametrize("marks", [BYLINES, DATELINES, UNRELATED], ids=["by", "date", "other"])
@given(data=st.data())
def test_names_that_match_have_a_part_to_look_for(marks: NameMarks, data: st.DataObject) -> None:
    """Whatever matches a pattern of names contains one of its parts."""
    name = data.draw(st.from_regex(marks.pattern))
    assert find_parts_in([name], PARTS)[0] & marks.parts


def test_parts_that_mark_match_wherever_they_occur() -> None:
    """So names with them need not be matched."""
    marking = [part for part in PARTS.texts if PARTS.bits(part) & UNRELATED.marking]
    assert b"comment" in marking
    for part in marking:
        assert UNRELATED.pattern.search(b"x" + part + b"x")
    assert not (BYLINES.marking or DATELINES.marking)


def show(html: str) -> VisibleEvidence:
    return VisibleEvidence(parse(html))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1><a>Rye</a> <b>is</b> back</h1>", "Rye is back"),
        ("<title>Rye is back</title><h1>Sheaf</h1><h1>Rye is back</h1>", "Rye is back"),
        ("<h1>Sheaf</h1><h1>Rye</h1>", "Sheaf"),
        ("<title>Notes</title><p class=MsoTitle>Rye</p><h1>1. Sheaf</h1>", "Rye"),
        ("<h1> </h1><h1>Rye</h1>", "Rye"),
        ("<h1 hidden>Sheaf</h1><h1>Rye</h1>", "Rye"),
        ("<template><h1>Sheaf</h1></template><h1>Rye</h1>", "Rye"),
        ("<h1><img src=a></h1>", None),
        ("<title>Rye is back</title><h2>Rye is back</h2>", None),
        (
            "<title>Old rye? - Mills</title><h1><a>Mills</a> <a>Grain</a> Old rye?</h1>",
            "Old rye?",
        ),
        (
            "<title>Mills</title><h1><a>Mills</a> and <a>grain</a> of old</h1>",
            "Mills and grain of old",
        ),
        ("", None),
    ],
)
def test_headline(html: str, expected: str | None) -> None:
    """The h1 that the title names, else the first that shows anything."""
    assert expected == show(html).headline.text


def test_headline_by_its_role() -> None:
    """Without an h1, an element that says to be a heading of the first level is the headline."""
    heading = '<div role="heading" aria-level="{}">Rye</div>'
    for level, expected in ((1, "Rye"), (2, None)):
        assert expected == show(heading.format(level)).headline.text
    page = f"{heading.format(1)}<h1>Oats</h1><p aria-level=1>a</p>"
    assert "Oats" == show(page).headline.text


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


@cases(__file__, "names")
def test_headline_when_the_name_of_the_blog_is_the_h1(title: str, body: str, expected: str) -> None:
    """The heading that makes up the title with an h1 outside the article is the headline."""
    visible = show(f"<title>{title}</title>{body}")
    assert expected == visible.page.name(visible.headline.row)


def test_kind_of_a_thread_is_no_part_of_its_title() -> None:
    """XenForo puts it into the heading; elsewhere a label may be a word of the title."""
    label = "<span class=label>Question</span><span class=label-append>&nbsp;</span>"
    assert "Which rye?" == show(f"<h1 class=p-title-value>{label}Which rye?").headline.text
    assert "Question Which rye?" == show(f"<h1>{label}Which rye?").headline.text


SPOKEN = "<h1 class=sr-only>mill/rye</h1>"
MANUAL = "<h1>The manual of the mill</h1>"


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Rye / Oats — The manual of the mill", f"{MANUAL}<h1>Rye / Oats</h1>", "Rye / Oats"),
        ("Rye | The manual of the mill", f"{MANUAL}<h2>Rye</h2>", "Rye"),
        ("Rye | The manual of the mill", f"{MANUAL}<h4>Rye</h4>", "Rye"),
        ("6. Milling rye", f"{MANUAL}<h2>Chapter 6 - Milling rye</h2>", "Chapter 6 - Milling rye"),
        ("Milling rye (The mill)", f"{MANUAL}<h2>4.2 Milling rye</h2>", "4.2 Milling rye"),
        ("6. Milling rye", f"{MANUAL}<h2>Milling</h2>", "The manual of the mill"),
        ("In rye - Rye", "<nav><h2>In rye</h2></nav><h1>Milling</h1>", "Milling"),
        ("Rye", f"{SPOKEN}<article><h1>How to mill</h1></article>", "How to mill"),
        ("Rye", f"{SPOKEN}<h1>How to mill</h1>", "How to mill"),
        ("Mill/rye - Mills", f"{SPOKEN}<h1>How to mill</h1>", "mill/rye"),
        ("Old mill - Rye", "<main><h1>Rye</h1></main><aside><h2>Old mill</h2></aside>", "Rye"),
        ("Moving mills [The manual of the mill]", f"{MANUAL}<h1>How to move</h1>", "How to move"),
        ("Rye", f"{MANUAL}<h2>Old rye</h2>", "The manual of the mill"),
    ],
    ids=[
        "second h1",
        "h2",
        "h4",
        "number",
        "behind a number",
        "part",
        "menu",
        "unseen h1",
        "unseen h1 before another",
        "unseen h1 in the title",
        "site named in an aside",
        "wiki",
        "short title",
    ],
)
def test_headline_when_the_name_of_the_manual_is_the_h1(
    title: str, body: str, expected: str
) -> None:
    """Another heading that begins the title, or ends with it, is the headline."""
    visible = show(f"<title>{title}</title>{body}")
    assert expected == visible.page.text_of(visible.headline.row)


@pytest.mark.parametrize(
    "before",
    [
        "<div role=dialog aria-hidden=true>{}</div>",
        "<div style='display:none'>{}</div>",
        "<noscript>{}</noscript>",
    ],
)
def test_headline_is_one_of_those_shown(before: str) -> None:
    """A hidden h1 or a dialog's counts only if the title has it, or no other h1 is shown."""
    hidden = before.format("<h1>Add a mill</h1>")
    for title, shown, expected in (
        ("Mills", "<h1>Rye report</h1>", ("Rye report",)),
        ("Add a mill", "<h1>Rye report</h1>", ("Rye report", "Add a mill")),
        ("Mills", "", ("Add a mill",)),
    ):
        visible = show(f"<title>{title}</title><main>{shown}<p>It rained.</main>{hidden}")
        assert expected == visible.headline.headings


@pytest.mark.parametrize(
    "html",
    [
        "<body class=sidebar><footer></footer><h1>Rye</h1><p class=author>Ada",
        "<article><h1>Rye</h1><footer><p class=author>Ada</footer></article>",
    ],
    ids=["around the page", "footer of the article"],
)
def test_near_when_such_a_part_is_about_the_article_counts(html: str) -> None:
    """Neither a class like `sidebar-layout` around the whole page hides it, nor its own footer."""
    visible = show(html)
    assert 1 == len(visible.near(visible.bylines))


def test_lines_near_headline_when_the_page_is_long_are_the_short_ones_around() -> None:
    """Short blocks around the headline are read, paragraphs and what is far away are not."""
    html = f"<p>before<h1>Rye</h1><p>By Ada<p>{'long ' * 100}<p>May 3" + "<hr>x" * 50
    lines = list(show(html).lines_near_headline)
    assert ["Rye", "By Ada", "May 3"] == lines[:3]
    assert "before" == lines[-1]
    assert 20 > len(lines)
    assert () == show("<p>By Ada").lines_near_headline


def test_join_words_when_inline_elements_touch_keeps_words_apart() -> None:
    """Words of different elements must stay separate, and the separator must join blocks."""
    visible = show("<section><span>By</span><a>Ada</a>, <a>Tom</a><div>Farming</div></section>")
    row = visible.page.tag.tolist().index(CODE_OF["section"])
    assert "By Ada, Tom|Farming" == join_words(visible.page, row, "|")


def test_author_links_are_links_whose_address_says_so() -> None:
    """Only an <a> whose address is that of one author's page may count as an author link."""
    html = "<a href='/Author/ada'>Ada</a><a href='/authors/'>All</a><link href='/author/ada'>"
    visible = show(html)
    assert ["Ada"] == [visible.short_text(row) for row in visible.author_links.tolist()]


@pytest.mark.parametrize(
    ("href", "is_own"),
    [
        ("/profile/ada", True),
        ("https://www.sheaf.example/profile/ada", True),
        ("//net.example/profile/ada", False),
        ("https://sister.example/authors/ada", True),
        ("https://net.example/profile/ada", False),
        ("https://[net/profile/ada", True),
    ],
)
def test_author_links_lead_to_the_page_s_own_site(href: str, is_own: bool) -> None:
    """A profile elsewhere is an account in a network."""
    page = parse(f"<h1>Rye</h1><a href='{href}'>Net</a>", url="https://sheaf.example/rye")
    assert is_own == (VisibleEvidence(page).author_links.size == 1)


def test_author_links_do_not_lead_to_places_on_the_page() -> None:
    """The contents of an author's own page lead to its parts."""
    here = "https://sheaf.example/people/ada"
    links = f"<a href={here}#work>Work</a><a href=/people/tom#work>Tom"
    page = parse(f"<h1>Ada</h1>{links}", url=here)
    rows = VisibleEvidence(page).author_links.tolist()
    assert ["Tom"] == [page.text_of(row) for row in rows]


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


def test_marked_elements_are_found_once_in_order() -> None:
    """By class and by id, compared in lower case, each as a whole."""
    visible = show(
        "<p id=Author>a<p class=authority>b<p class='big BYLINE' id=author>c<p class=big>d"
        "<p class=byline>e"
    )
    assert ["a", "c", "e"] == [visible.page.text_of(row) for row in visible.bylines.tolist()]


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


MARKED: tuple[tuple[str, list[str]], ...] = (
    ("<span itemprop=author>Ada Roth</span>", ["Ada Roth"]),
    ("<a rel=author href=/x>Ada Roth</a>", ["Ada Roth"]),
    ("<p><a rel=author>Ada Roth</a> and <a rel=author>Tom Beck</a></p>", ["Ada Roth", "Tom Beck"]),
    ("<div itemprop=author><p>Ada Roth</p><p>Ada writes about rye.</p></div>", ["Ada Roth"]),
    ("<div itemprop=author>By <a href=/author/ada>Ada Roth</a>, editor</div>", ["Ada Roth"]),
    ("<div itemprop=author><span itemprop='author name'>Ada Roth</span></div>", ["Ada Roth"]),
    (f"<div itemprop=author>{'long ' * 100}</div>", []),
    ("<p class=byline>Ada Roth</p>", []),
    ("<nav><a rel=author>Ada Roth</a></nav>", []),
)

LIKELY: tuple[tuple[str, list[str]], ...] = (
    ("<p class=byline>By Ada Roth</p>", ["By Ada Roth"]),
    ("<p class='post-meta author-name'>Ada Roth</p>", ["Ada Roth"]),
    ("<div class=byline><p>By</p><p>Ada Roth</p><p>May 3</p></div>", ["Ada Roth"]),
    ("<p>See <a href=/authors/ada>Ada Roth</a></p>", ["Ada Roth"]),
    ("<p class=authority>The ministry</p>", []),
    ("<dl class=author><dt>Favourite places</dt><dd>The mill</dd></dl>", []),
    ("<dl class=byline><dt>By</dt><dd>Ada Roth</dd></dl>", ["Ada Roth"]),
    ("<select name=author id=author><option>All of them</select>", []),
    ("<div role=menu><a href=/profile/ada>Ada Roth</a></div>", []),
    ("<p><a href=/account/profile/my_info>Konto</a></p>", []),
    ("<div class=comment-list><p class=author>Reader</p></div>", []),
    ("<div class='postbit_buttons author_buttons'><a href=/find>Find</a></div>", []),
    ("<figure><p class=author>Ada Roth</p></figure>", []),
    ("<div class=pull-quote><p class=author>Ada Roth</p></div>", []),
    ("<p><a href=https://net.example/profile/rye>Net</a></p>", []),
    ("<p><a href=/people/ada/card.vcf>Card</a></p>", []),
    ("<p><a href=/people/index.html>People</a></p>", []),
    ("<div style='display:none'><a href=/authors/tom>Tom Beck</a></div>", []),
    ("<a href=/oats><p class=author>Tom Beck</p><p>Oats are out again</p></a>", []),
    ("<a href=/ada><b class=author>Ada Roth</b> Staff writer</a>", ["Ada Roth"]),
    ("<p>“Rye!”</p><cite><span class=author>- Tom</span></cite>", []),
    ("<cite class=author>Ada Roth</cite>", ["Ada Roth"]),
    ("<div class=byline><p>Insights from</p><p>Ada Roth</p></div>", ["Ada Roth"]),
    ("<div class=byline><p>Print</p><p>Ada Roth</p></div>", ["Ada Roth"]),
    (
        "<div class=byline><p>Rye</p><p>By <b class='author vcard'>Ada Roth</b></p></div>",
        ["Ada Roth"],
    ),
)


def show_below_headline(html: str) -> VisibleEvidence:
    return VisibleEvidence(parse("<h1>Rye is back</h1>" + html))


@pytest.mark.parametrize(("html", "expected"), MARKED)
def test_find_marked_bylines(html: str, expected: list[str]) -> None:
    """Authors must be read from author markup, not from elements that only look like bylines."""
    assert expected == list(find_marked_bylines(show_below_headline(html)))


@pytest.mark.parametrize(("html", "expected"), LIKELY)
def test_find_likely_bylines_when_there_is_one(html: str, expected: list[str]) -> None:
    """Classes, ids and addresses of authors' pages are signs; other people's are not."""
    assert expected == list(find_likely_bylines(show_below_headline(html)))[:1]


def test_find_marked_bylines_when_teasers_are_signed_too_takes_the_nearest() -> None:
    """The byline is the one by the headline; a list of teasers has others."""
    teasers = "<ul>" + "<li><p><a rel=author>Tom Beck</a></p></li>" * 20 + "</ul>"
    html = f"<p><a rel=author>Ada Roth</a></p>{teasers}"
    assert ["Ada Roth"] == list(find_marked_bylines(show_below_headline(html)))


def test_find_marked_bylines_when_one_container_signs_a_dozen_takes_the_first() -> None:
    """A container with a dozen authors is a list of articles."""
    html = "<div>" + "".join(f"<p><a rel=author>Ada {n}</a></p>" for n in "abcdefghijkl") + "</div>"
    assert ["Ada a"] == list(find_marked_bylines(show_below_headline(html)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>By Ada Roth, May 3</p>", ["By Ada Roth, May 3"]),
        ("<p>Von Ada Roth</p>", ["Von Ada Roth"]),
        ("<p>作者 By 王小明</p>", []),
        ("<p>By the end of the day it rained</p>", []),
        ("<p>Byron writes</p>", []),
    ],
)
def test_find_signed_lines(html: str, expected: list[str]) -> None:
    """A short line that begins with By and a capital letter signs the page."""
    assert expected == list(find_signed_lines(show_below_headline(html)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<time datetime=2024-05-03>yesterday</time>", [("2024-05-03", False)]),
        ("<time>May 3, 2024</time>", [("May 3, 2024", False)]),
        ("<p>Updated: <time datetime=2024-05-03>x</time>", [("2024-05-03", True)]),
        ("<p class=modified><time datetime=2024-05-03></time>", [("2024-05-03", True)]),
        ("<time class=updated datetime=2024-05-03></time>", [("2024-05-03", True)]),
        ("<time itemprop=dateModified datetime=2024-05-03></time>", [("2024-05-03", True)]),
        ("<footer><time datetime=2024-05-03></time></footer>", []),
        ("<blockquote><time datetime=2024-05-03></time></blockquote>", []),
        ("<time-ago datetime=2024-05-03>1 year ago</time-ago>", [("2024-05-03", False)]),
        ("<ins datetime=2024-05-03>x</ins>", []),
        (
            "<p>Posted <time datetime=2024-05-03>a</time>, updated <time datetime=2024-05-04>b",
            [("2024-05-03", False), ("2024-05-04", True)],
        ),
    ],
)
def test_find_times(html: str, expected: list[tuple[str, bool]]) -> None:
    """A time's value, nearest first; words and classes around say if it is of a change."""
    assert expected == list(find_times(show_below_headline(html)))


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("The mill was founded on 3 May 2011 by two friends from school.", False),
        ("Posted on 3 May 2011, 7:23 am, by Ada Roth, under mills.", True),
        ("Ada Roth wrote on 3 May 2011.", True),
        ("By Ada Roth, who lives beside the mill of the town, 3 May 2011", True),
    ],
)
def test_sentence_tells_of_another_day(line: str, is_found: bool) -> None:
    """A whole sentence dates nothing, unless it says the time."""
    visible = show(f"<h1>Rye</h1><p>{line}")
    assert is_found == bool([*find_dates_in(visible, visible.lines_near_headline, None)])


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p class=date>3 May 2024</p>", [("2024-05-03", False)]),
        ("<p class=date>Last updated 3 May 2024</p>", [("2024-05-03", True)]),
        ("<p class=update>3 May 2024</p>", []),
        ("<p class=date>soon</p>", []),
        ("<p class=date title='3 May 2024'>2 hours ago</p>", [("2024-05-03", False)]),
        ("<p class=Article_publishDate>3 May 2024</p>", [("2024-05-03", False)]),
        ("<p class=date>3/5/2024</p>", [("2024-05-03", False)]),
    ],
)
def test_find_datelines(html: str, expected: list[tuple[str, bool]]) -> None:
    """A class that says date, and a date in the text, read in the page's language."""
    assert expected == list(find_datelines(show_below_headline(html), "en-GB"))


def test_find_dates_in_lines_beside_the_headline() -> None:
    """Only short lines near the headline count."""
    html = f"<p>Ada Roth, 3 May 2024</p><p>{'long ' * 50} 4 May 2024</p>" + "<p>x</p>" * 30
    visible = show_below_headline(html + "<p>5 May 2024</p>")
    found = list(find_dates_in(visible, visible.lines_near_headline, None))
    assert [("2024-05-03", False)] == found


def test_find_dates_in_lines_leaves_out_code() -> None:
    """A date in an example is not the page's; `pre` alone may hold all of a page's text."""
    visible = show_below_headline(
        "<pre><code>curl /2024-05-03/rye</code></pre><pre>4 May 2024</pre>"
    )
    for lines in (visible.lines_near_headline, visible.lines_with_digits()):
        assert ["2024-05-04"] == [each.text for each in find_dates_in(visible, lines, None)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("The offer is good through May 3, 2024", []),
        ("Expires 3 May 2024", []),
        ("Joined: 2024-05-03", []),
        ("Rate as of 05/23/2024", []),
        ("3 May 2024: open until 9 May 2024", ["2024-05-03"]),
    ],
)
def test_find_dates_in_lines_about_other_days(line: str, expected: list[str]) -> None:
    """The end of an offer and the first day of a member are not when the page was written."""
    datelines = find_dates_in(show(""), [line], None)
    assert expected == [dateline.text for dateline in datelines]


def test_find_item_dates_when_there_is_no_item_around() -> None:
    """An itemprop counts by content, datetime or text, item or not."""
    html = (
        "<meta itemprop=datePublished content=2024-05-03>"
        "<time itemprop=datePublished datetime=2024-05-04></time>"
        "<p itemprop=datePublished>5 May 2024</p>"
    )
    expected = ["2024-05-03", "2024-05-04", "5 May 2024"]
    assert expected == list(find_item_dates(show_below_headline(html), "datePublished"))


@pytest.mark.parametrize(
    ("line", "is_update"),
    [
        ("3 May 2024, updated 4 May 2024", False),
        ("Updated 4 May 2024", True),
        ("4 May 2024 (last update)", True),
    ],
)
def test_find_dates_in_when_a_line_speaks_of_a_change(line: str, is_update: bool) -> None:
    """The first of two dates is the publication's; a lone one is what the word says."""
    (found,) = find_dates_in(show(""), [line], None)
    assert is_update == found.is_update


@pytest.mark.parametrize(
    ("n_day", "expected"), [(1, ["2024-05-01"]), (3, [])], ids=["layout", "list of days"]
)
def test_find_dates_in_lines_of_a_table(n_day: int, expected: list[str]) -> None:
    """Days that the rows of a table begin with are its entries'."""
    rows = [f"<tr><td>{day} May 2024</td><td>Rye</td></tr>" for day in range(1, n_day + 1)]
    visible = show_below_headline(f"<table>{''.join(rows)}<tr><td>Oats</td></tr></table>")
    for lines in (visible.lines_near_headline, visible.lines_with_digits()):
        assert expected == [each.text for each in find_dates_in(visible, lines, None)]


def test_find_dates_in_lines_behind_a_label() -> None:
    """A label on a line of its own tells what the date on the next line is."""
    lines = ("Last updated:", "4 May 2024", "3 May 2024")
    found = [*find_dates_in(show(""), lines, None)]
    assert [("2024-05-04", True), ("2024-05-03", False)] == found


def test_find_near_times_leaves_out_those_far_off() -> None:
    """A time many blocks below is another article's."""
    html = "<time datetime=2024-05-03>a</time>" + "<p>x</p>" * 30 + "<time datetime=2024-05-04>"
    visible = show_below_headline(html)
    assert [("2024-05-03", False)] == list(find_near_times(visible))
    assert 2 == len(list(find_times(visible)))


def test_find_times_anywhere_when_all_is_among_comments() -> None:
    """Parts about something else count only where that is asked for."""
    visible = show_below_headline("<div class=comments><time datetime=2024-05-03>a</time></div>")
    assert [] == list(find_times(visible))
    assert [("2024-05-03", False)] == list(find_times(visible, anywhere=True))


def test_find_dates_in_lines_of_the_whole_page_reads_side_matter_last() -> None:
    """Lines far from the headline count, those of side matter after all others."""
    html = "<aside>4 May 2024</aside>" + "<p>x</p>" * 30 + "<p>3 May 2024</p>"
    visible = show_below_headline(html)
    found = find_dates_in(visible, visible.lines_with_digits(), None)
    assert ["2024-05-03", "2024-05-04"] == [each.text for each in found]


@pytest.mark.parametrize(
    "html",
    [
        """<script>{"datePublished": "2024-05-03"}</script>""",
        """<script>x = {publishedDate:'2024-05-03'}</script>""",
        """<script>"{\\"published_at\\":\\"2024-05-03\\"}"</script>""",
        """<p data-x="{&quot;firstPublished&quot;:&quot;2024-05-03&quot;}">""",
        """<script>{"created_at": "2024-05-03"}</script>""",
    ],
)
def test_find_script_dates(html: str) -> None:
    """Names that say published or created, quoted in any way."""
    assert ["2024-05-03"] == list(find_script_dates(show_below_headline(html)))


def test_find_script_dates_when_the_name_says_otherwise() -> None:
    """Dates of unpublishing and of updates must not be read as dates of publication."""
    html = """<script>{"unpublished": "2024-05-03", "updated": "2024-05-04"}</script>"""
    assert [] == list(find_script_dates(show_below_headline(html)))
