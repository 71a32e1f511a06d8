"""Labelled pages of a local newspaper whose readers want the byline, which is otherwise dropped."""

from __future__ import annotations

from thresher.evaluation.corpora import LabelledPage

_SAYS = (
    "The ferryman counted the sacks twice while the others waited at the bridge.",
    "Nobody was surprised that the price of rye had fallen again this spring.",
    "The wheel turned slowly until the rain came, and then not at all.",
    "A young baker asked for a second opinion, which took longer than planned.",
    "The old teacher kept the fire going and wrote down what the river did.",
)


def make_page(number: int, *, byline: bool = True) -> LabelledPage:
    """Make a page of its own site; ``byline`` says whether its label includes the byline."""
    story = [
        _SAYS[(number + place) % len(_SAYS)] + f" So it was in year {number}." for place in range(4)
    ]
    by = f"By Ruth Miller number {number}, in the valley"
    html = (
        f"<title>Letter {number}</title><nav><ul><li><a href=/>Home</a><li><a href=/m>Mills</a>"
        f"</ul></nav><main><h1>Letter {number}</h1>"
        f"<aside class=author><a href=/ruth>{by}</a></aside>"
        + "".join(f"<p>{each}</p>" for each in story)
        + "</main><footer><p>All rights reserved. <a href=/t>Terms</a></p></footer>"
    )
    text = "\n".join([*([by] if byline else []), *story])
    return LabelledPage("valley", str(number), html, f"https://valley{number}.example/a", text)


def make_pages(count: int, *, byline: bool = True) -> list[LabelledPage]:
    """Make several pages."""
    return [make_page(number, byline=byline) for number in range(count)]
