"""Reading of whole threads."""

from __future__ import annotations

import pytest

from thresher.analysis.threads import ThreadKind
from thresher.analysis.threads.read import read
from thresher.page.parse import parse


def thread_of(name: str, dates: tuple[str, ...], before: str = "") -> str:
    """Write posts with a class and dates."""
    return before + "".join(
        f"<div class={name}><b class=author>Ann</b> <i class=date>{date}</i><p>some words, and "
        f"some more {i}</p></div>"
        for i, date in enumerate(dates)
    )


ISO = ("2021-03-04", "2021-03-05", "2021-03-06")
STORY = f"<p>{'a story of the mill and its sails ' * 20}</p>"


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        (thread_of("comment", ISO, STORY), ThreadKind.COMMENTS),
        (thread_of("comment", ISO), ThreadKind.FORUM),
        (thread_of("answer", ISO), ThreadKind.QA),
        (thread_of("review", ISO), ThreadKind.REVIEWS),
    ],
)
def test_kind_is_told_by_names_and_what_is_before(html: str, kind: ThreadKind) -> None:
    """Comments are about something; answers and reviews are called so."""
    assert [kind] == [thread.kind for thread in read(parse(html))]


def test_dates_are_read_by_what_the_others_say() -> None:
    """A day above 12 decides the order of day and month for all posts of a thread."""
    (thread,) = read(parse(thread_of("comment", ("03/04/2021", "05/04/2021", "16/04/2021"))))
    assert ["2021-04-03", "2021-04-05", "2021-04-16"] == [
        post.date.iso if post.date else None for post in thread.posts
    ]


def test_row_is_the_innermost_element_around_all_posts() -> None:
    """The row of a thread is the innermost element around its posts."""
    page = parse(f"<main><p>x</p><section>{thread_of('comment', ISO)}</section></main>")
    (thread,) = read(page)
    assert "section" == page.name(thread.row)
