"""`thresher sites`, and rules of the user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.sites.pages import BANNER, NOTICE, form, story
from tests.sites.test_rulebook import PAGE


def write_stories(folder: Path, *numbers: int) -> None:
    """Write stories as files."""
    for number in numbers:
        (folder / f"{number}.html").write_text(story(number), encoding="utf-8")


def test_learn_and_extract(command: Command, tmp_path: Path) -> None:
    """Learned from a folder, a site improves the extraction of another page."""
    pages, site = tmp_path / "pages", tmp_path / "site.toml"
    pages.mkdir()
    write_stories(pages, 1, 2, 3)
    write_stories(tmp_path, 4)
    ran = command("sites", "learn", pages, "-o", site)
    assert (0, "") == (ran.status, ran.out)
    assert ["thresher: learned from 3 pages, 1 layouts"] == ran.errors
    ran = command("extract", "--site", site, tmp_path / "4.html")
    assert (0, []) == (ran.status, ran.errors)
    assert NOTICE not in ran.out
    assert "praised" in ran.out


def test_show_and_chrome(command: Command, tmp_path: Path) -> None:
    """A site is shown in selectors, and its chrome in words."""
    write_stories(tmp_path, 1, 2)
    site = tmp_path / "site.toml"
    site.write_text(command("sites", "learn", tmp_path).out, encoding="utf-8")
    out = command("sites", "show", site).out
    assert "layout 0: 2 pages\n" in out
    assert "  content  html body main article.story div.text p\n" in out
    assert BANNER in command("sites", "show", "--chrome", site).out


def test_pages_of_several_hosts(command: Command, tmp_path: Path) -> None:
    """One host must be chosen; it is learned alone."""
    lines = [
        json.dumps({"html": story(number), "url": f"https://{host}.example/{number}"})
        for number, host in enumerate(("a", "a", "b"))
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    ran = command("sites", "learn", path)
    assert 2 == ran.status
    assert "--host, such as a.example (2), b.example (1)" in ran.errors[0]
    ran = command("sites", "learn", path, "--host", "b.example")
    assert "learned from 1 pages" in ran.errors[0]
    assert "learn from two and more" in ran.errors[1]
    assert 1 == command("sites", "learn", path, "--host", "c.example").status


def test_a_page_unlike_the_site_is_told(command: Command, tmp_path: Path) -> None:
    """It is extracted all the same."""
    write_stories(tmp_path, 1, 2)
    site, other = tmp_path / "site.toml", tmp_path / "other.htm"
    site.write_text(command("sites", "learn", tmp_path).out, encoding="utf-8")
    other.write_text(form(), encoding="utf-8")
    ran = command("extract", "--site", site, other)
    assert "like no layout of the site (0% of its places)" in ran.errors[-1]


def test_a_file_that_is_no_site(command: Command, tmp_path: Path) -> None:
    """Missing and broken files are wrong calls."""
    path = tmp_path / "site.toml"
    assert 2 == command("extract", "--site", path, path).status
    path.write_text("x", encoding="utf-8")
    assert 2 == command("sites", "show", path).status


def test_pages_that_cannot_be_read_are_told(command: Command, tmp_path: Path) -> None:
    """The others are learned."""
    write_stories(tmp_path, 1, 2)
    (tmp_path / "empty.html").write_bytes(b"")
    ran = command("sites", "learn", tmp_path)
    assert "empty.html" in ran.errors[0]
    assert "learned from 2 pages, 1 layouts" in ran.errors[1]


def test_sites_of_all_hosts_serve_a_batch(command: Command, tmp_path: Path) -> None:
    """Learned in a first pass, what repeats on a host is left out of its pages in the second."""
    pages, sites, out = tmp_path / "pages.jsonl", tmp_path / "sites", tmp_path / "out"
    hosts = ("a", "a", "a", "b", "b", "lone")
    lines = [
        json.dumps({"html": story(number), "url": f"https://{host}.example/{number}"})
        for number, host in enumerate(hosts)
    ]
    pages.write_text("\n".join(lines), encoding="utf-8")
    ran = command("sites", "learn", pages, "--all-hosts", "-o", sites)
    assert (0, ["thresher: learned 2 sites from 6 pages of 3 hosts"]) == (ran.status, ran.errors)
    assert {"a.example.toml", "b.example.toml"} == {path.name for path in sites.iterdir()}
    ran = command("batch", pages, "-o", out, "--format", "jsonl", "--sites", sites, "-j", "1")
    assert 0 == ran.status, ran.errors
    (part,) = out.glob("*.jsonl")
    records = [json.loads(line) for line in part.read_text(encoding="utf-8").splitlines()]
    assert [False] * 3 == [NOTICE in record["text"] for record in records[:3]]
    assert NOTICE in records[-1]["text"]


def test_a_folder_of_sites_must_be_there(command: Command, tmp_path: Path) -> None:
    """Neither is one made up, nor is a batch begun without it."""
    assert 2 == command("sites", "learn", "--all-hosts", tmp_path).status
    ran = command("batch", tmp_path, "-o", tmp_path / "out", "--sites", tmp_path / "none")
    assert (2, True) == (ran.status, "is no folder of sites" in ran.errors[0])


RULES = "version = 1\nhost.'mill.example'.drop = ['.promo']\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Write a page and a rulebook, and forget the tester's own."""
    monkeypatch.delenv("THRESHER_RULES", raising=False)
    page, rules = tmp_path / "page.html", tmp_path / "rules.toml"
    page.write_text(PAGE, encoding="utf-8")
    rules.write_text(RULES, encoding="utf-8")
    return page, rules


