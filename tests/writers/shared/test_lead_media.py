"""The lead picture and embedded videos."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.shared.article_head import find_lead_media

META = '<meta property="og:image" content="https://cdn.example/a/mill.jpg?w=1200">'
AMP = "<script src=https://cdn.ampproject.org/v0.js></script>"
URL = "https://site.example/news/page"


def kept_of(body: str, head: str = META) -> set[str]:
    """Return the ids of the leaves that are kept besides the paragraphs."""
    page = parse(f"<head>{head}</head><body>{body}", url=URL)
    texts = [page.leaf_text(leaf) for leaf in range(page.leaves.size)]
    keep = np.array([text.startswith("Story") for text in texts], np.bool_)
    found = find_lead_media(page, keep)
    ids = page.attributes.values("id")
    return {ids.get(int(row), page.text_of(int(row))) for row in page.leaves[found]}


@pytest.mark.parametrize(
    ("picture", "kept"),
    [
        ("<img id=i src=https://cdn.example/a/mill.jpg>", {"i"}),
        ("<img id=i src=//cdn.example/a/mill.jpg?w=600>", {"i"}),
        ("<img id=i src=x.gif data-src=/a/mill.jpg>", {"i"}),
        ("<img id=i srcset='/a/weir.jpg 1x, /a/mill.jpg 2x'>", {"i"}),
        ("<picture><source srcset=/a/mill.jpg><img id=i src=x.gif></picture>", {"i"}),
        ("<figure><img id=i src=/a/mill.jpg><figcaption>Mill</figcaption></figure>", {"i", "Mill"}),
        ("<img id=i src=/a/mill.jpg><img id=j src=/a/mill.jpg>", {"i"}),
        (f"{AMP}<amp-img id=i src=/a/mill.jpg></amp-img>", {"i"}),
        ("<img id=i src=/a/weir.jpg>", set()),
    ],
)
def test_the_picture_that_a_page_names_is_kept(picture: str, kept: set[str]) -> None:
    """The first picture with the address in og:image is kept, with its caption."""
    assert kept == kept_of(f"<div>{picture}</div><p>Story")
    assert not kept_of(f"<div>{picture}</div><p>Story", "")


@pytest.mark.parametrize(
    ("video", "is_kept"),
    [
        ("<iframe id=v src=https://www.youtube.com/embed/x></iframe>", True),
        ("<iframe id=v data-src=https://player.vimeo.com/video/1></iframe>", True),
        ("<video id=v src=a.mp4></video>", True),
        (f"{AMP}<amp-youtube id=v data-videoid=x></amp-youtube>", True),
        ("<iframe id=v src=https://ads.example/embed></iframe>", False),
        ("<aside><video id=v src=a.mp4></video></aside>", False),
    ],
)
def test_videos_within_the_content_are_kept(video: str, is_kept: bool) -> None:
    """Videos of the page and of known players are kept between selected texts."""
    assert ({"v"} if is_kept else set()) == kept_of(f"<p>Story one</p>{video}<p>Story two")
    assert set() == kept_of(f"<p>Story one</p><p>Story two</p>{video}")
