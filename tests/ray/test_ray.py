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

from tests.batch.misbehaving import GOOD, misbehave
from thresher.errors import UsageError
from thresher.ray import Settings, extract

# Ray leaves sockets open and calls deprecated functions.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(300)]

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
    bodies = [GOOD] * 40
    bodies[5], bodies[17], bodies[30] = "segfault:", "hang:", "raise:no grain"
    rows = [{"key": str(number), "html": body} for number, body in enumerate(bodies)]
    records: list[dict[str, Any]] = extract(
        ray.data.from_items(rows, override_num_blocks=4),
        Settings(),
        columns={"id": "key"},
        batch_size=7,
        timeout_s=TIMEOUT_S,
        work=misbehave,
    ).take_all()
    errors = {int(record["id"]): record["error"] for record in records}
    assert list(range(40)) == sorted(errors) and 40 == len(records)
    assert {5, 17, 30} == {number for number, error in errors.items() if error}
    assert "ChildProcessError: its worker died: SIGSEGV" == errors[5]
    assert errors[17].startswith("TimeoutError")
    assert "RuntimeError: no grain" == errors[30]
    assert all("sheaves" in record["text"] for record in records if not record["error"])


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


def test_ray_needs_an_actor() -> None:
    """Fewer than one actor raises UsageError."""
    pages = ray.data.from_items([{"url": "https://example.org/", "html": GOOD}])
    with pytest.raises(UsageError, match="n_actor"):
        extract(pages, n_actor=0)
