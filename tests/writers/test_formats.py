"""The table of formats: complete, documented, and true of its writers."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import thresher
from thresher.agents import server
from thresher.app.reading import DOWNLOADS
from thresher.batch import model
from thresher.errors import UsageError
from thresher.page.parse import parse
from thresher.writers import CHUNKED_FORMATS, FORMATS, JOINED_FORMATS, Format

DOCS = Path(__file__).parents[2] / "docs"
HTML = "<title>Rye</title><h1>Rye</h1><p>Sow it in autumn, and reap it in the summer after.</p>"

formats = pytest.mark.parametrize("format", FORMATS.values(), ids=list(FORMATS))


def test_names_of_formats() -> None:
    """The public names are those of the table, in its order."""
    assert thresher.FORMATS == tuple(FORMATS)
    assert (
        *("markdown", "text", "html", "json", "inplace"),
        *("jsonl", "csv", "tei", "thread"),
    ) == thresher.FORMATS


@formats
def test_every_format_has_a_writer(format: Format) -> None:
    """The writer is the module of the format's name; those with chunks can lay them out."""
    writer = import_module(f"thresher.writers.{format.name}")
    assert FORMATS[format.name] is format
    assert callable(writer.write)
    assert hasattr(writer, "lay_out") or format.name not in CHUNKED_FORMATS
    assert format.suffix.startswith(".")


def test_what_formats_can_hold() -> None:
    """Those that come in chunks, that join pages, and whose documents cannot follow each other."""
    assert CHUNKED_FORMATS == ("markdown", "text")
    assert set(JOINED_FORMATS) == {"markdown", "text", "html", "json", "jsonl", "thread"}
    assert [each.name for each in FORMATS.values() if not each.holds_many] == ["tei"]


@formats
def test_limits_are_refused_where_the_table_says_so(format: Format) -> None:
    """A format that takes no limits says which do."""
    document = thresher.extract(HTML, method="keep_all")
    options = thresher.WriteOptions(max_chars=200)
    if format.takes_limits:
        assert document.write(format.name, options)
    else:
        with pytest.raises(UsageError, match=f"{format.name} cannot be cut .* markdown, .* can"):
            document.write(format.name, options)


@formats
def test_content_type(format: Format) -> None:
    """Only text media types must have a charset."""
    assert format.content_type.split(";")[0] == format.media_type
    assert ("charset" in format.content_type) is format.media_type.startswith("text/")


def test_formats_are_documented() -> None:
    """The guide has a row for each format, and the command's names what stands before a page."""
    guide = (DOCS / "formats.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", guide.split("| option |")[0], re.MULTILINE)) == set(
        FORMATS
    )
    command = (DOCS / "command.md").read_text(encoding="utf-8")
    table = command.partition("| format | before each page |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", re.sub(r"(?m)^(\| .*? \|).*$", r"\1", table))) == set(FORMATS)
    for format in FORMATS.values():
        assert f"`{format.suffix}`" in command


def test_shells_offer_formats_of_the_table() -> None:
    """The subsets that a shell offers have formats of the table, with its suffixes and types."""
    assert set(get_args(server._Format)) <= FORMATS.keys()
    assert set(model.FORMATS) <= FORMATS.keys()
    for name in DOWNLOADS.keys() & FORMATS.keys():
        assert DOWNLOADS[name].suffix == FORMATS[name].suffix
        assert DOWNLOADS[name].media_type == FORMATS[name].content_type


def test_a_document_is_plain_data() -> None:
    """A document holds no writers: what it is made of is the page and what was selected."""
    selection = thresher.select(parse(HTML), "keep_all")
    document = thresher.document_of(selection)
    assert vars(document) == {
        "page": selection.page,
        "selection": selection,
        "deadline_s": None,
        "limit": None,
        "is_partial": False,
    }
