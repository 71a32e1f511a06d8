"""Site files, what they tell people, and folders of them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.helpers.known import known
from tests.sites.pages import BANNER, NOTICE, form, stories, story
from thresher import read_page
from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.page.parse import parse
from thresher.sites import SiteFolder
from thresher.sites.learning import learn
from thresher.sites.site_files import chrome, describe, parse_site, read_site, write_site


def test_selectors_name_content_and_chrome() -> None:
    """Places with long, differing texts are content; those with repeated texts are dropped."""
    site = learn(stories(1, 2, 3))
    found = describe(site, site.layouts[0])
    assert ("html body main article.story div.text p",) == found.content
    assert "html body section.about p" in found.drop
    assert "html body div.top p" in found.drop
    assert "html body main article.story h1" == found.title
    assert "html body main article.story p.byline" == found.author
    assert found.date is None


def test_chrome_is_what_the_site_repeats() -> None:
    """Each repeated text occurs once, and no story does; one page repeats nothing."""
    text = chrome(learn(stories(1, 2, 3)))
    assert 1 == text.count(BANNER)
    assert NOTICE[:300] in text
    assert "week" not in text
    assert not chrome(learn(stories(1)))


def test_a_site_comes_back_as_it_was() -> None:
    """Written again, it gives the same file and evidence, whatever characters it has."""
    site = learn([*stories(1, 2, 3), parse(form())])
    again = parse_site(write_site(site))
    assert write_site(site) == write_site(again)
    assert extract(story(4), site=site).text == extract(story(4), site=again).text
    assert site.pages == again.pages
    html = "<title>{0}</title><p class='\\'>Say \"hi\" \\ \x7f\x1f 💡<p>Story {0} of its own."
    for odd in (learn(parse(html.format(name)) for name in ("one", "two")), learn([])):
        assert write_site(odd) == write_site(parse_site(write_site(odd)))
        assert odd.wording == parse_site(write_site(odd)).wording


def test_rules_written_by_hand_hold(tmp_path: Path) -> None:
    """A user adds a selector to the file."""
    path = tmp_path / "site.toml"
    text = write_site(learn(stories(1, 2)))
    path.write_text(text.replace("\ndrop = []", '\ndrop = [".byline"]', 1), encoding="utf-8")
    assert "By " not in extract(story(3), site=read_site(path)).text
    assert (".byline",) == read_site(path).rules.drop


@pytest.mark.parametrize(
    "text",
    [
        *("", "version = 2", "version = 1", "[", b"\xff\xfe"),
        'version = 1\npages = 1\nkeep = "p"\ndrop = []\nsketches = []\n[texts]\ntext = []',
        "version = 1\npages = 1\nkeep = []\ndrop = []\nsketches = []\n[texts]\ntext = [[1]]",
        'version = 1\npages = 1\nkeep = []\ndrop = []\nsketches = ["x"]\n[texts]\ntext = []',
    ],
)
def test_what_is_no_site_is_a_usage_error(tmp_path: Path, text: str | bytes) -> None:
    """The error names the file."""
    path = tmp_path / "other.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError, match=r"other\.toml is not a site file"):
        read_site(path)


def test_a_site_is_found_by_the_host_of_a_page(tmp_path: Path) -> None:
    """Whatever the path and the port; other hosts, and pages without one, have none."""
    folder = SiteFolder(tmp_path)
    site = learn(read_page(story(number)) for number in (1, 2))
    folder.file_of("mill.example").write_text(write_site(site), encoding="utf-8")
    found = known(pickle.loads(pickle.dumps(folder)).site_of("https://MILL.example:8080/rye?x=1"))
    assert write_site(site) == write_site(found)
    assert folder.site_of("https://www.mill.example/rye") is None
    assert folder.site_of(None) is None


@pytest.mark.parametrize("host", ["..", "../x", "::1", "a/b", "ähre.example"])
def test_no_host_leaves_the_folder(host: str, tmp_path: Path) -> None:
    """A host is one name in the folder, whatever it is made of."""
    assert tmp_path == SiteFolder(tmp_path).file_of(host).parent


def test_a_file_that_holds_no_site_is_told(tmp_path: Path) -> None:
    """It is a UsageError that names the file."""
    folder = SiteFolder(tmp_path)
    folder.file_of("mill.example").write_text("rye", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mill\.example\.toml is not a site file"):
        folder.site_of("http://mill.example/")
    folder.file_of("barn.example").mkdir()
    with pytest.raises(UsageError, match=r"barn\.example\.toml"):
        folder.site_of("http://barn.example/")