@pytest.mark.parametrize("name", ["extract", "chunk"])
def test_the_option_names_the_rules(command: Command, files: tuple[Path, Path], name: str) -> None:
    """Text that a host's rules drop must be missing from the output for its pages."""
    page, rules = files
    url = ("--url", "https://www.mill.example/")
    assert "weekly letter" in command(name, page, *url).out
    ran = command(name, page, *url, "--rules", rules)
    assert 0 == ran.status
    assert "rye" in ran.out
    assert "weekly letter" not in ran.out


def test_explain_says_that_it_was_a_rule(command: Command, files: tuple[Path, Path]) -> None:
    """The report names the reason."""
    page, rules = files
    ran = command("explain", page, "--url", "https://mill.example/", "--rules", rules)
    assert "dropped by a rule of the site" in ran.out


def test_the_environment_names_the_rules(
    command: Command, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules named by the environment must apply, and a missing file must be no error."""
    page, rules = files
    for path, is_there in ((rules, False), (rules.with_name("later.toml"), True)):
        monkeypatch.setenv("THRESHER_RULES", str(path))
        ran = command("extract", page, "--url", "https://mill.example/")
        assert (0, []) == (ran.status, ran.errors)
        assert is_there == ("weekly letter" in ran.out)


def test_a_wrong_file_is_a_wrong_call(command: Command, files: tuple[Path, Path]) -> None:
    """One that is not there, or no rulebook, or whose selector is none, is said in a line."""
    page, rules = files
    ran = command("extract", page, "--rules", rules.with_name("none.toml"))
    assert (2, True) == (ran.status, ran.errors[-1].endswith("none.toml: no such file"))
    rules.write_text("version = 3", encoding="utf-8")
    ran = command("extract", page, "--rules", rules)
    assert (2, True) == (
        ran.status,
        "is not a rulebook: version must be 1, not 3" in ran.errors[-1],
    )
    rules.write_text(RULES.replace(".promo", "p::"), encoding="utf-8")
    ran = command("extract", page, "--url", "https://mill.example/", "--rules", rules)
    assert (2, True) == (ran.status, '"p::" is not a CSS selector' in ran.errors[-1])
