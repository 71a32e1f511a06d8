"""Features of a block's ancestors: counts by kind of element, and reasons for being hidden."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.base import Counts, Operands, list_features
from thresher.features.container_chain import count_ancestors
from thresher.page.hidden import REASONS
from thresher.page.tags import CODE_OF, NAMES

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
"""Names of features, and the elements that each counts."""
N_AROUND: Final = len(_AROUND)
_MOST: Final = 4
"""Highest count of ancestors of a kind; more carry no further information."""
_HIDDEN: Final = {flag.name.lower(): flag for flag in REASONS if flag.name}
_HIDDEN_FLAGS: Final = np.array(list(_HIDDEN.values()), np.uint8)[:, None]
FEATURES: Final = (
    *list_features(
        "path",
        "in_",
        "value",
        {name: f"ancestors {tags}, up to {_MOST}" for name, tags in _AROUND.items()},
    ),
    *list_features("hidden", "hidden_", "value", {name: f"hidden by {name}" for name in _HIDDEN}),
)


def _list_counted() -> npt.NDArray[np.intp]:
    """Return which features count each tag code, at most two, −1 for none; intp[2, n_code]."""
    features = np.full((2, len(NAMES)), -1, np.intp)
    for feature, tags in enumerate(_AROUND.values()):
        for code in (CODE_OF[tag] for tag in tags.split()):
            features[:, code] = (feature, features[0, code])
    return features


COUNTED: Final = _list_counted()


def measure(counts: Counts) -> Operands:
    """Return the operands of this group's features."""
    page = counts.page
    feature = COUNTED.take(page.tag, axis=1)
    counted = feature >= 0
    rows = counted.nonzero()[1]
    around = count_ancestors(page, rows, page.block_offset, feature[counted], N_AROUND)
    hidden = page.hidden.take(page.block_leaf) & _HIDDEN_FLAGS
    return Operands(values=[np.minimum(around, _MOST), hidden > 0])
