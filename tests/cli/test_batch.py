"""`thresher batch`, with real worker processes; killed, starved and stopped."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.batch.archives import archive, page_of
from tests.cli.conftest import Command, Web
from thresher.cli.batch import until_stopped
from thresher.cli.console import Exit

N = 60
FAST = ("-m", "keep_all", "--no-metadata")
THRESHER = (sys.executable, "-m", "thresher", "batch")


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.warc.gz").write_bytes(archive(range(N)))
    return tmp_path


def rows_of(out: Path) -> list[dict[str, object]]:
    files = sorted(out.glob("part-*.parquet"))
    return [row for file in files for row in parquet.read_table(file).to_pylist()]


def ids_of(out: Path) -> list[str]:
    return [str(row["id"]) for row in rows_of(out)]


def test_one_line_is_enough(command: Command, crawl: Path) -> None:
    """A WARC becomes Parquet with the text, the metadata and the verdict of each page."""
    ran = command("batch", "a.warc.gz", "-o", "out", "-j", 1, "--stats", "stats.json")
    assert Exit.OK == ran.status
    says = f"thresher: {N} pages in, {N} records out: nothing is lost"
    assert says in ran.errors
    row = rows_of(crawl / "out")[7]
    expected = ("<urn:7>", "http://farm.example/7", "Sheaf 7", "a.warc.gz", None)
    assert expected == tuple(row[name] for name in ("id", "url", "title", "source", "error"))
    assert "rye7" in str(row["text"])
    stats = json.loads((crawl / "stats.json").read_text())
    assert ("thresher.batch/1", N, True) == (
        *(stats["schema"], stats["n_record"]),
        stats["is_whole"],
    )
    assert N == stats["stats"]["n_record"]


def test_standard_input_is_kept_until_it_is_done(command: Command, crawl: Path) -> None:
    """The format of standard input must be detected, and its temporary copy must be deleted."""
    lines = b"\n".join(json.dumps({"html": page_of(n).decode()}).encode() for n in range(3))
    ran = command("batch", "-", "-o", "out", "-j", 1, "--content", "html", *FAST, stdin=lines)
    assert Exit.OK == ran.status
    assert ["1", "2", "3"] == ids_of(crawl / "out")
    assert "<h1>" in str(rows_of(crawl / "out")[0]["html"])
    assert {"manifest.sqlite", "part-000000.parquet"} == {
        path.name for path in (crawl / "out").iterdir()
    }


def test_addresses_are_fetched(command: Command, crawl: Path, web: Web) -> None:
    """Private ones only where that is allowed; what is not there is an error record."""
    web.serve("/robots.txt", status=404)
    (crawl / "a.urls").write_text(web.serve("/rye", page_of(1)) + "\n")
    refused = command("batch", "a.urls", "-o", "no", "-j", 1, *FAST)
    assert "thresher: errors: FetchError 1" in refused.errors
    ran = command("batch", "a.urls", "-o", "out", "-j", 1, "--allow-private", *FAST)
    assert Exit.OK == ran.status
    assert "rye1" in str(rows_of(crawl / "out")[0]["text"])


def test_a_source_that_changed_is_refused_or_read_again(command: Command, crawl: Path) -> None:
    """As the option says; the error names it."""
    args = ("batch", "a.warc.gz", "-o", "out", "-j", 1, *FAST)
    assert Exit.INTERRUPTED == _stop_at_once(command, args, n_page=5)
    (crawl / "a.warc.gz").write_bytes(archive(range(3)))
    ran = command(*args, "--resume")
    assert Exit.USAGE == ran.status
    assert "a.warc.gz has changed" in ran.errors[-1]
    assert "--changed again" in ran.errors[-1]
    assert Exit.OK == command(*args, "--resume", "--changed", "again").status
    assert ["<urn:0>", "<urn:1>", "<urn:2>"] == ids_of(crawl / "out")


def _stop_at_once(command: Command, args: Sequence[object], n_page: int = 0) -> int:
    """Run a batch that is asked to stop after some pages."""
    asked = iter([False] * n_page + [True] * 99)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thresher.cli.batch.until_stopped", lambda: nullcontext(lambda: next(asked)))
        return command(*args).status


def test_standard_input_that_cannot_be_read_is_an_error(
    command: Command, crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is begun with half of it."""

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("tests.cli.conftest.io.BytesIO", Broken)
        ran = command("batch", "-", "-o", "out", "-j", 1, *FAST, stdin=b"<p>rye")
    assert (Exit.FAILED, 1) == (ran.status, len(ran.errors))
    assert not list((crawl / "out").glob("stdin*"))


