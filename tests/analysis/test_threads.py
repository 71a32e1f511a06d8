"""Threads of pages in the markup of many boards, and of hostile pages."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.trees import NASTY_PAGES, soups
from thresher.analysis.threads import Thread, ThreadKind, read_threads, text_of
from thresher.page.parse import parse

SAID: Final = (
    "The old windmill by the river has new sails since last spring.",
    "Mine creaks whenever the wind turns to the north at night.",
    "Tallow on the main bearing helped with ours for many years.",
    "Nobody sells tallow in our valley any more, sadly enough.",
)
"""Texts of the posts on the pages below, in order."""
WHO: Final = ("anselm", "Berthe", "clovis_7", "Dagny")
DAYS: Final = ("2021-03-04", "2021-03-05", "2021-03-19", "2021-04-02")


class Said(NamedTuple):
    """Expected values of one post."""

    author: str | None
    day: str | None
    depth: int
    score: int | None
    text: str


def page_of(*posts: str, before: str = "", behind: str = "") -> str:
    """Put posts on a page with what boards have around them."""
    return (
        "<!DOCTYPE html><html><head><title>Sails</title></head><body><div id='top'>"
        "<a href='/'>Start</a> <a href='/find'>Find</a></div><h1>Sails</h1>"
        f"{before}{''.join(posts)}{behind}<div id='foot'><a href='/law'>Legal</a></div></body>"
    )


def said(depths: tuple[int, ...] = (0, 0, 0), scores: tuple[int | None, ...] = ()) -> list[Said]:
    """Return the first posts of `SAID` as expected."""
    return [
        Said(WHO[i], DAYS[i], depth, scores[i] if scores else None, SAID[i])
        for i, depth in enumerate(depths)
    ]


def read(html: str) -> list[tuple[ThreadKind, list[Said]]]:
    """Read the threads of a page in the form of what is expected."""
    page = parse(html, url="https://mill.example/t/1")
    return [
        (
            thread.kind,
            [
                Said(
                    post.author,
                    post.date.iso[:10] if post.date and post.date.iso else None,
                    post.depth,
                    post.score,
                    text_of(page, post.leaves),
                )
                for post in thread.posts
            ],
        )
        for thread in read_threads(page)
    ]


def phpbb(i: int) -> str:
    return (
        f"<div id='p{70 + i}' class='post has-profile bg{i % 2}'><div class='inner'>"
        f"<dl class='postprofile' id='profile{i}'><dt><a href='./memberlist.php?mode=viewprofile"
        f"&u={i}' class='username'>{WHO[i]}</a></dt><dd class='profile-joined'>Joined: 3 May 2009"
        f"</dd></dl><div class='postbody'><h3><a href='#p{70 + i}'>Re: Sails</a></h3>"
        f"<ul class='post-buttons'><li><a href='./posting.php'>Quote</a></li></ul>"
        f"<p class='author'>by <a href='./memberlist.php?u={i}' class='username'>{WHO[i]}</a> » "
        f"<time datetime='{DAYS[i]}T08:00:00+00:00'>then</time></p>"
        f"<div class='content'>{SAID[i]}</div><div class='signature' id='sig{i}'>Grind on, for "
        "flour is the reason of it all and always was.</div></div></div></div>"
    )


def old_phpbb(i: int) -> str:
    day = ("Thu Mar 04, 2021", "Fri Mar 05, 2021", "Fri Mar 19, 2021")[i]
    return (
        f"<tr><td class='row1'><span class='name'><a name='{i}'></a><b>{WHO[i]}</b></span><br>"
        f"<span class='postdetails'>Posts: {i * 12 + 3}<br>Location: Mill</span></td>"
        f"<td class='row1'><table><tr><td><a href='viewtopic.php?p={i + 7}#{i + 7}'>"
        "<img src='p.gif'></a>"
        f"<span class='postdetails'>Posted: {day} 8:00 am</span>"
        f"</td><td><a href='posting.php?q={i}'>Quote</a></td></tr>"
        f"<tr><td colspan='2'><span class='postbody'>{SAID[i]}</span></td></tr></table></td></tr>"
        "<tr><td class='row1'><a href='#top'>Top</a></td></tr>"
    )


def vbulletin(i: int) -> str:
    day = ("03-04-2021", "03-05-2021", "03-19-2021")[i]
    return (
        f"<li class='postbitlegacy postbitim postcontainer' id='post_{90 + i}'>"
        f"<div class='posthead'><span class='date'>{day}, 08:00 AM</span>"
        f"<a href='showthread.php?t=1&p={90 + i}#post{90 + i}' class='postcounter'>#{i + 1}</a>"
        f"</div><div class='postdetails'><div class='userinfo'><a class='username' "
        f"href='member.php?u={i}'><strong>{WHO[i]}</strong></a><dl><dt>Join Date</dt>"
        f"<dd>Jan 2008</dd></dl></div><div class='postbody'><blockquote class='postcontent "
        f"restore'>{SAID[i]}</blockquote></div></div><div class='postfoot'>"
        "<a href='newreply.php'>Reply</a></div></li>"
    )


def discourse(i: int) -> str:
    return (
        "<div itemprop='comment' itemscope itemtype='http://schema.org/Comment' "
        f"id='post_{i + 1}' class='topic-body crawler-post'><div class='crawler-post-meta'>"
        "<span class='creator' itemprop='author' itemscope "
        f"itemtype='http://schema.org/Person'><a itemprop='url' href='/u/{WHO[i]}'>"
        f"<span itemprop='name'>{WHO[i]}</span></a></span><span class='crawler-post-infos'>"
        f"<time itemprop='datePublished' datetime='{DAYS[i]}T08:00:00Z' class='post-time'>then"
        f"</time><span itemprop='position'>{i + 1}</span></span></div>"
        f"<div class='post' itemprop='text'><p>{SAID[i]}</p></div>"
        "<div itemprop='interactionStatistic'><span class='post-likes'>4 Likes</span></div></div>"
    )


def xenforo(i: int) -> str:
    return (
        f"<article class='message message--post js-post' data-author='{WHO[i]}' "
        f"data-content='post-{i}' id='js-post-{50 + i}'><div class='message-inner'>"
        "<div class='message-cell message-cell--user'><section class='message-user'>"
        f"<a href='/members/{i}/' class='avatar'><span>{WHO[i][0]}</span></a>"
        f"<h4 class='message-name'><a href='/members/{i}/' class='username'>{WHO[i]}</a></h4>"
        "<div class='message-userExtras'><dl><dt>Joined</dt><dd>Mar 3, 2011</dd></dl></div>"
        "</section></div><div class='message-cell message-cell--main'>"
        "<header class='message-attribution'><a href='/t/1/post-5'><time class='u-dt' "
        f"datetime='{DAYS[i]}T08:00:00+0100'>then</time></a><a href='/t/1/post-5{i}'>#{i + 1}</a>"
        "</header><div class='message-userContent'><article class='message-body'>"
        f"<div class='bbWrapper'>{SAID[i]}</div></article></div><footer class='message-footer'>"
        "<div class='message-actionBar actionBar'><a class='actionBar-action' href='/r'>Reply</a>"
        "</div></footer></div></div></article>"
    )


def mybb(i: int) -> str:
    return (
        f"<div class='post classic' id='post_{i + 11}'><div class='post_author'>"
        f"<div class='author_information'><strong><span class='largetext'>"
        f"<a href='member.php?action=profile&uid={i}'>{WHO[i]}</a></span></strong></div>"
        f"<div class='author_statistics'>Posts: {i + 7}<br>Threads: {i}</div></div>"
        f"<div class='post_content'><div class='post_head'><span class='post_date'>{DAYS[i]}, "
        f"08:00 AM</span><a href='showthread.php?pid={i + 11}#pid{i + 11}'>#{i + 1}</a></div>"
        f"<div class='post_body scaleimages' id='pid_{i + 11}'>{SAID[i]}</div></div>"
        "<div class='post_controls'><a href='newreply.php'>Reply</a></div></div>"
    )


def smf(i: int) -> str:
    day = ("March 04, 2021", "March 05, 2021", "March 19, 2021")[i]
    return (
        f"<div class='windowbg{i % 2 + 1}' id='msg{i + 31}'><div class='post_wrapper'>"
        f"<div class='poster'><h4><a href='index.php?action=profile;u={i}'>{WHO[i]}</a></h4>"
        f"<ul class='user_info'><li>Posts: {i + 5}</li></ul></div><div class='postarea'>"
        f"<div class='keyinfo'><h5 id='subject_{i}'><a href='index.php?msg={i + 31}#msg{i + 31}'>"
        f"Re: Sails</a></h5><div class='smalltext'>« {day}, 08:00:00 »</div></div>"
        f"<div class='post'><div class='inner' id='msg_{i + 31}'>{SAID[i]}</div></div></div></div>"
        "</div>"
    )


def discuz(i: int) -> str:
    day = ("2021-3-4 08:00", "2021-3-5 08:00", "2021-3-19 08:00")[i]
    return (
        f"<div id='post_{i + 61}'><table id='pid{i + 61}' class='plhin'><tr>"
        f"<td class='pls' rowspan='2'><div class='authi'><a href='space-uid-{i}.html'>{WHO[i]}</a>"
        f"</div><p>主题 {i}</p></td><td class='plc'><div class='pi'><em>发表于 {day}</em></div>"
        f"<div class='t_fsz'><table><tr><td class='t_f' id='postmessage_{i + 61}'>{SAID[i]}</td>"
        "</tr></table></div></td></tr></table></div>"
    )


def hacker_news(i: int, indent: int) -> str:
    return (
        f"<tr class='athing comtr' id='{i + 800}'><td><table border='0'><tr>"
        f"<td class='ind' indent='{indent}'><img src='s.gif' height='1' width='{indent * 40}'></td>"
        f"<td class='votelinks'><a href='vote?id={i}'></a></td><td class='default'>"
        f"<div><span class='comhead'><a href='user?id={WHO[i]}' class='hnuser'>{WHO[i]}</a> "
        f"<span class='age' title='{DAYS[i]}T08:00:00'><a href='item?id={i + 800}'>2 days ago</a>"
        f"</span></span></div><div class='comment'><div class='commtext c00'>{SAID[i]}</div>"
        "<div class='reply'><p><u><a href='reply?id=1'>reply</a></u></p></div></div></td></tr>"
        "</table></td></tr>"
    )


def old_reddit(i: int, replies: str = "") -> str:
    return (
        f"<div class='thing id-t1_{i} comment' data-author='{WHO[i]}' "
        f"data-permalink='/r/mill/{i}/'><div class='entry'><p class='tagline'>"
        f"<a href='#' class='expand'>[–]</a><a href='/user/{WHO[i]}' class='author'>{WHO[i]}</a> "
        f"<span class='score unvoted' title='{i + 4}'>{i + 4} points</span> "
        f"<time datetime='{DAYS[i]}T08:00:00+00:00'>2 years ago</time></p>"
        f"<form class='usertext'><div class='usertext-body'><div class='md'><p>{SAID[i]}</p></div>"
        "</div></form><ul class='flat-list buttons'><li><a href='/r/1'>permalink</a></li></ul>"
        f"</div><div class='child'><div class='sitetable'>{replies}</div></div></div>"
    )


def new_reddit(i: int, depth: int, replies: str = "") -> str:
    return (
        f"<shreddit-comment author='{WHO[i]}' depth='{depth}' score='{i * 3}' "
        f"permalink='/r/mill/c/{i}/' thingid='t1_{i}' created='{DAYS[i]}T08:00:00+0000'>"
        f"<div slot='commentMeta'><a href='/user/{WHO[i]}/'>{WHO[i]}</a><faceplate-timeago "
        f"ts='{DAYS[i]}T08:00:00+0000'><time datetime='{DAYS[i]}T08:00:00+0000'>2y ago</time>"
        f"</faceplate-timeago></div><div slot='comment' class='md'><p>{SAID[i]}</p></div>"
        f"{replies}</shreddit-comment>"
    )


def wordpress(i: int, depth: int, replies: str = "") -> str:
    children = f"<ol class='children'>{replies}</ol>" if replies else ""
    return (
        f"<li class='comment even thread-odd depth-{depth + 1}' id='comment-{i + 21}'>"
        f"<article id='div-comment-{i + 21}' class='comment-body'><footer class='comment-meta'>"
        f"<div class='comment-author vcard'><img class='avatar' src='a.png'><b class='fn'>{WHO[i]}"
        "</b> <span class='says'>says:</span></div><div class='comment-metadata'>"
        f"<a href='/mill/#comment-{i + 21}'><time datetime='{DAYS[i]}T08:00:00+00:00'>then</time>"
        f"</a></div></footer><div class='comment-content'><p>{SAID[i]}</p></div>"
        f"<div class='reply'><a class='comment-reply-link' href='#r'>Reply</a></div></article>"
        f"{children}</li>"
    )


def github(i: int) -> str:
    return (
        f"<div class='js-timeline-item TimelineItem'><div id='issuecomment-{i + 501}' "
        "class='timeline-comment-group'><div class='timeline-comment-header'>"
        f"<h3><strong><a class='author Link--primary' href='/{WHO[i]}'>{WHO[i]}</a></strong> "
        f"<a href='#issuecomment-{i + 501}' class='timestamp'><relative-time "
        f"datetime='{DAYS[i]}T08:00:00Z'>Mar 4, 2021</relative-time></a></h3></div>"
        f"<div class='edit-comment-hide'><div class='comment-body markdown-body'><p>{SAID[i]}</p>"
        "</div></div></div></div>"
    )


def plain(i: int) -> str:
    """A blog's own comments, without any name."""
    long = f"{SAID[i]} {SAID[(i + 1) % 4]}"
    return (
        f"<div><p><a href='/user/{WHO[i]}'>{WHO[i]}</a> {DAYS[i]}</p><p>{long}</p>"
        f"<p><a href='#c{i + 3}'>#{i + 1}</a></p></div>"
    )


