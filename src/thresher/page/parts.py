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
    *(b"admonition", b"alert", b"attention", b"callout", b"caution", b"custom-block", b"danger"),
    *(b"fragment", b"hint", b"important", b"info", b"note", b"notice", b"tip", b"warning"),
    *(b"advice", b"assistive", b"d-none", b"hidden", b"invisible", b"screen", b"sr-only"),
    b"visually",
    *(b"accordion", b"bookmark", b"caption", b"card", b"expand", b"link-block", b"onebox"),
    *(b"preview", b"toggle"),
    *(b"arithmatex", b"enlighter", b"line", b"ltx_", b"math"),
    *(b"line-block", b"marginnote", b"sidenote", b"stanza"),
    *(b"barrier", b"mso", b"wall"),
    *(b"loader", b"loading", b"skeleton", b"spinner", b"value"),
    *(b"checkbox-o", b"inline-task-list", b"task-list-item"),
    *(b"blind", b"classifier", b"mobile", b"-none", b"tooltip", b"visible-xs", b"whitespace-"),
)
"""Parts of class names that rules look for on most pages (`Attributes.classed`)."""
SYSTEM_PARTS: Final = Parts(
    *(b"captioned-image-container", b"card-figcaption", b"crawler-post", b"doc-content"),
    *(b"dokuwiki", b"elementor-counter", b"example-header", b"gm-style", b"govuk-accordion"),
    *(b"ipscomment", b"js-post-body", b"jw-reset", b"kg-card", b"ltx_", b"markdown-body", b"mejs-"),
    *(b"memproto", b"mw-body", b"mw-content-", b"mw-parser-output", b"nocss_label"),
    *(b"p-title-value", b"page mono", b"page sans", b"page serif", b"pg-boilerplate", b"plyr__"),
    *(b"postprofile", b"react-code-", b"rustdoc", b"speechify", b"subscription-widget"),
    *(b"swatch-wrapper", b"tasty-recipes", b"topic-post", b"vjs-"),
    *(b"text-token-text-", b"tsd-", b"userpic", b"wiki-content", b"wp-block-file"),
    *(b"auto-textarea", b"boring", b"ksignature", b"plp-price", b"rich-snippet-h", b"selflink"),
    *(b"srclink", b"top-link", b"usersignature", b"wprm-screen", b"componenthead", b"headertitle"),
)
"""Parts of class names that only pages of one system have (`Attributes.system_parts`)."""
STYLE_PARTS: Final = Parts(b"list-style", b"mso-", b"white-space")
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
