"""Search of many short spans of a page, such as its class names, for some plain parts at once.

Regular expressions with many branches are slow, and a search for each part reads everything again.
One pass over the spans finds which of the parts each contains; few spans contain any.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.rows import freeze
from thresher.page.scan import IntArray

PartBits = npt.NDArray[np.uint64]


class Parts:
    """Up to 64 strings of one byte or more, in lower case; the n-th has bit n."""

    def __init__(self, *texts: bytes) -> None:
        self.texts: Final = texts
        self.joined: Final = b"".join(texts)
        self.stops: Final = freeze(np.cumsum([len(text) for text in texts]).astype(np.int32))

    def bits(self, *texts: bytes) -> np.uint64:
        """Return the bits of some of the strings; ValueError for another one."""
        return np.uint64(sum(1 << self.texts.index(text) for text in texts))


CLASS_PARTS: Final = Parts(
    *(
        b"admonition alert attention callout caution custom-block danger fragment hint important"
        b" info note notice tip warning advice assistive hidden invisible screen sr-only"
        b" visually accordion bookmark caption card expand link-block onebox preview toggle"
        b" arithmatex enlighter line ltx_ math marginnote sidenote stanza barrier mso"
        b" wall loader loading skeleton spinner value checkbox-o inline-task-list task-list-item"
        b" blind classifier mobile -none tooltip visible-xs whitespace- desktop -for- material-"
        b" youtube-player print accessibility quote"
    ).split(),
)
"""Parts of class names that rules look for on most pages (`Attributes.classed`)."""
SYSTEM_PARTS: Final = Parts(
    *(
        b"captioned-image-container card-figcaption crawler-post doc-content dokuwiki"
        b" elementor-counter example-header gm-style govuk-accordion ipscomment js-post-body"
        b" jw-reset kg-card ltx_ markdown-body mejs- memproto mw-body mw-content- mw-parser-output"
        b" nocss_label p-title-value pg-boilerplate plyr__ postprofile react-code- rustdoc"
        b" speechify subscription-widget swatch-wrapper tasty-recipes topic-post vjs-"
        b" text-token-text- tsd- userpic wiki-content wp-block-file auto-textarea ksignature"
        b" plp-price rich-snippet-h srclink top-link usersignature viewcode- wprm-screen"
        b" componenthead headertitle storytitle blocklist"
    ).split(),
    b"page mono",
    b"page sans",
    b"page serif",
)
"""Parts of class names that only pages of one system have (`Attributes.system_parts`)."""
STYLE_PARTS: Final = Parts(*b"absolute display float list-style mso- white-space".split())
"""Parts of the values of `style` that rules look for on most pages (`Attributes.styled`)."""


def _find_parts_by_step(
    steps: Steps, buffer: bytes, start: IntArray, stop: IntArray, parts: Parts
) -> PartBits | None:
    return steps.find_parts(buffer, start, stop, parts.joined, parts.stops)


@kernel_with(_find_parts_by_step)
def find_parts(buffer: bytes, start: IntArray, stop: IntArray, parts: Parts) -> PartBits:
    """Find which parts occur in each span, with ASCII letters of any case; uint64[n]."""
    bits = np.zeros(start.size, np.uint64)
    for place, span in enumerate(zip(start.tolist(), stop.tolist(), strict=True)):
        value = buffer[slice(*span)].lower()
        bits[place] = sum(1 << bit for bit, part in enumerate(parts.texts) if part in value)
    return bits