STACK: Final = page_of(
    "<div class='question' id='question' itemscope itemtype='https://schema.org/Question'>"
    "<div class='js-voting'><div class='js-vote-count' itemprop='upvoteCount' data-value='11'>11"
    f"</div></div><div class='s-prose js-post-body' itemprop='text'><p>{SAID[0]}</p></div>"
    f"<div class='user-info'><div class='user-action-time'>asked <span title='{DAYS[0]} 08:00:00Z'"
    " class='relativetime'>then</span></div><div class='user-details' itemprop='author' itemscope>"
    f"<a href='/users/1/a'>{WHO[0]}</a></div></div></div>",
    "<div id='answer-12' class='answer accepted-answer' itemprop='acceptedAnswer' itemscope "
    "itemtype='https://schema.org/Answer'><div class='js-vote-count' itemprop='upvoteCount' "
    f"data-value='18'>18</div><div class='s-prose' itemprop='text'><p>{SAID[1]}</p></div>"
    f"<div class='user-info'><time itemprop='dateCreated' datetime='{DAYS[1]}'>then</time>"
    f"<div class='user-details' itemprop='author' itemscope><a href='/users/2/b'>{WHO[1]}</a>"
    "</div></div><ul class='comments-list'><li id='comment-14' class='comment js-comment' "
    "itemscope itemtype='https://schema.org/Comment'><span class='comment-score'>3</span>"
    f"<span class='comment-copy'>{SAID[2]}</span> – <a href='/users/3/c' class='comment-user'>"
    f"{WHO[2]}</a> <span class='comment-date'><span title='{DAYS[2]} 08:00:00Z'>then</span></span>"
    "</li></ul></div>",
)

