"""Command that writes docs/features.md: ``python -m thresher.features``."""

from __future__ import annotations

import sys

from thresher.features import FEATURES, Feature

__all__ = ["write_page"]

_HEAD = """\
# Features

The inputs of the method [`learned`](algorithms/learned.md) for each block, besides the names of the
elements around it. Written by `python -m thresher.features`; each row is a column of the matrix
that `thresher.features.compute_features` returns. They depend on no word list or language.

*Log* is log2(1 + x), linear between powers of two. A *container* is an element that contains at
least two blocks, and more than any one of its children; container 1 is the nearest one around a
block. *Prose* are blocks of ten words or more of which less than a third are in links. *Similar
siblings* (`alike` in the names) are children of one container with the same tag and class
attribute.

Names (tags, classes, ids, roles, itemprops and itemtypes) are hashed to tokens, one for each word
and one for each whole name. Those seen on enough sites have learned embeddings, which are summed
inside the nearest container, between it and the next, and so on. What a page declares about itself
(its OpenGraph type, the types of its JSON-LD, its generator, the words of its URL) is evidence for
the page type.
"""


def write_page() -> str:
    """Return the page as Markdown."""
    groups: dict[str, list[Feature]] = {}
    for feature in FEATURES:
        groups.setdefault(feature.group, []).append(feature)
    parts = [_HEAD]
    for group, features in groups.items():
        rows = "\n".join(f"| `{feature.name}` | {feature.summary} |" for feature in features)
        parts.append(f"## {group.capitalize()}\n\n| feature | meaning |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(write_page())
