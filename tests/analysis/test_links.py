"""Resolution of links."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.links import find_base, find_plain_root, find_target, resolve_link
from thresher.page.parse import parse


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
