"""Links: resolved, freed of tracking, into the page itself, and the signs of permalinks."""

from __future__ import annotations

from random import Random
from typing import Final
from urllib.parse import urljoin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.trees import soups
from thresher.analysis.links import (
    clean_address,
    find_base,
    find_inner_links,
    find_links_within,
    find_marked_links,
    find_plain_root,
    find_signs_of,
    find_target,
    resolve_link,
)
from thresher.page.parse import parse
from thresher.page.tags import flags_of


@pytest.mark.parametrize(
    ("html", "url", "base"),
    [
        ("<p>x", "https://a.test/b/c", "https://a.test/b/c"),
        ("<base href=/d/>", "https://a.test/b/c", "https://a.test/d/"),
        ("<base target=x><base href=//e.test><base href=f>", "https://a.test", "https://e.test"),
        ("<base href=https://e.test/>", None, "https://e.test/"),
        ("<base href=/d/>", None, None),
        ("<p>x", None, None),
        ("<base href=//[>", "https://a.test/b", "https://a.test/b"),
        ("<base href=https://[>", "https://a.test/b", "https://a.test/b"),
        ("<base href=https://>", "https://a.test/b", "https://a.test/b"),
        ("<base href='https://e test/'>", "https://a.test/b", "https://a.test/b"),
        ("<base href=//e.test:port/><base href=/d/>", "https://a.test/b", "https://a.test/b"),
        ("<base href=javascript:x>", "https://a.test/b", "https://a.test/b"),
        ("<base href='java&#9;script:x'>", "https://a.test/b", "https://a.test/b"),
        ("<base href=data:,x>", "https://a.test/b", "https://a.test/b"),
        ("<base href=ftp://e.test/>", "https://a.test/b", None),
        ("<base href=https://[>", None, None),
    ],
)
def test_base_found_when_page_or_markup_names_it(
    html: str, url: str | None, base: str | None
) -> None:
    """Links start where browsers do: from the first `<base href>` if it is an address."""
    assert base == find_base(parse(html, url=url))


@pytest.mark.parametrize(
    ("target", "base", "address"),
    [
        (" x ", "https://a.test/b/", "https://a.test/b/x"),
        ("x", None, "x"),
        ("//[", "https://a.test/", "//["),
    ],
)
def test_link_resolved_when_it_can_be(target: str, base: str | None, address: str) -> None:
    """A link is made absolute if possible, else returned unchanged."""
    assert address == resolve_link(target, base)


@pytest.mark.parametrize(
    ("n_char", "n_link", "is_known"), [(2_000, 20, True), (2_000, 4_000, False), (9_000, 1, False)]
)
def test_base_is_known_while_its_addresses_are_in_proportion(
    n_char: int, n_link: int, is_known: bool
) -> None:
    """Links stay as they are written if made absolute they would outgrow the page many times."""
    base = f"https://a.test/{'b' * n_char}/"
    html = f"<base href={base}>" + "<a href=c>d</a>" * n_link
    assert (base if is_known else None) == find_base(parse(html))
    assert (base if is_known else None) == find_base(parse(html.partition(">")[2], url=base))
    assert ("c" if n_char > 8_192 else f"{base}c") == resolve_link("c", base)


BASES = [
    "https://a.test/b/c?d#e",
    "HTTP://u@a.test:80",
    "http:///x",
    "ftp://a.test/b",
    "//a.test/b",
]


@given(
    st.sampled_from(BASES),
    st.from_regex(r"(?:https?://[a-z.:@]{0,3}1?)?/?[a-z.,/;?#_&=é-]{0,12}", fullmatch=True),
)
def test_links_lead_where_the_standard_library_says(base: str, target: str) -> None:
    """The fast paths for plain paths and addresses must give the same address."""
    assert urljoin(base, target) == resolve_link(target, base)


@given(
    st.sampled_from([*BASES, None]),
    st.from_regex(r"(?:/[\w-][\w.,-]*)+/?|/", fullmatch=True).filter(str.isascii),
)
def test_plain_addresses_follow_the_root(base: str | None, target: str) -> None:
    """A root, if there is one, and a plain root-relative address must make what it leads to."""
    root = find_plain_root(base)
    assert root is None or root + target == find_target(target, base)


