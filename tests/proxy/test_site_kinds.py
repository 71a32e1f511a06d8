"""Sites are judged by their pages so far."""

from __future__ import annotations

from pathlib import Path

from thresher.proxy.memory import SiteKinds

SHOP = "https://www.shop.example/"


def test_a_site_is_what_most_of_its_pages_are() -> None:
    """One page of an application makes a site one; among many articles it does not."""
    kinds = SiteKinds()
    assert not kinds.is_application(SHOP)
    kinds.note(SHOP, is_application=True)
    assert kinds.is_application("https://shop.example/about?x=1")
    assert not kinds.is_application("https://news.example/")
    for _ in range(9):
        kinds.note("https://news.example/", is_application=False)
    kinds.note("https://news.example/", is_application=True)
    assert not kinds.is_application("https://news.example/")


def test_a_menu_does_not_come_and_go() -> None:
    """A site changes back only after many more pages than it needed to become an application."""
    kinds = SiteKinds()
    seen = []
    for number in range(12):
        kinds.note(SHOP, is_application=number % 3 == 0)
        seen.append(kinds.is_application(SHOP))
    assert all(seen)
    for _ in range(9):
        kinds.note(SHOP, is_application=False)
    assert not kinds.is_application(SHOP)


def test_applications_are_known_after_a_start(tmp_path: Path) -> None:
    """They are kept in a file, and only they."""
    path = tmp_path / "applications.json"
    kinds = SiteKinds(path)
    kinds.note("https://news.example/", is_application=False)
    assert not path.exists()
    kinds.note(SHOP, is_application=True)
    assert "news.example" not in path.read_text()
    assert SiteKinds(path).is_application(SHOP)


def test_a_file_of_another_kind_is_not_used(tmp_path: Path) -> None:
    """Whatever is in the file, the proxy starts."""
    path = tmp_path / "applications.json"
    for text in ("", "[]", "{", '{"a": 1}', '{"a": ["x", 1]}', "\ud800".join("ab")):
        path.write_text(text, errors="replace")
        assert not SiteKinds(path).is_application("https://a/")


def test_a_disk_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """The proxy goes on, and learns again."""
    (tmp_path / "file").write_text("")
    kinds = SiteKinds(tmp_path / "file" / "applications.json")
    kinds.note(SHOP, is_application=True)
    assert kinds.is_application(SHOP)
