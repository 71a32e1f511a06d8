"""Fuzz targets of `bench.fuzz` for files other than pages: archives, rules, feeds, books, calls.

What each must hold of any bytes: a result, or an error of Thresher's own; what is written as XML is
well-formed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from xml.etree import ElementTree
from zipfile import ZipFile

import thresher
from tests.batch.archives import archive, archived
from tests.helpers.token_soup import page_of
from thresher.agents.tools import Tools
from thresher.app.epub import write_epub
from thresher.app.saved import SavedPage
from thresher.app.saved_files import write_catalog, write_feed
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.sources.plan import read_source
from thresher.feeds.reading import read_feed
from thresher.filters.blocklist import BlockList
from thresher.filters.settings import parse_filters, write_filters
from thresher.page.archives import unpack_archive
from thresher.sites.rulebook import parse_rulebook, write_rulebook

_T = TypeVar("_T")

_MAX_BYTES: Final = 2**16
_MHTML: Final = (
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
    "Content-Type: text/html\r\nContent-Transfer-Encoding: {}\r\n\r\n"
)
_WHOLE_MHTML: Final = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://mill.example/a\r\n"
    b"Subject: =?utf-8?Q?rye=20=C3=A4?=\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n--b\r\n'
    b"Content-Type: multipart/alternative; boundary*=utf-8''c\r\n\r\n--c\r\n"
    b'Content-Type: text/html; charset="windows-1252"\r\nContent-ID: <frame@mhtml.blink>\r\n'
    b"Content-Transfer-Encoding: quoted-printable\r\n"
    b'Content-Location: https://mill.example/a\r\n\r\n<p>rye =E4 <img src=3D"cid:1">=\r\n oats\r\n'
    b"--c--\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    b"PHA+b2F0czwvcD4=\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <1>\r\n\r\na\r\n--b--\r\n"
)
"""What a browser may save: nested parts, names, charsets and encodings of every kind."""
_ENCODINGS: Final = ("quoted-printable", "base64", "binary", "x-uuencode", "8bit", "")
_PLISTS: Final = (
    "bplist00",
    "<?xml version='1.0'?><plist><dict><key>WebMainResource</key><dict><key>WebResourceData</key>",
    "<plist>",
)
_FEEDS: Final = (
    "<rss version='2.0'><channel><title>a</title><item>",
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><item>",
    "",
)
_RULES: Final = ('["site.example"]\n', '["*.a"]\nkeep = ["', "[host]\n", "")


@cache
def _parquet() -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    stream = io.BytesIO()
    parquet.write_table(pa.table({"html": ["<p>rye", "<p>oats"], "id": ["1", "2"]}), stream)
    return stream.getvalue()


def _overwrite(whole: bytes, data: bytes) -> bytes:
    """Return a file with some bytes changed: pairs of a place, in two bytes, and a value."""
    changed = bytearray(whole)
    for at in range(0, len(data) - 2, 3):
        changed[int.from_bytes(data[at : at + 2]) % len(changed)] = data[at + 2]
    return bytes(changed)


def _read(kind: str, body: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        path.write_bytes(body)
        tally = SourceTally()
        place = Place(kind, "a", (str(path),), len(body))
        list(read_source(place, ReadOptions(max_bytes=_MAX_BYTES), tally, lambda _: False))
        if tally.unread:
            raise AssertionError(f"a whole disk is said to fail: {tally.unread}")


def run_mhtml(data: bytes) -> None:
    """Read an MHTML archive: a whole one with some bytes changed, or what follows its head."""
    if data and data[0] % 2:
        unpack_archive(_overwrite(_WHOLE_MHTML, data[1:]))
        return
    start = _MHTML.format(_ENCODINGS[data[0] // 2 % len(_ENCODINGS)] if data else "")
    unpack_archive(start.encode() + data[1:])


def run_plist(data: bytes) -> None:
    """Read a property list, binary or XML."""
    unpack_archive(_PLISTS[data[0] % len(_PLISTS) if data else 0].encode() + data[1:])


def run_warc(data: bytes) -> None:
    """Read a WARC archive, as it is or with some bytes of a whole one changed."""
    choice, rest = data[:1], data[1:]
    if choice and choice[0] % 3 == 0:
        _read("warc", b"WARC/1.0\r\n" + rest)
    else:
        whole = archive(range(3)) if choice and choice[0] % 3 == 1 else b"".join(archived(range(3)))
        _read("warc", _overwrite(whole, rest))


def run_parquet(data: bytes) -> None:
    """Read a Parquet file of which some bytes are changed."""
    _read("parquet", _overwrite(_parquet(), data))


def run_rules(data: bytes) -> None:
    """Read rules of hosts, settings of filters and lists of advertisers; write what was read."""
    text = _RULES[data[0] % len(_RULES) if data else 0] + data[1:].decode("utf-8", "replace")
    listed = BlockList.parse(text.splitlines()).prepare()
    listed.blocks("https://ads.site.example/a.js?b=c", "site.example")
    listed.excepts_site("site.example")
    _check_reread(parse_rulebook, write_rulebook, text)
    _check_reread(parse_filters, write_filters, text)


def _check_reread(parse: Callable[[str], _T], write: Callable[[_T], str], text: str) -> None:
    try:
        read = parse(text)
    except thresher.ThresherError:
        return
    if parse(write(read)) != read:
        raise AssertionError("what is written is not what was read")


def run_feed(data: bytes) -> None:
    """Read a feed, and write it."""
    feed = read_feed(_FEEDS[data[0] % len(_FEEDS) if data else 0].encode() + data[1:])
    written = feed.write(dict.fromkeys(range(len(feed.items)), "<p>Rye & oats"))
    if not feed.media_type.endswith("json"):
        ElementTree.fromstring(written)


def run_book(data: bytes) -> None:
    """Write a page as a book, and its facts as a feed and a catalog."""
    document = thresher.extract(page_of(data), url="https://site.example/a", method="keep_all")
    with ZipFile(io.BytesIO(write_epub(document))) as book:
        for name in book.namelist():
            if name.endswith((".xhtml", ".opf", ".ncx", ".xml")):
                ElementTree.fromstring(book.read(name))
    title = document.metadata.title.value if document.metadata.title else document.text[:80]
    page = SavedPage(1, document.page.url, title, "a", document.text[:200], (title[:9],), 0.0)
    ElementTree.fromstring(write_feed([page], "https://own.example"))
    ElementTree.fromstring(write_catalog([page], "https://own.example", "https://own.example/o"))


def run_tools(data: bytes) -> None:
    """Call a tool for agents with arguments from JSON, of any type and value."""
    try:
        arguments = json.loads(data[1:])
    except (ValueError, RecursionError):
        arguments = {"html": data[1:].decode("utf-8", "replace")}
    if not isinstance(arguments, dict):
        arguments = {"html": str(arguments), "max_chars": 500 + len(data)}
    examples = {"html": "<p>rye", "format": "text", "scope": "auto", "max_chars": 500, "index": 0}
    # The server has checked the types before, from the tools' annotations.
    given: dict[str, Any] = {
        name: value
        for name, value in arguments.items()
        if name in examples and type(value) is type(examples[name])
    }
    tools = Tools()
    html = given.pop("html", "<p>rye")
    index = given.pop("index", 0)
    format = given.pop("format", "markdown")
    tools.outline(None, html, **given)
    tools.extract(None, html, format, **given)
    tools.chunk(index, None, html, **given)


FILE_TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    "mhtml": run_mhtml,
    "plist": run_plist,
    "warc": run_warc,
    "parquet": run_parquet,
    "rules": run_rules,
    "feed": run_feed,
    "book": run_book,
    "tools": run_tools,
}
"""Fuzz targets by name."""
