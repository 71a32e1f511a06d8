"""A tag of very many attributes is refused before the parser reads it."""

from __future__ import annotations

import pytest

from thresher import LimitError, Verdict, extract
from thresher.limits import MAX_ATTRIBUTES
from thresher.page.attribute_counts import check_attributes

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
