"""One score for each kind of feature on a page, from 0 to 1; none if the page should have none.

Missing features count 0, superfluous ones reduce the score (F1). A page that should have no table,
say, has no score for tables.

TEDS is the similarity of two tables by the edit distance of their trees: Zhong, ShafieiBavani,
Jimeno Yepes 2020, Image-based table recognition: data, model, and evaluation (section 4), ``1 -
distance / max(nodes)``. Inserting or deleting a node costs 1, renaming a cell the normalised
Levenshtein distance of the texts, anything else 1. TEDS-struct leaves texts out. Departures: spans
are expanded, and header cells are not distinguished from others, since Markdown makes every first
row a header. The distance is that of Zhang and Shasha (1989, Simple fast algorithms …): it takes
O(n·m·min(depth, leaves)²) steps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np

from thresher.errors import MissingExtraError
from thresher.evaluation.fidelity.structure import (
    Code,
    Grid,
    HeadingText,
    ListItem,
    PageStructure,
    place_of,
    squeeze,
)
from thresher.evaluation.metrics import count_common_sequence, score_bags
from thresher.evaluation.tokens import split_tokens

T = TypeVar("T")
Label = TypeVar("Label")
_Label = tuple[str, str]
"""The element, and a cell's text."""
_LANGUAGES: Final = {
    **{"c++": "cpp", "c#": "csharp", "golang": "go", "js": "javascript", "md": "markdown"},
    **{"py": "python", "python3": "python", "rb": "ruby", "rs": "rust", "ts": "typescript"},
    **dict.fromkeys(("sh", "shell", "zsh", "console"), "bash"),
    **dict.fromkeys(("text", "plain", "plaintext", "txt", "none", "nohighlight"), ""),
    "yml": "yaml",
}
"""Names of languages → the one they are compared by."""


def text_similarity(first: str, second: str) -> float:
    """Return 1 minus the Levenshtein distance over the greater length; raises MissingExtraError."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise MissingExtraError("the Levenshtein distance", "eval") from error
    return Levenshtein.normalized_similarity(first, second)


def sequence_f1(found: Sequence[Hashable], gold: Sequence[Hashable]) -> float:
    """Return the F1 of the longest common subsequence; 1 for none."""
    total = len(found) + len(gold)
    return 2 * count_common_sequence(found, gold) / total if total else 1.0


def align(
    found: Sequence[T], gold: Sequence[T], similarity: Callable[[T, T], float]
) -> list[tuple[int, int]]:
    """Match items of two lists, in order, so that the sum of similarities is maximal."""
    n, m = len(found), len(gold)
    alike = np.array([[similarity(a, b) for b in gold] for a in found]).reshape(n, m)
    best = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            paired = best[i - 1, j - 1] + alike[i - 1, j - 1]
            best[i, j] = max(paired, best[i - 1, j], best[i, j - 1])
    pairs: list[tuple[int, int]] = []
    i, j = n, m
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


class Tree(NamedTuple, Generic[Label]):
    """An ordered tree in postorder."""

    labels: Sequence[Label]
    first_leaf: Sequence[int]
    """The index of the leftmost leaf below each node, itself for leaves."""


def edit_distance(a: Tree[Label], b: Tree[Label], rename: Callable[[Label, Label], float]) -> float:
    """Return the minimum cost of transforming one tree into the other; ``rename`` gives 0 to 1."""
    if not a.labels or not b.labels:
        return float(len(a.labels) + len(b.labels))
    costs: dict[tuple[Label, Label], float] = {}
    distance = np.zeros((len(a.labels), len(b.labels)))

    def cost(first: Label, second: Label) -> float:
        if (first, second) not in costs:
            costs[first, second] = rename(first, second)
        return costs[first, second]

    for i in _key_roots(a):
        for j in _key_roots(b):
            _fill((a, i), (b, j), distance, cost)
    return float(distance[-1, -1])


def _key_roots(tree: Tree[Label]) -> list[int]:
    """Return the highest node above each first leaf, in order."""
    return sorted({leaf: node for node, leaf in enumerate(tree.first_leaf)}.values())


def _fill(
    first: tuple[Tree[Label], int],
    second: tuple[Tree[Label], int],
    distance: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    cost: Callable[[Label, Label], float],
) -> None:
    """Compute the distances of the subtrees on the left edges below two key roots."""
    (a, i), (b, j) = first, second
    left_a, left_b = a.first_leaf[i], b.first_leaf[j]
    n, m = i - left_a + 2, j - left_b + 2
    forest = [[0.0] * m for _ in range(n)]
    for x in range(1, n):
        forest[x][0] = x
    forest[0] = [float(y) for y in range(m)]
    for x in range(1, n):
        node_a = left_a + x - 1
        leaf_a = a.first_leaf[node_a]
        for y in range(1, m):
            node_b = left_b + y - 1
            leaf_b = b.first_leaf[node_b]
            changed = min(forest[x - 1][y] + 1, forest[x][y - 1] + 1)
            if leaf_a == left_a and leaf_b == left_b:
                renamed = forest[x - 1][y - 1] + cost(a.labels[node_a], b.labels[node_b])
                forest[x][y] = min(changed, renamed)
                distance[node_a, node_b] = forest[x][y]
            else:
                rest = forest[leaf_a - left_a][leaf_b - left_b]
                forest[x][y] = min(changed, rest + distance[node_a, node_b])


def score_teds(found: Grid, gold: Grid, *, structure_only: bool = False) -> float:
    """Return the similarity of two tables, 0 to 1; raises MissingExtraError without RapidFuzz."""
    if found == gold:
        return 1.0
    first, second = _tree_of(found, structure_only), _tree_of(gold, structure_only)
    size = max(len(first.labels), len(second.labels))
    return 1.0 - edit_distance(first, second, _rename) / size


def _tree_of(grid: Grid, structure_only: bool) -> Tree[_Label]:
    labels: list[_Label] = []
    first_leaf: list[int] = []
    for row in grid:
        begin = len(labels)
        for cell in row:
            first_leaf.append(len(labels))
            labels.append(("td", "" if structure_only else cell))
        labels.append(("tr", ""))
        first_leaf.append(begin)
    labels.append(("table", ""))
    first_leaf.append(0)
    return Tree(labels, first_leaf)


def _rename(first: _Label, second: _Label) -> float:
    if first[0] != second[0]:
        return 1.0
    return 1.0 - text_similarity(first[1], second[1])


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with the explanation that readers of its numbers need."""

    title: str
    summary: str
    field: str
    """The field of a gold that has the feature which is measured."""
    score: Callable[[PageStructure, PageStructure], float] | None = None
    """``score(found, gold)``; None for the F1 of the field, in any order."""
    applies: Callable[[PageStructure], bool] = lambda gold: True
    """Whether a gold that has the feature can be measured by it."""

    def rate(self, found: PageStructure, gold: PageStructure) -> float | None:
        """Score what was found; None if the measure does not apply to the gold."""
        wanted = getattr(gold, self.field)
        if not wanted or not self.applies(gold):
            return None
        if self.score:
            return self.score(found, gold)
        return score_bags(getattr(found, self.field), wanted).f1


