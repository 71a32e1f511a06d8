"""Entries of attributes by name, their values, and searches in these."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.trees import soups
from tests.page.test_attribute_places import spelled
from thresher.page.attributes import COMMON_NAMES, read_attributes
from thresher.page.names import MAX_NAME_BYTES
from thresher.page.parse import parse
from thresher.page.parts import CLASS_PARTS


def test_named_compares_whole_names() -> None:
    """A name is found only where it is the whole name, not its beginning or its end."""
    page = parse("<p id=1 ids=2 xid=3 data-id=4><p aria-labelledby=5><p ID=6>")
    assert {3: "1", 5: "6"} == page.attributes.values("id")
    assert {4: "5"} == page.attributes.values("aria-labelledby")
    assert {} == page.attributes.values("class")


@pytest.mark.parametrize("size", [1, 7, 8, 9, MAX_NAME_BYTES])
def test_named_tells_names_of_any_length_apart(size: int) -> None:
    """A name is found whether it fills a word or more, and no longer or shorter one with it."""
    names = ["a" * n for n in range(1, 41)]
    page = parse(f"<p {' '.join(names)}>")
    assert [size - 1] == page.attributes.named(names[size - 1]).tolist()


@given(soups(), st.sampled_from(["class", "id", "aria-hidden", "\u00e9", 'x"']))
def test_named_of_soup(html: str, name: str) -> None:
    """The entries of a name are those that spell it, wherever in the buffer they are."""
    page = parse(html)
    expected = [entry for entry, (_, found, _) in enumerate(spelled(page)) if found == name]
    assert expected == page.attributes.named(name).tolist()


@needs_steps
@given(soups(), st.sampled_from([*COMMON_NAMES, "data-x", "xlink:href"]))
def test_named_by_the_compiled_step(html: str, name: str) -> None:
    """It finds the entries that numpy finds, of names found at once and of another."""
    ours = parse(html).attributes.named(name).tolist()
    with without_compiled_steps():
        assert parse(html).attributes.named(name).tolist() == ours


def test_named_of_a_name_that_is_too_long() -> None:
    """A name that cannot be compared is refused rather than never found."""
    with pytest.raises(ValueError, match="15 bytes"):
        parse("<p>").attributes.named("data-a-very-long-name")


def test_matching_looks_into_each_value_alone() -> None:
    """A pattern matches within one value of that name, whatever its case, and across none."""
    page = parse("<p id=ab><p id=Abc><p id=b><p class=ab><p id=a><p id=b>")
    found = page.attributes
    assert [3, 4] == found.row[found.matching("id", rb"ab", rb"bc")].tolist()
    assert [3, 4, 7] == found.row[found.matching("id", rb"a")].tolist()
    assert [] == found.row[found.matching("title", rb"a")].tolist()


def test_classed_finds_parts_in_some_rows() -> None:
    """The last row is not one of them; a pattern says more than a part."""
    page = parse("<p class=note>a<p class='box hint'>b<p class=hinterland>c<p class=hint>d")
    attributes, hint = page.attributes, CLASS_PARTS.bits(b"hint")
    rows = attributes.row[attributes.classed(hint)].tolist()
    assert ["b", "c", "d"] == [page.text_of(row) for row in rows]
    assert rows[:2] == attributes.row[attributes.classed(hint, b"", rows[0], rows[2])].tolist()
    assert rows[:1] == attributes.row[attributes.classed(hint, rb"hint\b", 0, rows[2])].tolist()


def test_value_is_unescaped() -> None:
    """Values read as the page meant them."""
    page = parse("<p title='a &amp;amp; \"b\" < c&nbsp;d'>")
    assert {3: 'a &amp; "b" < c\xa0d'} == page.attributes.values("title")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (b"<p>", {}),
        (b'<p a="">', {"a": ""}),
        (b'<p a="1" b="2 &amp; 3">', {"a": "1", "b": "2 & 3"}),
        (b'<p ="x"="y" b="">', {'="x"': "y", "b": ""}),
        (b'<p="q" x"="">', {'x"': ""}),
        (b'<p a="1" a="2">', {"a": "1"}),
        (b"some text", {}),
    ],
)
def test_read_attributes_of_one_tag(markup: bytes, expected: dict[str, str]) -> None:
    """The attributes of a start tag are read in order, the first of a name counting."""
    assert expected == read_attributes(markup)