def test_damage_fails_the_command(command: Command, crawl: Path) -> None:
    """All that can be read is written, what cannot is named, and the status tells a script."""
    (crawl / "a.warc.gz").write_bytes(archive(range(N))[:-500])
    ran = command("batch", "a.warc.gz", "-o", "out", "-j", 1, *FAST)
    assert Exit.FAILED == ran.status
    assert [line for line in ran.errors if line.startswith("thresher: damaged: a.warc.gz: it ends")]
    assert N - 2 <= len(ids_of(crawl / "out"))


WRONG = [
    ("gone.warc",),
    ("a.warc.gz", "--column", "text=content"),
    ("a.warc.gz", "--content", "pdf"),
    ("a.warc.gz", "--content", "html", "--format", "markdown"),
    ("a.warc.gz", "-p", "nothing=1"),
    ("-", "-"),
]


def test_wrong_command_lines_begin_nothing(command: Command, crawl: Path) -> None:
    """They are said, and a right one can use the folder."""
    for wrong in WRONG:
        ran = command("batch", *wrong, "-o", "out", stdin=b"")
        assert (Exit.USAGE, 1) == (ran.status, len(ran.errors)), wrong
    assert Exit.OK == command("batch", "a.warc.gz", "-o", "out", "-j", 1, *FAST).status


def start(*args: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*THRESHER, *args], stderr=subprocess.PIPE)


