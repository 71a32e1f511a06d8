"""The report of one page is one well-formed file that loads nothing and trusts nothing."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tests.explain.test_explanation import PAGE, explain_page
from tests.helpers import judged
from tests.helpers.reports import ReportReader
from thresher.algorithms import ALGORITHMS, MethodName
from thresher.explain.explanation import Explanation, Limit
from thresher.explain.page import (
    MAX_POINTS,
    STYLE,
    draw_charts,
    format_score,
    pick_points,
    write_explanation,
)

HOSTILE = "</p></title><script>alert('1')</script>\"'&amp;<b>"


class Reader(ReportReader):
    """Collects blocks, too."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        """Pairs of a block's class, kept or dropped, and its text."""
        self._in_block = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        classes = (dict(attrs).get("class") or "").split()
        if tag == "li" and {"kept", "dropped"} & set(classes):
            self.blocks.append((classes[0], ""))
        elif tag == "span" and "text" in classes and self.blocks:
            self._in_block = "li" in self.open

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self._in_block &= tag != "span"

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if self._in_block:
            mark, text = self.blocks[-1]
            self.blocks[-1] = (mark, text + data)


def read(explanation: Explanation) -> Reader:
    return Reader.read(write_explanation(explanation))


@pytest.mark.parametrize("method", ALGORITHMS)
def test_page_has_every_block_once(method: MethodName) -> None:
    """By every method, each block stands in its order, marked as the selection has it."""
    explanation = explain_page(PAGE, method)
    expected = [
        ("kept" if each.block.kept else "dropped", each.block.text) for each in explanation.blocks
    ]
    assert expected == read(explanation).blocks


@pytest.mark.parametrize("method", ALGORITHMS)
def test_page_without_text_has_a_report(method: MethodName) -> None:
    """A page without content is reported as such."""
    reader = read(explain_page("<p></p>", method))
    assert [] == reader.blocks
    assert "This page shows no text." in reader.text
    assert "No main content." in reader.text


def test_page_has_no_scripts_and_loads_nothing() -> None:
    """No element loads anything, addresses lead into the page, and a policy forbids the rest."""
    explanation = explain_page("<p>One<p>Two", "keep_all")
    reader = read(explanation)
    assert not {"script", "link", "iframe", "object", "img"} & set(reader.tags)
    assert {"#"} == {address[0] for address in reader.addresses}
    assert "default-src 'none'" in write_explanation(explanation)


def test_page_of_hostile_texts() -> None:
    """Texts, titles, addresses and names are text, whatever they hold."""
    explanation = explain_page(f"<pre>{HOSTILE.replace('&', '&amp;').replace('<', '&lt;')}", "bte")
    each = explanation.blocks[0]
    hostile = dataclasses.replace(
        explanation,
        title=HOSTILE,
        url=f"https://a.example/{HOSTILE}",
        blocks=(dataclasses.replace(each, block=dataclasses.replace(each.block, reason=HOSTILE)),),
    )
    reader = read(hostile)
    assert [("kept", HOSTILE)] == reader.blocks
    assert "script" not in reader.tags
    assert f"https://a.example/{HOSTILE}" in reader.addresses


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "", None])
def test_page_links_only_to_the_web(url: str | None) -> None:
    """An address of another scheme is shown, but is no link."""
    explanation = dataclasses.replace(explain_page(PAGE, "bte"), url=url, html="")
    assert {"#"} == {address[0] for address in read(explanation).addresses}


def test_page_tells_what_the_method_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdict, page type, confidence, roles, and what moved each block, stand in the report."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    text = read(explain_page("<p>Rye bread</p><p>Oats", "judged")).text
    for part in (
        "Verdict: content",
        "related",
        "page type article (75% probable)",
        "confidence 88%",
        "+1.50 words = 3.25 words, log",
        "−1.25 names tags, classes",
        "+0.50 type_forum = 0.75 probability",
    ):
        assert part in text


def test_page_tells_nothing_more_when_the_method_does_not_judge() -> None:
    """Without a judgement there is a verdict, and no word of types, roles or effects."""
    text = read(explain_page("<p>Rye bread</p><p>Oats", "keep_all")).text
    assert "Verdict: content" in text
    for part in ("page type", "confidence", "related", "moved"):
        assert part not in text


def test_page_tells_the_evidence_of_an_obstacle() -> None:
    """A page sent in place of another is reported with its evidence."""
    explanation = explain_page("<title>404 Not Found</title><h1>404 & &lt;b></h1>", "keep_all")
    assert explanation.obstacle is not None
    text = read(explanation).text
    assert f"Verdict: blocked or error page\n{explanation.obstacle.evidence}" in text


def test_page_of_many_blocks() -> None:
    """A page of many blocks lists them all, and draws as many bars as a chart takes."""
    count = 5 * MAX_POINTS
    reader = read(explain_page("<p>word" * count, "keep_all"))
    assert count == len(reader.blocks)
    assert reader.tags.count("a") <= 3 * MAX_POINTS + 4


