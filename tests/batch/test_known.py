"""Pages that an earlier run has."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra batch is not installed")

from thresher.batch.known import KnownPages, read_known
from thresher.batch.model import Item, Record, Settings
from thresher.batch.sinks import write_parquet
from thresher.batch.work import extract_item
from thresher.errors import UsageError

PAGE = Item("a", b"<p>The barley was cut early, and it stood in sheaves.")
CHANGED = Item("a", b"<p>The barley was cut late, and it stood in sheaves.")


def test_a_known_page_is_a_record_without_content(tmp_path: Path) -> None:
    """Its record says so, and has the digest, by which the earlier one is found."""
    before = extract_item(PAGE, Settings())
    (tmp_path / "records").mkdir()
    write_parquet([before], tmp_path / "records" / "part-000000.parquet")
    settings = Settings(known=read_known([str(tmp_path / "records")]))
    again = extract_item(PAGE, settings)
    assert ("known", before.digest, None, None, None) == (
        again.duplicate,
        again.digest,
        again.text,
        again.verdict,
        again.error,
    )
    changed = extract_item(CHANGED, settings)
    assert (None, "content") == (changed.duplicate, changed.verdict)


def test_a_page_with_an_error_is_not_known(tmp_path: Path) -> None:
    """It is tried again; one that was left out as known still is."""
    digests = ["0" * 31 + str(number) for number in range(4)]
    write_parquet(
        [
            Record("a", digest=digests[0]),
            Record("b", digest=digests[1], error="TimeoutError"),
            Record("c", digest=digests[2], duplicate="known"),
            Record("d", error="InputError: damaged"),
        ],
        tmp_path / "records.parquet",
    )
    known = read_known([str(tmp_path / "records.parquet")])
    assert [True, False, True, False] == [digest in known for digest in digests]
    assert 2 == len(known)


def test_settings_say_which_pages_are_known() -> None:
    """The same digests in any order are the same settings, as a job describes them."""
    one, other = "00" * 16, "ff" * 16
    described = [
        Settings(known=KnownPages.of(some)).describe() for some in ((one, other), (other, one, one))
    ]
    assert described[0] == described[1] != Settings(known=KnownPages.of([one])).describe()
    assert 500 > len(described[0]["settings"])


@pytest.mark.parametrize("digest", ["chaff", "00"])
def test_a_digest_is_one_of_records(digest: str) -> None:
    """Anything else raises UsageError."""
    with pytest.raises(UsageError, match="digest"):
        KnownPages.of([digest])


def test_known_pages_are_read_from_records(tmp_path: Path) -> None:
    """A file that is no Parquet, or has no digests, raises UsageError."""
    (tmp_path / "chaff.parquet").write_bytes(b"chaff")
    with pytest.raises(UsageError, match=r"chaff\.parquet has no records"):
        read_known([str(tmp_path / "chaff.parquet")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="has no Parquet files"):
        read_known([str(tmp_path / "empty")])
    with pytest.raises(FileNotFoundError):
        read_known([str(tmp_path / "gone")])
