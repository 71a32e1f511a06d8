"""Attributes and formulas in TEI."""

from __future__ import annotations

import pytest

from thresher.writers.tei_body import LANGUAGE, format_attributes, write_body


@pytest.mark.parametrize(
    ("tag", "attributes", "expected"),
    [
        ("p", {"lang": "en-GB"}, ' xml:lang="en-GB"'),
        ("p", {"lang": "no language"}, ""),
        ("a", {"href": "/a?b&c"}, ' target="/a?b&amp;c"'),
        ("time", {"datetime": "2026-05-04"}, ' when="2026-05-04"'),
        ("time", {"datetime": "4 May"}, ""),
        ("td", {"colspan": "2", "rowspan": "1"}, ' cols="2"'),
        ("td", {"colspan": "99999999999"}, ""),
        ("b", {"title": "x"}, ""),
    ],
)
def test_attribute_is_written_when_tei_has_it(
    tag: str, attributes: dict[str, str], expected: str
) -> None:
    """Only attributes that TEI has, and only values that it accepts."""
    assert expected == format_attributes(tag, attributes)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (
            '<mi>x</mi><annotation encoding="application/x-tex">x &lt;\ny</annotation>',
            '<formula notation="TeX">x &lt; y</formula>',
        ),
        ("<mi>x</mi>", "<formula>x</formula>"),
    ],
)
def test_formula_is_tex_when_that_is_annotated(inside: str, expected: str) -> None:
    """TeX is more precise than the letters, and must be on one line."""
    assert f"<body><p>{expected}</p>\n</body>\n" == write_body(f"<math>{inside}</math>")


def test_language_is_one_when_it_has_parts() -> None:
    """Language tags must begin with letters."""
    assert LANGUAGE.fullmatch("zh-Hant-TW")
    assert not LANGUAGE.fullmatch("-en")
