"""What the proxy does to 120 small pages with scripts and styles, in Chromium.

Forty kinds of pages (`filter_cases/bodies`: news, shop, forum, documentation, search, log-in,
administration, and some twenty applications) are each put into three frames
(`filter_cases/shells`): a grid whose script takes the page over as frameworks do, a flex box whose
scripts look components up, and floats below a fixed header with scripts of an older kind. All were
written for this purpose. In them ``data-case`` and ``data-keep`` mark forms, advertisements and
other parts for the counting, and ``data-click`` what an element says after a click; no filter knows
them.

Each page is opened as it is and through the proxy, with its default settings. Needs the extra
proxy, Playwright and Chromium.
"""

from __future__ import annotations

import re
import shutil
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

FOLDER: Final = Path(__file__).with_name("filter_cases")
_PART: Final = re.compile(r"<!-- (title|head|script): ?(.*?) ?-->", re.DOTALL)
_SETTLE_MS: Final = 3000
"""Time for a page's scripts to come to their end."""
_WIDTH_PX: Final = 1300
_KINDS: Final = {".css": "text/css", ".js": "text/javascript; charset=utf-8", ".png": "image/png"}
_LOOK: Final = """() => {
  const shown = each => {
    const {width, height} = each.getBoundingClientRect();
    return each.checkVisibility({visibilityProperty: true}) && Math.min(width, height) > 1;
  };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const fold = text => text.replace(/\\s+/g, "");
  const forms = {};
  for (const form of all("form[data-case]")) {
    const parts = all("input:not([type=hidden]), select, textarea, button", form).filter(shown);
    const says = shown(form) ? fold(form.innerText) : "";
    forms[form.getAttribute("action") + form.className] = [
      parts.length, says, form.hasAttribute("data-need")];
  }
  const wanted = document.querySelector("meta[property='og:image']")?.content;
  const picture = wanted && document.querySelector(`img[src="${wanted}"]`);
  const heads = all("h1").filter(shown), text = document.getElementById("text");
  const place = text && text.getBoundingClientRect();
  return {
    forms,
    headline: heads.length === 1 ? fold(heads[0].innerText) : "",
    picture: picture ? shown(picture) : null,
    errors: window.errors || ["no script ran"],
    ready: document.body.dataset.ready === "yes",
    ads: all("[data-case=ad]").filter(shown).length,
    parts: all("[data-keep]").filter(shown).map(
      each => each.localName === "iframe" ? each.title : fold(each.innerText)),
    place: place ? [Math.round(place.left), Math.round(place.width)] : null,
    works: all("[data-click]").filter(shown).map(each => each.dataset.click).filter(click => {
      const [, selector, said] = click.match(/^(.*?)=(.*)$/);
      document.querySelector(`[data-click="${click}"]`).click();
      return document.querySelector(selector)?.textContent.includes(said);
    }),
  };
}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person sees of a page, and what its scripts do."""

    forms: dict[str, tuple[int, str, bool]]
    """Name of each form → visible fields and buttons, their text, whether the page needs it."""
    headline: str
    """Text of the only visible `h1`."""
    picture: bool | None
    """Whether the picture in `og:image` is visible; None if the page has none."""
    errors: tuple[str, ...]
    """What scripts threw."""
    ready: bool
    """Whether the scripts came to their end."""
    ads: int
    """Visible advertisements."""
    parts: tuple[str, ...]
    """Texts of other parts that a person needs: bylines, prices, tabs, lists of results."""
    place: tuple[int, int] | None
    """Left edge and width of the first paragraph, in CSS pixels."""
    works: tuple[str, ...] = ()
    """Controls that do what they are for when they are clicked."""
    n_passed: int = 0
    """Requests to listed hosts that the proxy did not answer itself."""
    n_stopped: int = 0


def case_names() -> list[tuple[str, str]]:
    """Return shell and body of each case."""
    shells, bodies = (
        sorted(path.stem for path in (FOLDER / name).glob("*.html"))
        for name in ("shells", "bodies")
    )
    return [(shell, body) for body in bodies for shell in shells]


