"""Broken XML becomes well-formed, with all that is in it."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from thresher.feeds.reading import mend_xml

WELL_FORMED = (
    '<a><b c="1 &amp; 2">x</b><!-- y --><?z w?><d/><![CDATA[<p>]]></a>',
    '<a xmlns:b="urn:b" xmlns="urn:a"><b:c b:d=\'"\'>&#228;&lt;</b:c></a>',
)


@pytest.mark.parametrize("text", WELL_FORMED)
def test_well_formed_xml_means_the_same(text: str) -> None:
    """Nothing is changed but how it is written."""
    mended, _ = mend_xml(text, 2)
    assert ElementTree.canonicalize(text, with_comments=True) == ElementTree.canonicalize(
        mended, with_comments=True
    )


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("<a>R & D &nbsp;&amp; &x</a>", "<a>R &amp; D \xa0&amp; &amp;x</a>"),
        ("<a><b>x</a>", "<a><b>x</b></a>"),
        ("<a>x</b></a>", "<a>x</a>"),
        ("<a>1 < 2</a>", "<a>1 &lt; 2</a>"),
        ("<a><b>cut o", "<a><b>cut o</b></a>"),
        ("<a><b c='1' c='2' d=3 ", "<a>&lt;b c='1' c='2' d=3 </a>"),
        ("<a b='1' b='2' c=3/>", '<a b="2" c="3"></a>'),
        ("junk <a>x</a> more <c/>", "<a>x</a>"),
        ("<a><dc:b>x</dc:b></a>", '<a><dc:b xmlns:dc="http://purl.org/dc/elements/1.1/">x</dc:b></a>'),
        ("<a><![CDATA[x", "<a><![CDATA[x]]></a>"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;\x08</a>", "<a>&amp;b;</a>"),
    ],
)  # fmt: skip
def test_broken_xml_is_mended(broken: str, expected: str) -> None:
    """What parsers refuse is closed, escaped, declared or left out."""
    assert expected == mend_xml(broken, 2)[0]
    ElementTree.fromstring(expected)


def test_anything_becomes_well_formed() -> None:
    """Pieces of markup in any order give a document that a parser reads, or none."""
    pieces = (*"<>&/='\" -!?[]", "<a>", "</a>", "<b:c d='e", "<!--", "-->", "<![CDATA[", "]]>", "x",
              "&amp;", "<?p", "?>", "<a b='&'>", "xmlns:x='",
              "<!DOCTYPE", "&#0;", "&#x110000;")  # fmt: skip
    chance = random.Random(1)
    for _ in range(2000):
        text = "".join(chance.choices(pieces, k=chance.randrange(1, 30)))
        mended, root = mend_xml(text, 3)
        if root:
            ElementTree.fromstring(mended)
            assert mended[root.start :].startswith(root.tag)


@pytest.mark.parametrize("piece", ["<a>", "</a>", '<a "', "<a x='", "<!--", "<![CDATA[", "&", "<"])
def test_a_long_document_takes_time_in_proportion(piece: str) -> None:
    """A megabyte of one piece, however broken, comes to an end."""
    mend_xml("<r>" + piece * (2**20 // len(piece)), 3)