PAGES: Final[dict[str, tuple[str, ThreadKind, list[Said]]]] = {
    "phpBB": (page_of(*map(phpbb, range(3))), ThreadKind.FORUM, said()),
    "phpBB 2": (
        page_of("<table class='forumline'>", *map(old_phpbb, range(3)), "</table>"),
        ThreadKind.FORUM,
        said(),
    ),
    "vBulletin": (
        page_of("<ol id='posts'>", *map(vbulletin, range(3)), "</ol>"),
        ThreadKind.FORUM,
        said(),
    ),
    "Discourse": (
        page_of(
            "<div itemscope itemtype='http://schema.org/DiscussionForumPosting'>",
            *map(discourse, range(3)),
            "</div>",
        ),
        ThreadKind.FORUM,
        said(scores=(4, 4, 4)),
    ),
    "XenForo": (page_of(*map(xenforo, range(3))), ThreadKind.FORUM, said()),
    "MyBB": (page_of(*map(mybb, range(3))), ThreadKind.FORUM, said()),
    "SMF": (
        page_of("<div id='forumposts'>", *map(smf, range(3)), "</div>"),
        ThreadKind.FORUM,
        said(),
    ),
    "Discuz": (
        page_of("<div id='postlist'>", *map(discuz, range(3)), "</div>"),
        ThreadKind.FORUM,
        said(),
    ),
    "Hacker News": (
        page_of(
            "<table class='comment-tree'>",
            *(hacker_news(i, indent) for i, indent in enumerate((0, 1, 2, 0))),
            "</table>",
        ),
        ThreadKind.FORUM,
        said((0, 1, 2, 0)),
    ),
    "old Reddit": (
        page_of(old_reddit(0, old_reddit(1, old_reddit(2))), old_reddit(3)),
        ThreadKind.FORUM,
        said((0, 1, 2, 0), (4, 5, 6, 7)),
    ),
    "new Reddit": (
        page_of(new_reddit(0, 0, new_reddit(1, 1)), new_reddit(2, 0)),
        ThreadKind.FORUM,
        said((0, 1, 0), (0, 3, 6)),
    ),
    "Stack Exchange": (STACK, ThreadKind.QA, said((0, 1, 2), (11, 18, 3))),
    "WordPress": (
        page_of(
            "<ol class='comment-list'>",
            wordpress(0, 0, wordpress(1, 1, wordpress(2, 2))),
            wordpress(3, 0),
            "</ol>",
            before=f"<article><p>{' '.join(SAID * 3)}</p></article>",
        ),
        ThreadKind.COMMENTS,
        said((0, 1, 2, 0)),
    ),
    "GitHub": (page_of(*map(github, range(3))), ThreadKind.FORUM, said()),
    "no names at all": (
        page_of(*map(plain, range(3))),
        ThreadKind.FORUM,
        [each._replace(text=f"{each.text} {SAID[i + 1]}") for i, each in enumerate(said())],
    ),
}
"""Pages in the manner of a board: the page, and the one thread expected of it."""


