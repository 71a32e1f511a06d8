"""One score for each kind of feature on a page, from 0 to 1; none if the page should have none.

Missing features count 0, superfluous ones reduce the score (F1). A page that should have no table,
say, has no score for tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thresher.evaluation.fidelity.grid import Grid
from thresher.evaluation.fidelity.similarity import align, bag_f1, sequence_f1, text_similarity
from thresher.evaluation.fidelity.structure import place_of
from thresher.evaluation.fidelity.structure_model import (
    Code,
    HeadingText,
    ListItem,
    PageStructure,
    squeeze,
)
from thresher.evaluation.fidelity.teds import score_teds
from thresher.evaluation.tokens import split_tokens

__all__ = ["MEASURES", "Measure", "compare", "drop_title"]

_LANGUAGES: Final = {
    **{"c++": "cpp", "c#": "csharp", "golang": "go", "js": "javascript", "md": "markdown"},
    **{"py": "python", "python3": "python", "rb": "ruby", "rs": "rust", "ts": "typescript"},
    **dict.fromkeys(("sh", "shell", "zsh", "console"), "bash"),
    **dict.fromkeys(("text", "plain", "plaintext", "txt", "none", "nohighlight"), ""),
    "yml": "yaml",
}
"""Names of languages → the one they are compared by."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with the explanation that readers of its numbers need."""

    title: str
    summary: str
    score: Callable[[PageStructure, PageStructure], float]
    """``score(found, gold)``"""
    applies: Callable[[PageStructure], bool]
    """Whether a gold has the feature that is measured."""


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
    return {name: each.score(found, gold) for name, each in MEASURES.items() if each.applies(gold)}


def drop_title(structure: PageStructure, title: str) -> PageStructure:
    """Remove the first heading that is the page's title: many extractors return it separately."""
    key = squeeze(title).casefold()
    texts = [each.text.casefold() for each in structure.headings]
    if key not in texts:
        return structure
    place = texts.index(key)
    words = list(structure.words)
    for word in split_tokens(title):
        if word in words:  # a formula in a title is not a word
            words.remove(word)
    headings = structure.headings[:place] + structure.headings[place + 1 :]
    return replace(structure, headings=headings, words=tuple(words))


def _headings(found: PageStructure, gold: PageStructure) -> float:
    return sequence_f1(found.headings, gold.headings)


def _shifted_headings(found: PageStructure, gold: PageStructure) -> float:
    return sequence_f1(_from_top(found.headings), _from_top(gold.headings))


def _from_top(headings: Sequence[HeadingText]) -> list[HeadingText]:
    top = min((each.level for each in headings), default=0)
    return [HeadingText(each.level - top, each.text) for each in headings]


def _lists(found: PageStructure, gold: PageStructure) -> float:
    return sequence_f1(found.items, gold.items)


def _tables(found: PageStructure, gold: PageStructure) -> float:
    return _sum_teds(found.tables, gold.tables, structure_only=False)


def _table_structure(found: PageStructure, gold: PageStructure) -> float:
    return _sum_teds(found.tables, gold.tables, structure_only=True)


def _sum_teds(found: Sequence[Grid], gold: Sequence[Grid], *, structure_only: bool) -> float:
    """Add up TEDS of matching tables, matched by the share of cells they have in common."""
    total = sum(
        score_teds(found[i], gold[j], structure_only=structure_only)
        for i, j in align(found, gold, _grid_similarity)
    )
    return total / max(len(found), len(gold))


def _grid_similarity(a: Grid, b: Grid) -> float:
    return bag_f1(*([cell for row in grid for cell in row] for grid in (a, b)))


def _images(found: PageStructure, gold: PageStructure) -> float:
    waiting = list(gold.images)
    shared = 0
    for image in found.images:
        place = next((i for i, other in enumerate(waiting) if image & other), None)
        if place is not None:
            del waiting[place]
            shared += 1
    return 2 * shared / (len(found.images) + len(gold.images))


def _exact_code(found: PageStructure, gold: PageStructure) -> float:
    return bag_f1((each.text for each in found.code), (each.text for each in gold.code))


def _code_similarity(found: PageStructure, gold: PageStructure) -> float:
    alike = sum(
        text_similarity(found.code[i].text, gold.code[j].text) for i, j in _pair_code(found, gold)
    )
    return 2 * alike / (len(found.code) + len(gold.code))


def _code_language(found: PageStructure, gold: PageStructure) -> float:
    named = [j for j, each in enumerate(gold.code) if each.language]
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
    return sum(each in found for each in wanted) / len(wanted)


def _precision(found: PageStructure, gold: PageStructure) -> float:
    """Return the share of what was found between white space that is expected."""
    pieces = found.pieces
    shared = (Counter(pieces) & Counter(gold.pieces)).total()
    return shared / len(pieces) if pieces else 0.0


