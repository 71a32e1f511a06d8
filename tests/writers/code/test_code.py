"""Code is found, with its lines and language, and without what is only shown beside it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.data import cases
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.code.gutters import (
    LANGUAGE_LABELS,
    LANGUAGES,
    find_bar,
    find_gutters,
    find_language,
)
from thresher.writers.code.lines import find_fragments, read_code
from thresher.writers.outline.outline import outline_page


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


def written(html: str, keep: list[bool] | None = None) -> str:
    """Return the text written for the first preformatted element of a page."""
    page = parse(f"<body>{html}")
    flags = np.ones(page.leaves.size, np.bool_) if keep is None else np.array(keep)
    outline = outline_page(page, flags)
    pre = int(np.flatnonzero(outline.preformatted)[0])
    return "".join(part.text for part in read_code(page, outline.holds, outline.gutters, pre))


@cases(__file__, "code")
def test_code_is_exact_when_highlighters_cut_it(html: str, expected: str) -> None:
    """Each character of the code must be written once, and nothing that is not code."""
    assert expected == written(html)


def test_white_space_goes_with_its_line_when_a_line_is_dropped() -> None:
    """A dropped line must be dropped with its line end."""
    html = "<pre><b>a</b>\n<b>b</b>\n<b>c</b></pre>"
    assert "a\nc" == written(html, [True, False, True])
    assert "b\n" == written(html, [False, True, False])


def test_texts_are_exact_when_they_are_unchanged() -> None:
    """Only a text whose white space was changed must be marked as inexact."""
    page = parse("<body><p><code>a <br>\n b</code></p>")
    outline = outline_page(page, np.ones(page.leaves.size, np.bool_))
    pre = int(np.flatnonzero(outline.preformatted)[0])
    texts = read_code(page, outline.holds, outline.gutters, pre)
    assert [("a ", True), ("\n", False), ("b", False)] == [(t.text, t.is_exact) for t in texts]
    assert [False, True, False] == [text.is_end for text in texts]


LINE = "<div class='line'>a</div>"


@pytest.mark.parametrize(
    ("html", "n_found"),
    [
        (f"<div class=fragment>{LINE}{LINE}</div>", 1),
        (f"<div class='x fragment'>{LINE}</div><div class=fragment>{LINE}</div>", 2),
        ("<div class=fragment><p>a slide</p></div>", 0),
        (f"<div class=fragment><section>{LINE}</section></div>", 0),
        (f"<div class=fragments>{LINE}</div>", 0),
        (f"<p>fragment{LINE}", 0),
        ("<div><div class=cm-line>a</div><div class=cm-line>b</div></div>", 1),
        ("<table><td><div class='line number1'><code>a</code></div>", 1),
        ("<div><div class=code-line>a</div><p>b</div>", 0),
        ("<body class=vscode><p class=code-line>a", 0),
        ("<pre><div class=token-line>a</div></pre>", 0),
        ("<div class=enlighter><div><div>a</div><div>b</div></div></div>", 1),
        ("<div style='font: 9px Menlo, monospace; white-space: pre;'><div>a</div></div>", 1),
        ("<div style='font-family: monospace; white-space: pre-wrap;'>a</div>", 0),
    ],
)
def test_fragments_hold_lines(html: str, n_found: int) -> None:
    """Only elements whose own children are lines, or that are displayed as code, are some."""
    assert n_found == find_fragments(parse(html)).size
