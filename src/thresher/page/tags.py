"""Codes of HTML tag names, and properties of each tag for layout.

A page has thousands of tags and a few dozen distinct names, so the page table stores a code per
row. Names that are not in `NAMES` (custom elements, SVG parts) share the code `OTHER`; the page
reads them from its markup.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

TEXT: Final = 0
"""Code of a text row."""
OTHER: Final = 1
"""Code of every element whose name is not in `NAMES`."""

# HTML Living Standard, element index, with the obsolete elements of its section 16.2 that still
# occur, and the two foreign roots.
_ELEMENTS: Final = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
blockquote body br button canvas caption center cite code col colgroup data datalist dd del details
dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2
h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend
li link listing main map mark marquee math menu menuitem meta meter multicol nav nobr noembed
noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt
rtc ruby s samp script search section select slot small source spacer span strike strong style sub
summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var
video wbr xmp
"""

_AMP_MEDIA: Final = (
    "amp-anim amp-audio amp-dailymotion amp-iframe amp-img amp-video amp-vimeo amp-youtube"
)
_AMP_ADS: Final = "amp-ad amp-embed"
_AMP_BOXES: Final = "amp-carousel"
"""Elements of AMP pages, which its script shows as pictures, players, advertisements and boxes."""

NAMES: Final[tuple[str, ...]] = (
    *("#text", "#other", *_ELEMENTS.split()),
    *(*_AMP_ADS.split(), *_AMP_BOXES.split(), *_AMP_MEDIA.split()),
    "#unshown",
)
"""Tag name of each code; the last is for what is never shown where it is (`page.in_line`)."""
UNSHOWN: Final = len(NAMES) - 1
CODE_OF: Final = {name: code for code, name in enumerate(NAMES)}
"""Code of each known tag name."""


def flags_of(names: str) -> npt.NDArray[np.bool_]:
    """Return bool[n_code], true at the code of each white-space separated tag name in `names`."""
    flags = np.zeros(len(NAMES), np.bool_)
    flags[[CODE_OF[name] for name in names.split()]] = True
    flags.setflags(write=False)
    return flags


AMP: Final = flags_of(f"{_AMP_ADS} {_AMP_BOXES} {_AMP_MEDIA}")
"""Elements of AMP pages, which come last; elsewhere they are unknown elements."""

VOID: Final = flags_of(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr"
)
"""Elements serialised without an end tag (HTML Living Standard, 13.3)."""

BLOCK: Final = flags_of(
    "address article aside blockquote body button caption center col colgroup dd details dialog dir"
    " div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header"
    " hgroup hr html isindex legend li listing main marquee menu menuitem multicol nav noframes ol"
    " optgroup option p plaintext pre search section select summary table tbody td template"
    f" textarea tfoot th thead title tr ul xmp {_AMP_BOXES}"
)
"""Elements whose edges end a block: CSS display other than inline in the standard's section 15.3,
and form controls, whose text rarely continues the sentence around them (`page.in_line`)."""

REPLACED: Final = flags_of(
    f"audio canvas embed iframe img image math object svg video {_AMP_MEDIA}"
)
"""Replaced elements, which show content other than text: each is a leaf of the page."""

ATOMIC: Final = flags_of(f"math svg {_AMP_MEDIA}")
"""Replaced elements whose text belongs to the drawing or formula, or is shown until AMP's script
has run: no leaves inside."""

FALLBACK: Final = flags_of("applet audio canvas iframe noembed noframes object video")
"""Elements whose children are shown only as a fallback."""

SUBHEADINGS: Final = flags_of("h2 h3 h4 h5 h6")
HEADINGS: Final = SUBHEADINGS | flags_of("h1")
CELLS: Final = flags_of("td th")

UNRENDERED: Final = flags_of(f"datalist head rp script style title {_AMP_ADS} #unshown")
"""Elements that are not rendered, and advertisements: no leaves inside."""

FORMATTING: Final = flags_of(
    "abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd mark nobr q rb rt rtc"
    " ruby s samp small strike strong sub sup tt u var wbr"
)
"""Inline elements that only style part of a word or phrase: no word boundary at their edges."""
