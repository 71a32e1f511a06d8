"""Pages are rendered within their limits, by the browser found, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import thresher
from tests.fetching.web import Web
from tests.rendering.conftest import PARAGRAPHS
from thresher.errors import FetchError, LimitError, MissingExtraError, ThresherError, UsageError
from thresher.fetching.model import Fetched
from thresher.rendering import process as chromium
from thresher.rendering import render
from thresher.rendering.process import Order, read_answer, write_answer
from thresher.support.workers import find_descendants

SOURCE = Path(thresher.__file__).parents[1]


@pytest.fixture
def before() -> set[int]:
    """The processes that other tests have left below this one."""
    return set(find_descendants(os.getpid()))


def find_left(before: set[int]) -> list[int]:
    """Return the processes that were started since and have not ended."""
    return [each for each in find_descendants(os.getpid()) if each not in before and is_alive(each)]


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text("latin-1")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


@pytest.mark.slow
@pytest.mark.parametrize("app", ["react", "vue", "svelte"])
@pytest.mark.usefixtures("browser")
def test_text_of_an_application_is_extracted(web: Web, app: str, before: set[int]) -> None:
    """What a page fetches after its first drawing is in the text, which the HTML did not have."""
    url = f"{web.url}/{app}"
    fetched = render(url, allow_private=True)
    document = thresher.extract(fetched.body, url=fetched.url, http_charset=fetched.http_charset)
    assert url == fetched.url
    assert [] == [text for text in PARAGRAPHS if text not in document.text]
    assert [] == find_left(before)


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_page_reaches_nothing_but_through_the_gate(web: Web) -> None:
    """WebSockets, forms, frames, beacons, pictures and hints open no connection of their own."""
    other = web.url.replace("127.0.0.1", "localhost")
    page = f"""<!doctype html><link rel=preconnect href={other}><link rel=prefetch href=/prefetched>
        <img src=/picture.png><iframe src=/frame></iframe><video src=/film.mp4 autoplay></video>
        <script>
        new WebSocket(location.origin.replace('http', 'ws') + '/socket');
        navigator.sendBeacon('/beacon', 'x');
        fetch('/posted', {{method: 'POST', body: 'x'}}).catch(() => 0);
        fetch('{other}/foreign').catch(() => document.body.append('refused'));
        </script>"""
    url = web.serve("/page", page.encode())
    for path in ("/frame", "/foreign", "/prefetched", "/socket"):
        web.serve(path, b"reached")
    fetched = render(url, allow_private=True)
    assert b"refused" in fetched.body, "scripts of another origin read without being allowed to"
    assert {"/page", "/robots.txt", "/foreign", "/prefetched"} >= {path for path, _ in web.requests}


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_endless_script_is_ended(web: Web, before: set[int]) -> None:
    """A script that never gives way is an error when the time is over, and its browser is gone."""
    url = web.serve("/busy", b"<p>Busy<script>for (;;);</script>")
    with pytest.raises(FetchError, match="within 4 s in the browser"):
        render(url, allow_private=True, timeout_s=4)
    assert [] == find_left(before)


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_page_that_never_rests_is_read_as_it_is(web: Web) -> None:
    """A page that changes for ever is read shortly before its time is over."""
    script = b"setInterval(() => document.body.append('on and on '), 20)"
    url = web.serve("/restless", b"<body><script>%s</script>" % script)
    assert b"on and on" in render(url, allow_private=True, timeout_s=6).body


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_page_that_scripts_make_too_large_is_refused(web: Web) -> None:
    """The limit of bytes holds for what scripts write, too."""
    script = b"document.body.textContent = 'grain '.repeat(50000)"
    url = web.serve("/large", b"<body><script>%s</script>" % script)
    with pytest.raises(LimitError, match="bytes of the page"):
        render(url, allow_private=True, max_bytes=100_000)


@pytest.mark.slow
@pytest.mark.usefixtures("browser")
def test_browser_ends_with_whoever_started_it(web: Web) -> None:
    """SIGTERM of the program that renders ends the worker and its browser."""
    url = web.serve("/busy", b"<p>Busy<script src=/late.js></script>")
    web.serve_by("/late.js", lambda request: (web.over.wait(), None)[1])
    code = f"from thresher.rendering import render\nrender({url!r}, allow_private=True)"
    program = subprocess.Popen(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(SOURCE)}
    )
    while "/late.js" not in [path for path, _ in web.requests]:
        assert program.poll() is None, "it failed before the browser was there"
        time.sleep(0.05)
    started = find_descendants(program.pid)
    assert len(started) > 2, "a worker, Playwright and Chromium"
    program.send_signal(signal.SIGTERM)
    program.wait()
    while any(is_alive(pid) for pid in started):  # the test's own time limit ends a failure
        time.sleep(0.05)


def test_address_is_refused_before_the_browser_starts(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private address is refused as when it is fetched, and requested by nobody."""
    pytest.importorskip("playwright", reason="Playwright is not installed")
    monkeypatch.setenv("THRESHER_CHROMIUM", sys.executable)
    with pytest.raises(FetchError, match="is not public"):
        render(f"{web.url}/react")
    assert [] == web.requests


def test_user_agent_that_is_no_header_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line break cannot get into the headers."""
    monkeypatch.setattr("thresher.rendering.process.check_browser", lambda: None)
    with pytest.raises(UsageError, match="printable ASCII"):
        render("https://example.org/", user_agent="a\r\nX-B: c")


def test_missing_playwright_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lacks Playwright is told the command that installs it."""
    monkeypatch.setattr(chromium, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'thresher\[browser\]'"):
        chromium.check_browser()


def test_named_browser_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable wins, and must name a file; without a browser it is Playwright's own."""
    program = tmp_path / "browser"
    monkeypatch.setenv(chromium.VARIABLE, str(program))
    with pytest.raises(UsageError, match=chromium.VARIABLE):
        chromium.find_chromium()
    program.touch()
    assert str(program) == chromium.find_chromium()
    monkeypatch.delenv(chromium.VARIABLE)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    assert chromium.find_chromium() is None


def test_messages_are_read_as_they_were_written() -> None:
    """Orders are one line for any address, pages are UTF-8; no answer, or half, is an error."""
    order = Order("https://grain.example/\n?ä", 3.5, 100, "a/1", allow_private=True)
    assert 1 == order.write().count(b"\n")
    assert order == Order.read(order.write())
    body = "<p>Roggen, рожь\n".encode()
    page = Fetched("https://grain.example/", body, "utf-8", "text/html", 200, False)
    assert page == read_answer(write_answer(page))
    for line in (b"", b'{"url": "https://gr'):
        with pytest.raises(ThresherError, match="died"):
            read_answer(line)


@pytest.mark.parametrize(
    "error",
    [
        FetchError("HTTP 404", url="https://grain.example/", status=404),
        LimitError("bytes of the page", limit=10, value=11),
        MissingExtraError("rendering pages", "browser"),
        UsageError("no browser"),
        ThresherError("the browser failed"),
    ],
)
def test_error_is_raised_as_it_was_written(error: ThresherError) -> None:
    """An error keeps its class, its message and what it carries."""
    with pytest.raises(type(error)) as raised:
        read_answer(write_answer(error))
    assert (type(error), str(error)) == (type(raised.value), str(raised.value))
    assert vars(error) == vars(raised.value)
