"""Markup drawn by chance from all that tree construction knows, for the canonical step.

A page uses a few names only, so that they meet each other: nested, unclosed, misplaced.
"""

from __future__ import annotations

import random
from typing import Final

_DOCTYPES: Final = (
    "<!doctype html>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
    ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    "<!doctype x>",
)
_NAMES: Final = """
a address annotation-xml applet area b base basefont bgsound body br button caption center code col
colgroup command dd desc details dialog div dl dt em embed font foreignObject form frame frameset h1
h2 head hgroup hr html i iframe image img input isindex keygen li link listing main malignmark
marquee math menu meta mglyph mi mo mtext nobr noembed noframes noscript object ol optgroup option p
param path plaintext pre rb rp rt rtc ruby script search section select selectedcontent source span
style summary svg table tbody td template textarea tfoot th thead title tr track ul wbr x-y xmp
""".split()
_ATTRIBUTES: Final = (
    *("", " a=b", " class='x y'", " a=b c=d", " c=d a=b", " a=b a=c", " hidden", " type=hidden"),
    *(" color=red", " viewbox=1", " definitionurl=q", " xlink:href=#", " =x", " a/b", ' x="<>"'),
    *(' a="1&amp;2"', " a=1&lt2", ' a="&quot;x"', ' type="math/tex"', " A=B", " a='\xa0'"),
)
_TEXTS: Final = (
    *("x", " ", "\n", "a b", "&amp;", "&nbsp;", "&#32;", "&#13;", "&lt", "&copyx", "&notit;", "<"),
    *(">", "\r\n", "\r", "\xa0", "\xe9", "\u65e5", "&quot;", "&#0;", "&#x80;", "&", "&;", "&#;"),
    *("<!--c-->", "<!-->", "<!--->x-->", "<!--a--!>b", "<!doctype html>", "<!x>", "<?x y>"),
    *("<?xml a>", "</>", "</ x>", "<![CDATA[z]]>", "\f", "\t", "<!", "</", "\v", "&Tab;"),
)


def draw_markup(chance: random.Random) -> str:
    """Draw a page of up to some forty tags and texts, now and then one that is cut."""
    names = chance.sample(_NAMES, chance.choice((3, 5, 8, 20)))
    parts = [chance.choice(_DOCTYPES)] if chance.random() < 0.6 else []
    parts += [_draw_part(chance, names) for _ in range(chance.choice((4, 8, 15, 40)))]
    page = "".join(parts)
    return page[: chance.randrange(len(page) + 1)] if chance.random() < 0.1 else page


def _draw_part(chance: random.Random, names: list[str]) -> str:
    kind, name = chance.random(), chance.choice(names)
    if chance.random() < 0.1:
        name = name.upper()
    if kind < 0.45:
        attributes = chance.choice(_ATTRIBUTES) if chance.random() < 0.5 else ""
        return f"<{name}{attributes}{'/' if chance.random() < 0.1 else ''}>"
    if kind < 0.7:
        return f"</{name}{' a=b' if chance.random() < 0.05 else ''}>"
    return chance.choice(_TEXTS) if chance.random() < 0.6 else "x"
