"""Write the page of the docs that lists the features: ``python -m thresher.features``."""

from __future__ import annotations

import sys

from thresher.features import FEATURES, Feature

__all__ = ["write_page"]

_HEAD = """\
# Features

What the method [`learned`](algorithms/learned.md) knows of a block, beside the names of the
elements around it. Written by `python -m thresher.features`; each row is a column of the matrix
that `thresher.features.compute_features` returns. No list of words and no language is involved.

*Log* is log2(1 + x), straight between powers of two. A *container* is an element that holds at
least two blocks and more than any one of its children; container 1 is the nearest around a block.
*Prose* are blocks of ten words or more of which less than a third are links. *Alike* are children
of one container with the same tag and class attribute.

Names (tags, classes, ids, roles, itemprops and itemtypes) are hashed tokens, a word each and each
name as a whole; those seen on enough sites have numbers of their own, which training finds, and
which are added up inside the nearest container, between it and the next, and so on. What a page
says of itself (its OpenGraph type, the types of its JSON-LD, its generator, the words of its
address) tells what kind of page it is.
"""


def write_page() -> str:
    """Write the page, Markdown."""
    groups: dict[str, list[Feature]] = {}
    for feature in FEATURES:
        groups.setdefault(feature.group, []).append(feature)
    parts = [_HEAD]
    for group, features in groups.items():
        rows = "\n".join(f"| `{feature.name}` | {feature.summary} |" for feature in features)
        parts.append(f"## {group.capitalize()}\n\n| feature | what it is |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(write_page())
