"""Author, date, score and permalink of a post."""

from __future__ import annotations

import pytest

from tests.helpers.data import cases
from tests.helpers.known import known
from thresher.analysis.threads import Post, PostDate, read_threads
from thresher.analysis.threads.evidence import (
    MAX_LEAF_CHARS,
    find_candidates,
    find_dates,
    settle_order,
)
from thresher.analysis.threads.facts import find_quotes, read_number
from thresher.analysis.threads.hints import MarkupHints
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12 points", 12),
        ("+3", 3),
        ("−4", -4),
        ("-4", -4),
        ("1,204", 1204),
        ("1.2k", 1200),
        ("3万", 30000),
        ("Likes: 7", 7),
        ("score hidden", None),
        ("", None),
        ("9" * 30, None),
    ],
)
def test_numbers_are_read_as_boards_write_them(text: str, number: int | None) -> None:
    """Signs, thousands and their short forms must be understood."""
    assert number == read_number(text)


def test_score_is_the_one_of_a_reader_who_has_not_voted() -> None:
    """Old Reddit has three scores for each comment, and shows the second."""
    scores = "".join(
        f"<i class='score {name}'>{number} points</i>"
        for number, name in ((3, "dislikes"), (4, "unvoted"), (5, "likes"))
    )
    assert 4 == posts(f"<b class=author>Ann</b>{scores}")[0].score


def test_score_is_the_count_of_likes_that_markup_states() -> None:
    """Other counts of the same kind are not the score, such as that of answers."""
    counts = "".join(
        f"<div itemprop=interactionStatistic><meta itemprop=userInteractionCount content={number}>"
        f"<meta itemprop=interactionType content=https://schema.org/{kind}Action></div>"
        for number, kind in ((7, "Comment"), (3, "Dislike"), (4, "Like"))
    )
    assert 4 == posts(f"<b class=author>Ann</b>{counts}")[0].score


def posts(body: str) -> tuple[Post, ...]:
    """Read three comments with the same inner markup, ``{}`` for their number."""
    html = "".join(
        f"<div class=comment id=c{i}>{body.replace('{}', str(i))}<p>These are words {i}.</p></div>"
        for i in (1, 2, 3)
    )
    (thread,) = read_threads(parse(html, url="https://mill.example/"))
    return thread.posts


def test_date_is_the_one_that_goes_on() -> None:
    """The date of a post must be the one that never decreases from post to post."""
    joined = {"1": "2019-01-01", "2": "2011-01-01", "3": "2003-01-01"}
    html = "".join(
        f"<div class=comment><b class=author>Ann</b><i>joined {joined[i]}</i>"
        f"<u>2021-03-0{i}</u><p>These are words {i}.</p></div>"
        for i in "123"
    )
    (thread,) = read_threads(parse(html))
    dates = [known(post.date).iso for post in thread.posts]
    assert ["2021-03-01", "2021-03-02", "2021-03-03"] == dates


def test_permalink_is_the_link_on_the_date() -> None:
    """The date's link is the post's, then that of its number, then its id."""
    date = "<time datetime=2021-03-04>then</time>"
    name = "<b class=author>Ann</b>"
    assert "https://mill.example/p/1" == posts(f"{name}<a href=/p/{{}}>{date}</a>")[0].permalink
    assert "https://mill.example/t#p1" == posts(f"{name}{date}<a href=/t#p1>#1</a>")[0].permalink
    assert "https://mill.example/#c1" == posts(name + date)[0].permalink
    page_2 = "<a href=/t?page=2#top>2</a>"
    assert "https://mill.example/#c1" == posts(name + date + page_2)[0].permalink


def test_quotes_are_flagged_with_all_they_hold() -> None:
    """Facts in quotations are not those of the post."""
    page = parse(
        "<div class=bbQuote><p>x</p></div><blockquote>y</blockquote><p class=quote-selection>z</p>"
    )
    quoted = find_quotes(page, MarkupHints(page).names)
    assert {"x", "y"} == {page.text_of(row) for row in range(len(page)) if quoted[row]}


@cases(__file__, "authors")
def test_author_is_the_one_who_is_called_so(markup: str, author: str) -> None:
    """Marked names come before links, names before letters, and those of quotes never."""
    found = posts(f"{markup}<time datetime=2021-03-0{{}}>then</time>")
    assert [author] * 3 == [post.author for post in found]


def test_name_is_found_without_any_mark() -> None:
    """A short text at one place of all posts that differs is a name."""
    found = posts("<dl><dt>miller{}x</dt><dd>Member</dd></dl><time datetime=2021-03-04>t</time>")
    assert ["miller1x", "miller2x", "miller3x"] == [post.author for post in found]


def moments(html: str, language: str | None = None) -> list[tuple[str | None, str]]:
    """Return the dates of a page, in order."""
    found = find_dates(MarkupHints(parse(html)), language)
    return [(moment.iso, moment.raw) for moment in found.values()]


@cases(__file__, "dates")
def test_date_is_found_however_it_is_said(html: str, iso: str | None, raw: str) -> None:
    """Attributes, marked elements and short texts must all be read."""
    assert [(iso, raw)] == moments(html)


def test_innermost_element_says_the_date() -> None:
    """An element around a date is not a second one."""
    html = "<p class=date>Posted <time datetime=2021-03-04>4 March 2021</time></p>"
    assert [("2021-03-04", "4 March 2021")] == moments(html)


def test_no_date_is_read_out_of_prose() -> None:
    """A date in a sentence is not that of the post."""
    words = "and then the wheel of the mill stood still again "
    assert [] == moments(f"<p>{words} on 4 March 2021 {words}</p>")


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["01/02/2021", "13/02/2021"], "en-gb"),
        (["01/02/2021", "02/13/2021"], "en-us"),
        (["01/02/2021", "01/02/2021"], None),
        (["11/01/2021", "01/02/2021"], "en-gb"),
    ],
)
def test_order_of_day_and_month_is_settled_by_the_others(
    texts: list[str], language: str | None
) -> None:
    """One unambiguous date decides for all; else the chronological order of posts does."""
    assert language == settle_order([PostDate(None, text) for text in texts])


def test_only_short_texts_with_years_are_found() -> None:
    """A year may go on in the next text, and it is found where it begins."""
    texts = ["é in 2019", "20", "24", f"{'l' * MAX_LEAF_CHARS}ong, 1999", "1989", "2050"]
    page = parse("".join(f"<p>{text}</p>" for text in texts))
    assert [0, 1] == find_candidates(MarkupHints(page)).leaves
