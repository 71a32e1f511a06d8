"""A new user's first hour, walked by a script that times its steps and takes pictures.

    python -m tests.app.first_hour [--installed] [--pictures docs/images/first-hour]

Installs the checkout into a new environment, unless it is ``--installed``, and starts the app from
there. In Chromium it then reads, saves and highlights a page, sends one with the extension that
only members see, labels twenty pages, trains on them, and extracts a page with the model. The sites
are on this machine and their pages are ours. Seconds are those of the machine: reading and
deciding, which take people longer, are not in them. docs/guides/first-hour.md is the walk in words.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from bench.app_server import find_port, wait_until_ready
from tests.helpers.browser import browsing_with, expect, wait_for_frame, wait_for_page
from tests.training.adapter.labelled import make_page

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, FilePayload, Page

__all__ = ["PICTURES", "WIDTHS_PX", "Walk", "file_of", "main"]

N_LABELLED: Final = 20
"""Pages that are labelled, with which the app says one should begin."""
BYLINE: Final = 3
"""Index of the block that the labels keep and the shipped model drops."""
WIDTHS_PX: Final = {1280: 900, 390: 844}
"""Width of each picture's window → its height."""
PICTURES: Final = ("read", "highlight", "captured", "label", "gain")
"""Names of the pictures, each of which is made in every width."""
_CHECKOUT: Final = Path(__file__).parents[2]
_STORY: Final = _CHECKOUT / "src" / "thresher" / "app" / "sample.html"
"""The page that the app offers whoever has none at hand."""
_PATIENCE_MS: Final = 300_000
"""For what a busy machine takes long for, such as training."""
_SAYS: Final = "The ferryman counted the sacks twice while the others waited at the bridge. "
_MEMBERS: Final = f"""<!DOCTYPE html><html lang="en"><title>The ferry, for members</title>
<nav><a href="/">Home</a></nav><main><h1>The ferry</h1><p>{_SAYS * 3}</p>
<p>Members know that it sank in the night before the fair, with all the rye on board.</p></main>
<footer><a href="/terms">Terms</a></footer>"""
_LOGIN: Final = """<!DOCTYPE html><html lang="en"><title>Log in</title><h1>Log in</h1>
<form method="post" action="/members">
<label>Password <input type="password" name="password"></label> <button>Log in</button></form>"""