def test_page_lists_a_limited_number_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many blocks the first are listed, and the number of the others is stated."""
    monkeypatch.setattr("thresher.explain.page._MAX_LISTED_BLOCKS", 20)
    report = write_explanation(explain_page("<p>w" * 50, "keep_all"))
    assert 20 == report.count("<li id=b")
    assert "30 more blocks are not listed" in report


def test_page_of_great_depth() -> None:
    """A page a hundred thousand levels deep is reported like any other."""
    reader = read(explain_page("<div>" * 100_000 + "text", "keep_all"))
    assert [("kept", "text")] == reader.blocks


def test_page_shows_parameters_that_were_set() -> None:
    """Parameters that were set must be shown first, and defaults must be folded away."""
    html = write_explanation(explain_page(PAGE, "max_density", degree=3))
    assert html.index("degree = 3") < html.index("<summary>5 parameters at their defaults")


REPORTS = "".join(
    write_explanation(explain_page(html, "max_density", degree=degree))
    for html in (PAGE, "<p></p>", "<p>word</p><img src=a.png>")
    for degree in (0, 1)
).replace(STYLE, "")


def test_style_has_no_rule_for_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every class and every name that the style sheet speaks of is in some report."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    learned = write_explanation(explain_page(PAGE, "judged"))
    used = set(re.findall(r"""class=["']?([\w -]+)""", REPORTS + learned))
    classes = {name for names in used for name in names.split()}
    rules = re.sub(r"\{[^{}]*\}", " ", STYLE)
    assert set(re.findall(r"\.([a-z]+)", rules)) <= classes
    assert all(f"id={name}" in REPORTS for name in re.findall(r"#([a-z-]+)", rules))


def test_style_has_two_colour_schemes_and_loads_nothing() -> None:
    """Every named colour of the light scheme has its like in the dark one; no rule loads a file."""
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    light, dark = re.findall(r":root\{([^}]*)\}", STYLE)
    names = re.compile(r"--[a-z]+")
    assert names.findall(light) == names.findall(dark)


BAR = re.compile(r'<rect class="(in|out)" x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)"/>')


@pytest.mark.parametrize("method", ALGORITHMS)
def test_chart_has_a_bar_for_each_block(method: str) -> None:
    """Score, length and density of each block are drawn in its colour, within the frame."""
    explanation = explain_page(PAGE, method)
    *charts, _ = draw_charts(explanation)
    assert 3 == len(charts)
    for chart in charts:
        bars = BAR.findall(chart)
        kept = ["in" if each.block.kept else "out" for each in explanation.blocks]
        assert kept == [kind for kind, _, _ in bars]
        for top, height in ((float(top), float(height)) for _, top, height in bars):
            assert 0 <= top <= top + height <= 100.11


def test_chart_shades_each_kept_region() -> None:
    """Neighbours that are kept share one region."""
    explanation = explain_page("<p>abcdefghij</p><p>abcdefgh</p><p>a</p>", "max_density")
    chart = next(draw_charts(explanation))
    assert ['<rect class="region" x="0" width="2"'] == re.findall(
        r'<rect class="region" x="\d+" width="\d+"', chart
    )


def test_chart_draws_the_limit() -> None:
    """Only the score has a limit, and it is drawn where its label is."""
    score, length, *_ = draw_charts(explain_page("<p>abcdefghij</p><p>abc</p>", "max_density"))
    assert '<span class="limit" style="top:66.7%">3.33</span>' in score
    assert '<line class="limit" x1="0" x2="24" y1="66.7" y2="66.7"/>' in score
    assert 'class="limit"' not in length


@pytest.mark.parametrize(
    ("scores", "ends"),
    [
        ((1, -100), ["0", "1", "≤ −6"]),
        ((100, -1), ["0", "≥ 6", "−1"]),
        ((1, -6), ["0", "1", "−6"]),
        ((0, -100), ["0", "−100"]),
    ],
)
def test_chart_cuts_what_would_hide_the_rest(scores: tuple[float, float], ends: list[str]) -> None:
    """One side of the limit reaches 6 times as far as the other at most, and its label says so."""
    explanation = explain_page("<p>abcdefghij</p><p>abc</p>", "link_ratio")
    blocks = tuple(
        dataclasses.replace(each, block=dataclasses.replace(each.block, score=score))
        for each, score in zip(explanation.blocks, scores, strict=True)
    )
    limit = Limit(0.0, "content is above")
    chart = next(draw_charts(dataclasses.replace(explanation, blocks=blocks, limit=limit)))
    assert ends == re.findall(r'<span class="\w+" style="[^"]+">([^<]+)</span>', chart)


@pytest.mark.parametrize("count", [0, 1, MAX_POINTS, MAX_POINTS + 1, 30_000])
def test_points_are_few_and_in_order(count: int) -> None:
    """However many blocks there are, the points are few, in order, and have the longest block."""
    points = pick_points([n == count // 3 for n in range(count)])
    assert min(count, 1) <= len(points) <= MAX_POINTS
    assert sorted(set(points)) == points
    assert not count or count // 3 in points


@pytest.mark.parametrize(("score", "spelled"), [(0, "0"), (-0.5, "−0.5"), (1234.5, "1.23e+03")])
def test_scores_are_short(score: float, spelled: str) -> None:
    """A score has three digits and a proper minus sign."""
    assert spelled == format_score(score)
