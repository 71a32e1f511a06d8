"""Metadata do no harm in any format, wherever a page states them and whatever they are."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Final
from xml.etree import ElementTree

import pytest
import turbohtml

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile_metadata import (
    ATTACKS,
    FORBIDDEN_CHARS,
    find_active,
    is_active_address,
    page_with_metadata,
    render_markdown,
    thread_with_metadata,
)
from tests.writers.test_safety import VECTORS
from thresher import FORMATS, Document, WriteOptions
from thresher.writers.formats import FormatName

OPTIONS: Final = WriteOptions(metadata=True, title=True, removed_links=True)
_SPREADSHEET_STARTS: Final = tuple("=+-@\t\r")


def check_front_matter(document: Document, written: str) -> None:
    front, end, body = written.removeprefix("---\n").partition("\n---\n")
    assert end
    assert not re.search(f"[{FORBIDDEN_CHARS}]", front)
    fields = [line.partition(": ") for line in front.split("\n")]
    known = {name: json.loads(value) for name, _, value in fields}
    stated = document.metadata.as_dict()
    assert stated == {name: known[name] for name in stated}
    assert set(known) - set(stated) <= {"verdict", "page_type", "confidence"}
    assert [] == find_active(render_markdown(written.removesuffix(body)))


def check_markdown(document: Document, written: str) -> None:
    check_front_matter(document, written)
    assert [] == find_active(render_markdown(written))


def check_html(document: Document, written: str) -> None:
    assert [] == find_active(written)
    links = turbohtml.parse(written).find_all(["link", "a"])
    assert [] == [link for link in links if is_active_address(link.attr("href") or "")]


def check_inplace(document: Document, written: str) -> None:
    assert [] == find_active(written)


def check_object(document: Document, written: str) -> None:
    record = json.loads(written)
    assert document.text == record["text"]
    stated = document.metadata.as_dict()
    found = record.get("metadata") or record
    for name in ("title", "site_name"):
        value = found.get(name)
        assert stated.get(name) == (value["value"] if isinstance(value, dict) else value)


def check_line(document: Document, written: str) -> None:
    assert "\n" not in written
    check_object(document, written)


def check_csv(document: Document, written: str) -> None:
    names, row = csv.reader(io.StringIO(written, newline=""))
    assert len(names) == len(row)
    numeric = names.index("confidence")
    cells = row[:numeric] + row[numeric + 1 :]
    assert [] == [cell for cell in cells if cell.startswith(_SPREADSHEET_STARTS)]


def check_tei(document: Document, written: str) -> None:
    for element in ElementTree.fromstring(written).iter():
        assert element.tag.startswith("{http://www.tei-c.org/ns/1.0}")
        for value in element.attrib.values():
            assert not is_active_address(value)


CHECKS: Final[Mapping[FormatName, Callable[[Document, str], None]]] = {
    "markdown": check_markdown,
    "text": check_front_matter,
    "html": check_html,
    "json": check_object,
    "inplace": check_inplace,
    "jsonl": check_line,
    "csv": check_csv,
    "tei": check_tei,
    "thread": check_markdown,
}
"""Format → what must hold of its output."""


def test_every_format_is_checked() -> None:
    """A format that is added says how metadata are safe in it."""
    assert set(FORMATS) == CHECKS.keys()


@pytest.mark.parametrize("attack", [*ATTACKS, *VECTORS])
def test_metadata_are_data_in_every_format(attack: str) -> None:
    """Nothing runs, fields stay apart, and what can be read back is what was stated."""
    for page in (page_with_metadata(attack), thread_with_metadata(attack)):
        document = document_keeping(page, url="https://farm.example/rye")
        for format, check in CHECKS.items():
            written = document.write(format, OPTIONS)
            check(document, written)
            assert written.encode()
