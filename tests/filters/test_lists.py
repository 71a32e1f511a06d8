"""Lists from addresses: updated now and then, the last good one kept."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event

import pytest

from tests.fetching.web import serving
from thresher.errors import FetchError, LimitError, ThresherError
from thresher.fetching.model import Fetched
from thresher.filters.blocklist import NO_HOSTS, BlockList
from thresher.filters.lists import ListStore, Updater, read_lists, version_of
from thresher.filters.public_lists import PUBLIC_LISTS, RECOMMENDED, list_addresses

URL = "https://lists.example/hosts.txt"
GOOD = b"||ads.example^\n/banner[0-9]/\n"
RULES = BlockList(frozenset({"ads.example"}), skipped={"regular expression": 1})


class Server:
    """Stands for the web: gives one answer after the other, and notes what it was asked."""

    def __init__(self, *answers: bytes | ThresherError) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, str]] = []

    def get(self, url: str, headers: dict[str, str]) -> Fetched:
        self.asked.append(headers)
        answer = self.answers.pop(0)
        if isinstance(answer, bytes):
            return Fetched(url, answer, None, "text/plain", 200, True, '"v1"', "Sat, 01 Nov 2025")
        raise answer


def test_list_is_fetched_and_kept(tmp_path: Path) -> None:
    """A fetched list is there for the next process, with its number of rules and its version."""
    folder = tmp_path / "new"
    store = ListStore(folder, [URL, URL], get=Server(GOOD, GOOD + b"c.example").get)
    assert (NO_HOSTS, None) == (store.blocklist, store.states[0].changed_s)
    versions = [version_of(folder, [URL])]
    assert store.update()
    versions.append(version_of(folder, [URL]))
    (state,) = store.states
    assert (URL, 1, 1, "") == (state.url, state.n_rule, state.n_skipped, state.message)
    assert state.checked_s is not None and state.changed_s is not None
    later = ListStore(folder, [URL])
    assert RULES == store.blocklist == later.blocklist == read_lists(folder, [URL])
    assert (1, None) == (later.states[0].n_rule, later.states[0].checked_s)
    assert store.update()
    assert 3 == len({*versions, version_of(folder, [URL])})


def test_unchanged_list_is_not_sent_again(tmp_path: Path) -> None:
    """An update must be a conditional request, and a 304 response must leave the list as it was."""
    server = Server(GOOD, FetchError("HTTP 304", url=URL, status=304))
    store = ListStore(tmp_path, [URL], get=server.get)
    assert store.update()
    version = version_of(tmp_path, [URL])
    assert not store.update()
    assert "If-None-Match" not in server.asked[0]
    assert '"v1"' == server.asked[1]["If-None-Match"]
    assert "Sat, 01 Nov 2025" == server.asked[1]["If-Modified-Since"]
    assert (RULES, "") == (store.blocklist, store.states[0].message)
    assert version == version_of(tmp_path, [URL])


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (FetchError("no complete answer within 60 s", url=URL), "no complete answer"),
        (LimitError("bytes of the page", limit=1), "bytes of the page"),
        (b"<!doctype html><p>ads.example", "no block list"),
        (b"", "no block list"),
        (b"\0\0ads.example\nads.example", "no block list"),
        (b"just words\n/and/paths", "no block list"),
        (bytes(range(256)), "no block list"),
    ],
)
def test_last_good_list_stays(tmp_path: Path, answer: bytes | ThresherError, says: str) -> None:
    """A server that is down or sends something else takes no list away, and it is said."""
    store = ListStore(tmp_path, [URL], get=Server(GOOD, answer, GOOD + b"b.example").get)
    assert store.update()
    assert not store.update()
    assert RULES == store.blocklist == read_lists(tmp_path, [URL])
    assert says in store.states[0].message
    assert store.update()
    assert ("", 2) == (store.states[0].message, store.states[0].n_rule)


def test_one_list_does_not_hold_up_another(tmp_path: Path) -> None:
    """Each list is updated for itself; together they are one."""
    other = "https://lists.example/b.txt"
    server = Server(FetchError("down", url=URL), b"b.example\n@@||x.b.example^")
    store = ListStore(tmp_path, [URL, other], get=server.get)
    assert store.update()
    assert ["down", ""] == [state.message for state in store.states]
    assert store.blocklist.blocks("//b.example/") and not store.blocklist.blocks("//x.b.example/")


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A list that cannot be saved is used all the same, said, and not sent a second time."""
    (tmp_path / "file").write_text("")
    server = Server(GOOD, FetchError("HTTP 304", url=URL, status=304))
    store = ListStore(tmp_path / "file" / "folder", [URL], get=server.get)
    assert store.update()
    assert RULES == store.blocklist
    assert store.states[0].message.startswith("it cannot be saved: ")
    assert not store.update()
    assert '"v1"' == server.asked[1]["If-None-Match"]
    assert RULES == store.blocklist


def test_broken_file_is_no_list(tmp_path: Path) -> None:
    """A file that somebody else wrote to is read as far as it goes."""
    ListStore(tmp_path, [URL], get=Server(GOOD).get).update()
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"! thresher [1\n\xff\xfe\nads.example")
    server = Server(GOOD)
    store = ListStore(tmp_path, [URL], get=server.get)
    assert store.blocklist.blocks("//ads.example/")
    assert store.update()
    assert {"Accept"} == server.asked[0].keys()


def test_updater_works_beside_the_program(tmp_path: Path) -> None:
    """It updates at once, again when asked, tells of every change, and stops."""
    changed, told = Event(), []

    def note(rules: BlockList) -> None:
        told.append(len(rules))
        changed.set()

    store = ListStore(tmp_path, [URL], get=Server(GOOD, GOOD + b"c.example").get)
    updater = Updater(store, note)
    updater.start()
    assert changed.wait(10)
    changed.clear()
    updater.update_now()
    assert changed.wait(10)
    updater.stop()
    assert [1, 2] == told


def test_lists_come_over_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own way to fetch knows conditions, and refuses this machine unless allowed."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        is_known = request.headers.get("If-None-Match") == '"v2"'
        request.send_response(304 if is_known else 200)
        request.send_header("ETag", '"v2"')
        request.end_headers()
        if not is_known:
            request.wfile.write(GOOD)

    with serving(monkeypatch) as web:
        url = web.serve_by("/hosts.txt", answer)
        refused = ListStore(tmp_path, [url])
        assert not refused.update()
        assert "not public" in refused.states[0].message
        store = ListStore(tmp_path, [url], allow_private=True)
        assert [True, False] == [store.update(), store.update()]
        assert ("", RULES) == (store.states[0].message, store.blocklist)
        assert [None, '"v2"'] == [headers.get("if-none-match") for _, headers in web.requests]


def test_the_word_stands_for_the_lists() -> None:
    """Recommended lists, each with its terms, take the place of the word, and none comes twice."""
    assert len(PUBLIC_LISTS) == len({each.url for each in PUBLIC_LISTS})
    for each in PUBLIC_LISTS:
        assert each.url.startswith("https://") and each.licence_url.startswith("https://")
        assert each.name and each.against and each.licence
    easy = PUBLIC_LISTS[0].url
    expected = ("https://a.example/", easy, *(each.url for each in PUBLIC_LISTS[1:]))
    assert expected == list_addresses(["https://a.example/", easy, RECOMMENDED])
    assert () == list_addresses([])
