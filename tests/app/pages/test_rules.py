"""Rules page without scripts."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from tests.app.pages.test_inspect import keep
from tests.sites.pages import NOTICE, story
from thresher.sites import HostRules, Rulebook, Rules, read_rulebook, save_rulebook

Post = Callable[..., Any]
HOST = "mill.example"


@pytest.fixture
def own(open_app: OpenApp) -> Iterator[TestClient]:
    """Open an app with its own rulebook."""
    with open_app() as app:
        yield app


def was_in(text: str) -> str:
    """Return the digest in the first form of the page."""
    found = re.search(r'name="was" value="(\w+)"', text)
    assert found
    return found[1]


def rules_in(folder: Path) -> HostRules | None:
    """Return the rules of the host in the file."""
    return read_rulebook(folder / "rules.toml").hosts.get(HOST)


def test_rules_are_made_changed_and_removed(own: TestClient, post: Post, tmp_path: Path) -> None:
    """Rules are created, changed and removed in the file through one form per host."""
    data = {"host": " Mill.Example ", "drop": ".about\n\n .about \n#x", "keep": "h1", "act": "save"}
    answer = post(own, "/rules", data={**data, "view": "reader", "method": "slope"})
    assert 303 == answer.status_code
    made = HostRules(Rules(("h1",), (".about", "#x")), "reader", "slope")
    assert made == rules_in(tmp_path)
    text = own.get(answer.headers["location"]).text
    assert "Rules for mill.example saved" in text
    assert ".about\n#x</textarea>" in text
    assert f"thresher extract --rules {tmp_path / 'rules.toml'}" in text
    answer = post(own, "/rules", data={"host": HOST, "was": was_in(text), "act": "remove"})
    assert "The rules for mill.example have been removed" in answer.text
    assert rules_in(tmp_path) is None
    undo = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', answer.text))
    assert 303 == post(own, "/rules", data={**undo, "act": "save"}).status_code
    assert made == rules_in(tmp_path)


def test_rules_of_a_host_that_has_some_are_added(
    own: TestClient, post: Post, tmp_path: Path
) -> None:
    """Rules for another host join those that are there; the newer of two on a selector counts."""
    there = HostRules(Rules(keep=("h1", ".x"), drop=("#old",)), "reader", None)
    save_rulebook(Rulebook({HOST: there}), tmp_path / "rules.toml")
    assert 303 == post(own, "/rules", data={"host": HOST, "drop": ".x\n.new"}).status_code
    assert HostRules(Rules(("h1",), ("#old", ".x", ".new")), "reader") == rules_in(tmp_path)
    assert "enter a selector" in post(own, "/rules", data={"host": HOST}).text


def test_two_spellings_of_a_host_are_one(own: TestClient, post: Post, tmp_path: Path) -> None:
    """An internationalised host has one table, and is shown as people write it."""
    assert 303 == post(own, "/rules", data={"host": "Mühle.example", "drop": ".a"}).status_code
    post(own, "/rules", data={"host": "xn--mhle-0ra.example", "drop": ".b"})
    assert (Rules(drop=(".a", ".b"))) == read_rulebook(tmp_path / "rules.toml").of(
        "https://xn--mhle-0ra.example/1"
    ).rules
    assert "<h2>mühle.example</h2>" in own.get("/rules").text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"drop": "p::"}, "is not a CSS selector"),
        ({"keep": "x" * 3000}, "at most 2000 characters"),
        ({"keep": "\n".join(f".a{n}" for n in range(501))}, "at most 500 selectors"),
        ({"host": "no host"}, "is not a host name"),
        ({"view": "all"}, "view must be one of"),
        ({"method": "magic"}, "unknown method"),
        ({"was": "0"}, "changed elsewhere"),
        ({"was": "0"}, "<dd>#old</dd>"),
    ],
)
def test_what_is_wrong_is_said_beside_what_was_typed(
    own: TestClient, post: Post, tmp_path: Path, change: dict[str, str], message: str
) -> None:
    """Invalid rules are not saved, and the form keeps the input."""
    save_rulebook(Rulebook({HOST: HostRules(Rules(drop=("#old",)))}), tmp_path / "rules.toml")
    answer = post(own, "/rules", data={"host": HOST, "keep": "h1", "drop": ".typed", **change})
    assert 400 == answer.status_code
    assert message in answer.text
    assert change.get("drop", ".typed") in answer.text
    assert HostRules(Rules(drop=("#old",))) == rules_in(tmp_path)


def test_a_change_is_tried_on_the_pages_of_the_host(own: TestClient, post: Post) -> None:
    """A preview covers the open pages of the host only, and does not change the file."""
    first, second = keep(own, story(1)), keep(own, story(2), "https://www.mill.example/2")
    other = keep(own, story(3), "https://oven.example/")
    assert first != keep(own, story(1))  # the same address once more
    own.get(first)
    text = post(own, "/rules/preview", data={"host": HOST, "drop": ".about"}).text
    assert "Changes on 2 open pages of mill.example" in text
    assert first in text
    assert second in text
    assert other not in text
    assert 2 == text.count("−1 block (")
    assert NOTICE[:60] in text
    assert "No rules yet" in text
    text = post(own, "/rules/preview", data={"host": HOST, "drop": "body"}).text
    assert "Nothing would be left of this page" in text
    text = post(own, "/rules/preview", data={"host": "barn.example", "drop": "p"}).text
    assert "No pages of barn.example are open" in text


def test_a_block_is_ruled_on_from_its_inspection(
    own: TestClient, post: Post, tmp_path: Path
) -> None:
    """Rule saved, the way leads back, and the block is gone."""
    path = keep(own)
    data = {"host": HOST, "pick": ".about", "back": f"{path}?method=learned&block=3"}
    answer = post(own, "/rules/add", data={**data, "kind": "drop"})
    assert 303 == answer.status_code
    assert HostRules(Rules(drop=(".about",))) == rules_in(tmp_path)
    text = own.get(answer.headers["location"]).text
    assert "Rule saved" in text
    assert "1 block by your rules" in text
    post(own, "/rules/add", data={**data, "kind": "keep"})
    assert HostRules(Rules(keep=(".about",))) == rules_in(tmp_path)


def test_ones_own_selector_counts_where_none_is_picked(
    own: TestClient, post: Post, tmp_path: Path
) -> None:
    """A custom selector is saved, and the redirect stays on this site."""
    data = {"host": HOST, "pick": "", "selector": "p.x", "kind": "keep", "back": "//evil.example/"}
    answer = post(own, "/rules/add", data=data)
    assert "/rules#mill.example" == answer.headers["location"]
    assert HostRules(Rules(keep=("p.x",))) == rules_in(tmp_path)


@pytest.mark.parametrize("change", [{"pick": "p::"}, {"pick": ""}, {"kind": "eat"}, {"host": ""}])
def test_a_rule_that_is_none_is_not_added(
    own: TestClient, post: Post, tmp_path: Path, change: dict[str, str]
) -> None:
    """Invalid rules from Inspect are rejected."""
    data = {"host": HOST, "pick": ".x", "kind": "drop", **change}
    for path in ("/rules/add", "/rules/preview"):
        assert 400 == post(own, path, data=data).status_code
    assert rules_in(tmp_path) is None


def test_a_part_for_scripts_is_the_outcome_alone(own: TestClient, post: Post) -> None:
    """The fragment contains only the changes or the error."""
    path = keep(own)
    data = {"host": HOST, "pick": ".about", "kind": "drop", "page": path.rpartition("/")[2]}
    part = post(own, "/rules/preview", data=data, headers={"X-Part": "1"}).text
    assert "<html" not in part
    assert "−1 block (" in part
    part = post(own, "/rules/preview", data={**data, "pick": "p::"}, headers={"X-Part": "1"}).text
    assert "is not a CSS selector" in part


def test_a_file_that_is_no_rulebook_is_not_written_over(
    own: TestClient, post: Post, tmp_path: Path
) -> None:
    """An invalid rulebook is not overwritten."""
    path = tmp_path / "rules.toml"
    path.write_text("version = 1\n[host.'mill.example'\n", encoding="utf-8")
    before = path.read_bytes()
    assert "is not a rulebook" in own.get("/rules").text
    answer = post(own, "/rules", data={"host": HOST, "drop": ".x"})
    assert (400, before) == (answer.status_code, path.read_bytes())
    assert (
        400 == post(own, "/rules/add", data={"host": HOST, "pick": "p", "kind": "keep"}).status_code
    )


def test_a_folder_that_cannot_be_written_is_told_of(
    open_app: OpenApp, post: Post, tmp_path: Path
) -> None:
    """An unwritable path is reported by name."""
    (tmp_path / "file").write_text("")
    with open_app(rules_path=tmp_path / "file" / "rules.toml") as app:
        answer = post(app, "/rules", data={"host": HOST, "drop": ".x"})
        assert 400 == answer.status_code
        assert "rules.toml cannot be read: Not a directory" in answer.text
        assert ".x</textarea>" in answer.text


def test_full_disk_is_named(
    own: TestClient, post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is called that, and nothing that was typed is lost."""

    def fail(book: Rulebook, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("thresher.sites.rulebook.save_rulebook", fail)
    answer = post(own, "/rules", data={"host": HOST, "drop": ".x"})
    assert "rules.toml: the disk is full" in answer.text
    assert ".x</textarea>" in answer.text


def test_forms_of_other_sites_change_nothing(own: TestClient, tmp_path: Path) -> None:
    """Forms without a token are rejected."""
    answer = own.post("/rules", data={"host": HOST, "drop": ".x"})
    assert 403 == answer.status_code
    assert rules_in(tmp_path) is None
