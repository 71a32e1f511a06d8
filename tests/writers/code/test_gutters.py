"""Line numbers, buttons and languages beside code."""

from __future__ import annotations

import numpy as np

from tests.helpers.cases import cases
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.code.gutters import (
    LANGUAGE_LABELS,
    LANGUAGES,
    find_bar,
    find_gutters,
    find_language,
)


@cases(__file__, "gutters")
def test_gutters_are_found_when_code_has_them(html: str, expected: list[str]) -> None:
    """Line numbers, buttons and labels added to code must be flagged, and the code must not."""
    page = parse(f"<body>{html}")
    found = np.flatnonzero(find_gutters(page, np.ones(page.leaves.size, np.bool_)))
    assert expected == [page.leaf_text(leaf) for leaf in found.tolist()]


def test_nothing_is_found_when_it_is_dropped_anyway() -> None:
    """Only kept leaves must be flagged."""
    page = parse("<body><pre><b class=lineno>1</b>a</pre>")
    assert not find_gutters(page, np.array([False, True])).any()


@cases(__file__, "bars")
def test_button_and_language_are_found_beside_code(html: str, expected: list[str]) -> None:
    """What copies code must be found, with a language but not with other texts."""
    page = parse(f"<body>{html}")
    (pre,) = np.flatnonzero(page.tag == CODE_OF["pre"]).tolist()
    assert expected == [page.text_of(row) for row in find_bar(page, pre)]


@cases(__file__, "languages")
def test_language_is_found_when_a_highlighter_names_it(html: str, expected: str) -> None:
    """The language must be found in the markup of each common highlighter, and nothing else."""
    page = parse(f"<body>{html}")
    pre = int(np.flatnonzero(page.tag == CODE_OF["pre"])[-1])
    assert expected == find_language(page, pre)


def test_labels_name_a_language_or_none_when_they_are_looked_up() -> None:
    """Every label must map to a known name, and no label may itself be a name."""
    assert LANGUAGES >= set(LANGUAGE_LABELS.values()) - {""}
    assert LANGUAGES.isdisjoint(LANGUAGE_LABELS)
    assert all(name == name.lower() for name in LANGUAGES | LANGUAGE_LABELS.keys())
