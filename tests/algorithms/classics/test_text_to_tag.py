"""Weninger and Hsu 2008 and CETR 2010, checked against ratios worked out by hand."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from tests.algorithms.kept import kept
from thresher.algorithms.classics.text_to_tag import (
    Params,
    cluster,
    count_chars,
    find_lines,
    select,
    smooth,
    steepness,
    tag_ratios,
)
from thresher.page.parse import parse

# Line 0: <html><head></head><body><div>   5 tags, no text     ratio 0
# Line 1: <p>ten chars!</p>                2 tags, 9 characters   4.5
# Line 2: plain text                       no tag, 9 characters   9
# Line 3: </div></body></html>             3 tags, no text        0
WORKED = "<div>\n<p>ten chars!</p>\nplain text\n</div>"
RATIOS = [0.0, 4.5, 9.0, 0.0]
PLAIN = Params(clusters=1, radius_lines=0)


def test_ratios_are_characters_per_tag_when_counted_by_hand() -> None:
    """A line's ratio is its characters divided by its tags, or by 1 if it has no tag."""
    page = parse(WORKED)
    lines = find_lines(page, count_chars(page), Params())
    assert [5, 2, 0, 3] == lines.tags.tolist()
    assert [0, 9, 9, 0] == lines.chars.tolist()
    assert RATIOS == tag_ratios(lines).tolist()


def test_threshold_is_standard_deviation_when_worked_by_hand() -> None:
    """Lines above the standard deviation of the ratios are kept: √(55.6875 / 4) = 3.731."""
    selection = select(parse(WORKED), PLAIN)
    threshold = (55.6875 / 4) ** 0.5
    assert ["ten chars!", "plain text"] == kept(selection)
    assert [4.5 - threshold, 9 - threshold] == pytest.approx(selection.score.tolist())
    doubled = Params(clusters=1, radius_lines=0, threshold_factor=2)
    assert ["plain text"] == kept(select(parse(WORKED), doubled))


def test_equal_weights_when_smoothed_as_in_2008() -> None:
    """A line's smoothed ratio is the mean of the lines within the radius."""
    smoothed = smooth(np.array(RATIOS), Params(radius_lines=1, gaussian=False))
    assert [2.25, 4.5, 4.5, 4.5] == pytest.approx(smoothed.tolist())


def test_gaussian_weights_when_smoothed_as_in_2010() -> None:
    """A neighbour at the radius has weight e^(−1/2)."""
    weight = exp(-0.5)
    smoothed = smooth(np.array(RATIOS), Params(radius_lines=1))
    assert (0 + 4.5 * weight) / (1 + weight) == pytest.approx(smoothed[0])
    assert (4.5 + 9 * weight) / (1 + 2 * weight) == pytest.approx(smoothed[1])


def test_steepness_is_mean_of_lines_ahead_less_own_when_worked_by_hand() -> None:
    """Steepness is |mean of up to three lines ahead − own ratio|, and 0 at the last line."""
    steep = steepness(np.array(RATIOS), Params(radius_lines=0))
    assert [4.5, 0, 9, 0] == pytest.approx(steep.tolist())
    next_only = steepness(np.array(RATIOS), Params(radius_lines=0, ahead_lines=1))
    assert [4.5, 4.5, 9, 0] == pytest.approx(next_only.tolist())


def test_clusters_when_worked_by_hand() -> None:
    """One centre stays at the origin; the others move to the means of their points."""
    points = np.array([[0, 0], [1, 0], [10, 0], [11, 0], [0, 20]], float)
    # Centres: the origin, (0, 20) and, after one round, (10.5, 0).
    expected = [0 - 10.5, 1 - 9.5, 10 - 0.5, 11 - 0.5, 20 - 0]
    assert expected == pytest.approx(cluster(points, 3).tolist())


def test_origin_takes_all_points_when_all_are_there() -> None:
    """If all points are at the origin there is no content; no points at all are not an error."""
    assert [0, 0] == cluster(np.zeros((2, 2)), 3).tolist()
    assert [] == cluster(np.zeros((0, 2)), 3).tolist()


def test_article_lines_kept_when_clustered() -> None:
    """The defaults keep lines of text and drop lines of links."""
    menu = "<li><a href='/a'>Entry</a></li>\n" * 12
    text = "<p>The wheel turns slowly in the morning, and the miller waits for the water.</p>\n"
    selection = select(parse(f"<ul>\n{menu}</ul>\n{text * 6}<ul>\n{menu}</ul>"), Params())
    kept_texts = kept(selection)
    assert 6 == sum("miller" in block for block in kept_texts)
    assert not any("Entry" in block for block in kept_texts[2:-2])
    page = selection.page
    reasons = {page.block_text(b)[:5]: selection.reason(b) for b in range(len(page.blocks))}
    assert "lines of much text for their tags" == reasons["The w"]


def test_scripts_and_blank_lines_do_not_count() -> None:
    """Scripts are removed first, as in the papers, so that they add neither lines nor tags."""
    noisy = WORKED.replace("<p>", "<script>\nif (a) {\n}\n</script>\n\n  \n<!-- -->\n<p>")
    plain, other = (select(parse(html), PLAIN) for html in (WORKED, noisy))
    assert plain.score.tolist() == other.score.tolist()


def test_long_lines_cut_when_page_has_hardly_any_breaks() -> None:
    """A page in a single line is cut into lines of a given length, unless that is switched off."""
    html = "<p>x</p>" * 40 + "<div>" + "words without any tag " * 40 + "</div>"
    page = parse(html)
    whole = find_lines(page, count_chars(page), Params(wrap_chars=0))
    assert 1 == whole.start.size
    cut = find_lines(page, count_chars(page), Params())
    assert -(-len(page.buffer) // 65) == cut.start.size
    assert whole.chars.sum() == cut.chars.sum()
    assert whole.tags.sum() == cut.tags.sum()
    assert [False, True] == select(page, Params()).keep[[0, -1]].tolist()
    assert select(page, Params(wrap_chars=0)).keep.all()
    assert select(page, Params(max_mean_chars=10_000)).keep.all()


def test_text_follows_most_of_its_characters_when_over_several_lines() -> None:
    """A text that spans several lines is kept if the line with most of it is."""
    long_line = "a line of text that is as long as lines of text are in articles"
    html = f"<div><b></b><b></b><b></b>a\n{long_line}\n{long_line}\n</div>"
    selection = select(parse(html), PLAIN)
    assert [True] == selection.keep.tolist()


@pytest.mark.parametrize("clusters", [1, 2, 3])
@pytest.mark.parametrize("html", ["", " \n ", "<img src=a.png>"])
def test_nothing_kept_when_page_has_no_text(html: str, clusters: int) -> None:
    """Lines without text are at the origin, so that nothing is kept."""
    assert not select(parse(html), Params(clusters=clusters)).keep.any()


def test_word_kept_when_alone() -> None:
    """The only line with text is content."""
    assert ["word"] == kept(select(parse("word"), Params()))
