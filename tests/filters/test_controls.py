"""Controls of the content."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.filters.apply import keep_controls
from thresher.page.parse import parse

TABS = (
    "<div><input id=t1 type=radio><div><label for=t1>x</label></div><p>kept</p></div>"
    "<div><input id=t2 type=radio><label for=t2>dropped</label><p>y</p></div>"
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (TABS, {"x", "kept"}),
        ("<button aria-controls='a b'>x</button><p id=b>kept</p>", {"x", "kept"}),
        ("<button aria-controls=menu>x</button><p id=menu>y</p><p>kept</p>", {"kept"}),
        ("<a role=tab href=#b>x</a><a href=#b>y</a><p id=b>kept</p>", {"x", "kept"}),
        ("<details><summary>x</summary><p>kept</p></details>", {"x", "kept"}),
        ("<details><summary>x</summary><p>y</p></details><p>kept</p>", {"kept"}),
        ("<p>kept</p>z<details><summary>x</summary>y</details>", {"kept", "x", "y"}),
        (
            "<div><p>kept</p></div><details><summary>x</summary></details> <details>y</details>",
            {"kept", "x", "y"},
        ),
        ("<p>kept</p><details><summary>x</summary><a href=/>y y</a></details>", {"kept"}),
        ("<nav><p>kept</p><details><summary>x</summary>y</details></nav>", {"kept"}),
        ("<p>kept</p><p>z</p><details><summary>x</summary>y</details>", {"kept"}),
        ("<input id=t type=checkbox><label for=t>x</label><p>kept</p>", {"kept"}),
        ("<div><input id=t><label for=t>x</label><p>kept</p></div>", {"kept"}),
        ("<label for=no>x</label><p>kept</p>", {"kept"}),
    ],
)
def test_controls_of_what_is_kept(html: str, expected: set[str]) -> None:
    """They stay if something that they show stays, and only then."""
    page = parse(f"<body>{html}")
    texts = [page.leaf_text(leaf) for leaf in range(page.leaves.size)]
    keep = np.array([text == "kept" for text in texts])
    kept = keep_controls(page, keep)
    assert expected == {text for text, is_kept in zip(texts, kept, strict=True) if is_kept}


def test_nothing_is_kept_of_nothing() -> None:
    """Without content there is nothing to control."""
    page = parse("<details><summary>x</summary><p>y</p></details>")
    assert not keep_controls(page, np.zeros(page.leaves.size, np.bool_)).any()


def test_the_way_to_the_next_page_stays() -> None:
    """The row of page numbers is kept with the content, other links are not."""
    pager = '<ul class="pagination"><li>1</li><li><a href="?page=2">2</a></li></ul>'
    html = f'<article><p>Rye is sown in autumn.</p></article><p><a href="/a2">Oats</a></p>{pager}'
    page = parse(html, url="https://a.example/rye")
    keep = np.asarray([page.leaf_text(leaf).startswith("Rye") for leaf in range(page.leaves.size)])
    kept = keep_controls(page, keep)
    texts = [page.leaf_text(leaf) for leaf in np.flatnonzero(kept).tolist()]
    assert ["Rye is sown in autumn.", "1", "2"] == [text.strip() for text in texts]
