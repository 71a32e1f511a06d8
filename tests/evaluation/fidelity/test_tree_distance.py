"""The distance of trees by Zhang and Shasha."""

from __future__ import annotations

from functools import cache
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.fidelity.score import Tree, edit_distance

Nested = tuple[str, tuple["Nested", ...]]
Forest = tuple[Nested, ...]

NESTED: Final = st.recursive(
    st.sampled_from("abc").map(lambda label: (label, ())),
    lambda children: st.tuples(st.sampled_from("abc"), st.lists(children, max_size=3).map(tuple)),
    max_leaves=4,
)


def tree_of(nested: Nested) -> Tree[str]:
    labels: list[str] = []
    first_leaf: list[int] = []

    def add(node: Nested) -> int:
        begin = len(labels)
        for child in node[1]:
            add(child)
        labels.append(node[0])
        first_leaf.append(begin)
        return begin

    add(nested)
    return Tree(labels, first_leaf)


def unlike(first: str, second: str) -> float:
    return float(first != second)


@cache
def plain_distance(first: Forest, second: Forest) -> float:
    """Compute the distance of forests by its definition, without the paper's optimisations."""
    if not first or not second:
        return float(sum(map(size, first or second)))
    a, b = first[-1], second[-1]
    return min(
        plain_distance((*first[:-1], *a[1]), second) + 1,
        plain_distance(first, (*second[:-1], *b[1])) + 1,
        plain_distance(first[:-1], second[:-1]) + plain_distance(a[1], b[1]) + unlike(a[0], b[0]),
    )


def size(node: Nested) -> int:
    return 1 + sum(map(size, node[1]))


def test_the_example_of_the_paper() -> None:
    """The two trees of figure 8 have a distance of 2."""
    first: Nested = ("f", (("d", (("a", ()), ("c", (("b", ()),)))), ("e", ())))
    second: Nested = ("f", (("c", (("d", (("a", ()), ("b", ()))),)), ("e", ())))
    assert 2.0 == edit_distance(tree_of(first), tree_of(second), unlike)


@given(NESTED, NESTED)
def test_the_distance_is_the_one_defined(first: Nested, second: Nested) -> None:
    """The distance equals a direct computation, and does not depend on the order of trees."""
    a, b = tree_of(first), tree_of(second)
    expected = plain_distance((first,), (second,))
    assert expected == edit_distance(a, b, unlike)
    assert expected == edit_distance(b, a, unlike)


def test_an_empty_tree_costs_all_of_the_other() -> None:
    """The distance from an empty tree is the number of nodes to insert."""
    assert 1.0 == edit_distance(Tree([], []), tree_of(("a", ())), unlike)
