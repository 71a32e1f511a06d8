"""Sites that go along with settings."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.sites.pages import NOTICE, stories, story
from thresher import extract
from thresher.errors import UsageError
from thresher.sites import SiteFolder, learn, pack_sites, write_site


def folder_of(path: Path) -> SiteFolder:
    """Write a folder with the site of one host."""
    folder = SiteFolder(path)
    folder.file_of("mill.example").write_text(write_site(learn(stories(1, 2, 3))), "utf-8")
    return folder


def test_packed_sites_are_those_of_the_folder(tmp_path: Path) -> None:
    """A host's site has the same effect, without the folder; other hosts have none."""
    folder = folder_of(tmp_path)
    packed = pickle.loads(pickle.dumps(pack_sites(folder)))
    site = folder.site_of("https://mill.example/4")
    folder.file_of("mill.example").unlink()
    alike = extract(story(4), site=packed.site_of("https://mill.example/4")).text
    assert extract(story(4), site=site).text == alike
    assert NOTICE not in alike
    assert packed.site_of("https://barn.example/4") is None
    assert packed.site_of(None) is None


def test_packed_sites_are_named_by_their_content(tmp_path: Path) -> None:
    """Equal files are an equal value, whose text is short; others have another digest."""
    folder = folder_of(tmp_path)
    first = pack_sites(folder)
    assert first == pack_sites(folder)
    assert 100 > len(repr(first))
    folder.file_of("barn.example").write_text(write_site(learn([])), "utf-8")
    assert first.digest != pack_sites(folder).digest


def test_a_file_that_is_no_site_is_named(tmp_path: Path) -> None:
    """It raises UsageError when the site of its host is asked for."""
    folder = folder_of(tmp_path)
    folder.file_of("barn.example").write_text("chaff", "utf-8")
    packed = pack_sites(folder)
    assert packed.site_of("https://mill.example/") is not None
    with pytest.raises(UsageError, match=r"barn\.example\.toml is not a site file"):
        packed.site_of("https://barn.example/")
