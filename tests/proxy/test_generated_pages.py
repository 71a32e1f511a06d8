"""Pages that the proxy writes in place of those of a site."""

from __future__ import annotations

from typing import Final

import pytest
import turbohtml

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile_metadata import ATTACKS, page_with_metadata
from thresher.proxy.page_parts import write_reader, write_text_page

ELEMENTS: Final = frozenset("html head meta title style body main article p small h1 pre".split())
ATTRIBUTES: Final = frozenset(("charset", "class", "content", "lang", "name"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_metadata_are_text_in_generated_pages(attack: str) -> None:
    """Whatever a page says of itself adds no element and no attribute to the views of it."""
    document = document_keeping(page_with_metadata(attack))
    elements = [
        element
        for write in (write_reader, write_text_page)
        for element in turbohtml.parse(write(document, None, "note")).iter_elements()
    ]
    assert {element.tag for element in elements} <= ELEMENTS
    assert {name for element in elements for name in element.attrs} <= ATTRIBUTES
