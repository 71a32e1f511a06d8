"""Paragraphs of a story that is mostly kept are kept too."""

from __future__ import annotations

import numpy as np
import pytest

from tests.algorithms.learned.masks import flags_of, shown
from thresher.algorithms.learned.landmarks import find_landmarks
from thresher.algorithms.learned.paragraphs import find_paragraphs
from thresher.features import compute_features
from thresher.page.parse import parse

SAID = "<p>The mill grinds rye from early in the morning.</p>"
ASKED = "<p>“Does it grind oats?”</p>"
UNENDED = "<p>The miller, our reporter</p>"
LINKED = "<p><a href=/a>The miller sold his mill.</a></p>"


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (SAID * 3 + ASKED, "1110", "0001"),
        (ASKED + SAID * 3, "0110", "1001"),
        (SAID * 4, "1000", "0000"),
        (SAID * 4, "0000", "0000"),
        (SAID * 3, "110", "000"),
        (SAID * 3 + UNENDED, "1110", "0000"),
        (SAID * 4 + LINKED, "11110", "00000"),
        (f"<div>{SAID * 4}</div><div>{SAID * 4}</div>", "11100000", "00010000"),
        (f"{SAID * 4}<div>{SAID}</div>", "11110", "00000"),
        ("<p>麦を挽く。" * 4, "1110", "0001"),
        (SAID * 3 + "<p>(Photo: Ada Roth)</p>", "1110", "0001"),
        (SAID * 3 + "<p>(Photo) Ada Roth</p>", "1110", "0000"),
    ],
)
def test_rest_of_a_text_is_kept_when_most_is(html: str, keep: str, expected: str) -> None:
    """Half of the words of four paragraphs decide; unended and linked ones do not count.

    A line in brackets is as complete as a sentence.
    """
    page = parse(f"<main>{html}</main>")
    features = compute_features(page)
    landmarks, likely = find_landmarks(page, features), np.full(len(keep), 0.5)
    assert expected == shown(find_paragraphs(page, features, landmarks, flags_of(keep), likely))


@pytest.mark.parametrize(
    ("n_said", "n_kept", "probability", "expected"),
    [(18, 8, 0.2, "11"), (15, 8, 0.2, "00"), (18, 7, 0.2, "00"), (18, 8, 0.05, "00")],
    ids=["long", "short", "few kept", "unlikely"],
)
def test_rest_of_a_long_text_is_kept_when_several_paragraphs_are(
    n_said: int, n_kept: int, probability: float, expected: str
) -> None:
    """Quotations and what announces them are kept with the text, though most of it was dropped."""
    quoted = "<p>She said:</p><blockquote><p>I am the miller</p></blockquote>"
    page = parse(f"<main>{SAID * n_said}{quoted}{UNENDED}</main>")
    features = compute_features(page)
    keep = np.arange(n_said + 3) < n_kept
    landmarks, likely = find_landmarks(page, features), np.full(keep.size, probability)
    found = find_paragraphs(page, features, landmarks, keep, likely)
    assert f"{expected}0" == shown(found)[-3:]
