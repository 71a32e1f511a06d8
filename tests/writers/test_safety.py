"""Well-known ways to inject a script into a page, through the writers whose output is shown.

The vectors are classes of attack from the OWASP filter evasion list, html5sec.org and the papers on
mutation XSS (Heiderich et al. 2013), rewritten from scratch.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
import turbohtml

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.outputs import SAFE_ADDRESS, find_dangers

VECTORS: Final = [
    vector.replace("\\n", "\n").replace("\\0", "\0").replace("\\t", "\t")
    for vector in Path(__file__).with_name("attacks.txt").read_text(encoding="utf-8").splitlines()
    if vector and not vector.startswith("# ")
]
"""Attacks by markup."""


@pytest.mark.parametrize("vector", VECTORS)
def test_output_is_harmless_when_the_page_attacks(vector: str) -> None:
    """Only allowed elements, attributes and URLs are written, the same when parsed again."""
    document = document_keeping(f"<body>{vector}")
    html = document.html
    assert [] == find_dangers(html)
    # As mutation attacks require.
    assert html == turbohtml.parse_fragment(html).inner_html
    check_markdown(document.markdown)


def check_markdown(markdown: str) -> None:
    prose = re.sub(r"(?ms)^(`{3,})[^\n`]*\n.*?^\1$", "", markdown)
    prose = re.sub(r"(?s)(?<![`\\])(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", "", prose)
    prose = re.sub(r' "(?:\\.|[^"\\])*"\)', ")", prose)  # titles of links
    prose = re.sub(r"\\.", "", prose)
    assert [] == re.findall(r"<(?!br>|/?su[bp]>|/?code>|https?:)[a-z/!?].*", prose, re.IGNORECASE)
    addresses = re.findall(r"\]\(\s*<?([^\s>)]*)", prose) + re.findall(
        r"(?m)^\[.*?\]: *(\S+)", prose
    )
    assert [] == [address for address in addresses if not SAFE_ADDRESS.match(address)]
