"""Descriptions of what was removed from a page."""

from __future__ import annotations

from thresher.filters.apply import RemovedRow
from thresher.page.parse import parse
from thresher.page.tags import TEXT
from thresher.proxy.rewrite_model import describe_removed
from thresher.sites.apply import find_rows

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
