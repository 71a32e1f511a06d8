"""Fixtures: a site and a proxy in front of it, shared by all tests."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers.browser import browsing
from tests.proxy.site import Site, start_site
from thresher.proxy.memory import EarlyHeads, PerPage, SiteKinds, TemporaryViews
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import HostRules

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOST = "127.0.0.1"
BROWSER = tuple(
    word
    for header in ("Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Accept: text/html")
    for word in ("-H", header)
)
"""What a browser adds to a request for a page."""

USERS = {"anna": User(hash_password("grain")), "bert": User(hash_password("chaff"))}
ANNA, BERT = ("--proxy-user", "anna:grain"), ("--proxy-user", "bert:chaff")
"""What these users add to a request."""

_OTHERS_WARNINGS = (
    "ignore::DeprecationWarning:ldap3",
    "ignore::DeprecationWarning:passlib",
    "ignore::DeprecationWarning:mitmproxy",
    "ignore:'\\w+' (argument is )?deprecated:DeprecationWarning",  # pyparsing's, in mitmproxy 12
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore deprecation warnings of mitmproxy and its dependencies."""
    for item in items:
        if "proxy" in getattr(item, "fixturenames", ()):
            for each in _OTHERS_WARNINGS:
                item.add_marker(pytest.mark.filterwarnings(each))


@dataclass(frozen=True, slots=True)
class Reply:
    """Response received by curl."""

    status: int
    headers: dict[str, str]
    """By lower-case name; the last of several."""
    body: bytes
    exit: int
    """curl's exit status."""
    version: str
    """Of HTTP."""
    connect_status: int
    """Of the answer to CONNECT; 0 without a tunnel."""

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True, slots=True)
class Proxy:
    """The running proxy."""

    state: ProxyState
    port: int
    confdir: Path
    folder: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ca(self) -> Path:
        return self.confdir / "mitmproxy-ca-cert.pem"

    def set(self, **changes: object) -> None:
        """Change settings until the end of the test."""
        self.state.settings.replace(replace(self.state.settings.current, **changes))  # type: ignore[arg-type]

    def addon(self, name: str) -> Any:
        """Return an addon of mitmproxy."""
        from mitmproxy import ctx

        return ctx.master.addons.get(name)

    def connect(self, sent: str | bytes) -> socket.socket:
        """Open a connection to the proxy and send something."""
        connection = socket.create_connection((HOST, self.port), timeout=30)
        connection.sendall(sent if isinstance(sent, bytes) else sent.encode())
        return connection

    def get(self, url: str, *options: str, through: str | None = None) -> Reply:
        """Request an address with curl, through the proxy."""
        return ask(
            url, "-x", through or self.url, "--cacert", str(self.ca), *options, folder=self.folder
        )


def first(pattern: str, text: str) -> str:
    """Return the group of a pattern where it first matches a page, which it must."""
    match = re.search(pattern, text)
    assert match, pattern
    return unescape(match[1])


def ask(url: str, *options: str, folder: Path) -> Reply:
    """Request an address with curl."""
    dump, body = folder / "headers", folder / "body"
    body.write_bytes(b"")
    command = ["curl", "-sS", "--max-time", "100", "-D", str(dump), "-o", str(body), *options, url]
    done = subprocess.run(
        [*command, "-w", "%{http_code} %{http_version} %{http_connect}"],
        capture_output=True,
        check=False,
        text=True,
    )
    status, version, connect_status = done.stdout.split(" ")
    lines = dump.read_text("latin-1").splitlines() if dump.exists() else []
    fields = (line.partition(":") for line in lines if ":" in line)
    headers = {name.strip().lower(): value.strip() for name, _, value in fields}
    return Reply(
        int(status or 0),
        headers,
        body.read_bytes(),
        done.returncode,
        version,
        int(connect_status or 0),
    )


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start the site."""
    pytest.importorskip("mitmproxy", reason="the proxy needs mitmproxy: the extra proxy")
    running = start_site(tmp_path_factory.mktemp("site"))
    yield running
    running.close()


@pytest.fixture(scope="package")
def running_proxy(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Start the proxy in a thread: mitmproxy allows one per process."""
    if not shutil.which("curl"):
        pytest.skip("the proxy's tests need curl")
    from thresher.proxy.serve import serve

    folder = tmp_path_factory.mktemp("proxy")
    with socket.create_server(("127.0.0.1", 0)) as free:
        settings_port = free.getsockname()[1]
    settings = ProxySettings(
        listen_port=0,
        settings_port=settings_port,
        n_worker=1,
        # Longer than anything takes on a busy machine: a page that is late passes unchanged.
        deadline_s=60.0,
        hold_s=60.0,
        allowed_private=(HOST,),  # the site, for the tests with users
        connect_ports=("1-65535",),
    )
    state = ProxyState(
        settings, rules_path=folder / "rules.toml", data_dir=folder, upstream_ca=site.ca
    )
    ready = threading.Event()
    found: list[tuple[int, Callable[[], None]]] = []

    def when_ready(port: int, stop: Callable[[], None]) -> None:
        found.append((port, stop))
        ready.set()

    def run() -> None:
        try:
            serve(state, confdir=folder / "mitmproxy", when_ready=when_ready)
        finally:
            ready.set()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(120)  # a busy machine takes a while to import all
    port, stop = found[0]
    yield Proxy(state, port, folder / "mitmproxy", folder)
    stop()
    thread.join(20)


@pytest.fixture
def proxy(running_proxy: Proxy) -> Iterator[Proxy]:
    """The running proxy, reset to its initial settings and rules."""
    state = running_proxy.state
    before = state.settings.current
    yield running_proxy
    state.settings.replace(before)
    state.temporary_views = TemporaryViews()
    state.restored = PerPage()
    state.early_heads = EarlyHeads()
    state.site_kinds = SiteKinds()
    for host in list(state.rulebook.hosts):
        state.change_rules(host, lambda _: HostRules())


@pytest.fixture
def browser(proxy: Proxy) -> Iterator[Browser]:
    """Open a browser whose every request goes through the proxy."""
    with browsing(proxy.url) as opened:
        yield opened