def make_case(shell: str, body: str) -> str:
    """Return the HTML of a case."""
    return fill_shell(shell, FOLDER / "bodies" / f"{body}.html", {})


def fill_shell(shell: str, body: Path, more: dict[str, str]) -> str:
    """Return the HTML of a file's page in a shell, with the values of further placeholders."""
    text = body.read_text(encoding="utf-8")
    parts = {"title": "", "head": "", "script": "", **dict(_PART.findall(text))}
    parts["main"] = _PART.sub("", text).strip()
    paragraphs = (FOLDER / "paragraphs.txt").read_text(encoding="utf-8").split("\n\n")
    words = {f"p{number}": paragraph.strip() for number, paragraph in enumerate(paragraphs)}
    page = (FOLDER / "shells" / f"{shell}.html").read_text(encoding="utf-8")
    for values in (parts, more, words):
        page = re.sub(r"\[\[(\w+)\]\]", partial(_fill, values), page)
    return page


def _fill(values: dict[str, str], found: re.Match[str]) -> str:
    return values.get(found[1], found[0])


@contextmanager
def serve_cases(
    host: str = "127.0.0.1", handler: type[BaseHTTPRequestHandler] | None = None
) -> Iterator[str]:
    """Serve the cases at ``/case/SHELL/BODY``, or what a handler answers; give the origin."""
    server = _Server((host, 0), handler or CaseHandler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Do not print that a browser has closed a connection."""


class CaseHandler(BaseHTTPRequestHandler):
    """Answers requests for the cases, and for what they load."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer."""
        self.answer()

    def do_POST(self) -> None:
        """Answer."""
        self.answer()

    def answer(self) -> None:
        """Send a case, one of its files, a picture, or a page with nothing on it."""
        kind, _, name = self.path.strip("/").partition("/")
        suffix = Path(name).suffix
        if kind == "case" and tuple(name.split("/")) in case_names():
            shell, body = name.split("/")
            self.send(make_case(shell, body).encode(), "text/html; charset=utf-8")
        elif kind == "assets" and (FOLDER / Path(name).name).is_file():
            self.send((FOLDER / Path(name).name).read_bytes(), _KINDS[suffix])
        elif suffix == ".png":
            self.send(_PICTURE, _KINDS[suffix])
        else:
            self.send(b"<!doctype html><title>Nothing</title>Nothing here.", "text/html")

    def send(self, body: bytes, kind: str) -> None:
        """Send a body of a media type."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log."""


def _make_picture() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0\x80")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


_PICTURE: Final = _make_picture()


def look(page: Page, url: str, *, origin: str) -> Seen:
    """Open a page and look at it; every request beyond ``origin`` counts as listed."""
    outcomes: Counter[str] = Counter()

    def note(response: Response) -> None:
        is_internal = "non-authoritative-reason" in response.headers  # to HTTPS, by the browser
        if not response.url.startswith((origin, "data:")) and not is_internal:
            stopped = response.headers.get("x-thresher") == "stopped"
            outcomes["stopped" if stopped else "passed"] += 1

    page.on("response", note)
    page.on("requestfailed", lambda request: outcomes.update(["passed"]))
    page.goto(url)
    page.wait_for_load_state()
    from playwright.sync_api import Error

    with suppress(Error):  # said in the result
        page.wait_for_function("document.body.dataset.ready === 'yes'", timeout=_SETTLE_MS)
    page.wait_for_load_state("networkidle")
    seen = page.evaluate(_LOOK)
    return Seen(
        {name: (n, says, needed) for name, (n, says, needed) in seen["forms"].items()},
        seen["headline"],
        seen["picture"],
        tuple(seen["errors"]),
        seen["ready"],
        seen["ads"],
        tuple(seen["parts"]),
        tuple(seen["place"]) if seen["place"] else None,
        tuple(seen["works"]),
        outcomes["passed"],
        outcomes["stopped"],
    )


def compare(before: Seen, after: Seen) -> Counter[str]:
    """Count what became of a page."""
    counts: Counter[str] = Counter({"pages": 1, "forms broken": 0})
    for name, (n_part, says, needed) in before.forms.items():
        if not n_part:
            continue
        n_left, left, _ = after.forms.get(name, (0, "", False))
        whole = (n_left, left) == (n_part, says)
        counts["forms"] += 1
        counts["forms whole" if whole else "forms broken" if n_left else "forms gone"] += 1
        counts["needed forms"] += needed
        counts["needed forms whole"] += needed and whole
    counts["headlines"] += bool(before.headline)
    counts["headlines kept"] += bool(before.headline) and before.headline == after.headline
    counts["lead pictures"] += bool(before.picture)
    counts["lead pictures kept"] += bool(before.picture and after.picture)
    counts["pages whose scripts throw"] += bool(set(after.errors) - set(before.errors))
    counts["pages whose scripts stop"] += before.ready and not after.ready
    counts["listed requests passed"] += after.n_passed
    counts["listed requests stopped"] += after.n_stopped
    counts["advertisements"] += before.ads
    counts["advertisements left"] += after.ads
    counts["other parts"] += len(before.parts)
    counts["other parts kept"] += len(set(before.parts) & set(after.parts))
    counts["controls"] += len(before.works)
    counts["controls that work"] += len(set(before.works) & set(after.works))
    counts["texts"] += before.place is not None
    counts["texts in their place"] += before.place is not None and before.place == after.place
    return counts


@contextmanager
def browsers() -> Iterator[tuple[Browser, Browser]]:
    """Start Chromium twice: as it is, and through the proxy with its default settings."""
    from playwright.sync_api import sync_playwright

    from bench.proxy_load import started

    path = shutil.which("chromium")
    with started("thresher, in place") as (port, _), sync_playwright() as playwright:
        launch = partial(playwright.chromium.launch, executable_path=path, args=["--no-sandbox"])
        plain = launch()
        through = {"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"}
        filtered = launch(proxy=through)
        yield plain, filtered
        plain.close()
        filtered.close()


@contextmanager
def open_tab(browser: Browser, origin: str | None = None) -> Iterator[Page]:
    """Open a tab; hosts beyond an origin, if given, answer nothing there, and fail nothing."""
    viewport = {"width": _WIDTH_PX, "height": 900}
    context = browser.new_context(ignore_https_errors=True, viewport=viewport)
    if origin:
        beyond = re.compile(rf"^(?!{re.escape(origin)})")
        context.route(beyond, lambda route: route.fulfill(status=204, body=""))
    yield context.new_page()
    context.close()


def print_cases(names: Sequence[tuple[str, str]] | None = None) -> Counter[str]:
    """Open each case as it is and through the proxy; print and return the counts."""
    total: Counter[str] = Counter()
    with serve_cases() as origin, browsers() as both:
        for shell, body in names or case_names():
            url, seen = f"{origin}/case/{shell}/{body}", []
            for is_plain, browser in zip((True, False), both, strict=True):
                with open_tab(browser, origin if is_plain else None) as page:
                    seen.append(look(page, url, origin=origin))
            counts = compare(*seen)
            total.update(counts)
            _print_faults(f"{shell}/{body}", counts, seen)
    for name, count in sorted(total.items()):
        print(f"{name}: {count}")
    return total


def _print_faults(name: str, counts: Counter[str], seen: list[Seen]) -> None:
    before, after = seen
    faults = [f"{key} {counts[key]}" for key in counts if key in _FAULTS and counts[key]]
    for whole, part in _SHARES:
        if counts[part] < counts[whole]:
            faults.append(f"{part} {counts[part]} of {counts[whole]}")
    if faults:
        print(f"{name}: {', '.join(faults)}")
        gone = set(before.parts) - set(after.parts)
        for what in (*(set(after.errors) - set(before.errors)), *gone):
            print(f"    {what[:100]}")


_FAULTS: Final = (
    "forms broken",
    "pages whose scripts throw",
    "pages whose scripts stop",
    "listed requests passed",
    "advertisements left",
)
_SHARES: Final = (
    ("needed forms", "needed forms whole"),
    ("headlines", "headlines kept"),
    ("lead pictures", "lead pictures kept"),
    ("other parts", "other parts kept"),
    ("controls", "controls that work"),
    ("texts", "texts in their place"),
)
