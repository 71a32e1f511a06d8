"""Checks that hold of every output of every page, whatever is kept."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections import Counter
from typing import Final
from xml.etree import ElementTree

import turbohtml

from thresher import Document, WriteOptions
from thresher.writers.formats import FormatName

BARE: Final = WriteOptions(links=False, images=False, title=False)
"""Options under which output contains the words of the page only."""
ALLOWED_ATTRIBUTES: Final = frozenset(
    "alt alttext cite class colspan datetime dir display encoding height href hreflang id lang"
    " reversed rowspan scope src start title type value width".split()
)
FORBIDDEN_ELEMENTS: Final = frozenset(
    "applet base button embed form frame iframe input link meta noembed noframes noscript object"
    " plaintext script select style svg template textarea title video xmp".split()
)
SAFE_ADDRESS: Final = re.compile(
    r"(?:ftps?|https?|ircs?|mailto|tel):|[^:]*$|[^:]*[/?#]", re.IGNORECASE
)


def words_of(text: str) -> list[str]:
    """Return the words of a text, with superscript and subscript digits as plain ones."""
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text))


def html_letters(html: str) -> str:
    """Return the words of a page's text, as one string."""
    root = turbohtml.parse(html).root
    return "".join(words_of(" ".join(root.strings))) if root else ""


def find_dangers(html: str) -> list[str]:
    """Return what must not be in HTML that is shown, as a browser would parse it."""
    dangers: list[str] = []
    for element in turbohtml.parse_fragment(html).iter_elements():
        if element.tag in FORBIDDEN_ELEMENTS:
            dangers.append(element.tag)
        for name in element.attrs:
            value = element.attr(name) or ""
            if name not in ALLOWED_ATTRIBUTES:
                dangers.append(f"{element.tag} {name}")
            if name in ("href", "src", "cite") and not SAFE_ADDRESS.match(value):
                dangers.append(f"{name}={value}")
            if name == "class" and not re.fullmatch(r"language-[a-z0-9+#.-]+", value):
                dangers.append(f"class={value}")
    return dangers


def check_output(document: Document, format: FormatName, options: WriteOptions) -> None:
    """Write a document twice: both must be the same, and valid in its format."""
    written = document.write(format, options)
    assert written == document.write(format, options)
    match format:
        case "json":
            record = json.loads(written)
            assert document.text == record["text"]
            assert len(document.blocks) == len(record["blocks"])
        case "jsonl":
            assert "\n" not in written.rstrip("\n")
            assert document.text == json.loads(written)["text"]
        case "csv":
            assert 1 == len(list(csv.DictReader(io.StringIO(written))))
        case "tei":
            ElementTree.fromstring(written)
        case "html" if not options.metadata:
            assert [] == find_dangers(written)
            assert written == turbohtml.parse_fragment(written).inner_html


def check_words(document: Document) -> None:
    """Check that text and HTML contain no word that the page lacks or has less often."""
    letters = Counter("".join(words_of(document.page.text)))
    for format in ("text", "html"):
        written = document.write(format, BARE)
        found = html_letters(written) if format == "html" else "".join(words_of(written))
        more = Counter(found) - letters
        # Plain text has the numbers of lists.
        assert not [letter for letter in more if format == "html" or not letter.isdigit()]
