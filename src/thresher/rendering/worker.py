"""The process that renders one page in Chromium: ``python -m thresher.rendering.worker``.

A thread waits for the end of standard input, which comes when whoever started this process closes
it or dies, however that happens. Then, or when the time is long over, it ends the browser and this
process, whatever the other threads do.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock, Thread, Timer
from typing import TYPE_CHECKING, BinaryIO, Final, NoReturn

from thresher.errors import FetchError, LimitError, MissingExtraError, ThresherError, UsageError
from thresher.fetching.model import Fetched
from thresher.rendering.gate import Gate
from thresher.rendering.process import VARIABLE, Order, find_chromium, write_answer
from thresher.support.workers import kill_descendants

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Playwright

_GRACE_S: Final = 2.0
"""Seconds after the deadline until the process ends by force, below that of `process`."""


_ending: Final = Lock()


def _end(folder: str) -> NoReturn:
    """End this process with its browser and the browser's files, once."""
    _ending.acquire()  # never released
    kill_descendants(os.getpid())
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def main() -> NoReturn:
    """Read an order from standard input, write the answer to standard output, and end."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    order = Order.read(source.readline())
    # The browser's profile goes there, and does not outlive it.
    folder = tempfile.mkdtemp(prefix="thresher-browser-")
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    Thread(target=_watch, args=(source, folder), daemon=True).start()
    timer = Timer(order.timeout_s + _GRACE_S, _end, (folder,))
    timer.daemon = True
    timer.start()
    try:
        answer = write_answer(asyncio.run(browse(order)))
    except TimeoutError:
        answer = write_answer(order.too_late())
    except ThresherError as error:
        answer = write_answer(error)
    except Exception as error:  # whatever it is, the caller has to know
        says = str(error).strip().partition("\n")[0]
        answer = write_answer(ThresherError(f"the browser failed: {type(error).__name__}: {says}"))
    sink.write(answer)
    sink.flush()
    _end(folder)


def _watch(source: BinaryIO, folder: str) -> None:
    while source.read1(1):  # type: ignore[attr-defined]
        pass
    _end(folder)


_CALM_S: Final = 0.5
"""Seconds without a change or a request after which a page is stable, as Playwright and Puppeteer
have it for idle networks."""
_SETTLE_S: Final = 10.0
"""Seconds after which a page that keeps changing is read as it is."""
_LOOK_S: Final = 0.1
"""Seconds between two looks at a page."""
_RESERVE_S: Final = 1.0
"""Seconds kept for reading a page that does not become stable."""
_HEAP_MB: Final = 512
"""Megabytes of a page's scripts; Chromium's own limit is 4 GB."""
_HTML: Final = frozenset((None, "application/xhtml+xml", "text/html"))
_SIZE: Final = """() => {
  const root = document.documentElement;
  return [document.getElementsByTagName('*').length, root ? root.textContent.length : 0];
}"""
_LENGTH: Final = "() => document.documentElement ? document.documentElement.outerHTML.length : 0"


async def browse(order: Order) -> Fetched:
    """Render a page; TimeoutError if it is not there in time, otherwise raises as `render` does."""
    ends_at = time.monotonic() + order.timeout_s
    async with asyncio.timeout(order.timeout_s):
        try:
            from playwright.async_api import Error, async_playwright
            from playwright.async_api import TimeoutError as TooLate
        except ImportError:
            raise MissingExtraError("rendering pages", "browser") from None
        from thresher.fetching.fetch import fetch  # with the HTTP library

        gate = Gate(order, ends_at, fetch)
        page = await gate.open()
        if page.content_type not in _HTML:
            raise FetchError(f"it is {page.content_type}, not HTML", url=page.url)
        try:
            with _dead_end() as proxy:
                async with async_playwright() as playwright:
                    browser = await _launch(playwright, proxy)
                    return await _load(browser, gate, page)
        except TooLate:
            raise TimeoutError from None
        except Error as error:
            says = str(error).strip().partition("\n")[0]
            raise FetchError(f"the browser cannot show it: {says}", url=page.url) from None


async def _launch(playwright: Playwright, proxy: str) -> Browser:
    from playwright.async_api import Error

    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    try:
        return await playwright.chromium.launch(
            executable_path=find_chromium(),
            chromium_sandbox=not is_root,  # Chromium refuses to run as root with its sandbox
            # Whatever does not pass the gate ends there: WebSockets, WebRTC, prefetches.
            proxy={"server": proxy, "bypass": "<-loopback>"},
            args=[
                "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
                f"--js-flags=--max-old-space-size={_HEAP_MB}",
            ],
        )
    except Error as error:
        says = str(error)
        if "Executable doesn't exist" in says:
            raise UsageError(
                "rendering pages needs Chromium: install it, run `playwright install chromium`, or "
                f"name it in {VARIABLE}"
            ) from None
        lines = [line.strip() for line in says.splitlines()]
        why = next((line for line in lines if "sandbox" in line.lower()), lines[0])
        raise UsageError(f"Chromium does not start: {why}") from None


async def _load(browser: Browser, gate: Gate, page: Fetched) -> Fetched:
    context = await browser.new_context(
        user_agent=gate.order.user_agent,
        accept_downloads=False,
        service_workers="block",  # their requests would pass the gate by
    )
    await context.route("**/*", gate.handle)
    shown = await context.new_page()
    context.on("page", lambda opened: asyncio.ensure_future(opened.close()))
    left_ms = max(gate.ends_at - time.monotonic(), 0.001) * 1000
    await shown.goto(page.url, wait_until="domcontentloaded", timeout=left_ms)
    await _settle(shown, gate)
    length = await shown.evaluate(_LENGTH)
    if length > gate.order.max_bytes:
        raise LimitError("bytes of the page", limit=gate.order.max_bytes, value=length)
    html = await shown.content()
    body = html.encode("utf-8", "replace")
    if len(body) > gate.order.max_bytes:
        raise LimitError("bytes of the page", limit=gate.order.max_bytes, value=len(body))
    return replace(
        page, url=shown.url, body=body, http_charset="utf-8", content_type="text/html", etag=None
    )


async def _settle(page: Page, gate: Gate) -> None:
    """Wait until the page has not changed for a while and waits for nothing, or long enough."""
    from playwright.async_api import Error

    until = min(time.monotonic() + _SETTLE_S, gate.ends_at - _RESERVE_S)
    last: object = None
    calm_since = time.monotonic()
    while time.monotonic() < until:
        try:
            size = await page.evaluate(_SIZE)
        except Error:  # it has just gone to another address
            size = None
        if size is None or size != last or gate.n_pending:
            last, calm_since = size, time.monotonic()
        elif time.monotonic() - calm_since >= _CALM_S:
            return
        await asyncio.sleep(_LOOK_S)


@contextmanager
def _dead_end() -> Iterator[str]:
    """Hold a port on which nothing listens, as a proxy that refuses every connection."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


if __name__ == "__main__":
    main()
