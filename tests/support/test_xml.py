"""Text and attributes in XML."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from thresher.support.xml import format_attribute, format_text

ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from("\0\r\n\t\x1f\ufffe\ud800<>&\"'"))


@given(ANY_TEXT, ANY_TEXT)
def test_xml_is_well_formed_when_a_text_is_anything(text: str, value: str) -> None:
    """Readers get back what was spelled, without the characters that XML cannot have."""
    element = ElementTree.fromstring(f"<a{format_attribute('b', value)}>{format_text(text)}</a>")

    def allowed(given: str) -> str:
        return re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", given)

    assert allowed(text) == (element.text or "")
    assert allowed(value) == element.get("b")
