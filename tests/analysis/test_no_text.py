"""thresher.analysis.stated_parts: lines that are no text on pages of any system."""

from __future__ import annotations

import pytest

from thresher.analysis.stated_parts import flag_no_text
from thresher.page.parse import parse

_TEXT = "<p>Die Möwe frisst.</p>"
_NOTES = '<section data-footnotes><h2 class="{}">Noten</h2><p>Eins</p></section>'
_LONG = f"<p>{'Die Möwe frisst. ' * 20}</p>"


def _is_flagged(html: str) -> bool:
    page = parse(html)
    flags = flag_no_text(page)
    return flags is not None and bool(page.within(flags)[page.leaves[0]])


@pytest.mark.parametrize(
    "html",
    [
        '<div class="skeleton">Lädt…</div>',
        '<span class="is-loading"><b>Please wait ...</b></span>',
        '<div class="expand-control"><span>Klicken Sie, um zu erweitern ...</span></div>',
        '<div class="footer">© <b>Hafen</b> 2026</div>',
        "<p> &copy; Hafen</p><ul><li>Impressum</ul>",
        _NOTES.format("sr-only"),
    ],
)
def test_lines_that_are_no_text(html: str) -> None:
    """What waits for a script, rights at the end, and unseen headings of notes must be flagged."""
    assert _is_flagged(html + _TEXT)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="loading">He and the men of the crew waited…</div>',
        '<div class="spinner">Wool</div>',
        '<div class="body">Loading…</div>',
        "<p>© 2026 by Holm, who wrote down what men told him of the sea and its tides, of fish",
        "<p>The sign © is old.</p>",
        "<figure><img src=a.png><figcaption>© Holm</figcaption></figure>",
        f"<p>© Holm</p>{_LONG}",
        _NOTES.format("title"),
        '<section><h2 class="sr-only">Noten</h2></section>',
    ],
)
def test_lines_that_only_look_so(html: str) -> None:
    """Sentences, credits of pictures and what stands before a text must not be flagged."""
    assert not _is_flagged(html + _TEXT)
