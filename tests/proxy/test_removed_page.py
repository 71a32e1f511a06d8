"""The list of what was removed from a page, and its buttons."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode, urlsplit

import pytest

from tests.proxy.conftest import ANNA, BERT, BROWSER, USERS, Proxy, first
from tests.proxy.site import Site
from thresher.filters.apply import RemovedRow
from thresher.page.parse import parse
from thresher.page.tags import TEXT
from thresher.proxy.rewrite_model import describe_removed
from thresher.sites.apply import find_rows

BUTTON = re.compile(r'<button name="(\w+)" value="([^"]*)"')


def list_address(page: str) -> str:
    """Return the address of the list that the badge of a page links to."""
    return first(r'href="([^"]*/-/removed\?[^"]*)"', page)


def open_list(proxy: Proxy, url: str, *options: str) -> tuple[str, str]:
    """Open a page and the list that its badge links to; return its address and the list."""
    address = list_address(proxy.get(url, *BROWSER, *options).text)
    return address, proxy.get(address, *options).text


def press(
    proxy: Proxy, shown: str, name: str, value: str, *options: str, **changed: str
) -> tuple[int, str]:
    """Press a button of the list; return status and text."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown))
    sent = {key: unescape(given) for key, given in fields.items()} | {name: value} | changed
    done = proxy.get("http://thresher.internal/-/removed", "--data", urlencode(sent), *options)
    return done.status, done.text


def buttons(shown: str) -> list[tuple[str, str]]:
    """Return name and value of each button."""
    return [(name, unescape(value)) for name, value in BUTTON.findall(shown)]


def test_an_element_is_restored(proxy: Proxy, site: Site) -> None:
    """An advertisement is shown once, always, and again not; a group's filter is switched off."""
    url = f"{site.http}/article"
    _, shown = open_list(proxy, url)
    assert "Section 3 of the paper" in shown
    place = "html > body > div:nth-of-type(2), html > body > div:nth-of-type(2) *"
    assert ("once", place) in buttons(shown)
    assert ("always", "div.promo, div.promo *") in buttons(shown)
    assert 200 == press(proxy, shown, "once", place)[0]
    assert "banner.png" in proxy.get(url, *BROWSER).text
    shown = open_list(proxy, url)[1]
    assert ("hide", place) in buttons(shown)
    assert 200 == press(proxy, shown, "hide", place)[0]
    assert "banner.png" not in proxy.get(url, *BROWSER).text
    assert 200 == press(proxy, shown, "always", place)[0]
    assert "banner.png" in proxy.get(f"{url}?other", *BROWSER).text
    assert 200 == press(proxy, shown, "forget", place)[0]
    assert "banner.png" not in proxy.get(f"{url}?other", *BROWSER).text
    assert not proxy.state.rulebook.hosts
    assert ("off", "link_lists") in buttons(shown)
    assert 200 == press(proxy, shown, "off", "link_lists")[0]
    assert (("link_lists", False),) == proxy.state.rulebook.of(url).filters


def test_others_change_nothing(proxy: Proxy, site: Site) -> None:
    """A form of another origin, with another token or an invalid selector is refused."""
    url = f"{site.http}/article"
    _, shown = open_list(proxy, url)
    assert 403 == press(proxy, shown, "always", "p", "-H", "Origin: https://evil.example")[0]
    assert 403 == press(proxy, shown, "always", "p", token="0")[0]
    assert 400 == press(proxy, shown, "always", "p:::")[0]
    assert 400 == press(proxy, shown, "once", "p", url="ftp://a.example/")[0]
    assert proxy.state.restored.get(None, url) is None
    assert not proxy.state.rulebook.hosts


def test_only_the_reader_sees_the_list(proxy: Proxy, site: Site) -> None:
    """Another user, another page's name or an old one leads to a page that says so."""
    proxy.set(users=USERS)
    address, shown = open_list(proxy, f"{site.http}/article", *ANNA)
    assert "Section 3 of the paper" in shown
    bert = proxy.get(address, *BERT)
    assert 404 == bert.status and "Section 3" not in bert.text
    query = urlsplit(address).query.replace("article", "portal")
    assert 404 == proxy.get(f"http://thresher.internal/-/removed?{query}", *ANNA).status
    assert 400 == proxy.get("http://thresher.internal/-/removed?url=x", *ANNA).status
    headers = proxy.get(address, *ANNA).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/portal", "/results"])
def test_other_pages_have_a_list(proxy: Proxy, site: Site, path: str) -> None:
    """The list of a page that was left alone is empty, that of a result needs no second POST."""
    before = len(site.seen)
    sent = ("--data", "rye") if path == "/results" else ()
    address = list_address(proxy.get(f"{site.http}{path}", *BROWSER, *sent).text)
    assert ("Nothing was removed" in proxy.get(address).text) == (path == "/portal")
    assert 1 == len([each for each in site.seen[before:] if each[1] == path])


PAGE = (
    "<body><div class=promo><p>Buy  now</p></div><div class=promo><img alt=Seed src=/a.png></div>"
    "<iframe src='https://ads.example/f'></iframe><p>kept <i>x</i></p>loose</body>"
)


def test_elements_are_described() -> None:
    """Each has its text or kind, a selector of its own and one by its names."""
    page = parse(PAGE, url="https://a.example/")
    tags = [page.name(row) for row in range(len(page))]
    divs = [row for row, name in enumerate(tags) if name == "div"]
    texts = [row for row in range(len(page)) if page.tag[row] == TEXT]
    rows = [
        RemovedRow(row, "ads", False) for row in (*divs, tags.index("iframe"), texts[-2], texts[-1])
    ]
    found = describe_removed(page, rows)
    says = ["Buy now", "a picture: Seed", "a frame of ads.example", "x"]
    assert says == [each.says for each in found]
    assert ["div.promo", "div.promo"] == [each.selector for each in found[:2]]
    assert [1] * 4 == find_rows(page, [each.place for each in found]).sum(axis=1).tolist()
    assert 1 == len(describe_removed(page, rows, limit=1))
    (box,) = describe_removed(page, [RemovedRow(divs[0], "selection", True)])
    assert "div.promo, div.promo *" == box.selector
    assert [2] == find_rows(page, [box.place]).sum(axis=1).tolist()