def wait_for_parts(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if len(list(out.glob("part-*.parquet"))) >= count or process.poll() is not None:
            return
        time.sleep(0.05)
    raise AssertionError("it never came")


def run_in_process(
    args: Sequence[str], preexec_fn: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(args, check=False, capture_output=True, preexec_fn=preexec_fn)


def test_what_an_earlier_batch_has_is_left_out(command: Command, crawl: Path) -> None:
    """With --known, only new pages are extracted; the others are marked, and all are there."""
    (crawl / "b.warc.gz").write_bytes(archive(range(N // 2, N + 5)))
    assert Exit.OK == command("batch", "a.warc.gz", "-o", "out", "-j", 1, *FAST).status
    again = ("batch", "b.warc.gz", "-o", "more", "-j", 1, "--known", "out", *FAST)
    ran = command(*again)
    assert Exit.OK == ran.status
    assert (
        f"thresher: {N // 2 + 5} pages in, {N // 2 + 5} records out: nothing is lost" in ran.errors
    )
    assert f"thresher: duplicates: known {N // 2}" in ran.errors
    new = [str(row["id"]) for row in rows_of(crawl / "more") if row["text"] is not None]
    assert [f"<urn:{number}>" for number in range(N, N + 5)] == new
    assert Exit.OK == command(*again, "--resume").status
    ran = command(*again[:-3], "--known", "gone", *FAST, "--resume")
    assert (Exit.USAGE, True) == (ran.status, "gone" in ran.errors[-1])


@pytest.mark.slow
def test_kill_9_loses_nothing(crawl: Path) -> None:
    """Killed again and again, at any moment, and resumed: each page is there once."""
    count = 200
    (crawl / "b.warc.gz").write_bytes(archive(range(count)))
    out = crawl / "out"
    args = ("b.warc.gz", "-o", "out", "-j", "1", "--per-part", "20", "--dedupe", "--resume", *FAST)
    chance = random.Random(8)
    n_killed = 0
    for n_part in (1, 4, 7):
        process = start(*args)
        wait_for_parts(out, n_part, process)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        n_killed += process.returncode == -signal.SIGKILL
        assert len(ids_of(out)) == len({*ids_of(out)})
    assert 0 < n_killed
    process = start(*args)
    _, errors = process.communicate()
    assert (0, True) == (process.returncode, b"200 records out: nothing is lost" in errors)
    assert [f"<urn:{number}>" for number in range(count)] == ids_of(out)
    assert not [row for row in rows_of(out) if row["duplicate"]]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.slow
def test_ctrl_c_finishes_what_is_under_way(crawl: Path, number: signal.Signals) -> None:
    """One interruption ends the batch in order, with a status that says so."""
    count = 300
    (crawl / "b.warc.gz").write_bytes(archive(range(count)))
    args = ("b.warc.gz", "-o", "out", "-j", "1", "--per-part", "20", "--resume", *FAST)
    process = start(*args)
    wait_for_parts(crawl / "out", 1, process)
    process.send_signal(number)
    _, errors = process.communicate()
    assert b"--resume goes on" in errors
    assert Exit.INTERRUPTED == process.returncode
    assert 20 <= len(ids_of(crawl / "out")) < count
    assert 0 == run_in_process([*THRESHER, *args]).returncode
    assert [f"<urn:{place}>" for place in range(count)] == ids_of(crawl / "out")


@pytest.mark.slow
def test_two_at_once_do_not_harm_each_other(crawl: Path) -> None:
    """Of two runs started at once in one folder, one must write everything, neither may crash."""
    args = ("a.warc.gz", "-o", "out", "-j", "1", "--per-part", "5", "--resume", *FAST)
    processes = [start(*args) for _ in range(2)]
    ended = [(process.communicate()[1].decode(), process.returncode) for process in processes]
    assert Exit.OK in [status for _, status in ended]
    for errors, status in ended:
        assert "Traceback" not in errors
        assert status == Exit.OK or "another process is at work" in errors
    assert [f"<urn:{place}>" for place in range(N)] == ids_of(crawl / "out")


@pytest.mark.slow
def test_a_full_disk_can_be_gone_on_from(crawl: Path) -> None:
    """It is said in one line, nothing half is left, what was written stays, and it goes on.

    With files of at most 64 KiB the third part of growing size fails.
    """
    chance = random.Random(5)  # a text that no compression shortens much
    pages = [{"html": f"<p>{chance.randbytes(2000).hex()}</p>"} for _ in range(60)]
    lines = b"\n".join(json.dumps(page).encode() for page in pages)
    (crawl / "b.jsonl.gz").write_bytes(gzip.compress(lines))
    args = [*THRESHER, "b.jsonl.gz", "-o", "out", "-j", "1", *FAST]

    def starve() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    ran = run_in_process([*args, "--per-part", "50"], starve)
    says = ran.stderr.decode().splitlines()[-1]
    assert Exit.FAILED == ran.returncode
    assert "cannot write" in says
    assert "--resume" in says
    assert "Traceback" not in ran.stderr.decode()
    assert not list((crawl / "out").glob("*.tmp"))
    before = ids_of(crawl / "out")
    assert 0 == run_in_process([*args, "--resume"]).returncode
    assert before == ids_of(crawl / "out")[: len(before)]
    assert 60 == len({*ids_of(crawl / "out")}) == len(ids_of(crawl / "out"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_and_the_second_ends(
    number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first asks to stop, the second interrupts; handlers are restored, threads have none."""
    before = signal.getsignal(number)
    with until_stopped() as is_stopped:
        assert not is_stopped()
        os.kill(os.getpid(), number)
        assert is_stopped()
        assert 1 == capsys.readouterr().err.count("stopping")
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert before == signal.getsignal(number)
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(until_stopped().__enter__).result()()
