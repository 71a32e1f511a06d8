"""`thresher proxy` as a command: what it refuses, and two of them, one behind the other."""

from __future__ import annotations

import getpass
import io
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fetching.web import serving
from tests.helpers.browser import browsing, expect
from tests.proxy.conftest import first
from thresher.cli import main
from thresher.cli.proxy import ask_password, read_users
from thresher.errors import UsageError
from thresher.proxy.passwords import check_password, hash_password
from thresher.proxy.settings_store import parse_settings

HASH = hash_password("grain")
STORY = (
    '<p>The <a href="weir">weir</a>.</p>'
    + "<p>The mill stood by the weir for two hundred years, and then the flood came.</p>" * 12
)
MENU = "".join(f'<li><a href="/p{i}">Section {i} of the paper</a></li>' for i in range(12))
PAGE = (
    f"<!DOCTYPE html><title>Mill</title><body><ul>{MENU}</ul><article><h1>Mill</h1>{STORY}"
    "</article></body>"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep away from the settings of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def _proxying() -> None:
    """Skip tests of a running proxy where it cannot run."""
    pytest.importorskip("mitmproxy", reason="the proxy needs mitmproxy: the extra proxy")
    if not shutil.which("curl"):
        pytest.skip("needs curl")


def curl(*options: str) -> str:
    """Request a page as a browser does; return what is shown."""
    command = ["curl", "-sS", "--max-time", "20", "-H", "Accept: text/html", *options]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def save_filters(proxy: str, *fields: str) -> None:
    """Submit the form of the settings page with its token."""
    page = "http://thresher.internal/filters"
    token = first(r'name="csrf" value="(\w+)"', curl("-x", proxy, page))
    data = (f"csrf={token}", *fields)
    curl("-x", proxy, *(word for field in data for word in ("-d", field)), page)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--listen-host", "0.0.0.0"], "--user NAME"),
        (["--view", "glasses"], "view must be one of"),
        (["--max-bytes", "many"], "max_bytes must be"),
        (["--mode", "sideways"], "mode"),
        (["--user", "anna:secret"], "--hash-password"),
        (["--user", f"an na:{HASH}"], "user"),
        (["--users-file", "not-there"], "not-there"),
        (["--clients", "nowhere"], "nowhere"),
        (["--upstream", "elsewhere"], "elsewhere"),
        (["--sites", "no/such/folder"], "no/such/folder"),
        (["--mode", "transparent", "--upstream", "http://127.0.0.1:3128"], "upstream"),
        (["--settings", "not-there.toml"], "not-there.toml"),
    ],
)
def test_wrong_options(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each invalid or unsafe option is refused with a message, which repeats no password."""
    assert 2 == main(["proxy", *options])
    said = capsys.readouterr().err
    assert says in said
    assert "secret" not in said


def test_settings_can_be_printed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Options become a file of settings, on top of the one that is there."""
    assert 0 == main(["proxy", "--view", "reader", "--no-ads", "--write-settings"])
    first = capsys.readouterr().out
    (home / "one.toml").write_text(first)
    options = ["--settings", str(home / "one.toml"), "--ignore-host", "bank.example"]
    assert 0 == main(["proxy", *options, "--user", f"anna:{HASH}", "--write-settings"])
    settings = parse_settings(capsys.readouterr().out)
    assert ("reader", False) == (settings.view, settings.filters.ads)
    assert ("bank.example",) == settings.never_intercept
    assert ["anna"] == list(settings.users)


def test_public_lists_are_offered_at_first(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A first start names the public lists; with --lists recommended they are in use."""

    def start(state: object, *, when_ready: Callable[..., None], **_: object) -> None:
        when_ready(8080, None)

    monkeypatch.setattr("thresher.cli.proxy.serve", start)
    assert 0 == main(["proxy"])
    said = capsys.readouterr().err
    assert "EasyPrivacy" in said and "--lists recommended" in said
    assert 0 == main(["proxy", "--lists", "recommended"])
    assert "EasyPrivacy" not in capsys.readouterr().err
    assert 0 == main(["proxy", "--lists", "recommended", "--write-settings"])
    settings = capsys.readouterr().out
    assert ("recommended",) == parse_settings(settings).list_urls
    (home / "thresher").mkdir()
    (home / "thresher/proxy.toml").write_text(settings.replace('"recommended"', ""))
    assert 0 == main(["proxy"])
    assert "EasyPrivacy" not in capsys.readouterr().err


_BASE = '<base href="http://other.example/">'
_SCRIPT = (
    "<script>onload=()=>{const e=document.createElement('base');"
    "e.href='http://other.example/';document.head.prepend(e)}</script>"
)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve a site; return its address."""
    html = "text/html; charset=utf-8"
    with serving(monkeypatch) as web:
        for path in ("/story", "/story?a=1", f"{web.url}/story"):  # a proxy asks for the last
            web.serve(path, PAGE.encode(), Content_Type=html)
        web.serve("/based", (_BASE + PAGE).encode(), Content_Type=html)
        web.serve("/scripted", (_SCRIPT + PAGE).encode(), Content_Type=html)
        web.serve("/old", status=302, Location=f"{web.url}/story")
        yield web.url


@contextmanager
def running(*options: str) -> Iterator[str]:
    """Run the command, and give the address of the proxy."""
    command = [sys.executable, "-m", "thresher", "proxy", "--listen-port", "0", "--n-worker", "1"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        yield first(r"(http://[\d.]+:\d+)", process.stderr.readline())
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()


@pytest.mark.slow
@pytest.mark.usefixtures("_proxying")
def test_a_base_that_a_script_adds_in_reverse_mode(site: str) -> None:
    """The badge's links lead to the proxy although a script gives the page another base."""
    with running("--mode", f"reverse:{site}") as reverse, browsing() as browser:
        page = browser.new_page()
        page.goto(f"{reverse}/scripted")
        expect(page.locator("head base")).to_have_count(1)
        page.click("thresher-mark summary")
        page.click("thresher-mark a:has-text('Reader')")
        expect(page.locator("header a:has-text('original')")).to_be_visible()
        expect(page).to_have_url(f"{reverse}/scripted")
        page.click("header a:has-text('original')")
        page.click("thresher-mark summary")
        expect(page.locator("thresher-mark a:has-text('filtered')")).to_be_visible()


@pytest.mark.usefixtures("_proxying")
def test_upstream_and_reverse(site: str) -> None:
    """A proxy goes through another; one in reverse mode stands for a site."""
    with running("--mode", f"reverse:{site}") as reverse:
        shown = curl(f"{reverse}/story?a=1")
        link = first(r'href="(//[^"]*)"[^>]*>Show original', shown)
        assert f"//{urlsplit(reverse).netloc}/.well-known/thresher/view" in link
        assert "thresher.internal" not in shown
        original = curl("-L", f"http:{link}")
        reader_link = first(r'href="([^"]*view=reader[^"]*)"', shown)
        reader = curl("-L", f"http:{reader_link}")
        redirect = curl("-i", f"{reverse}/old")
        fronted = curl("-H", "X-Forwarded-Host: news.example", f"{reverse}/story")
        missing = curl(f"{reverse}/.well-known/thresher/remember")
        based = curl(f"{reverse}/based")
        users = ("--user", f"anna:{HASH}", "--allowed-private", "127.0.0.1")
        with running("--upstream", reverse, "--view", "text", *users) as proxy:
            text = curl("-x", proxy, "--proxy-user", "anna:grain", f"{site}/story")
            refused = curl("-x", proxy, f"{site}/story")
    assert "the flood came" in shown
    assert "Section 3" not in shown.partition("</article>")[0]
    assert original.startswith(PAGE)
    assert "Show filtered page" in original
    assert '<a href="/weir">' in reader
    for page in (shown, reader, redirect):
        assert urlsplit(site).netloc not in page
    assert "ocation: /story" in redirect
    assert 'href="//news.example/.well-known/' in fronted
    assert "the flood came" in based
    assert "token=" in based
    assert "Page not found" in missing
    assert '<pre class="text">' in text
    assert "Section 3" not in text
    assert "the flood came" not in refused


@pytest.mark.slow
@pytest.mark.usefixtures("_proxying")
def test_the_service_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit's command starts a proxy, whose settings are saved in the state folder."""
    text = (Path(__file__).parents[2] / "docs/deploy/thresher-proxy.service").read_text()
    unit = dict(re.findall(r"(?m)^(\w+)=(.*)$", text.replace("%S", str(home))))
    program, name, *options = unit["ExecStart"].split()
    assert ("/opt/thresher-proxy/bin/thresher", "proxy") == (program, name)
    monkeypatch.setenv(*unit["Environment"].split("=", 1))
    options[options.index("--settings-port") + 1] = "0"  # 8081 may be taken here
    with running(*options) as proxy:
        save_filters(proxy, "view=reader")
    folder = home / unit["StateDirectory"]
    assert "reader" == parse_settings((folder / "thresher/proxy.toml").read_text()).view
    assert (folder / "ca/mitmproxy-ca-cert.pem").is_file()


@pytest.mark.usefixtures("_proxying")
def test_options_stay_out_of_the_file(home: Path) -> None:
    """Saving the settings page must not write the run's command-line options to the file."""
    path = home / "one.toml"
    path.write_text("version = 1\n[proxy]\nhold_s = 5.0\n")
    options = ("--view", "text", "--no-consent", "--ignore-host", "b.example")
    with running("--settings", str(path), *options) as proxy:
        assert "<strong>as text</strong>" in curl("-x", proxy, "http://thresher.internal/")
        save_filters(proxy, "view=text", "ads=yes")
        known = parse_settings(path.read_text())
    assert (5.0, 8080, "inplace") == (known.hold_s, known.listen_port, known.view)
    assert known.filters.consent
    assert not known.never_intercept
    assert not known.filters.ad_slots  # the form left it out, as a switch that is off


@pytest.mark.usefixtures("_proxying")
def test_a_port_that_is_taken() -> None:
    """A port that is in use must be reported and make the command fail."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "thresher", "proxy", "--listen-port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert 1 == done.returncode
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr


def type_in(monkeypatch: pytest.MonkeyPatch, *passwords: str) -> list[str]:
    """Answer at the terminal; return what it asks."""
    asked: list[str] = []
    left = list(passwords)

    def answer(label: str) -> str:
        asked.append(label)
        return left.pop(0)

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(getpass, "getpass", answer)
    return asked


def test_a_password_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name alone asks for the password, twice; a hash is taken as it is."""
    asked = type_in(monkeypatch, "grain", "grain")
    (anna, hashed), bert = read_users(["anna", f"bert:{HASH}"], None)
    assert ("anna", True) == (anna, check_password("grain", hashed))
    assert ("bert", HASH) == bert
    assert ["Password of anna: ", "Password of anna again: "] == asked
    type_in(monkeypatch, "grain", "chaff")
    with pytest.raises(UsageError, match="differ"):
        ask_password("Password")


def test_a_password_is_piped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal, passwords are lines of standard input, or of a file with hashes."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("grain\nchaff\ngrain\n"))
    users = dict(read_users(["anna", "bert"], None))
    assert check_password("grain", users["anna"])
    assert check_password("chaff", users["bert"])
    assert 0 == main(["proxy", "--hash-password"])
    assert check_password("grain", capsys.readouterr().out.strip())
    path = tmp_path / "users"
    path.write_text(f"# who may\n\nanna:gr ain\nbert:{HASH}\n")
    users = dict(read_users((), path))
    assert check_password("gr ain", users["anna"])
    assert HASH == users["bert"]


@pytest.mark.parametrize(
    ("content", "says"), [(b"anna", "line 1"), (b"anna:", "empty"), (b"\xff", "not UTF-8")]
)
def test_wrong_files(tmp_path: Path, content: bytes, says: str) -> None:
    """A file of users that is none is named with what is wrong."""
    path = tmp_path / "users"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        list(read_users((), path))
