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
    """Learned from the readable pages of a folder, a site improves extraction of another page."""
    pages, site, other = tmp_path / "pages", tmp_path / "site.toml", tmp_path / "other.html"
    pages.mkdir()
    write_stories(pages, 1, 2, 3)
    write_stories(tmp_path, 4)
    (pages / "empty.html").write_bytes(b"")
    ran = command("sites", "learn", pages, "-o", site)
    assert (0, "") == (ran.status, ran.out)
    assert "empty.html" in ran.errors[0]
    assert ["thresher: learned from 3 pages, 1 layouts"] == ran.errors[1:]
    ran = command("extract", "--site", site, tmp_path / "4.html")
    assert (0, []) == (ran.status, ran.errors)
    assert NOTICE not in ran.out
    assert "praised" in ran.out
    other.write_text(form(), encoding="utf-8")
    ran = command("extract", "--site", site, other)
    assert "like no layout of the site (0% of its places)" in ran.errors[-1]


def test_show_and_chrome(command: Command, tmp_path: Path) -> None:
    """A site is shown in selectors, its chrome in words; - is standard output, as without -o."""
    write_stories(tmp_path, 1, 2)
    site = tmp_path / "site.toml"
    learned = command("sites", "learn", tmp_path, "-o", "-").out
    assert learned == command("sites", "learn", tmp_path).out
    site.write_text(learned, encoding="utf-8")
    out = command("sites", "show", site).out
    assert "layout 0: 2 pages\n" in out
    assert "  content  html body main article.story div.text p\n" in out
    assert BANNER in command("sites", "show", "--chrome", site).out


def write_hosts(path: Path, *hosts: str) -> Path:
    """Write a story of each host as a line of JSON."""
    lines = [
        json.dumps({"html": story(number), "url": f"https://{host}.example/{number}"})
        for number, host in enumerate(hosts)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_pages_of_several_hosts(command: Command, tmp_path: Path) -> None:
    """One host must be chosen; it is learned alone."""
    path = write_hosts(tmp_path / "pages.jsonl", "a", "a", "b")
    ran = command("sites", "learn", path)
    assert 2 == ran.status
    assert "--host, such as a.example (2), b.example (1)" in ran.errors[0]
    ran = command("sites", "learn", path, "--host", "b.example")
    assert "learned from 1 pages" in ran.errors[0]
    assert "learn from two and more" in ran.errors[1]
    assert 1 == command("sites", "learn", path, "--host", "c.example").status


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ("extract --site none.toml page.html", "none.toml"),
        ("sites show page.html", "page.html"),
        ("sites learn --all-hosts .", "--all-hosts needs -o"),
        ("sites learn --all-hosts -o - .", "--all-hosts needs -o"),
        ("batch . -o out --sites none", "is no folder of sites"),
        ("extract page.html --rules none.toml", "none.toml: no such file"),
        ("extract page.html --rules other.toml", "is not a rulebook: version must be 1, not 3"),
        (
            "extract page.html --url https://mill.example/ --rules bad.toml",
            '"p::" is not a CSS selector',
        ),
    ],
)
def test_a_wrong_file_is_a_wrong_call(
    command: Command,
    files: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    argv: str,
    says: str,
) -> None:
    """A site or rulebook that is missing or broken, or has a wrong selector, is said in a line."""
    monkeypatch.chdir(files[0].parent)
    Path("other.toml").write_text("version = 3", encoding="utf-8")
    Path("bad.toml").write_text(RULES.replace(".promo", "p::"), encoding="utf-8")
    ran = command(*argv.split())
    assert (2, True) == (ran.status, says in ran.errors[-1]), ran


def test_sites_of_all_hosts_serve_a_batch(command: Command, tmp_path: Path) -> None:
    """Learned in a first pass, what repeats on a host is left out of its pages in the second."""
    pages = write_hosts(tmp_path / "pages.jsonl", "a", "a", "a", "b", "b", "lone")
    sites, out = tmp_path / "sites", tmp_path / "out"
    ran = command("sites", "learn", pages, "--all-hosts", "-o", sites)
    assert (0, ["thresher: learned 2 sites from 6 pages of 3 hosts"]) == (ran.status, ran.errors)
    assert {"a.example.toml", "b.example.toml"} == {path.name for path in sites.iterdir()}
    ran = command("batch", pages, "-o", out, "--format", "jsonl", "--sites", sites, "-j", "1")
    assert 0 == ran.status, ran.errors
    (part,) = out.glob("*.jsonl")
    records = [json.loads(line) for line in part.read_text(encoding="utf-8").splitlines()]
    assert [False] * 3 == [NOTICE in record["text"] for record in records[:3]]
    assert NOTICE in records[-1]["text"]


RULES = "version = 1\nhost.'mill.example'.drop = ['.promo']\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Write a page and a rulebook, and forget the tester's own."""
    monkeypatch.delenv("THRESHER_RULES", raising=False)
    page, rules = tmp_path / "page.html", tmp_path / "rules.toml"
    page.write_text(PAGE, encoding="utf-8")
    rules.write_text(RULES, encoding="utf-8")
    return page, rules


@pytest.mark.parametrize("name", ["extract", "chunk", "explain"])
def test_the_option_names_the_rules(command: Command, files: tuple[Path, Path], name: str) -> None:
    """Text that a host's rules drop is missing from its pages; a report says why it is."""
    page, rules = files
    url = ("--url", "https://www.mill.example/")
    assert "weekly letter" in command(name, page, *url).out
    ran = command(name, page, *url, "--rules", rules)
    assert 0 == ran.status
    assert "rye" in ran.out
    if name == "explain":
        assert "dropped by a rule of the site" in ran.out
    else:
        assert "weekly letter" not in ran.out


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
