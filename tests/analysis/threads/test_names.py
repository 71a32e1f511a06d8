"""Names of rows, and what they and addresses say of posts and their parts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parts import find_parts_in
from thresher.analysis.threads.hints import (
    _MEMBER,
    _PERSON_PARTS,
    _POST,
    _POST_PARTS,
    _PROFILE,
    LinkAddresses,
    MarkupHints,
)
from thresher.analysis.threads.names import (
    _PATTERNS,
    ACCEPTED,
    AUTHOR,
    AUTHOR_OR_DATE,
    AUTHOR_OR_DATE_PARTS,
    BODY,
    BOILERPLATE,
    DATE,
    MAX_NAME_BYTES,
    NAME,
    PROFILE,
    PROPERTIES,
    PROPERTY_PARTS,
    SCORE,
    author_or_date_bits,
    part_bits,
    property_bits,
    read_row_names,
)
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.parts import Parts


def bits_of(value: bytes, bit: int) -> int:
    """Return the bits of a value that are read together with one of them."""
    return (author_or_date_bits if bit & AUTHOR_OR_DATE else part_bits)(value)


@pytest.mark.parametrize(
    ("value", "bit"),
    [
        (b"comment-author vcard", AUTHOR),
        (b"hnuser", NAME),
        (b"post-date", DATE),
        (b"js-vote-count", SCORE),
        (b"bbWrapper", BODY),
        (b"signature restrain", PROFILE),
        (b"comment-reply-link reply", BOILERPLATE),
        (b"accepted-answer", ACCEPTED),
    ],
)
def test_names_say_what_they_hold(value: bytes, bit: int) -> None:
    """The names of the parts of posts must be known in all their spellings."""
    assert bits_of(value, bit) & bit


@pytest.mark.parametrize(
    ("value", "bit"),
    [
        (b"authority", AUTHOR),
        (b"author-avatar", AUTHOR),
        (b"updated-by", DATE),
        (b"reputation-score", SCORE),
        (b"message-userContent", PROFILE),
        (b"textile", BODY),
    ],
)
def test_names_do_not_say_what_they_only_contain(value: bytes, bit: int) -> None:
    """A word inside another word, or for another thing, must not match."""
    assert not bits_of(value, bit) & bit


@pytest.mark.parametrize("pattern", [p for bit, p in _PATTERNS if bit & AUTHOR_OR_DATE])
@given(data=st.data())
def test_what_is_looked_for_first_is_in_all_names(
    pattern: re.Pattern[bytes], data: st.DataObject
) -> None:
    """The quick test must not rule out a name of an author or a date."""
    name = data.draw(st.from_regex(pattern))
    assert any(part in name for part in AUTHOR_OR_DATE_PARTS.texts)


def test_properties_are_words_of_a_value() -> None:
    """In any case; each has a part that is looked for first."""
    assert AUTHOR | DATE == property_bits(b"x Author datePublished")
    assert all(any(part in word for part in PROPERTY_PARTS.texts) for word in PROPERTIES)


def test_each_value_is_listed_once() -> None:
    """Rows share the values of their classes, ids and custom elements."""
    page = parse("<p class='a b' id=a>x</p><q class='a b'>y</q><my-post>z</my-post><dodo>w</dodo>")
    names = read_row_names(page)
    rows = [page.name(row) for row in names.row.tolist()]
    assert [b"a b", b"#a", b"<my-post"] == names.texts()
    assert [("p", 0), ("q", 0), ("p", 1), ("my-post", 2)] == list(
        zip(rows, names.value.tolist(), strict=True)
    )


def test_long_values_are_cut() -> None:
    """What follows the first bytes of a class is not read."""
    name = "x" * 2 * MAX_NAME_BYTES
    page = parse(f"<p class={name}>a</p><p id={name}>b</p><x-{name}>c</x-{name}>")
    texts = read_row_names(page).texts()
    assert [MAX_NAME_BYTES, MAX_NAME_BYTES + 1, MAX_NAME_BYTES + 1] == [*map(len, texts)]


def test_parts_are_found_without_digits() -> None:
    """Digits inside a name do not hide a part, and parts do not reach into the next value."""
    names = read_row_names(parse("<p class=p1ost>a</p><p class=po>b</p><p class=st>c</p>"))
    assert [0] == names.find(Parts(b"post")).tolist()


def names(page: Page, flags: np.ndarray) -> list[str]:
    """Return the ids of flagged elements."""
    return [page.attrs(row).get("id", "") for row in np.flatnonzero(flags).tolist()]


def test_marks_come_from_tags_and_properties() -> None:
    """Times, buttons and schema.org properties need no class."""
    page = parse("<time id=a>x</time><p><button id=b>y</button><p itemprop='acceptedAnswer' id=c>z")
    hints = MarkupHints(page)
    assert [["a"], ["b"], ["c"]] == [
        names(page, hints.marked(bit)) for bit in (DATE, BOILERPLATE, ACCEPTED)
    ]


def test_authors_are_short_and_shown() -> None:
    """A name is short, and what a template holds is no author."""
    page = parse(
        f"<b class=author id=a>Ann</b><b class=author id=b>{'words ' * 40}</b>"
        "<template><b class=author id=c>{name}</b></template>"
    )
    assert ["a"] == names(page, MarkupHints(page).authors)


def test_attributes_name_authors() -> None:
    """Elements can name their author in an attribute; the page's own metadata does not count."""
    page = parse("<meta author=x><div data-author=y></div><p author=''>z</p>")
    assert ["div"] == [page.name(row) for row in MarkupHints(page).signed]


def test_schema_types_are_those_of_posts() -> None:
    """Only schema.org types of posts must be found, with http: and https: addresses alike."""
    page = parse(
        "<p itemtype='http://schema.org/Comment'>a</p><p itemtype='https://schema.org/Recipe'>b</p>"
    )
    assert ["comment"] == list(MarkupHints(page).schema.values())


PAGE = parse(
    "<link href='/u/x'><a id=a href='/author/x'>a</a><a id=b href='/Member.php?u=1'>b</a>"
    "<a id=c href='?p=1#p12'>c</a><a id=d href='/news/x'>d</a><a id=e href='/@rye'>e</a>"
    "<a id=f href='/author/x'>f</a>"
)


def test_links_tell_of_members_and_posts() -> None:
    """Addresses of profiles, of members of boards and of numbered posts are known."""
    links = LinkAddresses(PAGE)
    assert ["a", "b", "e", "f"] == names(PAGE, links.profiles)
    assert ["b"] == names(PAGE, links.members)
    assert ["c"] == names(PAGE, links.posts)
    assert ["a", "b", "d", "e", "f"] == names(PAGE, links.without_fragment)


@pytest.mark.parametrize("pattern", [_PROFILE, _MEMBER], ids=["profile", "member"])
@given(data=st.data())
def test_addresses_of_persons_have_a_part_to_look_for(
    pattern: re.Pattern[bytes], data: st.DataObject
) -> None:
    """Whatever matches contains one of the parts."""
    address = data.draw(st.from_regex(pattern)).lower()
    assert find_parts_in([b'"' + address], _PERSON_PARTS)[0]


@given(st.from_regex(_POST))
def test_addresses_of_posts_have_a_part_to_look_for(address: bytes) -> None:
    """Whatever matches contains one of the parts."""
    assert find_parts_in([address.lower()], _POST_PARTS)[0]
