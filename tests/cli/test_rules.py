"""`--rules` of the commands that work on single pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.sites.test_rulebook import PAGE

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
