"""Attributes and formulas in TEI."""

from __future__ import annotations

import pytest
import turbohtml

from thresher.writers.tei.attributes import LANGUAGE, format_attributes, format_formula


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p lang=en-GB>", ' xml:lang="en-GB"'),
        ("<p lang='no language'>", ""),
        ("<a href='/a?b&c'>", ' target="/a?b&amp;c"'),
        ("<time datetime=2026-05-04>", ' when="2026-05-04"'),
        ("<time datetime='4 May'>", ""),
        ("<td colspan=2 rowspan=1>", ' cols="2"'),
        ("<td colspan=99999999999>", ""),
        ("<b title=x>", ""),
    ],
)
def test_attribute_is_written_when_tei_has_it(html: str, expected: str) -> None:
    """Only attributes that TEI has, and only values that it accepts."""
    markup = f"<table><tr>{html}</table>" if html.startswith("<td") else html
    name = html[1:].split(maxsplit=1)[0]
    element = turbohtml.parse_fragment(markup).find(name)
    assert element is not None
    assert expected == format_attributes(element)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (
            "<semantics><mi>x</mi><annotation encoding='application/x-tex'>x &lt;\ny</annotation>",
            '<formula notation="TeX">x &lt; y</formula>',
        ),
        ("<mi>x</mi>", "<formula>x</formula>"),
    ],
)
def test_formula_is_tex_when_that_is_annotated(inside: str, expected: str) -> None:
    """TeX is more precise than the letters, and must be on one line."""
    element = turbohtml.parse_fragment(f"<math>{inside}</math>").find("math")
    assert element is not None
    assert expected == format_formula(element)


def test_language_is_one_when_it_has_parts() -> None:
    """Language tags must begin with letters."""
    assert LANGUAGE.fullmatch("zh-Hant-TW")
    assert not LANGUAGE.fullmatch("-en")
