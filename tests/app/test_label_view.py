"""Labels beside results."""

from __future__ import annotations

from thresher.app.inspection import LabelLine, compare_with_label


def test_lines_that_the_result_has_not_are_told() -> None:
    """White space does not count; a label without text has no lines."""
    view = compare_with_label(
        "The old  rye stands.\nIn any wind.", "old rye\n\n Oats   are sown. \n"
    )
    lines = (LabelLine("old rye", True), LabelLine("Oats are sown.", False))
    assert (lines, 1, False) == (view.lines, view.n_missing, view.is_cut)
    assert 0 < view.score.f1 < 1
    assert () == compare_with_label("Rye.", "").lines
