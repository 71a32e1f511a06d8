"""The text of a post."""

from __future__ import annotations

import numpy as np

from thresher.analysis.threads import text_of
from thresher.page.parse import parse


def test_text_is_in_paragraphs() -> None:
    """Blocks are an empty line apart, line breaks stay, pictures leave nothing."""
    page = parse("<p>a <b>b</b>c</p><img src=x><p>d<br>e</p>")
    assert "a bc\n\nd\ne" == text_of(page, np.arange(page.leaves.size, dtype=np.int32))


def test_text_is_empty_when_there_are_no_leaves() -> None:
    """Without leaves there is no text."""
    assert "" == text_of(parse("<p>a"), np.zeros(0, np.int32))
