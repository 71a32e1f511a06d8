"""Styles that mean the same as elements."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.outline.styles import find_plain, find_styled


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("font-weight:600", {"b"}),
        ("font-weight: bolder !important", {"b"}),
        ("font-weight:50", set()),
        ("x-font-weight:700", set()),
        ("FONT-STYLE:Italic;text-decoration-line:line-through", {"i", "s"}),
        ("text-decoration:underline;x:line-through", set()),
        ("vertical-align:sub", {"sub"}),
        ("vertical-align:super;font-weight:1000", {"b", "sup"}),
        ("vertical-align:subx", set()),
    ],
)
def test_styled_elements_are_found_by_what_they_mean(style: str, expected: set[str]) -> None:
    """Inline elements must be found, and no others, nor those that mean it anyway."""
    tags = "".join(f"<{tag} style='{style}'>x</{tag}>" for tag in ("span", "div", "img"))
    page = parse(f"<body>{tags}<b style='font-weight:700'>y</b>")
    found = find_styled(page, np.ones(len(page), np.bool_))
    assert expected == found.keys()
    assert all(["span"] == [page.name(row) for row in rows.tolist()] for rows in found.values())


def test_plain_elements_are_found_when_a_style_takes_their_meaning() -> None:
    """Bold elements of normal weight are not bold; those of other kinds do not count."""
    page = parse("<body><b style='font-weight:400'>x</b><i style='font-weight:normal'>y</i>")
    found = find_plain(page, np.ones(len(page), np.bool_))
    assert {"b": ["x"]} == {name: list(map(page.text_of, rows)) for name, rows in found.items()}
