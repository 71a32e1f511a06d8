"""Lists that a sentence announces with a colon are kept with the text around them."""

from __future__ import annotations

import pytest

from tests.algorithms.learned.masks import flags_of, shown
from thresher.algorithms.learned.announced import find_announced_lists
from thresher.features import compute_features
from thresher.page.parse import parse

STORY = "<p>The mill grinds rye from early in the morning.</p>"
LINKS = "<ul><li><a href=/a>rye</a><li><a href=/b>oats</a><li><a href=/c>hay</a></ul>"
ANNOUNCED = "<p>These mills are open to visitors:</p>"


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (f"{ANNOUNCED}{LINKS}{STORY}", "10001", "01110"),
        (f"{ANNOUNCED.replace(':', '：')}{LINKS}{STORY}", "10001", "01110"),
        (f"{ANNOUNCED.replace(':', '.')}{LINKS}{STORY}", "10001", "00000"),
        (f"<p>Read more:</p>{LINKS}{STORY}", "10001", "00000"),
        (f"{ANNOUNCED}{LINKS}", "1000", "0000"),
        (f"{LINKS}{STORY}", "0001", "0000"),
        (f"{ANNOUNCED}{LINKS}<section>{STORY}{STORY}</section>", "100011", "000000"),
        (f"{ANNOUNCED}{LINKS}{STORY}", "00001", "00000"),
    ],
)
def test_list_of_links_is_kept_when_it_is_announced(html: str, keep: str, expected: str) -> None:
    """A sentence with a colon before it and kept text after it make a list part of the text."""
    page = parse(f"<div>{html}</div>")
    found = find_announced_lists(page, compute_features(page), flags_of(keep))
    assert expected == shown(found)