@pytest.mark.parametrize("manner", PAGES)
def test_thread_is_read_when_a_board_writes_so(manner: str) -> None:
    """Every manner of writing threads must give authors, dates, depths and the texts alone."""
    html, kind, posts = PAGES[manner]
    assert [(kind, posts)] == read(html)


def test_answers_are_told_when_there_is_a_question() -> None:
    """Questions, answers and the accepted answer must be recognised."""
    (thread,) = read_threads(parse(STACK, url="https://mill.example/q/1"))
    assert [(True, False, False), (False, True, True), (False, False, False)] == [
        (post.is_question, post.is_answer, post.accepted) for post in thread.posts
    ]
    assert [None, 0, 1] == [post.parent for post in thread.posts]


def test_opening_post_is_of_the_thread_it_opens() -> None:
    """The post that all others answer is one of them, though it is an element of its own."""
    opening = (
        f"<shreddit-post author='{WHO[3]}' created-timestamp='{DAYS[0]}T07:00:00+0000' score='9'>"
        f"<a href='/user/{WHO[3]}/'>{WHO[3]}</a><time datetime='{DAYS[0]}T07:00:00'>then</time>"
        f"<div class='md'><p>{SAID[3]}</p></div></shreddit-post>"
    )
    html = page_of(opening, new_reddit(0, 0, new_reddit(1, 1)), new_reddit(2, 0))
    first = Said(WHO[3], DAYS[0], 0, 9, SAID[3])
    assert [(ThreadKind.FORUM, [first, *said((0, 1, 0), (0, 3, 6))])] == read(html)


