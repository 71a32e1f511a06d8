"""A real Spark session on this machine: no page of a DataFrame is lost, and no task fails."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the extra spark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)

from pyarrow import parquet

from tests.batch.archives import response, write_warc
from tests.batch.contract import BODIES, Row, check_archives, check_duplicates, check_every_page
from tests.batch.misbehaving import GOOD, misbehave
from tests.batch.stores import open_store
from thresher.batch.model import SCHEMA
from thresher.spark import (
    Settings,
    extract,
    extract_warcs,
    find_duplicates,
    spark_schema,
    write_warcs,
)

# Spark leaves sockets open and calls deprecated functions.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 5.0


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Start Spark with two cores; its workers find this folder's tests."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(ROOT / "src"))))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = SparkSession.builder.master("local[2,4]").appName("thresher tests")
        made = (
            builder.config("spark.ui.enabled", "false")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
            .config("spark.driver.memory", "1g")
            .getOrCreate()
        )
        yield made
        made.stop()


def test_every_good_page_comes_out_of_spark(session: Any) -> None:
    """A page that crashes, hangs or raises gives a row with an error; all others are extracted."""
    rows = [(str(number), bytearray(body.encode())) for number, body in enumerate(BODIES)]
    pages = session.createDataFrame(rows, "key string, html binary").repartition(3)
    records = extract(
        pages, Settings(), columns={"id": "key"}, timeout_s=TIMEOUT_S, work=misbehave
    ).collect()
    assert spark_schema().names == list(records[0].asDict())
    check_every_page(records)


def test_records_of_spark_can_be_written(session: Any, tmp_path: Path) -> None:
    """Spark can write the columns as Parquet and read them back."""
    pages = session.createDataFrame([("https://example.org/", GOOD)], "url string, html string")
    folder = str(tmp_path / "records")
    extract(pages, Settings(formats=("markdown",))).write.parquet(folder)
    (record,) = session.read.parquet(folder).collect()
    assert ("https://example.org/", "content", []) == (
        record["url"],
        record["verdict"],
        record["authors"],
    )


def archives_in(folder: Path) -> list[str]:
    """Write two archives, each with a page that crashes its worker between two good ones."""
    pytest.importorskip("fastwarc", reason="the extra batch is not installed")
    paths = []
    for name in ("a", "b"):
        bodies = [GOOD, "segfault:", GOOD]
        pages = [response(f"https://{name}.example/{n}", body) for n, body in enumerate(bodies)]
        paths.append(write_warc(folder / f"{name}.warc.gz", pages))
    return paths


BAD = {"https://a.example/1", "https://b.example/1"}


def test_archives_go_through_spark(session: Any, tmp_path: Path) -> None:
    """Each page of an archive is a row, with the version of the columns."""
    paths = archives_in(tmp_path)
    rows = extract_warcs(session, paths, timeout_s=60, work=misbehave).collect()
    errors = {row["url"]: row["error"] for row in rows}
    assert set(paths) == {row["source"] for row in rows}
    assert {SCHEMA} == {row["schema"] for row in rows}
    assert 6 == len(rows) == len(errors)
    assert BAD == {url for url, error in errors.items() if error}


def test_an_archive_that_is_not_there_fails_the_job(session: Any, tmp_path: Path) -> None:
    """Spark repeats the task, and the job does not succeed without the pages of the archive."""
    paths = [*archives_in(tmp_path), str(tmp_path / "gone.warc.gz")]
    with pytest.raises(Exception, match=r"FileNotFoundError.*gone\.warc\.gz"):
        extract_warcs(session, paths, timeout_s=60, work=misbehave).collect()


def test_a_job_goes_on_where_it_ended(session: Any, tmp_path: Path) -> None:
    """Files of archives stay when a job fails; the next writes those that are not there."""
    paths = archives_in(tmp_path)
    out = str(tmp_path / "out")
    gone = tmp_path / "gone.warc.gz"
    with pytest.raises(Exception, match="FileNotFoundError"):
        write_warcs(session, [str(gone), *paths], out, timeout_s=60, work=misbehave)
    write_warc(gone, [response("https://c.example/0", GOOD)])
    for n_new in (1, 0):
        reports = write_warcs(session, [str(gone), *paths], out, timeout_s=60, work=misbehave)
        assert [(1, 0), (3, 1), (3, 1)] == [(each.n_record, each.n_error) for each in reports]
        assert n_new <= sum(each.is_new for each in reports) <= 3 * n_new
    rows = session.read.parquet(out).collect()
    assert 7 == len(rows) == len({row["id"] for row in rows})
    reports = write_warcs(session, paths, out, only_errors=True, timeout_s=60)
    assert [(3, 0, True)] * 2 == [(each.n_record, each.n_error, each.is_new) for each in reports]


def test_killed_workers_and_a_failing_store_lose_nothing(session: Any, tmp_path: Path) -> None:
    """Each archive is read from a store that refuses now and then, by a worker that is killed."""
    marks = tmp_path / "marks"
    marks.mkdir()
    with open_store("barn") as store:
        paths = []
        for name in ("a", "b"):
            bodies = [GOOD, f"kill parent:{marks / name}", "segfault:", GOOD]
            pages = [response(f"https://{name}.example/{n}", body) for n, body in enumerate(bodies)]
            local = Path(write_warc(tmp_path / f"{name}.warc.gz", pages))
            paths.append(store.put(f"barn/{local.name}", local.read_bytes()))
        open_refusals = {"GET /barn/a.warc.gz", "GET /barn/b.warc.gz", "PUT /barn/out/a"}

        def refuses(method: str, path: str) -> bool:
            hit = {each for each in open_refusals if f"{method} {path}".startswith(each)}
            open_refusals.difference_update(hit)
            return bool(hit)

        store.refuses = refuses
        reports = write_warcs(session, paths, store.uri("barn/out"), timeout_s=60, work=misbehave)
        assert [(4, 1)] * 2 == [(each.n_record, each.n_error) for each in reports]
        assert not open_refusals
        tables = [parquet.read_table(each.file, filesystem=store.system) for each in reports]
        ids = [id for table in tables for id in table["id"].to_pylist()]
        assert [f"<https://{name}.example/{n}>" for name in "ab" for n in range(4)] == ids
    assert 2 == len(list(marks.iterdir()))


def test_parts_known_pages_and_sites_go_through_spark(session: Any, tmp_path: Path) -> None:
    """Parts of an archive, pages to leave out, and packed sites work as on every engine."""

    def extract(paths: list[str], settings: Settings) -> list[Row]:
        return [row.asDict() for row in extract_warcs(session, paths, settings).collect()]

    check_archives(extract, tmp_path)


def test_spark_finds_duplicates(session: Any) -> None:
    """The same records are duplicates as on every engine."""
    pytest.importorskip("rensa", reason="the extra batch is not installed")

    def find(rows: list[Row]) -> list[Row]:
        records = session.createDataFrame(rows, "source string, id string, text string")
        return [row.asDict() for row in find_duplicates(records).collect()]

    check_duplicates(find)
