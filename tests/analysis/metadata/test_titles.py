"""Separation of a headline from the site's name."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.titles import (
    cut_kicker,
    cut_site_name,
    is_site_name,
    shares_most_words,
)

SITE = frozenset({"thedailysheaf", "dailysheaf"})

CUT = (
    ("Rye is back", (), "Rye is back"),
    ("Rye is back | The Daily Sheaf", (), "Rye is back"),
    ("Rye is back - The Daily Sheaf", (), "Rye is back"),
    ("Rye is back – Farming – The Daily Sheaf", (), "Rye is back – Farming"),
    ("The Daily Sheaf: Rye is back", (), "The Daily Sheaf: Rye is back"),
    ("The Daily Sheaf : Rye is back", (), "Rye is back"),
    ("Rye is back – and so are oats", (), "Rye is back – and so are oats"),
    ("Rye is back at last | Farming Weekly", (), "Rye is back at last"),
    ("Rye | Farming Weekly", (), "Rye | Farming Weekly"),
    ("Rye | Farming Weekly", ("Rye",), "Rye"),
    ("Rye - Farming Weekly", ("Home", "Rye"), "Rye"),
    ("Farming » Rye - what now?", ("Rye – what now?",), "Rye - what now?"),
    ("黑麦回来了：今年的收成_农业日报", (), "黑麦回来了：今年的收成"),
    ("黑麦今年终于回来了-dailysheaf", (), "黑麦今年终于回来了"),
    ("黑麦今年终于回来了-以及燕麦", (), "黑麦今年终于回来了-以及燕麦"),
    ("Rye-dailysheaf", (), "Rye-dailysheaf"),
    ("黑麦今年终于回来了，收成很好--农业--农业网", (), "黑麦今年终于回来了，收成很好"),
    ("Rye is back in all the fields - Farming - Press", (), "Rye is back in all the fields"),
    ("Rye is back in all the fields - Farming", (), "Rye is back in all the fields - Farming"),
    ("Rye is back in all - oats - wheat in most", (), "Rye is back in all - oats - wheat in most"),
    ("Old Mill: Rye is back", ("Old Mill", "Rye is back"), "Rye is back"),
    ("Old Mill: Rye is back", ("Rye is back",), "Old Mill: Rye is back"),
    ("Rye is back at last | The Daily Sheaf - News of fields", (), "Rye is back at last"),
    ("Farms | Daily Sheaf | Rye is back at last", (), "Farms | Daily Sheaf | Rye is back at last"),
    ("The Daily Sheaf", (), "The Daily Sheaf"),
    ("The Daily Sheaf | The Daily Sheaf", (), "The Daily Sheaf"),
    ("", (), ""),
    (" | ", (), ""),
    ("a | " * 1000, (), None),
)


@pytest.mark.parametrize(("title", "headings", "expected"), CUT)
def test_cut_site_name(title: str, headings: tuple[str, ...], expected: str | None) -> None:
    """The site's name is cut off either end; possible parts of the headline stay."""
    found = cut_site_name(title, SITE, headings)
    assert found == (found if expected is None else expected)


@pytest.mark.parametrize(
    ("title", "path", "expected"),
    [
        ("Rye is back : farming", "/r/farming/comments/1/rye_is_back/", "Rye is back"),
        ("Rye is back • r/farming", "/r/farming/comments/1/rye_is_back/", "Rye is back"),
        ("Rye is back - Field News", "/field-news/rye-is-back", "Rye is back"),
        ("Rye is back - Farming", "/farming", "Rye is back - Farming"),
        ("Rye is back - Farming", "/old-farming/rye", "Rye is back - Farming"),
    ],
)
def test_cut_section(title: str, path: str, expected: str) -> None:
    """A last piece that names a folder of the page's address is a section, not the headline."""
    assert expected == cut_site_name(title, SITE, (), path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Daily Sheaf", True),
        ("DailySheaf.com", True),
        ("Daily Sheaf News", True),
        ("", True),
        ("Sheaf", False),
        ("Rye is back in the Daily Sheaf's test fields", False),
    ],
)
def test_is_site_name(text: str, expected: bool) -> None:
    """Most of the text is the site's name, or the other way round."""
    assert expected is is_site_name(text, SITE)


@pytest.mark.parametrize(
    ("shown", "stated", "expected"),
    [
        ("Opinion Rye is back", "Rye is back", "Rye is back"),
        ("Opinion: Rye is back", "Rye is back", None),
        ("Rye is back", "Rye is back", None),
        ("Bye is back", "Rye is back", None),
        ("A whole sentence stands before it. Rye is back", "Rye is back", None),
        ("Opinion Rye", "Rye", None),
    ],
)
def test_cut_kicker(shown: str, stated: str, expected: str | None) -> None:
    """Only a word or two before the very headline are a kicker."""
    assert expected == cut_kicker(shown, stated)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Rye is back", "Is rye back? A report", True),
        ("Rye is back", "Privacy settings", False),
        ("黑麦回来了", "农业：黑麦回来了", True),
        ("", "Rye", False),
    ],
)
def test_shares_most_words(one: str, other: str, expected: bool) -> None:
    """Half of the words of the shorter text are enough; order and case do not count."""
    assert expected is shares_most_words(one, other)
