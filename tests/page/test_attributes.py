"""Attributes: entries by name, distinct values, searches, and places in the bytes."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps
from tests.helpers.kernel_comparison import call_both
from tests.helpers.trees import NASTY_PAGES, soups, walk_rows
from thresher import LimitError, Verdict, extract
from thresher.limits import MAX_ATTRIBUTES
from thresher.native import REFUSALS
from thresher.page import Page
from thresher.page.attributes import Attributes, number_spans, read_attributes
from thresher.page.html_parser import check_attributes
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


def test_named_of_a_name_that_is_too_long() -> None:
    """A name that cannot be compared is refused rather than never found."""
    with pytest.raises(ValueError, match="15 bytes"):
        parse("<p>").attributes.named("data-a-very-long-name")


def test_matching_looks_into_each_value_alone() -> None:
    """A pattern matches within one value of that name, whatever its case, and across none."""
    page = parse("<p id=ab><p id=Abc><p id=b><p class=ab><p id=a><p id=b>")
    found = page.attributes
    assert [3, 4] == found.rows_matching("id", rb"ab", rb"bc").tolist()
    assert [3, 4, 7] == found.rows_matching("id", rb"a").tolist()
    assert [] == found.rows_matching("title", rb"a").tolist()


def test_classed_finds_parts_in_some_rows() -> None:
    """The last row is not one of them; a pattern says more than a part."""
    page = parse("<p class=note>a<p class='box hint'>b<p class=hinterland>c<p class=hint>d")
    attributes, hint = page.attributes, CLASS_PARTS.bits(b"hint")
    rows = attributes.rows_classed(hint).tolist()
    assert ["b", "c", "d"] == [page.text_of(row) for row in rows]
    assert rows[:2] == attributes.row[attributes.classed(hint, b"", rows[0], rows[2])].tolist()
    assert rows[:1] == attributes.row[attributes.classed(hint, rb"hint\b", 0, rows[2])].tolist()


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


def number(values: list[bytes]) -> tuple[list[int], list[int]]:
    """Number values, by kernel and definition alike."""
    ends = np.cumsum([0, *map(len, values)]).astype(np.int32)
    found = call_both(number_spans, b"".join(values), ends[:-1], ends[1:])
    return found.number.tolist(), found.first.tolist()


def test_spans_are_numbered_in_order() -> None:
    """The same bytes have the same number, the empty span too; one that begins another does not."""
    values = [b"card", b"", b"card-title", b"card", b"", b"card-titles"]
    assert ([0, 1, 2, 0, 1, 3], [0, 1, 2, 5]) == number(values)
    assert ([], []) == number([])


@given(st.lists(st.text("ab", max_size=20).map(str.encode), max_size=40))
def test_any_spans_are_those_of_their_numbers(values: list[bytes]) -> None:
    """The first span of each number reads the same."""
    numbers, first = number(values)
    assert values == [values[first[each]] for each in numbers]


@needs_steps
def test_spans_outside_the_buffer_are_refused() -> None:
    """The step reads nothing beyond the buffer."""
    start, stop = np.array([0, 2], np.int32), np.array([2, 9], np.int32)
    before = REFUSALS.total()
    assert [0, 1] == number_spans(b"abcd", start, stop).number.tolist()
    assert before + 1 == REFUSALS.total()


def test_attributes_have_distinct_values() -> None:
    """Rows in order, the value of each, escaped; only of the name asked for."""
    page = parse("<p class='a&amp;b'>1<p class=c>2<p id=c>3<p class='a&amp;b'>4")
    found = page.attributes.distinct("class")
    assert [b"a&amp;b", b"c"] == found.texts
    assert ["1", "2", "4"] == [page.text_of(row) for row in found.row.tolist()]
    assert [0, 1, 0] == found.number.tolist()
    spans = zip(found.start.tolist(), found.stop.tolist(), strict=True)
    assert found.texts == [page.buffer[start:stop] for start, stop in spans]
    assert b"c" == found.text(1)


def test_values_are_found_by_word() -> None:
    """Words between ASCII white space, unescaped, with the numbers of all values that have each."""
    values = parse("<p class='a\tb\nc\fd  e&nbsp;f\u2003g'>").attributes.distinct("class")
    assert {"a", "b", "c", "d", "e\xa0f\u2003g"} == set(values.words)
    page = parse("<p class='a&amp;b c'>1<p class=C>2<p class='c c'>3<p class='a&amp;b c'>4")
    found = page.attributes.distinct("class")
    assert {"a&b": [0], "c": [0, 2], "C": [1]} == found.words
    rows = found.rows_with(found.words["c"])
    assert ["1", "3", "4"] == [page.text_of(row) for row in rows.tolist()]
    assert [] == found.rows_with([]).tolist()


QUOTE_MIX = '<p a="x" b>1<a href="x"">2<a="q">3<a="q" c="d">4<i =\'"\' e=\'"\'>5<p f=" =">6'


def spelled(page: Page) -> list[tuple[int, str, str]]:
    """Return row, name and value of every entry of the page's attributes."""
    found = page.attributes
    places = zip(found.row.tolist(), found.name_start.tolist(), found.start.tolist(), strict=True)
    return [
        (row, page.buffer[name_start : start - 2].decode(), found.value(entry))
        for entry, (row, name_start, start) in enumerate(places)
    ]


