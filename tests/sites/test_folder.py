"""A folder of sites by host."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.sites.pages import story
from thresher import read_page
from thresher.errors import UsageError
from thresher.sites import SiteFolder, learn, write_site


def test_a_site_is_found_by_the_host_of_a_page(tmp_path: Path) -> None:
    """Whatever the path and the port; other hosts, and pages without one, have none."""
    folder = SiteFolder(tmp_path)
    site = learn(read_page(story(number)) for number in (1, 2))
    folder.file_of("mill.example").write_text(write_site(site), encoding="utf-8")
    found = pickle.loads(pickle.dumps(folder)).site_of("https://MILL.example:8080/rye?x=1")
    assert found is not None
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
