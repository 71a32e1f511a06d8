"""A site goes into a file and comes back; a person may change it between."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sites.pages import form, stories, story
from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.page.parse import parse
from thresher.sites.learning import learn
from thresher.sites.toml import parse_site, read_site, write_site


def test_a_site_comes_back_as_it_was() -> None:
    """Written again, it gives the same file, and the same evidence."""
    site = learn([*stories(1, 2, 3), parse(form())])
    again = parse_site(write_site(site))
    assert write_site(site) == write_site(again)
    assert extract(story(4), site=site).text == extract(story(4), site=again).text
    assert site.pages == again.pages


def test_an_empty_site_comes_back() -> None:
    """A file with only rules can be read."""
    assert write_site(learn([])) == write_site(parse_site(write_site(learn([]))))


def test_rules_written_by_hand_hold(tmp_path: Path) -> None:
    """A user adds a selector to the file."""
    path = tmp_path / "site.toml"
    text = write_site(learn(stories(1, 2)))
    path.write_text(text.replace("\ndrop = []", '\ndrop = [".byline"]', 1), encoding="utf-8")
    assert "By " not in extract(story(3), site=read_site(path)).text
    assert (".byline",) == read_site(path).rules.drop


def test_odd_characters_come_back() -> None:
    """Quotes, control characters and backslashes in names and texts are escaped."""
    html = "<title>{0}</title><p class='\\'>Say \"hi\" \\ \x7f\x1f 💡<p>Story {0} of its own."
    site = learn(parse(html.format(name)) for name in ("one", "two"))
    assert site.wording == parse_site(write_site(site)).wording


@pytest.mark.parametrize(
    "text",
    [
        "",
        "version = 2",
        "version = 1",
        "[",
        'version = 1\npages = 1\nkeep = "p"\ndrop = []\nsketches = []\n[texts]\ntext = []',
        "version = 1\npages = 1\nkeep = []\ndrop = []\nsketches = []\n[texts]\ntext = [[1]]",
        'version = 1\npages = 1\nkeep = []\ndrop = []\nsketches = ["x"]\n[texts]\ntext = []',
    ],
)
def test_what_is_no_site_is_a_usage_error(tmp_path: Path, text: str) -> None:
    """The error names the file."""
    path = tmp_path / "other.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"other\.toml is not a site file"):
        read_site(path)


def test_bytes_that_are_no_text_are_a_usage_error(tmp_path: Path) -> None:
    """A file of another kind gives a UsageError."""
    path = tmp_path / "site.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not a site file"):
        read_site(path)