def expected_of(page: Page) -> list[tuple[int, str, str]]:
    """Return row, name and value of every attribute in the parser's tree."""
    rows = enumerate(walk_rows(page.source))
    return [(row, *attribute) for row, spec in rows for attribute in spec.attrs.items()]


@pytest.mark.parametrize("html", [*NASTY_PAGES.values(), QUOTE_MIX], ids=[*NASTY_PAGES, "quotes"])
def test_attributes_of_nasty_pages(html: str) -> None:
    """Every attribute is found at its row, in order, whatever is in names and values."""
    page = parse(html)
    assert expected_of(page) == spelled(page)


@given(soups())
def test_attributes_of_soup(html: str) -> None:
    """Every attribute of any soup is found at its row, in order."""
    page = parse(html)
    assert expected_of(page) == spelled(page)


def test_attributes_of_a_page_without_any() -> None:
    """A page without attributes has columns without entries."""
    found = parse('text with "quotes" = and > signs').attributes
    columns = [getattr(found, column.name) for column in fields(Attributes)[1:]]
    assert [0, 0, 0, 0] == [column.size for column in columns]


MANY = " ".join(f"a{i}" for i in range(MAX_ATTRIBUTES + 1))


@pytest.mark.parametrize(
    "html",
    [
        f"<p {MANY}>w",
        f"<p>w<P\n{MANY}",
        "<p " + "a='>' " * (MAX_ATTRIBUTES + 1) + ">",
        "<p/" + 'a="<p>"/' * (MAX_ATTRIBUTES + 1) + ">",
    ],
)
def test_tag_of_too_many_attributes_is_refused(html: str) -> None:
    """Attributes count however they are written, also in a tag that does not end."""
    with pytest.raises(LimitError, match="attributes of one tag"):
        check_attributes(html.encode())


@pytest.mark.parametrize(
    "html",
    [
        f"<p {MANY.partition(' ')[2]}>w",
        f"<p {MANY[:300_000]}><p {MANY[:300_000]}>",
        f"<p title='{MANY}'>",
        f"<!-- {MANY} --><p>{MANY}",
        "<a " * (MAX_ATTRIBUTES // 2),
    ],
)
def test_other_pages_are_not(html: str) -> None:
    """Each tag counts alone, and a value, a comment or a text is no attribute."""
    check_attributes(html.encode())


def test_page_of_too_many_attributes_is_read_in_part() -> None:
    """With partial limits the beginning of the page is extracted."""
    html = f"<p>The mill grinds rye.<p {MANY}>w"
    with pytest.raises(LimitError, match="attributes of one tag"):
        extract(html)
    document = extract(html, method="keep_all", on_limit="partial")
    assert Verdict.PARTIAL == document.verdict
    assert document.text.startswith("The mill")
