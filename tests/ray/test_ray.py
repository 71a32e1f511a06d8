"""A real Ray cluster on this machine: no page and no block of a Dataset is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="the extra ray is not installed")
pytest.importorskip("aiohttp", reason="the extra ray is not installed")

import ray

from tests.batch.archives import response, write_warc
from tests.batch.contract import BODIES, Row, check_archives, check_duplicates, check_every_page
from tests.batch.misbehaving import GOOD, misbehave
from thresher.batch.model import SCHEMA
from thresher.errors import UsageError
from thresher.ray import Settings, extract, extract_warcs, find_duplicates, write_warcs

# Ray leaves sockets open and calls deprecated functions.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 5.0


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Start Ray with two cores; its workers find this folder's tests."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            object_store_memory=200 * 2**20,
            runtime_env={"env_vars": {"PYTHONPATH": path}},
            logging_level="warning",
        )
        yield
        ray.shutdown()


def test_every_good_page_comes_out_of_ray() -> None:
    """A page that crashes, hangs or raises gives a row with an error; all others are extracted."""
    rows = [{"key": str(number), "html": body} for number, body in enumerate(BODIES)]
    records: list[dict[str, Any]] = extract(
        ray.data.from_items(rows, override_num_blocks=4),
        Settings(),
        columns={"id": "key"},
        batch_size=7,
        timeout_s=TIMEOUT_S,
        work=misbehave,
    ).take_all()
    check_every_page(records)


def test_records_of_ray_can_be_written(tmp_path: Path) -> None:
    """Ray can write the columns as Parquet and read them back."""
    folder = str(tmp_path / "records")
    pages = ray.data.from_items([{"url": "https://example.org/", "html": GOOD}])
    extract(pages, Settings(formats=("markdown",)), n_actor=1).write_parquet(folder)
    (record,) = ray.data.read_parquet(folder).take_all()
    assert ("https://example.org/", "content", []) == (
        record["url"],
        record["verdict"],
        list(record["authors"]),
    )


def archives_in(folder: Path) -> list[str]:
    """Write two archives, each with pages that kill their worker, and once its actor."""
    pytest.importorskip("fastwarc", reason="the extra batch is not installed")
    paths = []
    for name in ("a", "b"):
        bodies = [GOOD, "segfault:", f"kill parent:{folder / name}", GOOD]
        pages = [response(f"https://{name}.example/{n}", body) for n, body in enumerate(bodies)]
        paths.append(write_warc(folder / f"{name}.warc.gz", pages))
    return paths


def test_archives_go_through_ray(tmp_path: Path) -> None:
    """Each page of an archive is a row, though every actor is killed once."""
    paths = archives_in(tmp_path)
    rows = extract_warcs(paths, n_actor=1, timeout_s=60, work=misbehave).take_all()
    assert sorted(f"<https://{name}.example/{n}>" for name in "ab" for n in range(4)) == sorted(
        row["id"] for row in rows
    )
    assert {SCHEMA} == {row["schema"] for row in rows}
    assert 2 == sum(row["error"] is not None for row in rows)


def test_a_job_of_ray_goes_on_where_it_ended(tmp_path: Path) -> None:
    """A missing archive fails the job; the next call writes what is not there, or errors again."""
    paths, out = archives_in(tmp_path), str(tmp_path / "out")
    with pytest.raises(Exception, match="FileNotFoundError"):
        write_warcs([str(tmp_path / "gone.warc.gz")], out, n_actor=1, timeout_s=60)
    reports = write_warcs(paths, out, n_actor=1, timeout_s=60, work=misbehave)
    assert {(path, 4, 1) for path in paths} == {
        (each.source, each.n_record, each.n_error) for each in reports
    }
    reports = write_warcs(paths, out, n_actor=1, only_errors=True, timeout_s=60)
    assert [(4, 0, True)] * 2 == [(each.n_record, each.n_error, each.is_new) for each in reports]


def test_ray_needs_an_actor() -> None:
    """Fewer than one actor raises UsageError."""
    pages = ray.data.from_items([{"url": "https://example.org/", "html": GOOD}])
    with pytest.raises(UsageError, match="n_actor"):
        extract(pages, n_actor=0)


def test_parts_known_pages_and_sites_go_through_ray(tmp_path: Path) -> None:
    """Parts of an archive, pages to leave out, and packed sites work as on every engine."""

    def extract(paths: list[str], settings: Settings) -> list[Row]:
        rows: list[Row] = extract_warcs(paths, settings, n_actor=1).take_all()
        return rows

    check_archives(extract, tmp_path)


def test_ray_finds_duplicates() -> None:
    """The same records are duplicates as on every engine."""
    pytest.importorskip("rensa", reason="the extra batch is not installed")

    def find(rows: list[Row]) -> list[Row]:
        found: list[Row] = find_duplicates(ray.data.from_items(rows)).take_all()
        return found

    check_duplicates(find)