MEASURES: Final[Mapping[str, Measure]] = {
    "words": Measure(
        "words",
        "F1 of words in any order (`token`), formulas left out",
        lambda found, gold: bag_f1(found.words, gold.words),
        lambda gold: bool(gold.words),
    ),
    "headings": Measure(
        "headings",
        "F1 of the longest sequence of headings in common, level and text; without the page's"
        " title, which some give apart",
        _headings,
        lambda gold: bool(gold.headings),
    ),
    "headings_shifted": Measure(
        "shifted",
        "as headings, with the highest level on the page as the first on both sides",
        _shifted_headings,
        lambda gold: bool(gold.headings),
    ),
    "lists": Measure(
        "lists",
        "F1 of the longest sequence of items in common: depth, kind, number, own text",
        _lists,
        lambda gold: bool(gold.items),
    ),
    "tables": Measure(
        "TEDS",
        "tree edit distance similarity of tables (Zhong et al. 2020), summed over pairs and divided"
        " by the larger number of tables",
        _tables,
        lambda gold: bool(gold.tables),
    ),
    "table_structure": Measure(
        "TEDS-s",
        "as TEDS, texts of cells left out",
        _table_structure,
        lambda gold: bool(gold.tables),
    ),
    "code": Measure(
        "code",
        "F1 of blocks of code that are the same to the letter, blank lines around aside",
        _exact_code,
        lambda gold: bool(gold.code),
    ),
    "code_similarity": Measure(
        "code ≈",
        "F1 of blocks of code, each counted by its Levenshtein similarity",
        _code_similarity,
        lambda gold: bool(gold.code),
    ),
    "language": Measure(
        "lang",
        "share of the blocks of code with a named language that have it",
        _code_language,
        lambda gold: any(each.language for each in gold.code),
    ),
    "formulas": Measure(
        "formulas",
        "F1 of formulas as TeX, white space, `\\displaystyle` and needless braces left out",
        lambda found, gold: bag_f1(found.formulas, gold.formulas),
        lambda gold: bool(gold.formulas),
    ),
    "notes": Measure(
        "notes",
        "F1 of the texts of footnotes, `[^1]: …` in Markdown",
        lambda found, gold: bag_f1(found.notes, gold.notes),
        lambda gold: bool(gold.notes),
    ),
    "quotes": Measure(
        "quotes",
        "F1 of the texts of quotes",
        lambda found, gold: bag_f1(found.quotes, gold.quotes),
        lambda gold: bool(gold.quotes),
    ),
    "links": Measure(
        "links",
        "F1 of links to other pages, text and address; parameters that count visitors left out",
        lambda found, gold: bag_f1(found.links, gold.links),
        lambda gold: bool(gold.links),
    ),
    "images": Measure(
        "images",
        "F1 of the addresses of pictures, any of its sizes",
        _images,
        lambda gold: bool(gold.images),
    ),
    "spans": Measure(
        "inline",
        "F1 of emphasis, inline code, struck and raised text and the like, kind and text; marks of"
        " notes and links back from them left out",
        lambda found, gold: bag_f1(found.spans, gold.spans),
        lambda gold: bool(gold.spans),
    ),
    "title": Measure(
        "title",
        "whether the first heading is the page's title, on the first level and without signs; some"
        " give it apart",
        lambda found, gold: float(found.title == gold.title),
        lambda gold: bool(gold.title and gold.blocks),
    ),
    "captions": Measure(
        "captions",
        "share of the captions that are a block beside their picture",
        lambda found, gold: _share(gold.captions, found.captioned),
        lambda gold: bool(gold.captions),
    ),
    "terms": Measure(
        "terms",
        "share of the terms of description lists that are marked as such, or bold",
        lambda found, gold: _share(gold.terms, found.terms),
        lambda gold: bool(gold.terms) and any(item.kind == "dt" for item in gold.items),
    ),
    "callouts": Measure(
        "callouts",
        "F1 of callouts, kind and text, as GitHub's alerts",
        lambda found, gold: bag_f1(found.callouts, gold.callouts),
        lambda gold: bool(gold.callouts),
    ),
    "embeds": Measure(
        "embeds",
        "share of the embedded posts and players whose address is linked",
        lambda found, gold: _share(
            [*map(place_of, gold.embeds)], {link.target for link in found.links}
        ),
        lambda gold: bool(gold.embeds),
    ),
    "signatures": Measure(
        "signatures",
        "share of the signatures that are a block, the same to the letter and the space",
        lambda found, gold: _share(gold.signatures, found.blocks),
        lambda gold: bool(gold.signatures),
    ),
    "pieces": Measure(
        "exact",
        "share of what is written between white space that is expected, so that invented and"
        " doubled characters and spaces count against it",
        _precision,
        lambda gold: bool(gold.pieces),
    ),
}
"""Every measure by name."""