def compare(found: PageStructure, gold: PageStructure) -> dict[str, float]:
    """Score what was found by each measure that applies to the gold.

    HTML itself has no footnotes: if the gold has none, notes count as a numbered list, and what is
    in them like all other text.
    """
    if found.notes and not gold.notes:
        items = (ListItem(1, str(n), text) for n, text in enumerate(found.notes, 1))
        found = replace(
            found,
            items=(*found.items, *items),
            links=found.links + found.note_links,
            spans=found.spans + found.note_spans,
        )
    scores = {name: measure.rate(found, gold) for name, measure in MEASURES.items()}
    return {name: score for name, score in scores.items() if score is not None}


def drop_title(structure: PageStructure, title: str) -> PageStructure:
    """Remove the first heading that is the page's title: many extractors return it separately."""
    key = squeeze(title).casefold()
    texts = [heading.text.casefold() for heading in structure.headings]
    if key not in texts:
        return structure
    place = texts.index(key)
    words = list(structure.words)
    for word in split_tokens(title):
        if word in words:  # a formula in a title is not a word
            words.remove(word)
    headings = structure.headings[:place] + structure.headings[place + 1 :]
    return replace(structure, headings=headings, words=tuple(words))


def _from_top(headings: Sequence[HeadingText]) -> list[HeadingText]:
    top = min((heading.level for heading in headings), default=0)
    return [HeadingText(heading.level - top, heading.text) for heading in headings]


def _sum_teds(found: PageStructure, gold: PageStructure, *, structure_only: bool = False) -> float:
    """Add up TEDS of matching tables, matched by the share of cells they have in common."""
    total = sum(
        score_teds(found.tables[i], gold.tables[j], structure_only=structure_only)
        for i, j in align(found.tables, gold.tables, _grid_similarity)
    )
    return total / max(len(found.tables), len(gold.tables))


def _grid_similarity(a: Grid, b: Grid) -> float:
    return score_bags(*([cell for row in grid for cell in row] for grid in (a, b))).f1


def _images(found: PageStructure, gold: PageStructure) -> float:
    waiting = list(gold.images)
    shared = 0
    for image in found.images:
        place = next((i for i, other in enumerate(waiting) if image & other), None)
        if place is not None:
            del waiting[place]
            shared += 1
    return 2 * shared / (len(found.images) + len(gold.images))


def _code_similarity(found: PageStructure, gold: PageStructure) -> float:
    alike = sum(
        text_similarity(found.code[i].text, gold.code[j].text) for i, j in _pair_code(found, gold)
    )
    return 2 * alike / (len(found.code) + len(gold.code))


