"""Viewable pages of embedded players."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.writers.fragment.media import find_viewer_url

CASES: Final = {
    "https://www.youtube.com/embed/abcdefghijk?rel=0": (
        "https://www.youtube.com/watch?v=abcdefghijk"
    ),
    "http://youtube-nocookie.com/embed/a-_defghijk": "https://www.youtube.com/watch?v=a-_defghijk",
    "https://www.youtube.com/embed/videoseries?si=x&list=PLx-1": (
        "https://www.youtube.com/playlist?list=PLx-1"
    ),
    "https://www.youtube.com/v/abcdefghijk&hl=en": "https://www.youtube.com/watch?v=abcdefghijk",
    "https://player.vimeo.com/video/12?title=0#t=5": "https://vimeo.com/12",
    "https://player.vimeo.com/video/12?title=0&h=a1": "https://vimeo.com/12/a1",
    "https://www.dailymotion.com/embed/video/x1": "https://www.dailymotion.com/video/x1",
    "https://platform.twitter.com/embed/Tweet.html?dnt=1&id=12&lang=en": (
        "https://x.com/i/status/12"
    ),
    "https://www.instagram.com/p/Ab-1/embed/?cr=1": "https://www.instagram.com/p/Ab-1/",
    "https://open.spotify.com/embed/track/1a?u=2": "https://open.spotify.com/track/1a",
    "https://embed.ted.com/talks/lang/de/a_talk": "https://www.ted.com/talks/a_talk",
    "https://codepen.io/who/embed/aB1?x": "https://codepen.io/who/pen/aB1",
    "https://w.soundcloud.com/player/?url=https%3A//s.example/1&color=x": "https://s.example/1",
    "https://www.facebook.com/plugins/video.php?height=1&href=https%3A%2F%2Ff.example%2F1": (
        "https://f.example/1"
    ),
    "https://w.soundcloud.com/player/?url=https%3A//api.s.example/1": (
        "https://w.soundcloud.com/player/?url=https%3A//api.s.example/1"
    ),
    "https://w.soundcloud.com/player/?url=javascript:x": (
        "https://w.soundcloud.com/player/?url=javascript:x"
    ),
    "https://www.youtube.com/embed/short": "https://www.youtube.com/embed/short",
    "https://video.example/embed/abcdefghijk": "https://video.example/embed/abcdefghijk",
    "https://youtube.com.evil.example/embed/abcdefghijk": (
        "https://youtube.com.evil.example/embed/abcdefghijk"
    ),
}


@pytest.mark.parametrize(("url", "expected"), CASES.items())
def test_page_is_found_when_a_player_is_known(url: str, expected: str) -> None:
    """The URL of a known player must become that of the page; any other stays."""
    assert expected == find_viewer_url(url)
