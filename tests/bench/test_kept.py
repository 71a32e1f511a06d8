"""Counts of the elements that a page keeps when it is written in place."""

from __future__ import annotations

from bench.filters import count_kept

STORY = "".join(f"<p>Paragraph {n}: the mill stood by the weir for ages, " * 8 for n in range(8))
SEARCH = "<form role=search><input name=q><button>Search</button></form>"
LETTER = "<form class=newsletter>Newsletter<input type=email><button>Subscribe</button></form>"
PICTURE = "https://site.example/mill.jpg"


def test_kept_things_are_counted() -> None:
    """Forms, the only h1 and the named picture are counted as far as they are left."""
    head = f"<title>Mill</title><meta property=og:image content={PICTURE}>"
    html = f"{head}<header>{SEARCH}</header><h1>Mill</h1><img src={PICTURE}>{STORY}{LETTER}"
    counts = count_kept(html, "https://site.example/a")
    assert {"forms whole": 1, "forms gone": 1, "h1 kept": 1, "picture kept": 1} == counts


def test_hidden_things_are_gone() -> None:
    """What a page's scripts may look for stays in its source, but nobody sees it."""
    html = f"<title>Mill</title><script src=/a.js></script><h1>Mill</h1>{STORY}{LETTER}"
    counts = count_kept(html, "https://site.example/a")
    assert {"forms gone": 1, "h1 kept": 1} == counts
