"""An embedded text is plain data."""

from __future__ import annotations

import pickle

from thresher.analysis.embedded import Embedded, Origin


def test_embedded_pickles() -> None:
    """A text travels between processes unchanged."""
    text = Embedded(Origin.STATE, "<p>x</p>", "a.b[2]", 1)
    assert text == pickle.loads(pickle.dumps(text))
