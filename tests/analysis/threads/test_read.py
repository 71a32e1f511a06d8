"""Posts put together: their texts, parents and what JSON-LD adds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from thresher.analysis.threads import Post, ThreadKind, read_threads, text_of
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.read import find_parents
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
    assert [kind] == [thread.kind for thread in read_threads(parse(html))]


def test_dates_are_read_by_what_the_others_say() -> None:
    """A day above 12 decides the order of day and month for all posts of a thread."""
    (thread,) = read_threads(
        parse(thread_of("comment", ("03/04/2021", "05/04/2021", "16/04/2021")))
    )
    assert ["2021-04-03", "2021-04-05", "2021-04-16"] == [
        post.date.iso if post.date else None for post in thread.posts
    ]


def test_row_is_the_innermost_element_around_all_posts() -> None:
    """The row of a thread is the innermost element around its posts."""
    page = parse(f"<main><p>x</p><section>{thread_of('comment', ISO)}</section></main>")
    (thread,) = read_threads(page)
    assert "section" == page.name(thread.row)


HEAD = "<b class=author>Ann{0}</b> <time datetime=2021-03-0{0}>then</time>"
WORDS = "Words number {0} that were posted here."


def texts(markup: str) -> list[str]:
    """Return the texts of three comments of the same markup, ``{0}`` for their number."""
    html = "".join(f"<div class=comment>{markup.format(i)}</div>" for i in (1, 2, 3))
    page = parse(html)
    (thread,) = read_threads(page)
    return [text_of(page, post.leaves) for post in thread.posts]


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{HEAD}</p><p>{WORDS}</p>",
        f"<p>{HEAD} wrote:</p><div class=content>{WORDS}</div><p>Like this post or not</p>",
        f"<p>{HEAD}</p><p>{WORDS}</p><button>Reply</button>",
        f"<p>{HEAD}</p><p>{WORDS}</p><p><a href=/r>Reply</a></p>",
        f"<p>{HEAD}</p><p>{WORDS}</p><div class=signature>My mill, my rules, all day long.</div>",
        f"<p>{HEAD}</p><p>Posts: {{0}}</p><p>{WORDS}</p>",
        f"<p>{HEAD}</p><form class=usertext><div class=md>{WORDS}</div></form>",
        f"<p>{WORDS}<i> – </i>{HEAD}</p>",
    ],
)
def test_text_is_what_was_posted(markup: str) -> None:
    """Names, buttons, labels and signatures are no text of a post."""
    assert [WORDS.format(i) for i in (1, 2, 3)] == texts(markup)


def test_post_of_one_word_keeps_it() -> None:
    """A post may be shorter than the line above it."""
    assert ["Yes 1"] == texts(f"<p>{HEAD}</p><p>{WORDS}</p>".replace(WORDS, "Yes {0}"))[:1]


def test_pictures_are_text_of_a_post() -> None:
    """A post can be a picture."""
    page = parse("".join(
        f"<div class=comment>{HEAD.format(i)}<div class=content>{body}</div></div>"
        for i, body in enumerate(("<p>some words here</p>", "<img src=x.png>", "<p>and more</p>"))
    ))  # fmt: skip
    (thread,) = read_threads(page)
    rows = page.leaves[thread.posts[1].leaves]
    assert ["img"] == [page.name(row) for row in rows.tolist()]


def parents(html: str, above: list[int] | None = None) -> list[int]:
    """Find the parents of the `article` elements of a page."""
    page = parse(html)
    rows = [row for row in range(len(page)) if page.name(row) == "article"]
    stops = [int(page.end[row]) for row in rows]
    return find_parents(MarkupHints(page), rows, stops, above or [-1] * len(rows))


@pytest.mark.parametrize(
    "attributes",
    [
        ["data-depth=0", "data-depth=1", "data-depth=2", "data-depth=1"],
        ["class=depth-1", "class=depth-2", "class=depth-3", "class=depth-2"],
        ["aria-level=1", "aria-level=2", "aria-level=3", "aria-level=2"],
        *(
            [f"style='{name}-left: {px}px'" for px in (0, 20, 40, 20)]
            for name in ("margin", "padding")
        ),
    ],
)
def test_depth_is_read_however_it_is_stated(attributes: list[str]) -> None:
    """Attributes, classes and indentation all say how deep a post is."""
    html = "".join(f"<article {each}>x</article>" for each in attributes)
    assert [-1, 0, 1, 0] == parents(html)


@pytest.mark.parametrize(
    ("html", "above", "expected"),
    [
        # Old boards push replies to the right with a picture.
        (
            "".join(f"<article><img src=/s.gif width={px}>x</article>" for px in (0, 40, 80, 0)),
            None,
            [-1, 0, 1, -1],
        ),
        # Posts inside posts answer them, whatever the margins.
        (
            "<article style='margin-left:9px'>x<article style='margin-left:3px'>y</article>"
            "</article>",
            [-1, 0],
            [-1, 0],
        ),
        # A list behind a post, in an element with no other post before it, is of replies.
        (
            "<ul><li><article>a</article><ul><li><article>b</article></li></ul></li>"
            "<li><article>c</article></li></ul>",
            None,
            [-1, 0, -1],
        ),
        # A first post above the container of the others is not their parent.
        (
            "<main><article>a</article><div><article>b</article><article>c</article></div></main>",
            None,
            [-1, -1, -1],
        ),
    ],
)
def test_parents_are_told_by_places(
    html: str, above: list[int] | None, expected: list[int]
) -> None:
    """Spacers, nesting and lists say which post another answers."""
    assert expected == parents(html, above)


SENTENCES = ("Sow the rye in autumn.", "Never before the rain.", "Mine came up in spring.")
Stated = dict[str, object]


def comment(number: int, **more: object) -> Stated:
    """State one of the comments."""
    return {"@type": "Comment", "text": f"<p>{SENTENCES[number]}</p>", **more}


def beside(stated: object, name: str = "comment", *, head: str = "{author}") -> tuple[Post, ...]:
    """Read three posts beside some JSON-LD."""
    html = "".join(
        f"<div class={name}>{head.format(author='<b class=author>Ann</b>')}<p>{words}</p></div>"
        for words in SENTENCES
    )
    script = f"<script type='application/ld+json'>{json.dumps(stated)}</script>"
    (thread,) = read_threads(parse(f"{script}{html}", url="https://mill.example/rye"))
    return thread.posts


def test_gaps_are_filled_when_the_text_is_the_same() -> None:
    """Date, score and address come from what is stated; the author stays as the page says it."""
    author = {"@type": "Person", "name": "Someone else"}
    posts = beside(
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
    dates = [post.date for post in beside(stated, head=head)]
    assert [("2026-05-04", "3 hours ago")] * 2 == [(d.iso, d.raw) for d in dates[:2] if d]
    assert dates[2] is None or dates[2].iso is None


def test_likes_are_the_score_when_they_are_stated() -> None:
    """Only counts of likes must be read as the score."""
    statistics = [
        {"interactionType": "https://schema.org/ShareAction", "userInteractionCount": 3},
        {"interactionType": {"@type": "LikeAction"}, "userInteractionCount": "12"},
    ]
    assert [12, None, None] == [
        post.score for post in beside(comment(0, interactionStatistic=statistics))
    ]


def test_levels_are_stated_when_the_page_shows_one() -> None:
    """A comment in a comment answers it; the posting around all of them is none of their posts."""
    stated = {
        "@type": "DiscussionForumPosting",
        "headline": "On rye",
        "comment": [comment(0, comment=[comment(1, comment=comment(2))])],
    }
    assert [(0, None), (1, 0), (2, 1)] == [(post.depth, post.parent) for post in beside(stated)]


def test_levels_of_the_page_stay_when_it_has_some() -> None:
    """Stated nesting must not change the depths that the page's own nesting gives."""
    html = (
        f"<div class=comment><b class=author>Ann</b><p>{SENTENCES[0]}</p>"
        f"<div class=comment><b class=author>Bo</b><p>{SENTENCES[1]}</p></div></div>"
        f"<div class=comment><b class=author>Cy</b><p>{SENTENCES[2]}</p></div>"
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
            "acceptedAnswer": {"@type": "https://schema.org/Answer", "text": SENTENCES[1]},
            "suggestedAnswer": [{"@type": "Answer", "text": SENTENCES[2], "upvoteCount": 3}],
        },
    }
    posts = beside(stated, "answer")
    assert [False, True, False] == [post.accepted for post in posts]
    assert [None, None, 3] == [post.score for post in posts]


@pytest.mark.parametrize(
    "stated",
    [
        [comment(0, upvoteCount=1), comment(0, upvoteCount=2)],
        {"@type": "Person", "text": SENTENCES[0], "upvoteCount": 1},
        {"@type": "Comment", "text": "Sow", "upvoteCount": 1},
        {"@type": "Comment", "upvoteCount": 1},
        [],
    ],
    ids=["twice", "no post", "too short", "no text", "nothing"],
)
def test_nothing_is_filled_when_it_is_not_sure_of_which_post(stated: object) -> None:
    """A text that is stated twice, is of something else or says too little tells nothing."""
    assert [None] * 3 == [post.score for post in beside(stated)]


def test_text_is_in_paragraphs() -> None:
    """Blocks are an empty line apart, line breaks stay, pictures leave nothing."""
    page = parse("<p>a <b>b</b>c</p><img src=x><p>d<br>e</p>")
    assert "a bc\n\nd\ne" == text_of(page, np.arange(page.leaves.size, dtype=np.int32))
    assert "" == text_of(page, np.zeros(0, np.int32))
