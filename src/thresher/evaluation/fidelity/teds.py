"""TEDS: similarity of two tables, by the edit distance of their trees.

Zhong, ShafieiBavani, Jimeno Yepes 2020, Image-based table recognition: data, model, and evaluation
(section 4): ``1 - distance / max(nodes)``. Inserting or deleting a node costs 1, renaming a cell
the normalised Levenshtein distance of the texts, anything else 1. TEDS-struct leaves texts out.
Departures: spans are expanded (`grid`), and header cells are not distinguished from others, since
Markdown makes every first row a header.
"""

from __future__ import annotations

from thresher.evaluation.fidelity.grid import Grid
from thresher.evaluation.fidelity.similarity import text_similarity
from thresher.evaluation.fidelity.tree_distance import Tree, edit_distance

__all__ = ["score_teds"]

_Label = tuple[str, str]
"""The element, and a cell's text."""


def score_teds(found: Grid, gold: Grid, *, structure_only: bool = False) -> float:
    """Return the similarity of two tables, 0 to 1; raises MissingExtraError without RapidFuzz."""
    if found == gold:
        return 1.0
    first, second = _tree_of(found, structure_only), _tree_of(gold, structure_only)
    size = max(len(first.labels), len(second.labels))
    return 1.0 - edit_distance(first, second, _rename) / size


def _tree_of(grid: Grid, structure_only: bool) -> Tree[_Label]:
    """Return the tree: a table of rows, rows of cells."""
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
