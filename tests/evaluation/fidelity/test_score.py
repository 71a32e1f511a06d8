"""Each measure covers one kind of feature, by similarities from 0 to 1."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.fidelity.cases import render_markdown
from thresher.evaluation.fidelity.score import (
    MEASURES,
    Tree,
    align,
    compare,
    drop_title,
    edit_distance,
    score_teds,
    sequence_f1,
    text_similarity,
)
from thresher.evaluation.fidelity.structure import Grid, LinkText, PageStructure, read_structure

EVERYTHING: Final = """\
# Rye

## Fields

- a
  1. b

| c | d |
| --- | --- |
| e | f |

```python
rye = 1
```

$a^2$[^1] *g* [h](https://x.example/) ![](https://x.example/i.png)

> j

> [!NOTE]
> l

m(n)
: o

[^1]: k
"""
_WHOLE: Final = ("words", "pieces", "title")
"""Measures of the text as a whole."""
GOLD: Grid = (("a", "bcde"), ("f", "g"))
Nested = tuple[str, tuple["Nested", ...]]
Forest = tuple[Nested, ...]
NESTED: Final = st.recursive(
    st.sampled_from("abc").map(lambda label: (label, ())),
    lambda children: st.tuples(st.sampled_from("abc"), st.lists(children, max_size=3).map(tuple)),
    max_leaves=4,
)


def read(markdown: str) -> PageStructure:
    return read_structure(render_markdown(markdown))


def expect_everything() -> PageStructure:
    """Return the structure with what Markdown does not mark."""
    return replace(
        read(EVERYTHING),
        captions=read(EVERYTHING).captioned[:1],
        signatures=("m(n)",),
        embeds=("https://x.example/",),
    )


def test_identical_outputs_score_1_and_empty_ones_0() -> None:
    """Every measure applies to an output compared with itself; missing features score 0 by all."""
    gold = expect_everything()
    assert dict.fromkeys(MEASURES, 1.0) == compare(gold, gold)
    assert dict.fromkeys(MEASURES, 0.0) == compare(PageStructure(), gold)


def test_a_measure_does_not_apply_when_the_gold_has_no_such_feature() -> None:
    """A page of plain text is compared by its words only, in any order and exactly."""
    assert {"words", "pieces"} == compare(read(EVERYTHING), read("rye")).keys()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("# Rye\n\n## Fields", "## Rye\n\n### Fields", {"headings": 0.0}),
        ("# Rye\n\n", "", {"headings": 2 / 3, "headings_shifted": 0.0}),
        ("  1. b", "  - b", {"lists": 0.75}),
        ("| e | f |", "| x | f |", {"tables": 1 - 1 / 7}),
        ("| e | f |\n", "| e | f |\n| g | h |\n", {"tables": 0.7, "table_structure": 0.7}),
        ("rye = 1", "rye = 2", {"code": 0.0, "code_similarity": 1 - 1 / 7}),
        ("```python", "```py", {}),
        ("```python", "```", {"language": 0.0}),
        ("$a^2$", "$a^3$", {"formulas": 0.0}),
        ("$a^2$", "$a ^{2}$", {}),
        ("*g*", "g", {"spans": 0.0}),
        ("](https://x.example/)", "](https://y.example/)", {"links": 0.0}),
        ("i.png", "l.png", {"images": 0.0}),
    ],
)
def test_a_change_affects_its_measures_only(old: str, new: str, expected: dict[str, float]) -> None:
    """A change of one kind affects only the measures of that kind, perhaps of all text."""
    assert old in EVERYTHING
    scores = compare(read(EVERYTHING.replace(old, new)), read(EVERYTHING))
    changed = {name: score for name, score in scores.items() if score < 1 and name not in _WHOLE}
    assert expected == pytest.approx(changed)


def test_notes_count_as_a_list_when_the_gold_has_none() -> None:
    """If the gold has no footnotes, a note counts as a list item, which is how HTML has it."""
    gold = read_structure("<p>rye<ol><li>oats</ol>")
    assert 1.0 == compare(read("rye[^1]\n\n[^1]: oats"), gold)["lists"]


def test_any_listed_size_of_a_picture_is_correct() -> None:
    """Any size that the gold lists is correct, and counts once."""
    gold = read_structure("<img src=a.png srcset='b.png 2x'>")
    assert 1.0 == compare(read("![](b.png)"), gold)["images"]
    assert 2 / 3 == compare(read("![](b.png) ![](a.png)"), gold)["images"]


def test_the_title_is_left_out_with_its_words() -> None:
    """Only the first heading that equals the title is removed, with its words."""
    page = read("# The  Rye\n\nrye\n\n## The rye")
    left = drop_title(page, "the rye")
    assert [2] == [each.level for each in left.headings]
    assert ("rye", "the", "rye") == left.words
    assert page is drop_title(page, "oats")


def test_invented_and_doubled_characters_count_when_the_text_is_compared() -> None:
    """A space in a word, or a word twice, is not what the page shows."""
    gold = read("list.append(x) rye")
    assert 1.0 == compare(gold, gold)["pieces"]
    assert 1 / 4 == compare(read("list. append (x) rye"), gold)["pieces"]
    assert 2 / 3 == compare(read("list.append(x) rye rye"), gold)["pieces"]


def test_what_is_in_notes_counts_where_none_are_expected() -> None:
    """Labels in HTML have notes as a list, with their emphasis and links in it."""
    found = PageStructure(
        notes=("Roll9",), note_spans=(("em", "Roll"),), note_links=(LinkText("9", "/9"),)
    )
    gold = PageStructure(spans=(("em", "Roll"),), links=(LinkText("9", "/9"),))
    assert {"spans": 1.0, "links": 1.0} == compare(found, gold)
    assert 0.0 == compare(found, replace(gold, notes=("Roll9",)))["links"]


def test_similarities_of_texts_and_sequences() -> None:
    """Letters, and items in the same order, count."""
    assert 0.75 == text_similarity("ryes", "rye!")
    assert 0.5 == sequence_f1("ab", "ba")
    assert 1.0 == sequence_f1("", "")


def test_pairs_are_the_best_in_order() -> None:
    """A good pair is not chosen if it excludes two others that are better together."""
    assert [(0, 0), (1, 1)] == align("ab", "ab", lambda a, b: float(a == b))
    assert [(1, 0)] == align("ab", "b", lambda a, b: float(a == b))
    assert [] == align("", "b", lambda a, b: 1.0)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_pairs_of_equal_things_are_a_common_sequence(first: str, second: str) -> None:
    """If similarities are 0 or 1, pairing finds the longest common subsequence."""
    pairs = align(first, second, lambda a, b: float(a == b))
    assert pairs == sorted(pairs)
    found = 2 * len(pairs) / ((len(first) + len(second)) or 1)
    assert sequence_f1(first, second) == (found if first or second else 1.0)


@pytest.mark.parametrize(
    ("found", "all", "structure"),
    [
        ((("a", "bcdx"), ("f", "g")), 1 - 0.25 / 7, 1.0),  # one letter of four in one node of seven
        ((("a", "bcde"),), 1 - 3 / 7, 1 - 3 / 7),  # a row with two cells is missing
        ((("a",), ("f",)), 1 - 2 / 7, 1 - 2 / 7),  # a column is missing
    ],
)
def test_changes_count_by_the_definition(found: Grid, all: float, structure: float) -> None:
    """A node costs 1, a text its distance; the sum is divided by the larger number of nodes."""
    assert all == pytest.approx(score_teds(found, GOLD))
    assert structure == pytest.approx(score_teds(found, GOLD, structure_only=True))


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
