"""Mending of a choice: what belongs to kept blocks is kept with them, what belongs to none dropped.

A cut of a ranking takes no account of how a page is built. The rules of this package's other
modules do; they are applied one after the other, as each looks at what those before have kept.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.captions import find_captions, flag_figures
from thresher.algorithms.learned.gaps import find_gaps
from thresher.algorithms.learned.landmarks import find_landmarks
from thresher.algorithms.learned.notes import find_notes
from thresher.algorithms.learned.paragraphs import find_paragraphs
from thresher.algorithms.learned.reasons import Reason
from thresher.algorithms.learned.sections import (
    find_announced_parts,
    find_bare_headings,
    find_bars,
    find_section_headings,
    find_signatures,
    tells_story,
)
from thresher.algorithms.learned.structures import complete_structures
from thresher.algorithms.learned.uniform import (
    complete_uniform,
    find_announced_lists,
    find_following_descriptions,
    find_strays,
)
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray

__all__ = ["mend"]

FloatArray = npt.NDArray[np.float64]


def mend(
    page: Page,
    features: Features,
    keep: BoolArray,
    probability: FloatArray,
    allowed: BoolArray,
    *,
    types: FloatArray,
) -> tuple[BoolArray, dict[Reason, BoolArray]]:
    """Add allowed blocks that belong to kept ones, and drop kept ones that belong to none.

    ``types`` are the probabilities of the page types. Returns all kept blocks, bool[n_block], and
    those added or dropped for each reason.
    """
    landmarks = find_landmarks(page, features)
    changed = {Reason.GAP: find_gaps(page, features, keep, probability)}
    keep = keep | changed[Reason.GAP]
    whole = complete_structures(page, features, keep, probability)
    # A picture in the text does not part what stands before and after it.
    pictured = flag_figures(page) & ~keep
    if pictured.any():
        whole |= complete_structures(page, features, keep | pictured, probability) & ~pictured
    whole &= allowed
    keep |= whole
    for more in (
        find_announced_parts(page, features, landmarks, keep, probability),
        find_announced_lists(page, features, landmarks, keep),
        complete_uniform(page, features, landmarks, keep, probability),
        find_following_descriptions(page, landmarks, keep),
        find_paragraphs(page, features, landmarks, keep, probability),
    ):
        whole |= more & allowed
        keep |= whole
    changed[Reason.STRAY] = find_strays(page, features, landmarks, keep)
    keep &= ~changed[Reason.STRAY]
    headings = find_section_headings(page, features, keep, probability, types) & allowed
    keep |= headings
    changed[Reason.WHOLE] = whole | headings
    if tells_story(types):
        changed[Reason.SIGNATURE] = find_signatures(page, features, keep, probability) & allowed
        keep |= changed[Reason.SIGNATURE]
    changed[Reason.CAPTION] = find_captions(page, keep, probability) & allowed
    keep |= changed[Reason.CAPTION]
    changed[Reason.NOTE] = find_notes(page, features, keep) & allowed
    keep |= changed[Reason.NOTE]
    changed[Reason.BAR] = find_bars(page, features, landmarks, keep)
    keep &= ~changed[Reason.BAR]
    changed[Reason.BARE] = find_bare_headings(
        page, features, landmarks, keep, probability, types=types
    )
    keep &= ~changed[Reason.BARE]
    return keep, changed
