"""Completion of posts with JSON-LD."""

from __future__ import annotations

import json

import pytest

from thresher.analysis.threads import Post, read_threads
from thresher.page.parse import parse

WORDS = ("Sow the rye in autumn.", "Never before the rain.", "Mine came up in spring.")
Stated = dict[str, object]


def comment(number: int, **more: object) -> Stated:
    """State one of the comments."""
    return {"@type": "Comment", "text": f"<p>{WORDS[number]}</p>", **more}


def read(stated: object, name: str = "comment", *, head: str = "{author}") -> tuple[Post, ...]:
    """Read three posts beside some JSON-LD."""
    html = "".join(
        f"<div class={name}>{head.format(author='<b class=author>Ann</b>')}<p>{words}</p></div>"
        for words in WORDS
    )
    script = f"<script type='application/ld+json'>{json.dumps(stated)}</script>"
    (thread,) = read_threads(parse(f"{script}{html}", url="https://mill.example/rye"))
    return thread.posts


def test_gaps_are_filled_when_the_text_is_the_same() -> None:
    """Date, score and address come from what is stated; the author stays as the page says it."""
    author = {"@type": "Person", "name": "Someone else"}
    posts = read(
        [
            comment(1, author=author, datePublished="2026-05-04T10:00:00Z", upvoteCount=7,
                    downvoteCount=2, url="#c2"),
            {"@type": "Comment", "text": "What nobody shows here.", "upvoteCount": 9},
        ]
    )  # fmt: skip
    first, second, third = posts
    assert (None, None, None) == (first.date, first.score, third.permalink)
    assert second.date is not None
    assert ("Ann", "2026-05-04T10:00:00+00:00", 5) == (second.author, second.date.iso, second.score)
    assert "https://mill.example/rye#c2" == second.permalink


def test_vague_date_is_settled_when_a_date_is_stated() -> None:
    """A stated date must be added to the vague one that the page shows, whose wording must stay."""
    head = "{author} <i class=date>3 hours ago</i>"
    stated = [comment(n, dateCreated="2026-05-04", author="Bo") for n in (0, 1)]
    dates = [post.date for post in read(stated, head=head)]
    assert [("2026-05-04", "3 hours ago")] * 2 == [(d.iso, d.raw) for d in dates[:2] if d]
    assert dates[2] is None or dates[2].iso is None


def test_likes_are_the_score_when_they_are_stated() -> None:
    """Only counts of likes must be read as the score."""
    statistics = [
        {"interactionType": "https://schema.org/ShareAction", "userInteractionCount": 3},
        {"interactionType": {"@type": "LikeAction"}, "userInteractionCount": "12"},
    ]
    assert [12, None, None] == [
        post.score for post in read(comment(0, interactionStatistic=statistics))
    ]


def test_levels_are_stated_when_the_page_shows_one() -> None:
    """A comment in a comment answers it; the posting around all of them is none of their posts."""
    stated = {
        "@type": "DiscussionForumPosting",
        "headline": "On rye",
        "comment": [comment(0, comment=[comment(1, comment=comment(2))])],
    }
    assert [(0, None), (1, 0), (2, 1)] == [(post.depth, post.parent) for post in read(stated)]


def test_levels_of_the_page_stay_when_it_has_some() -> None:
    """Stated nesting must not change the depths that the page's own nesting gives."""
    html = (
        f"<div class=comment><b class=author>Ann</b><p>{WORDS[0]}</p>"
        f"<div class=comment><b class=author>Bo</b><p>{WORDS[1]}</p></div></div>"
        f"<div class=comment><b class=author>Cy</b><p>{WORDS[2]}</p></div>"
    )
    stated = json.dumps(comment(0, comment=[comment(2)]))
    page = parse(f"<script type='application/ld+json'>{stated}</script>{html}")
    (thread,) = read_threads(page)
    assert [0, 1, 0] == [post.depth for post in thread.posts]


def test_accepted_answer_is_known_when_it_is_stated() -> None:
    """Questions and answers are posts too."""
    stated = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question",
            "name": "When?",
            "acceptedAnswer": {"@type": "https://schema.org/Answer", "text": WORDS[1]},
            "suggestedAnswer": [{"@type": "Answer", "text": WORDS[2], "upvoteCount": 3}],
        },
    }
    posts = read(stated, "answer")
    assert [False, True, False] == [post.accepted for post in posts]
    assert [None, None, 3] == [post.score for post in posts]


@pytest.mark.parametrize(
    "stated",
    [
        [comment(0, upvoteCount=1), comment(0, upvoteCount=2)],
        {"@type": "Person", "text": WORDS[0], "upvoteCount": 1},
        {"@type": "Comment", "text": "Sow", "upvoteCount": 1},
        {"@type": "Comment", "upvoteCount": 1},
        [],
    ],
    ids=["twice", "no post", "too short", "no text", "nothing"],
)
def test_nothing_is_filled_when_it_is_not_sure_of_which_post(stated: object) -> None:
    """A text that is stated twice, is of something else or says too little tells nothing."""
    assert [None] * 3 == [post.score for post in read(stated)]
