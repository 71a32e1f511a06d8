"""The picture that a page without a text is about: a comic, a photograph, a drawing.

It is the one that the page names for sharing, or that the title names too; a logo has the name of
the site, and is in a link to its first page or beside the content.
"""

from __future__ import annotations

import posixpath
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.structured import read_title
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.attributes import whole
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF, flags_of

_IMAGES: Final = flags_of("img")
_BESIDE: Final = flags_of("aside footer header nav")
_SHARED: Final = ("og:image", "og:image:url", "twitter:image", "twitter:image:src")
_SOURCES: Final = ("src", "data-src", "srcset", "data-srcset")
_MIN_NAME_CHARS: Final = 6
"""Minimum characters of the name of a file by which a picture is recognised."""
_MIN_LETTERS: Final = 4
"""Minimum letters of an alternative text that is looked for in the title."""
_UNSHOWN: Final = np.uint8(~(Hidden.ARIA | Hidden.NOSCRIPT) & 0xFF)


def find_lone_picture(page: Page) -> int:
    """Return the block of the picture that a page is about, and nothing else; −1 for none."""
    rows = page.leaves[_IMAGES[page.tag[page.leaves]]]
    rows = rows[((page.hidden[rows] & _UNSHOWN) == 0) & ~page.within(_BESIDE[page.tag])[rows]]
    if not rows.size or page.attributes.rows_matching("type", whole(rb"password")).size:
        return -1
    evidence = PageEvidence(page)
    title, names = key_of(read_title(page) or ""), _read_names(evidence)
    in_link = page.within(page.tag == CODE_OF["a"])
    for row in watch(rows.tolist()):
        block = int(page.blocks.of_leaf[page.leaf_offset[row]])
        first, stop = page.blocks.start[block : block + 2].tolist()
        if page.leaf_words[first:stop].any():
            continue
        attrs = page.attrs(row)
        alt = key_of(attrs.get("alt", ""))
        if alt in evidence.site_keys:
            continue
        sources = " ".join(attrs.get(name, "") for name in _SOURCES)
        is_shared = any(name in sources for name in names)
        is_titled = len(alt) >= _MIN_LETTERS and alt in title and alt != title
        if is_shared or (is_titled and not in_link[row]):
            return block
    return -1


def _read_names(evidence: PageEvidence) -> list[str]:
    """Return the names of the files that are shown where the page is shared."""
    urls = [url for key in _SHARED for url in evidence.meta.get(key, [])]
    names = {posixpath.basename(urlsplit(url).path) for url in urls}
    return [name for name in names if len(name) >= _MIN_NAME_CHARS]