@pytest.mark.parametrize(
    ("base", "root"),
    [
        (None, ""),
        ("https://a.test:80/b/c?d", "https://a.test:80"),
        ("https://u@a.test/b", None),
        ("http:///x", None),
        ("ftp://a.test/b", None),
    ],
)
def test_root_is_none_unless_it_is_plain(base: str | None, root: str | None) -> None:
    """Only a scheme of the web and a plain host can be put before an address unread."""
    assert root == find_plain_root(base)


SITE: Final = "https://a.example/p"


@cases(__file__, "tracking")
def test_address_is_bare_when_it_tracks(url: str, expected: str) -> None:
    """Known tracking must be removed and the rest kept byte for byte."""
    assert expected == clean_address(url)


@given(st.text(alphabet="?&#;=/:ab_utmgclid%+", max_size=30))
def test_nothing_is_left_to_clean_when_an_address_is_clean(path: str) -> None:
    """Cleaning must be idempotent and add nothing."""
    once = clean_address(SITE + path)
    assert once == clean_address(once)
    assert len(once) <= len(SITE + path)


def test_redirects_are_undone_when_they_are_nested() -> None:
    """A redirect to a redirect must lead to the page."""
    url = "https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Fb.example"
    assert "https://b.example" == clean_address(url)


URL = "https://site.example/a?b"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("#x", ["x"]),
        ("?b#x", ["x"]),
        ("https://site.example/a?b#x", ["x"]),
        ("/c#x", []),
        ("#", []),
        ("#%C3%A9", ["é"]),
    ],
)
def test_link_is_found_when_it_leads_into_the_page(href: str, expected: list[str]) -> None:
    """Only links to a place of the same page count, however they are spelled."""
    page = parse(f"<body><a href='{href}'>a</a><p id=x>b", url=URL)
    links = find_inner_links(page, np.ones(page.leaves.size, np.bool_))
    assert expected == [link.name for link in links]


@given(soups(), st.randoms(use_true_random=False))
def test_links_with_marks_are_those_of_numpy(soup: str, chance: Random) -> None:
    """The compiled step must find the same links as NumPy for any page and any selection."""
    page = parse(f"<a href='#x'>a</a><a href=x>b</a>{soup}<a title='#'>c</a>#")
    keep = np.array([chance.random() < 0.5 for _ in page.leaves], np.bool_)
    assert (
        find_marked_links.definition(page, keep).tolist() == find_marked_links(page, keep).tolist()
    )


def shown(heading: str) -> list[str]:
    page = parse(f"<h2>{heading}</h2><p>Rye is sown.")
    links = page.rows_of(flags_of("a"))
    return [page.text_of(link) for link in find_signs_of(page, links)]


@pytest.mark.parametrize(
    ("attributes", "is_dead"),
    [
        ("href='#'", True),
        ("href='#b' aria-expanded=false", True),
        ("href='#b' data-toggle=collapse", True),
        ("href='#b' data-bs-toggle=tab", True),
        ("href='#b' data-toggle=popover", False),
        ("href='#b'", False),
        ("href='/c#b' aria-expanded=false", False),
    ],
)
def test_link_that_opens_a_part_of_its_page_waits_for_a_script(
    attributes: str, is_dead: bool
) -> None:
    """A link that only opens what follows it is none to a reader of a text; a tip may be a note."""
    page = parse(f"<p>a <a {attributes}>b</a><p id=b>c", url="https://a.test/d")
    dead = find_links_within(page, np.ones(page.leaves.size, np.bool_)).dead
    assert is_dead == bool(dead)


@cases(__file__, "signs")
def test_signs_are_told_from_words_and_from_links_that_lead_elsewhere(
    heading: str, expected: list[str]
) -> None:
    """Only a link that is no part of the heading's words is a sign."""
    assert expected == shown(heading)