def _code_language(found: PageStructure, gold: PageStructure) -> float:
    named = [j for j, block in enumerate(gold.code) if block.language]
    pairs = {j: i for i, j in _pair_code(found, gold)}
    right = sum(
        j in pairs and _language(found.code[pairs[j]]) == _language(gold.code[j]) for j in named
    )
    return right / len(named)


def _pair_code(found: PageStructure, gold: PageStructure) -> list[tuple[int, int]]:
    return align(found.code, gold.code, lambda a, b: text_similarity(a.text, b.text))


def _language(code: Code) -> str:
    return _LANGUAGES.get(code.language, code.language)


def _share(wanted: Sequence[str], found: Collection[str]) -> float:
    return sum(value in found for value in wanted) / len(wanted)


MEASURES: Final[Mapping[str, Measure]] = {
    "words": Measure("words", "F1 of words in any order (`token`), formulas left out", "words"),
    "headings": Measure(
        "headings",
        "F1 of the longest sequence of headings in common, level and text; without the page's"
        " title, which some give apart",
        "headings",
        lambda found, gold: sequence_f1(found.headings, gold.headings),
    ),
    "headings_shifted": Measure(
        "shifted",
        "as headings, with the highest level on the page as the first on both sides",
        "headings",
        lambda found, gold: sequence_f1(_from_top(found.headings), _from_top(gold.headings)),
    ),
    "lists": Measure(
        "lists",
        "F1 of the longest sequence of items in common: depth, kind, number, own text",
        "items",
        lambda found, gold: sequence_f1(found.items, gold.items),
    ),
    "tables": Measure(
        "TEDS",
        "tree edit distance similarity of tables (Zhong et al. 2020), summed over pairs and divided"
        " by the larger number of tables",
        "tables",
        _sum_teds,
    ),
    "table_structure": Measure(
        "TEDS-s",
        "as TEDS, texts of cells left out",
        "tables",
        partial(_sum_teds, structure_only=True),
    ),
    "code": Measure(
        "code",
        "F1 of blocks of code that are the same to the letter, blank lines around aside",
        "code",
        lambda found, gold: (
            score_bags((c.text for c in found.code), (c.text for c in gold.code)).f1
        ),
    ),
    "code_similarity": Measure(
        "code ≈",
        "F1 of blocks of code, each counted by its Levenshtein similarity",
        "code",
        _code_similarity,
    ),
    "language": Measure(
        "lang",
        "share of the blocks of code with a named language that have it",
        "code",
        _code_language,
        lambda gold: any(block.language for block in gold.code),
    ),
    "formulas": Measure(
        "formulas",
        "F1 of formulas as TeX, white space, `\\displaystyle` and needless braces left out",
        "formulas",
    ),
    "notes": Measure("notes", "F1 of the texts of footnotes, `[^1]: …` in Markdown", "notes"),
    "quotes": Measure("quotes", "F1 of the texts of quotes", "quotes"),
    "links": Measure(
        "links",
        "F1 of links to other pages, text and address; parameters that count visitors left out",
        "links",
    ),
    "images": Measure(
        "images", "F1 of the addresses of pictures, any of its sizes", "images", _images
    ),
    "spans": Measure(
        "inline",
        "F1 of emphasis, inline code, struck and raised text and the like, kind and text; marks of"
        " notes and links back from them left out",
        "spans",
    ),
    "title": Measure(
        "title",
        "whether the first heading is the page's title, on the first level and without signs; some"
        " give it apart",
        "title",
        lambda found, gold: float(found.title == gold.title),
        lambda gold: bool(gold.blocks),
    ),
    "captions": Measure(
        "captions",
        "share of the captions that are a block beside their picture",
        "captions",
        lambda found, gold: _share(gold.captions, found.captioned),
    ),
    "terms": Measure(
        "terms",
        "share of the terms of description lists that are marked as such, or bold",
        "terms",
        lambda found, gold: _share(gold.terms, found.terms),
        lambda gold: any(item.kind == "dt" for item in gold.items),
    ),
    "callouts": Measure(
        "callouts", "F1 of callouts, kind and text, as GitHub's alerts", "callouts"
    ),
    "embeds": Measure(
        "embeds",
        "share of the embedded posts and players whose address is linked",
        "embeds",
        lambda found, gold: _share(
            [*map(place_of, gold.embeds)], {link.target for link in found.links}
        ),
    ),
    "signatures": Measure(
        "signatures",
        "share of the signatures that are a block, the same to the letter and the space",
        "signatures",
        lambda found, gold: _share(gold.signatures, found.blocks),
    ),
    "pieces": Measure(
        "exact",
        "share of what is written between white space that is expected, so that invented and"
        " doubled characters and spaces count against it",
        "pieces",
        lambda found, gold: score_bags(found.pieces, gold.pieces).precision,
    ),
}
"""Every measure by name."""
