"""The elements around a block: which there are, and why it may be hidden."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.base import Counts, Matrix, list_features
from thresher.hidden import Hidden
from thresher.tags import CODE_OF, NAMES

__all__ = ["FEATURES", "measure"]

_AROUND: Final = {
    "nav": "nav menu dir",
    "header": "header hgroup",
    "footer": "footer",
    "aside": "aside",
    "main": "main",
    "article": "article",
    "section": "section",
    "form": "form fieldset search",
    "control": "button select option label legend optgroup summary",
    "list": "ul ol dl",
    "table": "table",
    "cell": "td th",
    "heading": "h1 h2 h3 h4 h5 h6",
    "h1": "h1",
    "paragraph": "p",
    "quote": "blockquote q",
    "code": "pre code samp",
    "figure": "figure figcaption caption",
    "details": "details dialog",
    "link": "a",
    "time": "time address",
}
"""Features named after elements, and the elements that each counts."""
_MOST: Final = 4
"""Elements of a kind around a block beyond which more say nothing new."""
_HIDDEN: Final = {flag.name.lower(): flag for flag in Hidden if flag.name}
FEATURES: Final = (
    *list_features(
        "path", "in_", ({name: f"{tags} around it, up to 4" for name, tags in _AROUND.items()},)
    ),
    *list_features("hidden", "hidden_", ({name: f"hidden by {name}" for name in _HIDDEN},)),
)


def _count_codes() -> npt.NDArray[np.int16]:
    """Say for each tag code which of the features count it; int16[n_code, n_feature]."""
    codes = np.zeros((len(NAMES), len(_AROUND)), np.int16)
    for column, tags in enumerate(_AROUND.values()):
        codes[[CODE_OF[tag] for tag in tags.split()], column] = 1
    return codes


_COUNTED: Final = _count_codes()
_IS_COUNTED: Final[npt.NDArray[np.bool_]] = np.any(_COUNTED, axis=1)


def measure(counts: Counts) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    page = counts.page
    leaf = page.block_leaf
    rows = np.flatnonzero(_IS_COUNTED[page.tag])
    by_end = rows[np.argsort(page.end[rows])]
    opened, closed = (_sum_up(page.tag[order]) for order in (rows, by_end))
    around = (
        opened[np.searchsorted(rows, leaf, side="right")]
        - closed[np.searchsorted(page.end[by_end], leaf, side="right")]
    )
    flags = np.array(list(_HIDDEN.values()), np.uint8)[:, None]
    hidden = (page.hidden[leaf] & flags).astype(np.bool_)
    return np.concatenate((np.minimum(around, _MOST).T.astype(np.float32), hidden))


def _sum_up(tags: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Add up what rows count for each feature; int16[n_row + 1, n_feature]."""
    sums = np.zeros((tags.size + 1, len(_AROUND)), np.int16)
    np.cumsum(_COUNTED[tags], axis=0, out=sums[1:])
    return sums
