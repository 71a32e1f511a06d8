"""thresher.analysis.companions: captions, posts and players written beside the kept content."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.document import WriteOptions

_TWEET = (
    '<blockquote class="twitter-tweet"><p>The tide is in.</p>— Ada (@ada)'
    ' <a href="https://x.com/ada/status/20">May 9, 2026</a></blockquote>'
)


def _write(inside: str, **options: bool) -> str:
    html = f'<p class="k">first</p>{inside}<p class="k">last</p><p>behind'
    return document_keeping(html, [".k"]).write("markdown", WriteOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (
            '<figure><img class="k" src="/a.png"><figcaption>a dial</figcaption></figure>',
            "a dial",
        ),
        (
            '<div class="wp-caption"><img class="k" src="/a.png"><p class="wp-caption-text">a dial'
            "</p></div>",
            "a dial",
        ),
        (_TWEET, "> The tide is in.\n>\n> — Ada (@ada) [May 9, 2026](https://x.com/ada/status/20)"),
        (
            '<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>',
            "<https://www.youtube.com/watch?v=abcdefghijk>",
        ),
    ],
)
def test_companion_is_written_when_its_neighbours_are_kept(inside: str, expected: str) -> None:
    """A caption must be written with its picture, a post and a player among what is kept."""
    assert expected in _write(inside)


@pytest.mark.parametrize(
    "inside",
    [
        '<figure><img src="/a.png"><figcaption>a dial</figcaption></figure>',
        f"<aside>{_TWEET}</aside>",
        _TWEET.replace("<blockquote", "<blockquote hidden"),
        '<iframe src="https://ads.example/frame"></iframe>',
        '<iframe class="k" src="https://www.facebook.com/plugins/like.php?href=x"></iframe>',
        "<blockquote>a quote</blockquote>",
    ],
)
def test_nothing_is_added_when_it_does_not_belong_to_what_is_kept(inside: str) -> None:
    """No caption without its picture, nothing hidden or aside, no advertisement or button."""
    assert "first\n\nlast" == _write(inside)


def test_text_and_selection_are_the_same_when_there_are_companions() -> None:
    """Formats without pictures must have what was selected, and so must the document."""
    document = document_keeping(f'<p class="k">first</p>{_TWEET}<p class="k">last</p>', [".k"])
    before = document.selection.keep.tolist()
    assert "Ada" in document.markdown
    assert "first\n\nlast" == document.text
    assert before == document.selection.keep.tolist()


def test_caption_stays_out_when_pictures_are_not_wanted() -> None:
    """Without pictures there is nothing that captions belong to."""
    inside = '<figure><img class="k" src="/a.png"><figcaption>a dial</figcaption></figure>'
    assert "first\n\nlast" == _write(inside, images=False)