class _Gazette(BaseHTTPRequestHandler):
    """A site with a story for everyone, and one for whoever has logged in."""

    def do_GET(self) -> None:
        is_member = "member=1" in self.headers.get("Cookie", "")
        if self.path == "/members":
            self._answer(_MEMBERS if is_member else _LOGIN)
        else:
            self._answer(_STORY.read_text(encoding="utf-8"))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(303)
        self.send_header("Set-Cookie", "member=1")
        self.send_header("Location", self.path)
        self.end_headers()

    def _answer(self, html: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@dataclass(slots=True)
class Walk:
    """The walk: where things are, and how long each step took."""

    folder: Path
    """Everything that it writes, but pictures."""
    pictures: Path | None = None
    n_labelled: int = N_LABELLED
    python: str = sys.executable
    """The interpreter of the environment in which Thresher is installed."""
    steps: list[tuple[str, float]] = field(default_factory=list)
    """Each step and its seconds."""
    outcome: str = ""
    """What the app says of the gain."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step."""
        start_s = time.monotonic()
        yield
        self.steps.append((name, time.monotonic() - start_s))

    def install(self) -> None:
        """Install the checkout as the docs say, into an environment of its own."""
        with self.step("install"):
            environment = self.folder / "venv"
            subprocess.run([sys.executable, "-m", "venv", environment], check=True)
            self.python = str(environment / "bin" / "python")
            pip = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            subprocess.run([*pip, f"{_CHECKOUT}[app]"], check=True)

    def go(self) -> None:
        """Walk through the app."""
        with _serve_gazette() as site, self._started() as app, self._chromium() as chromium:
            page = chromium.new_page()
            page.set_default_timeout(_PATIENCE_MS)
            self._read(page, app, site)
            self._capture(chromium, app, site)
            self._label(page, app)
            self._train(page)

    @contextmanager
    def _started(self) -> Iterator[str]:
        """Run the app; yields its address."""
        port, data = find_port(), self.folder / "data"
        command = [self.python, "-m", "thresher", "app", "--port", str(port), "--workers", "1"]
        command += ["--data", str(data), "--rules", str(data / "rules.toml"), "--allow-private"]
        with self.step("start the app"):
            server = subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            try:
                wait_until_ready(port)
            except SystemExit:
                server.kill()
                raise
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=60)

    @contextmanager
    def _chromium(self) -> Iterator[BrowserContext]:
        """Run Chromium with the extension of the installed package."""
        api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
        code = "import thresher; print(thresher.__path__[0] + '/app/extension')"
        found = subprocess.run(
            [self.python, "-c", code], check=True, capture_output=True, text=True, cwd=self.folder
        )
        api.expect.set_options(timeout=_PATIENCE_MS)
        extension, size = found.stdout.strip(), {"width": 1280, "height": WIDTHS_PX[1280]}
        with browsing_with(extension, self.folder / "profile", viewport=size) as context:
            yield context

    def _read(self, page: Page, app: str, site: str) -> None:
        with self.step("read a page"):
            page.goto(app)
            page.get_by_label("Page address").fill(site)
            page.get_by_role("button", name="Read", exact=True).click()
            page.locator("#title").wait_for()
        self._picture(page, "read")
        with self.step("save it"):
            page.get_by_role("button", name="Save", exact=True).click()
            wait_for_page(page, 'a[href^="/saved?shelf=all#page-"]')
            wait_for_frame(page)
        with self.step("highlight a passage, with a note"):
            page.evaluate("getSelection().selectAllChildren(document.querySelector('.text p'))")
            page.get_by_role("button", name="Highlight", exact=True).click()
            page.locator(".highlights blockquote").wait_for()
            page.locator(".noting summary").click()
            page.get_by_label("Note on highlight 1").fill("For the talk on rye")
            page.get_by_role("button", name="Store the note").click()
            expect(page.locator(".remark")).to_have_text("For the talk on rye")
        self._picture(page, "highlight", ".highlights")

    def _capture(self, chromium: BrowserContext, app: str, site: str) -> None:
        """Log in to the site, and send its page with the extension."""
        [worker] = chromium.service_workers or [chromium.wait_for_event("serviceworker")]
        extension = worker.url.rpartition("/")[0]
        with self.step("set up the extension"):
            options = chromium.new_page()
            options.goto(f"{extension}/options.html")
            options.get_by_label("Address of the app").fill(app)
            options.get_by_role("button", name="Save").click()
            expect(options.get_by_role("status")).to_have_text("Saved.")
            options.close()
        with self.step("capture a page behind a log-in"):
            page = chromium.new_page()
            page.goto(f"{site}members")
            page.get_by_label("Password").fill("rye")
            page.get_by_role("button", name="Log in").click()
            page.get_by_text("Members know").wait_for()
            query = "url => chrome.tabs.query({url}).then(([tab]) => tab.id)"
            popup = chromium.new_page()
            popup.goto(f"{extension}/popup.html?tab={worker.evaluate(query, page.url)}")
            popup.get_by_role("button", name="Save", exact=True).click()
            expect(popup.get_by_role("status")).to_have_text("Saved.")
            with chromium.expect_page() as opened:
                popup.get_by_role("button", name="Read", exact=True).click()
            shown = opened.value
            expect(shown.locator("main")).to_contain_text("Members know that it sank")
        self._picture(shown, "captured")
        for each in (shown, popup, page):
            each.close()

    def _label(self, page: Page, app: str) -> None:
        """Label pages of a newspaper whose readers want the byline, which the model drops."""
        files = [_file_of(number) for number in range(self.n_labelled)]
        with self.step(f"add {self.n_labelled} pages"):
            page.goto(f"{app}/label")
            page.get_by_label("Files").set_input_files(files)
            page.get_by_role("button", name="Add pages").click()
            page.get_by_text(f"{self.n_labelled} pages added").wait_for()
        with self.step(f"label {self.n_labelled} pages"):
            page.goto(f"{app}/label")
            for number in range(self.n_labelled):
                page.locator(".sheet").wait_for()
                page.locator(".block input").nth(BYLINE).check()
                if number == 0:
                    self._picture(page, "label")
                here = page.locator(".sheet").get_attribute("data-page")
                page.keyboard.press("Enter")
                page.locator(f'.sheet:not([data-page="{here}"]), .empty').wait_for()
            page.get_by_role("heading", name="pages are labelled").wait_for()

    def _train(self, page: Page) -> None:
        with self.step("train"):
            page.get_by_role("link", name="Train a model").click()
            page.get_by_role("button", name="Train", exact=True).click()
            page.get_by_role("heading", name="Use this model").wait_for()
        with self.step("see the gain, and use the model from the command"):
            self.outcome = page.locator("main p.note", has=page.locator("strong")).inner_text()
            self._picture(page, "gain")
            page.get_by_role("button", name="Use this model").click()
            page.get_by_text("In use").wait_for()
            command = shlex.split(page.locator("pre").first.inner_text())
            (self.folder / "page.html").write_text(make_page(self.n_labelled + 7).html)
            done = subprocess.run(
                [self.python, "-m", *command],
                cwd=self.folder,
                check=True,
                capture_output=True,
                text=True,
            )
            assert "By Ruth Miller" in done.stdout

    def _picture(self, page: Page, name: str, selector: str = "") -> None:
        """Take a picture in each width, of the top of the page or of an element."""
        if self.pictures is None:
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        for width, height in WIDTHS_PX.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_load_state("networkidle")
            page.evaluate("scrollTo(0, 0)")
            if selector:
                page.locator(selector).scroll_into_view_if_needed()
            page.screenshot(path=self.pictures / file_of(name, width), animations="disabled")
        page.set_viewport_size({"width": 1280, "height": WIDTHS_PX[1280]})


def _file_of(number: int) -> FilePayload:
    """Return a page of the newspaper as a file."""
    html = make_page(number).html.encode()
    return {"name": f"{number}.html", "mimeType": "text/html", "buffer": html}


def file_of(name: str, width_px: int) -> str:
    """Return the name of a picture's file."""
    return f"{name}-{width_px}.png"


@contextmanager
def _serve_gazette() -> Iterator[str]:
    """Serve the site; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Gazette) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def write_table(steps: Sequence[tuple[str, float]]) -> str:
    """Return the steps and their seconds as a table in Markdown."""
    rows = [*steps, ("together", sum(seconds for _, seconds in steps))]
    lines = [f"| {name} | {seconds:.1f} |" for name, seconds in rows]
    return "\n".join(["| step | seconds |", "|---|---|", *lines])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.app.first_hour", description=__doc__)
    parser.add_argument("--installed", action="store_true", help="use this environment")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="folder for the pictures")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(Path(folder), asked.pictures)
        if not asked.installed:
            walk.install()
        walk.go()
    print(write_table(walk.steps))
    print(f"\n{walk.outcome}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
