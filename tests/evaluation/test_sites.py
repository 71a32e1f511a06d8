"""The benefit of knowing other pages of a site, measured page by page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sites.pages import story
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.sites import Trial, group, main, measure, write


def page_of(number: int, host: str | None = "mill.example") -> LabelledPage:
    """Return a labelled article page; the label has only the article."""
    html = story(number)
    text = html[html.index("<h1>") : html.index("</article>")].replace("<", " <")
    words = " ".join(part.partition(">")[2] for part in text.split("<"))
    url = f"https://{host}/{number}" if host else None
    return LabelledPage("mill", f"mill/story-{number}", html, url=url, text=words)


def test_pages_are_grouped_by_host_or_name() -> None:
    """Pages are grouped into sites, and sites of one page are left out."""
    pages = [page_of(1), page_of(2), page_of(3, None), page_of(4, None), page_of(5, "b.example")]
    found = {site: len(pages) for site, pages in group(pages).items()}
    assert {"mill.example": 2, "mill/story": 2} == found


def test_knowing_the_site_helps() -> None:
    """Each page is extracted with increasing numbers of other pages; repeated text is dropped."""
    pages = [page_of(number) for number in (1, 2, 3)]
    trials = list(measure("mill.example", pages, {page.id: {} for page in pages}))
    assert [1, 2] * 3 == [trial.known for trial in trials]
    assert all(trial.f1 > trial.alone for trial in trials)


def test_tables_show_gains_and_losses() -> None:
    """Tables have rows per corpus and number of known pages, and list the sites that lost."""
    trials = [
        Trial("news", "a", "1", 5, alone=0.8, f1=0.9, is_used=True, learn_s=0.001, use_s=0.002),
        Trial("news", "a", "2", 5, alone=0.8, f1=0.8, is_used=True, learn_s=0.001, use_s=0.002),
        Trial("news", "b", "3", 1, alone=0.9, f1=0.8, is_used=True, learn_s=0.001, use_s=0.002),
        Trial("rest", "c", "4", 1, alone=0.9, f1=0.9, is_used=False, learn_s=0.001, use_s=0.002),
    ]
    text = write(trials)
    assert "| news | 1 | 1 | 0.9000 | 0.8000 | -100% | 0 | 1 |" in text
    assert "| news | 5 | 2 | 0.8000 | 0.8500 | +25% | 1 | 0 |" in text
    assert "| news: a | 5 | 2 | 0.8000 | 0.8500 | +25% | 1 | 0 |" in text
    assert "2 of 3 sites have a page that it changed, by -0.0250 F1 in the mean." in text
    assert "- news: b, 1 known: -0.100" in text
    assert "1.00 ms to learn a page that is parsed, 2.00 ms more to extract one" in text


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command accepts a folder of pages; without any corpus the usage is incorrect."""
    for number in (1, 2):
        (tmp_path / f"story-{number}.html").write_text(story(number), encoding="utf-8")
        (tmp_path / f"story-{number}.txt").write_text("Rye.", encoding="utf-8")
    assert 0 == main([str(tmp_path)])
    assert "| 1 | 2 |" in capsys.readouterr().out
    assert 2 == main([str(tmp_path / "none")])
