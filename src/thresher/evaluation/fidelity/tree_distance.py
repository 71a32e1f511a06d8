"""The edit distance of ordered trees (Zhang and Shasha 1989, Simple fast algorithms …).

Inserting or deleting a node costs 1; the caller defines the cost of renaming. A tree is given in
postorder: one label per node, and the first leaf of its subtree. It takes O(n·m·min(depth,
leaves)²) steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

__all__ = ["Tree", "edit_distance"]

Label = TypeVar("Label")


class Tree(NamedTuple, Generic[Label]):
    """An ordered tree in postorder."""

    labels: Sequence[Label]
    first_leaf: Sequence[int]
    """The index of the leftmost leaf below each node, itself for leaves."""


def edit_distance(a: Tree[Label], b: Tree[Label], rename: Callable[[Label, Label], float]) -> float:
    """Return the minimum cost of transforming one tree into the other; ``rename`` gives 0 to 1."""
    if not a.labels or not b.labels:
        return float(len(a.labels) + len(b.labels))
    known: dict[tuple[Label, Label], float] = {}
    distance = np.zeros((len(a.labels), len(b.labels)))

    def cost(first: Label, second: Label) -> float:
        if (first, second) not in known:
            known[first, second] = rename(first, second)
        return known[first, second]

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
