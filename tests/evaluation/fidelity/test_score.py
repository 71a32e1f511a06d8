"""Each measure covers one kind of feature."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from thresher.evaluation.fidelity.cases import render_markdown
from thresher.evaluation.fidelity.score import MEASURES, compare, drop_title
from thresher.evaluation.fidelity.structure import LinkText, PageStructure, read_structure

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


def test_identical_outputs_score_1() -> None:
    """Every measure applies to an output compared with itself, and is 1."""
    gold = expect_everything()
    assert dict.fromkeys(MEASURES, 1.0) == compare(gold, gold)


def test_an_empty_output_scores_0() -> None:
    """Missing features score 0 by every measure."""
    assert dict.fromkeys(MEASURES, 0.0) == compare(PageStructure(), expect_everything())


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
