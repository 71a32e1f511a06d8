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

from tests.batch.archived import response, write_warc
from tests.batch.misbehaving import GOOD, misbehave
from thresher.spark import Settings, extract, extract_warcs, spark_schema

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
        builder = SparkSession.builder.master("local[2]").appName("thresher tests")
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
    bodies = [GOOD] * 40
    bodies[5], bodies[17], bodies[30] = "segfault:", "hang:", "raise:no grain"
    rows = [(str(number), bytearray(body.encode())) for number, body in enumerate(bodies)]
    pages = session.createDataFrame(rows, "key string, html binary").repartition(3)
    records = extract(
        pages, Settings(), columns={"id": "key"}, timeout_s=TIMEOUT_S, work=misbehave
    ).collect()
    assert spark_schema().names == list(records[0].asDict())
    errors = {int(record["id"]): record["error"] for record in records}
    assert list(range(40)) == sorted(errors) and 40 == len(records)
    assert {5, 17, 30} == {number for number, error in errors.items() if error}
    assert "ChildProcessError: its worker died: SIGSEGV" == errors[5]
    assert errors[17].startswith("TimeoutError")
    assert "RuntimeError: no grain" == errors[30]
    assert all("sheaves" in record["text"] for record in records if not record["error"])


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


def test_archives_go_through_spark(session: Any, tmp_path: Path) -> None:
    """Each page of an archive is a row; a missing archive is a row with an error."""
    pytest.importorskip("fastwarc", reason="the extra batch is not installed")
    paths = []
    for name in ("a", "b"):
        bodies = [GOOD, "segfault:", GOOD]
        pages = [response(f"https://{name}.example/{n}", body) for n, body in enumerate(bodies)]
        paths.append(write_warc(tmp_path / f"{name}.warc.gz", pages))
    records = extract_warcs(
        session, [*paths, str(tmp_path / "gone.warc.gz")], timeout_s=60, work=misbehave
    ).collect()
    errors = {record["url"]: record["error"] for record in records}
    assert {*paths, str(tmp_path / "gone.warc.gz")} == {record["source"] for record in records}
    assert 7 == len(records) == len(errors)
    assert errors.pop(None).startswith("InputError: FileNotFoundError")
    bad = {"https://a.example/1", "https://b.example/1"}
    assert bad == {url for url, error in errors.items() if error}
