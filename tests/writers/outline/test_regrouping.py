"""thresher.writers.outline.runs: paragraphs that are not blocks of the page."""

from __future__ import annotations

import thresher


def test_each_slide_of_a_carousel_is_a_paragraph() -> None:
    """AMP shows the pictures of a carousel one after the other, not in a line."""
    html = (
        "<script src=https://cdn.ampproject.org/v0.js></script><p>before</p><amp-carousel>"
        "<amp-img src=https://a.example/1></amp-img><a href=https://a.example/><amp-img"
        " src=https://a.example/2></amp-img> two</a></amp-carousel><p>after"
    )
    assert (
        "before\n\n![](https://a.example/1)\n\n[![](https://a.example/2) two](https://a.example/)"
        "\n\nafter"
    ) == thresher.extract(html, method="keep_all").markdown
