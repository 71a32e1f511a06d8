"""The HTML parser, called so that a deadline is kept on long pages."""

from __future__ import annotations

from typing import Final

import turbohtml

from thresher.deadline import check_deadline
from thresher.errors import LimitError

_PIECE_CHARS: Final = 2**18
"""Characters that are parsed between two looks at the clock: up to 30 ms."""
_MAX_WHOLE_CHARS: Final = 2**23
"""Characters of a page with a shadow root: only as a whole are they parsed as templates. At most
0.5 s; of 4,061 real pages the largest has 5.3 million."""
_SHADOW_ROOT: Final = "shadowrootmode"


def parse_html(html: str, *, positions: bool) -> turbohtml.Document:
    """Parse a page into the parser's tree, as a browser with scripts turned off would.

    Declarative shadow roots stay templates. With ``positions`` elements know where their tags are.
    LimitError if the time is up, and for over 8 million characters with a shadow root.
    """
    is_long = len(html) > _PIECE_CHARS
    if is_long and _SHADOW_ROOT not in html.lower():
        parser = turbohtml.IncrementalParser(positions=positions, source_locations=positions)
        for start in range(0, len(html), _PIECE_CHARS):
            check_deadline()
            parser.feed(html[start : start + _PIECE_CHARS])
        check_deadline()
        return parser.close()
    if len(html) > _MAX_WHOLE_CHARS:
        what = "characters of a page with shadow roots"
        raise LimitError(what, limit=_MAX_WHOLE_CHARS, value=len(html))
    return turbohtml.parse(
        html,
        positions=positions,
        source_locations=positions,
        allow_declarative_shadow_roots=False,
    )
