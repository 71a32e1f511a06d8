"""Methods are scored on labelled pages, also with other pages of their sites."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import thresher
from tests.helpers import judged
from tests.helpers.data import cases
from tests.sites.pages import story
from thresher.algorithms import ALGORITHMS
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import (
    MAX_TITLE_CHARS,
    Contender,
    Found,
    PageResult,
    Plan,
    evaluate,
    evaluate_page,
    read_headings,
    remove_titles,
)
from thresher.evaluation.sites import Trial, group, main, measure, write
from thresher.page import Page
from thresher.selection import Selection

STORY = "<h1>Rye is back</h1><p>It was a good year for rye.</p>"
PAGES = [
    LabelledPage("mine", "plain", STORY, text="It was a good year for rye."),
    LabelledPage("mine", "unlabelled", STORY),
    LabelledPage("mine", "titled", STORY, text="Rye is back\n\nIt was a good year for rye."),
    LabelledPage("mine", "none", "<p></p>", text="", page_type="listing"),
]
ALL = Contender("all", "keep_all")


def fail(page: Page, params: Any) -> Selection:
    raise ZeroDivisionError("by design")


def f1_of(results: list[PageResult]) -> list[float]:
    return [result.scores["word"].f1 for result in results]


def without_times(results: list[PageResult]) -> list[PageResult]:
    return [dataclasses.replace(result, cpu_s=0.0) for result in results]


def test_results_are_those_of_labelled_pages() -> None:
    """Pages without a label are skipped; every other page is scored."""
    results = list(evaluate(PAGES, Plan((ALL,), ("word",))))
    assert ["plain", "titled", "none"] == [result.page for result in results]
    assert pytest.approx([2 * 7 / (10 + 7), 1, 1]) == f1_of(results)
    assert [False, False, True] == [result.is_empty for result in results]
    assert (len(STORY), None, "all") == (results[0].n_byte, results[0].error, results[0].method)
    assert "listing" == results[2].page_type
    assert all(result.cpu_s > 0 for result in results)


def test_page_is_empty_only_when_nothing_is_kept() -> None:
    """A page of which something is kept is not empty, even if it is an obstacle."""
    html = "<title>404 Not Found</title><h1>Page not found</h1>"
    page = LabelledPage("mine", "error", html, text="Page not found")
    assert [False] == [result.is_empty for result in evaluate_page(page, Plan((ALL,), ("word",)))]


def test_titles_are_removed_from_both_sides() -> None:
    """Without titles, labels with and without one give the same score."""
    results = list(evaluate(PAGES, Plan((ALL,), ("word",), without_title=True)))
    assert [1, 1, 1] == f1_of(results)


def test_parameters_reach_the_method() -> None:
    """A contender is a method with its parameters, which may be chosen for each page."""
    html = "<p>It was a good year for rye.</p><div class=weed>Not for oats.</div>"
    words = "weed", "none"
    weeds, *others = [
        LabelledPage("mine", word, html, text="It was a good year for rye.") for word in words
    ]
    method = "prune_shake_purify"
    contenders = tuple(Contender(word, method, {"poison_words": word}) for word in words)
    results = evaluate_page(weeds, Plan(contenders, ("word",)))
    assert ["weed", "none"] == [result.method for result in results]
    assert pytest.approx([1, 2 * 7 / (10 + 7)]) == f1_of(results)
    chosen = Contender("chosen", method, params_of=lambda page: {"poison_words": page.id})
    chosen_results = list(evaluate([weeds, *others], Plan((chosen,), ("word",))))
    assert f1_of(results) == f1_of(chosen_results)


@pytest.mark.parametrize(
    ("html", "contender", "error"),
    [
        (STORY, Contender("fail", fail), "ZeroDivisionError: by design (test_evaluate.py:"),
        ("%PDF-1.7 rye", ALL, "PDF"),
        (STORY, Contender("wrong", "keep_all", {"guess": 1}), 'no parameter "guess"'),
    ],
)
def test_failure_is_the_results_error(html: str, contender: Contender, error: str) -> None:
    """A failure scores as an empty text with its reason, and does not affect other results."""
    page = LabelledPage("mine", "page", html, text="rye")
    failed, empty = evaluate_page(page, Plan((contender, ALL), ("word",)))
    assert error in (failed.error or "")
    assert (True, 0) == (failed.is_empty, failed.scores["word"].f1)
    assert "all" == empty.method


def test_results_same_in_processes() -> None:
    """Several processes give the same results in the same order."""
    plan = Plan((ALL, Contender("default", "prune_shake_purify")), ("word", "lcstring"))
    pages = [dataclasses.replace(page, id=f"{page.id}{n}") for n in range(9) for page in PAGES]
    alone = without_times(list(evaluate(pages, plan)))
    assert 2 * 3 * 9 == len(alone)
    assert alone == without_times(list(evaluate(pages, plan, n_job=2)))


def test_any_finder_can_be_evaluated() -> None:
    """Any finder is scored like a method, with its own time and error."""

    class Oracle:
        name = "oracle"

        def find(self, page: LabelledPage) -> Found:
            if page.id == "none":
                raise LookupError("not kept")
            return Found(page.text or "", 0.5, is_empty=False)

    results = list(evaluate(PAGES, Plan((Oracle(),), ("word",))))
    assert ["oracle"] * 3 == [result.method for result in results]
    assert [1, 1, 1] == f1_of(results)  # finding nothing matches an empty label
    assert [0.5, 0.5] == [result.cpu_s for result in results[:2]]
    assert "LookupError: not kept" in (results[2].error or "")


def test_result_has_the_confidence_of_the_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result has the confidence of its method, if the method estimates one."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    plan = Plan((Contender("judged", "judged"), ALL), ("word",))
    told = [result.confidence for result in evaluate_page(PAGES[0], plan)]
    assert [judged.CONFIDENCE, None] == told


@cases(__file__, "titles")
def test_title_removed_from_a_text(text: str, left: str) -> None:
    """A first line that equals the title is removed, or a title at the start, but no sentence."""
    assert left == remove_titles(text, ["Rye is back"])


def test_title_removed_once_when_it_is_given_twice() -> None:
    """If the label's title equals the page's heading, it is removed once."""
    text = "Rye is back\nRye is back"
    assert "\nRye is back" == remove_titles(text, ["Rye is back", "RYE is back!"])


def test_text_is_left_alone_without_its_title() -> None:
    """Titles without a letter, or longer than any, remove nothing; a near match takes no time."""
    text = "word " * MAX_TITLE_CHARS
    assert text == remove_titles(text, ["", "…", text])
    text = "a" + " \n" * 50_000 + "c"
    assert text == remove_titles(text, ["ab"])


def test_headings_of_a_page() -> None:
    """All level-one headings are read, whatever they contain."""
    page = thresher.read_page("<h1>Rye <i>is</i> back</h1><h2>Oats</h2><h1>Two</h1>")
    assert ["Rye is back", "Two"] == read_headings(page)


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
