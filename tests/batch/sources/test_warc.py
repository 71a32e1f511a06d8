"""WARC archives, and the encodings of the bodies in them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.batch.archives import archive, archived, page_of, record_of
from tests.batch.sources.reading import read
from thresher.batch.model import Item
from thresher.batch.sources.base import Entry, ReadOptions, Unreadable
from thresher.batch.sources.warc import decode_body

N = 6


LAYOUTS = {
    "plain": b"".join(archived(range(N))),
    "a gzip member each": archive(range(N)),
    "one gzip member": gzip.compress(b"".join(archived(range(N)))),
    "a zstd frame each": b"".join(map(zstandard.compress, archived(range(N)))),
}


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def ids_of(entries: dict[int, Entry]) -> list[str]:
    return [entry.id for entry in entries.values() if isinstance(entry, Item)]


def urns(*numbers: int) -> list[str]:
    return [f"<urn:{number}>" for number in numbers]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pages_come_whole_in_any_layout(layout: str, tmp_path: Path) -> None:
    """Each page has its bytes, address, charset and position, and no damage is noted."""
    entries, tally = read("warc", write(tmp_path / "a.warc", LAYOUTS[layout]))
    expected = {
        n: Item(f"<urn:{n}>", page_of(n), f"http://farm.example/{n}", "utf-8") for n in range(N)
    }
    assert expected == entries
    assert (N, []) == (tally.n_entry, tally.damage)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_done_positions_are_left_out(layout: str, tmp_path: Path) -> None:
    """Finished entries are counted but not yielded; the others keep their positions."""
    entries, tally = read("warc", write(tmp_path / "a.warc", LAYOUTS[layout]), {0, 1, 4})
    assert [2, 3, 5] == list(entries)
    assert N == tally.n_entry


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("share", [0.21, 0.56, 0.77, 0.95])
def test_truncation_is_detected_anywhere(layout: str, share: float, tmp_path: Path) -> None:
    """A truncation within a record is noted, and no partial page is returned as a whole one."""
    content = LAYOUTS[layout]
    entries, tally = read("warc", write(tmp_path / "a.warc", content[: int(len(content) * share)]))
    assert len(tally.damage) == 1
    assert "it ends within" in tally.damage[0]
    whole = [entry for entry in entries.values() if isinstance(entry, Item)]
    assert [page_of(n) for n in range(len(whole))] == [item.body for item in whole]
    assert len(entries) - len(whole) in (0, 1)
    assert tally.n_entry == len(entries)


def test_truncated_checksum_is_detected(tmp_path: Path) -> None:
    """If only the last checksum is missing, the page is intact and the truncation is noted."""
    entries, tally = read("warc", write(tmp_path / "a.warc.gz", archive(range(3))[:-4]))
    assert urns(0, 1, 2) == ids_of(entries)
    assert "it ends within the gzip member" in tally.damage[0]


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_records_after_a_corrupt_member_are_read(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """If one member of six is corrupt, the damage is noted and the other five are read."""
    members = [compress(record) for record in archived(range(N))]
    middle = len(members[2]) // 2
    members[2] = members[2][:middle] + b"\xff" * 40 + members[2][middle + 40 :]
    entries, tally = read("warc", write(tmp_path / "a.warc.gz", b"".join(members)))
    assert {*urns(0, 1, 3, 4, 5)} == {*ids_of(entries)}
    assert len(tally.damage) == 1


def test_records_after_garbage_are_read(tmp_path: Path) -> None:
    """Garbage between two members is noted and skipped."""
    members = list(map(gzip.compress, archived(range(4))))
    members.insert(2, b"no member at all, and \x1f\x8b\x08 is not the beginning of one" * 9)
    entries, tally = read("warc", write(tmp_path / "a.warc.gz", b"".join(members)))
    assert urns(0, 1, 2, 3) == ids_of(entries)
    assert len(tally.damage) == 1
    assert "are no gzip" in tally.damage[0]


def test_zero_padding_is_not_damage(tmp_path: Path) -> None:
    """Zero padding at the end is not damage."""
    path = write(tmp_path / "a.warc.gz", archive(range(2)) + b"\0" * 512)
    assert [] == read("warc", path)[1].damage


@pytest.mark.parametrize("compressed", [False, True])
def test_records_after_a_malformed_header_are_read(compressed: bool, tmp_path: Path) -> None:
    """A malformed header loses only its own record."""
    records = archived(range(4))
    records[1] = records[1].replace(b"WARC/1.0", b"BARN/1.0", 1)
    content = b"".join(map(gzip.compress, records)) if compressed else b"".join(records)
    entries, tally = read("warc", write(tmp_path / "a.warc", content))
    assert urns(0, 2, 3) == ids_of(entries)
    assert 1 == len(tally.damage)


def test_a_wrong_length_costs_little(tmp_path: Path) -> None:
    """Records after one with a too small declared length are read."""
    records = archived(range(4))
    length = records[1].split(b"Content-Length: ")[1].split(b"\r\n")[0]
    records[1] = records[1].replace(b"Content-Length: " + length, b"Content-Length: 90")
    entries, tally = read("warc", write(tmp_path / "a.warc", b"".join(records)))
    assert {*urns(0, 2, 3)} <= {*ids_of(entries)}
    assert tally.damage


def test_other_records_are_counted(tmp_path: Path) -> None:
    """Requests, images, redirects and errors are skipped, each with its reason."""
    records = [
        record_of("request", b"", kind="request"),
        record_of("image", b"GIF89a", headers="Content-Type: image/gif"),
        record_of("moved", b"", status="301 Moved"),
        record_of("lost", page_of(1), status="404 Not Found"),
        record_of("page", page_of(2)),
        record_of("untold", page_of(3), headers="Server: barn"),
    ]
    entries, tally = read("warc", write(tmp_path / "a.warc", b"".join(records)))
    assert ["<urn:page>", "<urn:untold>"] == ids_of(entries)
    expected = {
        "request record": 1,
        "media type that is not HTML": 1,
        "HTTP status 301": 1,
        "HTTP status 404": 1,
    }
    assert expected == tally.skipped


def test_bodies_are_decoded(tmp_path: Path) -> None:
    """Bodies are unchunked and decompressed according to the headers."""
    body = zlib.compress(page_of(7))
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    headers = "Content-Type: text/html\nTransfer-Encoding: chunked\nContent-Encoding: deflate"
    path = write(tmp_path / "a.warc", record_of("a", chunks, headers=headers))
    (entry,) = read("warc", path)[0].values()
    assert isinstance(entry, Item)
    assert page_of(7) == entry.body


def test_a_page_too_large_is_cut_where_it_shows(tmp_path: Path) -> None:
    """A too large page is cut one byte after the limit, so that the excess is detected."""
    headers = "Content-Type: text/html\nContent-Encoding: gzip"
    bomb = record_of("a", gzip.compress(b"<p>" * 100_000), headers=headers)
    (entry,) = read("warc", write(tmp_path / "a.warc", bomb), (), ReadOptions(1000))[0].values()
    assert isinstance(entry, Item)
    assert 1001 == len(entry.body)


def test_a_page_in_a_damaged_record_is_an_error(tmp_path: Path) -> None:
    """The error record of a truncated page has its id and address."""
    records = archived(range(2))
    path = write(tmp_path / "a.warc", records[0] + records[1][:-30])
    entry = read("warc", path)[0][1]
    assert isinstance(entry, Unreadable)
    assert ("<urn:1>", "http://farm.example/1") == (entry.id, entry.url)


def test_an_empty_file_is_an_empty_archive(tmp_path: Path) -> None:
    """An empty file has no pages and no damage."""
    entries, tally = read("warc", write(tmp_path / "a.warc", b""))
    assert ({}, 0, []) == (entries, tally.n_entry, tally.damage)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_doubled_records_have_ids_of_their_own(layout: str, tmp_path: Path) -> None:
    """Duplicate records of concatenated archives get unique ids."""
    path = write(tmp_path / "a.warc", LAYOUTS[layout] * 2)
    entries, _ = read("warc", path)
    again = [f"<urn:{number}>#{N + number}" for number in range(N)]
    assert [*urns(*range(N)), *again] == ids_of(entries)
    resumed, _ = read("warc", path, range(N))
    assert again == ids_of(resumed)


BODY = b"<p>rye and oats</p>" * 500
RAW = zlib.compressobj(wbits=-15)
DEFLATED = RAW.compress(BODY) + RAW.flush()
CHUNKED = b"10;a=b\r\n" + BODY[:16] + b"\r\n%X\r\n" % len(BODY[16:]) + BODY[16:] + b"\r\n0\r\n\r\n"

CASES = {
    "plain": (BODY, "", ""),
    "gzip": (gzip.compress(BODY), "", "gzip"),
    "x-gzip, in capitals": (gzip.compress(BODY), "", "X-GZIP"),
    "deflate with its header": (zlib.compress(BODY), "", "deflate"),
    "deflate without it": (DEFLATED, "", "deflate"),
    "zstd": (zstandard.compress(BODY), "", "zstd"),
    "twice": (gzip.compress(zlib.compress(BODY)), "", "deflate, gzip"),
    "chunked": (CHUNKED, "chunked", ""),
    "decoded already": (BODY, "chunked", "gzip"),
    "said to be brotli": (BODY, "", "br"),
    "an unknown coding": (BODY, "", "sheaf"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_body_is_decoded_as_by_a_browser(case: str) -> None:
    """Even if the headers do not match; no more than the limit is returned."""
    raw, transfer, content = CASES[case]
    assert BODY == decode_body(raw, transfer, content, 10**6)
    assert BODY[:100] == decode_body(raw, transfer, content, 100)


def test_intact_part_of_truncated_body_is_kept() -> None:
    """The intact part of a truncated or corrupt body is returned."""
    noise = bytes(range(256)) * 40
    zipped = gzip.compress(noise)
    assert decode_body(zipped[:-40], "", "gzip", 10**6)
    assert noise.startswith(decode_body(zipped[:-40], "", "gzip", 10**6))
    assert BODY[:1500] == decode_body(CHUNKED[:2000], "chunked", "", 1500)
