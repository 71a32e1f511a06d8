"""HTML to a page."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.trees import NASTY_PAGES
from thresher.errors import LimitError
from thresher.page import parse as parse_module
from thresher.page.canonical import source_tree
from thresher.page.parse import pair_elements, parse, parse_utf8


@given(st.text())
def test_parse_takes_any_text(html: str) -> None:
    """Any text at all is a page with html, head, and body or frameset."""
    page = parse(html)
    assert ["html", "head"] == [page.name(row) for row in (0, 1)]
    assert {"body", "frameset"} & {page.name(row) for row in range(len(page))}


@given(st.text(alphabet=st.characters(categories=["Cs", "Ll"]), max_size=8))
def test_parse_replaces_lone_surrogates(text: str) -> None:
    """A lone surrogate must become U+FFFD, as in browsers, and a pair must become one character."""
    page = parse(f"<p>{text}")
    expected = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert expected == page.text
    assert f"<p>{expected}" == page.source


def test_parse_keeps_what_it_was_told() -> None:
    """The source, the URL and the encoding are on the page."""
    page = parse_utf8(b"<p>a", url="https://example.org", encoding="windows-1252")
    assert ("<p>a", "https://example.org", "windows-1252") == (page.source, page.url, page.encoding)


def test_parse_empties_raw_text_elements() -> None:
    """No script, style or frame content is in the buffer; the source has it."""
    page = parse("<script>s1</script><style>s2</style><iframe>s3</iframe><noembed>s4</noembed>x")
    assert "x" == page.text
    assert b"s1" not in page.buffer
    assert "s1" in page.source


@cases(__file__, "formulas")
def test_parse_reads_a_script_as_a_formula_when_it_is_one(html: str, expected: str | None) -> None:
    """A formula in a script must become one leaf with the exact text and span of the script."""
    page = parse(f"<p>x{html}y</p>")
    names = [page.name(row) for row in range(len(page))]
    if expected is None:
        assert "math" not in names
        return
    row = names.index("math")
    assert ["x", expected, "y"] == [page.leaf_text(leaf) for leaf in range(page.leaves.size)]
    span = page.source_span(row)
    assert span is not None
    assert html == page.source[span.start : span.stop]
    assert "script" == pair_elements(page, turbohtml.parse(page.source))[row].tag
    assert "math" == pair_elements(page, source_tree(page.source))[row].tag


def test_parse_reads_plaintext_and_xmp_as_pre() -> None:
    """The markup inside <xmp> and <plaintext> must be read as visible text."""
    page = parse("<xmp><b>a</b></xmp><plaintext><i>b")
    assert ["pre", "pre"] == [page.name(row) for row in (3, 5)]
    assert "<b>a</b><i>b" == page.text


def test_parse_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page whose offsets do not fit is refused, with the limit and its size."""
    monkeypatch.setattr(parse_module, "MAX_BUFFER_BYTES", 100)
    with pytest.raises(LimitError, match="bytes of canonical HTML") as caught:
        parse("x" * 101)
    assert 100 == caught.value.limit
    assert caught.value.value is not None
    assert caught.value.value > 100


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=NASTY_PAGES)
def test_source_tree_does_not_depend_on_positions(html: str) -> None:
    """The tree with source places is the tree without them."""
    html = parse(html).source
    assert source_tree(html).html == source_tree(html, positions=True).html
