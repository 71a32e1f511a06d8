"""Choice of listed pages."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.app.labels import PageChoice, choose_pages
from thresher.labelling.model import Label, ListedPage

PAGES = {
    1: ListedPage("rye.html", "https://mill.example/rye", "Zwieback"),
    2: ListedPage("oats.html", "https://barn.example/oats"),
    3: ListedPage("notes.html", None),
    4: ListedPage("wheat.html", "https://mill.example/Wheat"),
}
KEEP = np.ones(2, np.bool_)
LABELS = {
    1: [Label(1, "Ada", KEEP, "Rye."), Label(1, "Bo", ~KEEP, "")],
    2: [Label(2, "Ada", None, None)],
    4: [Label(4, "Ada", KEEP, "Wheat.")],
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [1, 2, 3, 4]),
        ({"q": "MILL wheat"}, [4]),
        ({"q": "notes"}, [3]),
        ({"q": "zwie"}, [1]),
        ({"site": "mill.example"}, [1, 4]),
        ({"state": "labelled", "order": "latest"}, [4, 1]),
        ({"state": "skipped"}, [2]),
        ({"state": "unlabelled"}, [3]),
        ({"state": "differing"}, [1]),
        ({"site": "mill.example", "state": "skipped"}, []),
        ({"order": "name"}, [2, 1, 4, 3]),
        ({"order": "title"}, [2, 4, 3, 1]),
        ({"order": "none", "state": "none"}, [1, 2, 3, 4]),
    ],
)
def test_pages_are_chosen(query: dict[str, str], expected: list[int]) -> None:
    """Words, site and state are combined; what is unknown is ignored."""
    assert expected == choose_pages(PAGES, LABELS, {1}, PageChoice.of_query(query))
