"""Command that lists the features as Markdown: ``python -m thresher.features``."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

from thresher.features import FEATURES, Feature

_HEAD = """\
# Features

The inputs of the method `learned` for each block, besides the names of the elements around it.
Written by `python -m thresher.features`; each row is a column of the matrix that
`thresher.features.compute_features` returns. They depend on no word list or language.

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

Numbers in brackets stand for a feature each: `around[2,6]_words` are two.
"""
_NUMBER: Final = re.compile(r"\d+")


def write_page() -> str:
    """Return the page as Markdown."""
    groups: dict[str, list[Feature]] = {}
    for feature in FEATURES:
        groups.setdefault(feature.group, []).append(feature)
    parts = [_HEAD]
    for group, features in groups.items():
        rows = "\n".join(f"| `{name}` | {summary} |" for name, summary in _gather(features))
        parts.append(f"## {group.capitalize()}\n\n| feature | meaning |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def _gather(features: list[Feature]) -> Iterator[tuple[str, str]]:
    """Yield names and summaries; features that differ only in a number of their names are one."""
    alike: dict[tuple[str, str], list[str]] = {}
    for feature in features:
        pattern = _NUMBER.sub("#", feature.name, count=1)
        alike.setdefault((pattern, feature.summary), []).append(feature.name)
    for (pattern, summary), names in alike.items():
        numbers = ",".join(_NUMBER.findall(name)[0] for name in names if len(names) > 1)
        yield pattern.replace("#", f"[{numbers}]") if numbers else names[0], summary


if __name__ == "__main__":
    sys.stdout.write(write_page())