def test_permalinks_are_absolute_when_the_page_has_an_address() -> None:
    """A post's own address is that of its date's link, or of its number, or its id."""
    html = PAGES["WordPress"][0]
    (thread,) = read_threads(parse(html, url="https://mill.example/mill/"))
    assert "https://mill.example/mill/#comment-21" == thread.posts[0].permalink
    (thread,) = read_threads(parse(PAGES["phpBB"][0], url="https://mill.example/v"))
    assert "https://mill.example/v#p70" == thread.posts[0].permalink


def card(i: int) -> str:
    return (
        f"<article class='post'><h2><a href='/{i}'>{SAID[i]}</a></h2><span class='author'>"
        f"<a href='/author/{WHO[i]}'>{WHO[i]}</a></span><time datetime='{DAYS[i]}'>then</time>"
        f"<p>{SAID[i]} {SAID[i]}</p></article>"
    )


NO_THREADS: Final = {
    "a story": page_of(f"<article class='post'><p>By <a href='/author/x'>X Y</a>, {DAYS[0]}</p>"
                       f"<p>{' '.join(SAID)}</p></article>"),
    "cards of a blog": page_of(*map(card, range(4))),
    "a list of topics": page_of(
        "<table>",
        *(
            f"<tr class='topic'><td><a href='/t/{i}'>{SAID[i]}</a></td><td><a href='/u/{WHO[i]}'>"
            f"{WHO[i]}</a></td><td>{DAYS[i]}</td></tr>"
            for i in range(4)
        ),
        "</table>",
    ),
    "a form for comments": page_of(
        "<div id='comments' class='comments-area'><div id='respond' class='comment-respond'>"
        "<h3>Leave a reply</h3><form class='comment-form'><label>Name</label><textarea></textarea>"
        "</form></div></div>"
    ),
    "a template of comments": page_of(
        f"<template>{''.join(wordpress(i, 0) for i in range(3))}</template>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("html", NO_THREADS.values(), ids=list(NO_THREADS))
def test_no_thread_is_read_when_there_is_none(html: str) -> None:
    """Lists that only look like posts, such as a list of stories, must not be threads."""
    assert [] == read(html)


def check(html: str) -> tuple[Thread, ...]:
    """Check what holds of the threads of any page, and return them."""
    page = parse(html, url="https://mill.example/")
    threads = read_threads(page)
    own = [post.leaves for thread in threads for post in thread.posts]
    joined = np.concatenate([*own, np.zeros(0, np.int32)])
    assert joined.size == np.unique(joined).size, "a leaf is of one post"
    for thread in threads:
        assert thread.posts
        assert [post.row for post in thread.posts] == sorted(post.row for post in thread.posts)
        for index, post in enumerate(thread.posts):
            assert 0 <= thread.row <= post.row < post.end <= page.end[thread.row]
            above = post.parent
            assert above is None or 0 <= above < index
            assert post.depth == (0 if above is None else thread.posts[above].depth + 1)
            assert (np.diff(post.leaves) > 0).all()
            rows = page.leaves[post.leaves]
            assert ((rows >= post.row) & (rows < post.end)).all()
    return threads


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=list(NASTY_PAGES))
def test_threads_are_sound_when_a_page_is_nasty(html: str) -> None:
    """No page raises an error."""
    check(html)


def posts_of_soup() -> st.SearchStrategy[str]:
    """Generate posts that are whole, broken, nested and strewn with soup."""
    makers = st.sampled_from(
        [phpbb, old_phpbb, vbulletin, discourse, xenforo, mybb, smf, discuz, github, plain, card]
    )
    whole = st.builds(lambda make, i: make(i), makers, st.integers(0, 2))
    nested = st.builds(lambda i, inner: wordpress(i, 0, inner), st.integers(0, 3), whole)
    cut = st.builds(lambda html, stop: html[:stop], whole, st.integers(0, 900))
    return st.lists(st.one_of(whole, nested, cut, soups(6)), max_size=8).map("".join)


@given(st.one_of(soups(), posts_of_soup()))
@example("".join(map(wordpress, range(4), range(4))))
def test_threads_are_sound_when_a_page_is_soup(html: str) -> None:
    """Leaves are of one post, posts in order, and depth is one more than the parent's."""
    check(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div class=comment><a class=author href=/u/x>x</a><time datetime=2021-03-04>t</time>words"
        * 3000,
        "<p class=comment><b class=author>x</b><i class=date>2021-03-04</i>words " * 3000,
        "<div class='a b c'><span class=date>2021-03-04</span>words and words</div>" * 3000,
    ],
    ids=["nested", "flat", "nameless"],
)
def test_threads_are_sound_when_there_are_thousands(html: str) -> None:
    """Posts a thousand deep or a thousand in a row must be read as any others."""
    check(html)
