"""What every engine must do alike, beside the extraction itself, for the tests of each."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.batch.archives import response, spans_of, write_warc
from tests.batch.misbehaving import GOOD
from tests.sites.pages import NOTICE, stories, story
from thresher.batch.known import KnownPages
from thresher.batch.model import Settings
from thresher.batch.splitting import part_name, split_archive
from thresher.sites import SiteFolder, learn, pack_sites, write_site

Row = dict[str, Any]

_URL = "https://mill.example/"
_N_STORY = 8


BODIES = [GOOD] * 40
"""Pages of which some crash, hang or raise."""
BODIES[5], BODIES[17], BODIES[30] = "segfault:", "hang:", "raise:no grain"


def check_every_page(records: Sequence[Any]) -> None:
    """Check the records of `BODIES`, whose ids are their numbers."""
    errors = {int(record["id"]): record["error"] for record in records}
    assert list(range(40)) == sorted(errors) and 40 == len(records)
    assert {5, 17, 30} == {number for number, error in errors.items() if error}
    assert "ChildProcessError: its worker died: SIGSEGV" == errors[5]
    assert errors[17].startswith("TimeoutError")
    assert "RuntimeError: no grain" == errors[30]
    assert all("sheaves" in record["text"] for record in records if not record["error"])


def check_archives(extract: Callable[[list[str], Settings], list[Row]], folder: Path) -> None:
    """Check parts of an archive, known pages and sites, in few jobs, as each takes seconds.

    ``extract`` returns the records of archives or of parts of them.

    An archive is split and extracted, with sites of whose folder nothing is left. Then a part of
    chosen records is, of which one page is known.
    """
    pytest.importorskip("fastwarc", reason="the extra batch is not installed")
    pages = [response(f"{_URL}{number}", story(number)) for number in range(_N_STORY)]
    path = write_warc(folder / "a.warc.gz", pages)
    sites = SiteFolder(folder / "sites")
    sites.path.mkdir()
    sites.file_of("mill.example").write_text(write_site(learn(stories(9, 10, 11))), "utf-8")
    packed = pack_sites(sites)
    shutil.rmtree(sites.path)

    parts = split_archive(path, Path(path).stat().st_size // 3)
    assert 3 <= len(parts) <= 4
    rows = extract(parts, Settings(sites=packed))
    assert [f"<{_URL}{number}>" for number in range(_N_STORY)] == sorted(row["id"] for row in rows)
    assert {path} == {row["source"] for row in rows}
    assert not any(NOTICE in row["text"] for row in rows)

    known = KnownPages.of(row["digest"] for row in rows if row["url"] == f"{_URL}2")
    spans = spans_of(pages)
    chosen = part_name(path, [spans[2], spans[5]])
    rows = extract([chosen], Settings(known=known))
    assert [
        (f"{_URL}2", "known", None, None),
        (f"{_URL}5", None, "content", None),
    ] == sorted((row["url"], row["duplicate"], row["verdict"], row["error"]) for row in rows)


def check_duplicates(find: Callable[[list[Row]], list[Row]]) -> None:
    """Check that exact and near duplicates are found within a source and between two.

    ``find`` returns the duplicates among rows with the columns source, id and text.
    """
    words = [f"sheaf{number}" for number in range(200)]
    text, near = " ".join(words), " ".join([*words[:-3], "the", "last", "three"])
    other = " ".join(reversed(words))
    texts = (text, near, other, f" {text.upper()}\n", "few words", "few words", "", None, text)
    rows = [
        {"source": "b" if number == 8 else "a", "id": str(number), "text": each}
        for number, each in enumerate(texts)
    ]
    assert [
        ("a", "1", "near", "0"),
        ("a", "3", "exact", "0"),
        ("a", "5", "exact", "4"),
        ("b", "8", "exact", "a#0"),
    ] == sorted(
        (row["source"], row["id"], row["duplicate"], row["duplicate_of"]) for row in find(rows)
    )
