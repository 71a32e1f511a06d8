"""Pictures that a page shows again directly behind the first."""

from __future__ import annotations

import pytest

import thresher

FIRST = "<p>The mill burned.<div><img src=/mill-600x400.jpg></div>"
SECOND = "<div><img src=/mill.jpg></div>"
CAPTION = "<p>The mill at dawn. Photo: Ada</p>"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (f"{FIRST}<div><img src=/mill.jpg?w=9></div><p>Low.", "The mill burned. ![] Low."),
        (
            f"{FIRST}{CAPTION}<div><img src=/mill.webp></div>{CAPTION}<p>Low.",
            "The mill burned. ![] The mill at dawn. Photo: Ada Low.",
        ),
        (
            f"{FIRST}{CAPTION}<div><img src=/mill.jpg></div><p>The mill at dawn.<p>Low.",
            "The mill burned. ![] The mill at dawn. Photo: Ada Low.",
        ),
        (
            f"{FIRST}<p>High.<div><img src=/mill.jpg></div><p>Low.",
            "The mill burned. ![] High. ![] Low.",
        ),
        (f"{FIRST}<div><img src=/weir.jpg></div><p>Low.", "The mill burned. ![] ![] Low."),
        (
            "<p>The mill burned.<div><img src=/view?id=1></div><div><img src=/view?id=2></div>",
            "The mill burned. ![] ![]",
        ),
        (
            f"{FIRST}<p>Dawn.</p><div><img src=/mill.jpg></div><h2>Dawn.</h2><p>Low.",
            "The mill burned. ![] Dawn. ![] ## Dawn. Low.",
        ),
        (
            "<ul><li><img src=/mill.jpg><p>The mill.<p>Low.<li><img src=/mill.jpg><p>The mill.",
            "- ![] The mill. Low. - ![] The mill.",
        ),
        (
            f"{FIRST}<a href=/a>The mill.</a><p>Low.{SECOND}<a href=/b>The mill.</a>",
            "The mill burned. ![] [The mill.](https://mill.example/a) Low. ![] "
            "[The mill.](https://mill.example/b)",
        ),
        (
            f"{FIRST}<p>High. Low.{SECOND}<p>Low.",
            "The mill burned. ![] High. Low. ![] Low.",
        ),
        (f"{FIRST}<p>How sad <img src=/mill.jpg>", "The mill burned. ![] How sad ![]"),
    ],
    ids=[
        *("larger", "caption", "part of it", "other words", "other picture", "program"),
        *("heading", "entries of a list", "links to others", "said later", "in a line"),
    ],
)
def test_copy_of_a_picture_is_not_written(html: str, written: str) -> None:
    """It stands directly behind the first or repeats its caption; no other words are lost."""
    markdown = thresher.extract(html, url="https://mill.example", method="keep_all").markdown
    words = [word if word[:2] != "![" else "![]" for word in markdown.split()]
    assert written.split() == words


def test_signs_in_a_table_stay() -> None:
    """A picture in the next cell is no copy."""
    row = "<tr><td>{}<td><img src=/tick.png><td><img src=/tick.png>"
    html = f"<table><tr><th>Mill<th>Rye<th>Oats{row.format('Low')}{row.format('High')}</table>"
    markdown = thresher.extract(html, url="https://mill.example", method="keep_all").markdown
    assert 4 == markdown.count("/tick.png")
