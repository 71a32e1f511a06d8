"""thresher.analysis.live_posts: posts of a live blog."""

from __future__ import annotations

import pytest

import thresher
from tests.helpers.known import known
from thresher.analysis.live_posts import find_live_posts
from thresher.page.parse import parse

_POST = (
    '<article class="post"><header><time datetime="2026-03-14T{0}:00Z">{0}</time><h3>Sturm</h3>'
    '</header><p>Der Wind dreht.</p><ul><li><a href="/s">Teilen</a></ul></article>'
)
_TIMES = ("14:20", "13:55", "13:10")
_LIST = "".join(f"<li>{_POST.format(time)}</li>" for time in _TIMES)
_ROW = "".join(_POST.format(time) for time in _TIMES)


@pytest.mark.parametrize(
    "html", [f"<div><b>Live</b>{_ROW}<button>Mehr</button></div>", f"<ul>{_LIST}</ul>"]
)
def test_text_of_posts_is_found(html: str) -> None:
    """Times, headings and paragraphs of posts are text; links to share them are not."""
    page = parse(f"<h1>Sturm</h1>{html}")
    live = known(find_live_posts(page))
    parts = page.within(live.parts)[page.leaves]
    shown = [page.text_of(row) for row in page.leaves[parts].tolist()]
    assert shown == [text for time in _TIMES for text in (time, "Sturm", "Der Wind dreht.")]
    assert list(_TIMES) == [page.text_of(row) for row in live.clocks]
    expected = ["Live", "Mehr"] if "Mehr" in html else []
    assert expected == [page.text_of(row) for row in live.labels]


@pytest.mark.parametrize(
    "html",
    [
        _POST.format("14:20") + _POST.format("13:55"),
        "".join(_POST.format(time) for time in ("14:20", "13:10", "13:55")),
        _ROW.replace("2026-03-14T13:10", "2026-02-14T13:10"),
        _ROW.replace("2026-03-14T13:10", "gestern"),
        _ROW.replace(">13:55<", ">vor 3 Tagen<"),
        _ROW.replace("<h3>Sturm</h3>", '<h3><a href="/sturm">Sturm</a></h3>'),
        f"<a href=/x>{_ROW}</a>",
        _ROW.replace("<header>", "<p>" + "Der Wind dreht. " * 9 + "</p><header>"),
    ],
)
def test_other_articles_are_no_live_blog(html: str) -> None:
    """Few posts, out of order, of many days, without a clock, or teasers are none."""
    assert find_live_posts(parse(f"<div>{html}</div>")) is None


def test_times_are_bold() -> None:
    """The time at the head of a post is bold where it is alone in its line, and else as it is."""
    written = thresher.extract(f"<main>{_ROW}</main>", method="keep_all").markdown
    assert "**14:20**\n\n### Sturm" in written
    beside = _ROW.replace("<header>", "<header>Um ").replace("<h3>Sturm</h3>", "")
    assert "Um 14:20" in thresher.extract(f"<main>{beside}</main>", method="keep_all").markdown
