"""An hour of a person on thirty sites, without the proxy and through it, in Chromium.

    python -m bench.browsing [--sites 30]

Each site is an address of this machine with about seven pages: four of the cases of
`bench.filter_pages`, so that all 120 are met, a home page, and two further kinds of page
(`filter_cases/further`: stories, shops, forums, calendars, settings, log-in, search) in the same
frames. From the home page the person follows the link to each page, and there types into fields,
chooses, presses every button, sends forms, opens pagers, menus and other links, goes back, and
opens the reader view of articles.

Everything is done in both browsers. What an action shows, hides, checks, sends or opens without the
proxy is what it has to do through it; where it does not, or where the control or link is not
there, the person would need the original page. Links in the list of removed links are there.
Advertisements and the question for consent are not used. Needs the extra proxy, Playwright and
Chromium.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

from bench.filter_pages import (
    FOLDER,
    CaseHandler,
    browsers,
    case_names,
    fill_shell,
    open_tab,
    serve_cases,
)
from bench.harness import make_parser

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, ElementHandle, Page

N_SITE: Final = 30
_SHELLS: Final = ("grid", "flex", "float")
_FURTHER: Final = (
    ("stories", "story"), ("items", "item"), ("threads", "thread"), ("calendar", "event"),
    ("log_in", "settings"), ("results", "story"), ("item", "cart"), ("stories", "table"),
    ("thread", "settings"), ("items", "calendar"),
)  # fmt: skip
"""Further pages of each kind of site."""
_ROWS: Final = ("Ice on the sound", "A week of rain", "How to lay brick", "The lamp", "Cone nine")
_LISTS: Final = (
    ("<ul>", '<li><a href="{0}">{1}</a> <p>{2}</p></li>', "</ul>"),
    ("<table>", '<tr><td><a href="{0}">{1}</a></td><td>{2}</td></tr>', "</table>"),
    ("<div>", '<div class="teaser"><h3><a href="{0}">{1}</a></h3><p>{2}</p></div>', "</div>"),
    ("<dl>", '<dt><a href="{0}">{1}</a></dt><dd>{2}</dd>', "</dl>"),
)
"""Markup of lists, by site: what is around it, and what each row is."""
_TYPED: Final = {"number": "3", "email": "ada@mail.example", "date": "2026-05-09", "range": "8"}
"""What is typed into fields, by type."""
_WAIT_S: Final = 5.0
"""Longest time for an action to have the effect that it has without the proxy."""
_N_LINK: Final = 2
"""Links that are followed on each page, beside pagers."""
_N_USE: Final = 2
"""Pages of a site on which the same control or link is used: it may be in the frame of all."""
_PAGE: Final = """() => {
  const shown = each => {
    const {width, height} = each.getBoundingClientRect();
    return each.checkVisibility({visibilityProperty: true}) && Math.min(width, height) > 1;
  };
  const others = "[data-case=ad], .cookies, .promo-mail, .burger, .skip, thresher-mark, script, " +
    "style, noscript, option, [data-thresher] > summary";
  const fold = text => (text || "").replace(/\\s+/g, " ").trim();
  const controls = {}, states = {}, links = {};
  const wanted = "a[href], button, input:not([type=hidden]), select, textarea, summary, " +
    "[role=tab], [role=switch], [contenteditable], [tabindex]";
  for (const each of document.querySelectorAll(wanted)) {
    if (!shown(each) || each.closest(others)) continue;
    const name = fold(each.getAttribute("aria-label") || each.labels?.[0]?.firstChild?.data ||
      each.labels?.[0]?.innerText || each.innerText || each.title || each.placeholder ||
      each.name || each.value || each.querySelector("img")?.alt);
    if (each.localName === "a") { links[`${name} -> ${each.href}`] ??= each; continue; }
    let key = `${each.localName} ${each.type || each.getAttribute("role") || ""}: ${name}`;
    for (let n = 2, bare = key; controls[key]; n++) key = `${bare} (${n})`;
    controls[key] = each;
    states[key] = [each.localName === "button" ? "" : each.value ?? "", each.checked ?? "",
      ...["pressed", "checked", "expanded", "selected"].map(a => each.getAttribute("aria-" + a))
    ].join("|");
  }
  const lines = {}, texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const line = fold(texts.currentNode.data), around = texts.currentNode.parentElement;
    if (line && shown(around) && !around.closest(others)) lines[line] = (lines[line] || 0) + 1;
  }
  window.__found = {...controls, ...links};
  return {
    url: location.href, lines, states,
    links: Object.entries(links).map(([key, each]) =>
      [key, each.closest("main, .content, #left") ? "in the content" :
        each.closest("[data-thresher]") ? "listed" : "beside it"]),
    heads: [...document.querySelectorAll("h1, [role=status]")].filter(shown)
      .map(each => fold(each.innerText)),
    errors: window.errors || [],
  };
}"""


def make_page(site: int, kind: str, query: dict[str, str]) -> str:
    """Return one of a site's further pages."""
    page = int(query.get("page", "1"))
    before, row, after = _LISTS[site % len(_LISTS)]
    target = _FURTHER[site // 3][1]
    rows = "".join(
        row.format(f"/{target}?page={10 * page + n}", title, f"What was found on day {n + 1}.")
        for n, title in enumerate(_ROWS)
    )
    links = "".join(row.format(path, name, "Look inside.") for name, path in site_pages(site)[1:])
    days = "".join(
        f'{"<tr>" * (day % 7 == 1)}<td tabindex="0" data-day="{day}">{day}</td>'
        for day in range(1, 29)
    )
    values = {
        "site": f"Site {site}",
        "page": str(page),
        "next": str(page + 1),
        "rows": before + rows + after,
        "links": before + links + after,
        "days": days,
        "sent": escape(", ".join(f"{name}: {value}" for name, value in query.items())),
    }
    return fill_shell(_SHELLS[site % 3], FOLDER / "further" / f"{kind}.html", values)


def site_pages(site: int) -> list[tuple[str, str]]:
    """Return name and path of a site's pages, the home page first."""
    shell, group = _SHELLS[site % 3], site // 3
    bodies = [body for own, body in case_names() if own == shell][group * 4 : group * 4 + 4]
    cases = [(f"To {body.replace('_', ' ')}", f"/case/{shell}/{body}") for body in bodies]
    further = [(f"To {kind.replace('_', ' ')}", f"/{kind}") for kind in _FURTHER[group]]
    return [("Home", "/"), *cases, *further]


class _Site(CaseHandler):
    """Answers as one of the sites, the number of which is in its address."""

    def answer(self) -> None:
        """Send a page of the site, or what was sent in a form."""
        parts = urlsplit(self.path)
        name = parts.path.strip("/")
        if self.command == "POST":
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if boundary := self.headers["Content-Type"].partition("boundary=")[2]:
                body = body.replace(boundary, "")  # it is drawn anew each time
            self._send_page("done", {**dict(parse_qsl(body)), "to": self.path})
        elif name.startswith(("case/", "assets/")) or name.endswith(".png"):
            self.path = parts.path
            super().answer()
        else:
            is_known = (FOLDER / "further" / f"{name}.html").is_file()
            kind = name if is_known else "done" if name else "home"
            self._send_page(kind, dict(parse_qsl(parts.query)))

    def _send_page(self, kind: str, query: dict[str, str]) -> None:
        address = str(self.server.server_address[0])  # type: ignore[index]  # a host and a port
        site = int(address.rpartition(".")[2]) - 1
        self.send(make_page(site, kind, query).encode(), "text/html; charset=utf-8")


@dataclass(frozen=True, slots=True)
class View:
    """What a person sees of a page."""

    url: str
    lines: Counter[str]
    """Visible texts."""
    states: dict[str, str]
    """Control → its value, and whether it is checked, pressed, expanded or selected."""
    links: dict[str, str]
    """Link and address → where it is: in the content, beside it, or in the list of removed ones."""
    heads: tuple[str, ...]
    """Texts of headings and of messages about what was done."""
    errors: tuple[str, ...]

    def change(self, after: View) -> dict[str, object]:
        """Return what is another after an action: the page that is shown, or what changed on it."""
        if after.url.partition("#")[0] != self.url.partition("#")[0]:
            return {"opens": after.url, "says": after.heads}
        states = {
            key: state for key, state in after.states.items() if self.states.get(key) != state
        }
        return {
            "at": after.url,
            "shows": sorted((after.lines - self.lines).elements()),
            "hides": sorted((self.lines - after.lines).elements()),
            "sets": states,
            "throws": after.errors[len(self.errors) :],
        }


class Tab:
    """A browser's tab, with a person in front of it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.said: list[str] = []
        """Texts of dialogs."""
        page.set_default_timeout(_WAIT_S * 1000)
        page.on("dialog", self._agree)

    def _agree(self, dialog: Dialog) -> None:
        self.said.append(dialog.message)
        dialog.accept()

    def open(self, url: str) -> View:
        """Open an address."""
        self._page.goto(url)
        return self.look()

    def look(self) -> View:
        """Return what is seen once it has come to rest."""
        from playwright.sync_api import Error

        before: dict[str, Any] | None = None
        stop_s = time.monotonic() + _WAIT_S
        while True:
            try:
                self._page.wait_for_load_state()
                seen = self._page.evaluate(_PAGE)
            except Error:  # it was leaving the page
                seen = None
            if seen and (seen == before or time.monotonic() > stop_s):
                break
            before = seen
            self._page.wait_for_timeout(30)
        asking = self._page.locator(_ASKING).first
        if asking.is_visible():
            asking.click()
            return self.look()
        return View(
            seen["url"],
            Counter(seen["lines"]),
            seen["states"],
            dict(seen["links"]),
            tuple(seen["heads"]),
            tuple(seen["errors"]),
        )

    def use(self, key: str) -> bool:
        """Use a control or a link as people do; return whether it could be used."""
        from playwright.sync_api import Error

        handle = self._page.evaluate_handle("key => window.__found[key]", key).as_element()
        try:
            if handle is None:
                return False
            self._use(handle, key)
        except Error:
            return False
        return True

    def _use(self, handle: ElementHandle, key: str) -> None:
        kind = key.partition(":")[0]
        if kind == "select select-one":
            last = handle.evaluate("each => each.options.length - 1")
            handle.select_option(index=last)
        elif kind.startswith(("input", "textarea")) and kind.split()[1] not in _PRESSED:
            handle.fill(_TYPED.get(kind.split()[1], "rye"))
            handle.dispatch_event("change")
        elif handle.get_attribute("contenteditable") is not None:
            handle.fill("rye")
        else:
            handle.click()

    def back(self) -> View:
        """Go back."""
        self._page.go_back()
        return self.look()

    def read(self) -> str:
        """Open the reader view by the badge, return the text of its article, and go back."""
        self._page.click("thresher-mark summary")
        self._page.click("thresher-mark a:has-text('reader')")
        text: str = self._page.locator("article").inner_text()
        self._page.go_back()
        return text


_ASKING: Final = ":is(#cookie-banner button, [data-thresher]:not([open]) > summary):visible"
"""What a person presses on each page: the consent, or the proxy's list of removed links."""
_PRESSED: Final = ("checkbox", "radio", "submit", "button", "reset", "image")
_COUNTED: Final = (
    "sites", "pages", "links", "links in the content that are in the list",
    "links beside it that are in the list", "controls", "actions", "articles read",
    "needs of the original",
)  # fmt: skip


class Person:
    """Works in both browsers, and counts what does not work through the proxy."""

    def __init__(self, plain: Tab, proxied: Tab) -> None:
        self._plain, self._proxied = plain, proxied
        self.counts: Counter[str] = Counter()
        self._used: Counter[str] = Counter()

    def visit(self, origin: str, pages: Sequence[tuple[str, str]]) -> None:
        """Go from the home page of a site to each of its pages, and work there."""
        before = self._plain.open(origin), self._proxied.open(origin)
        self.work(*before)
        for name, path in pages[1:]:
            home = self._plain.open(origin), self._proxied.open(origin)
            there = self.do(f"{name} -> {origin}{path}", *home)
            self.work(*there)
            if any(kind in path for kind in ("story", "feature", "post", "recipe", "guide")):
                self._open_reader(path)

    def work(self, plain: View, proxied: View) -> None:
        """Use everything on a page, and some of its links."""
        self.counts["pages"] += 1
        own = [link for link in plain.links if urlsplit(plain.url).netloc in link]
        there = {link.rpartition(" -> ")[2]: place for link, place in proxied.links.items()}
        gone = [link for link in own if link.rpartition(" -> ")[2] not in there]
        for link in own:
            if there.get(link.rpartition(" -> ")[2]) == "listed":
                self.counts[f"links {plain.links[link]} that are in the list"] += 1
        for key in gone + [key for key in plain.states if key not in proxied.states]:
            self._miss(plain.url, key, "is not there")
        self.counts["links"] += len(own)
        self.counts["controls"] += len(plain.states)
        pagers = [link for link in own if "page=" in link.rpartition("?")[2]]
        others = [link for link in own if link not in pagers]
        chosen = pagers + others[:: max(1, len(others) // _N_LINK)]
        for key in [*plain.states, *chosen]:
            is_there = key in plain.states or key in plain.links  # no action has removed it
            if not is_there or self._used[key] == _N_USE:
                continue
            self._used[key] += 1
            address = plain.url
            plain, proxied = self.do(key, plain, proxied)
            if plain.url != address:
                plain, proxied = self._plain.back(), self._proxied.back()
                self.counts["actions"] += 1
                if plain.url != proxied.url:
                    self._miss(address, "back", proxied.url)
                    proxied = self._proxied.open(plain.url)

    def do(self, key: str, plain: View, proxied: View) -> tuple[View, View]:
        """Use a control in both browsers; return what is seen then."""
        self.counts["actions"] += 1
        if not self._plain.use(key):
            return self._plain.look(), proxied
        after = self._plain.look()
        wanted = plain.change(after)
        is_used = self._proxied.use(key)
        stop_s = time.monotonic() + (_WAIT_S if is_used else 0)
        while True:
            shown = self._proxied.look()
            change = proxied.change(shown)
            if change == wanted or time.monotonic() > stop_s:
                break
        if change != wanted or self._plain.said != self._proxied.said:
            what = f"{change} instead of {wanted}" if is_used else "cannot be used"
            self._miss(plain.url, key, what)
            self._proxied.said[:] = self._plain.said
            if shown.url != after.url:
                shown = self._proxied.open(after.url)
        return after, shown

    def _open_reader(self, path: str) -> None:
        self.counts["articles read"] += 1
        if len(self._proxied.read()) < 500:
            self._miss(path, "reader", "has no text")

    def _miss(self, url: str, key: str, what: str) -> None:
        self.counts["needs of the original"] += 1
        print(f"{urlsplit(url).path}: {key}: {what}", flush=True)


def browse(n_site: int = N_SITE, first: int = 0) -> Counter[str]:
    """Work on some sites; print what fails, and return the counts."""
    counts: Counter[str] = Counter()
    with ExitStack() as stack:
        sites = range(first, first + n_site)
        hosts = {site: f"127.0.1.{site + 1}" for site in sites}
        origins = {
            site: stack.enter_context(serve_cases(host, _Site)) for site, host in hosts.items()
        }
        both = stack.enter_context(browsers())
        for site in sites:
            with open_tab(both[0], "http://127.0.1.") as plain, open_tab(both[1]) as proxied:
                person = Person(Tab(plain), Tab(proxied))
                person.visit(origins[site], site_pages(site))
                counts += person.counts
                counts["sites"] += 1
    return counts


def main() -> None:
    """Browse and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--sites", type=int, default=N_SITE)
    args = parser.parse_args()
    counts = browse(args.sites)
    for name in _COUNTED:
        print(f"{name}: {counts[name]}")


if __name__ == "__main__":
    main()
