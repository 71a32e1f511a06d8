"""Reading sheets: the numbered blocks of a page in an outline of its elements, for labellers.

A sheet shows what a labeller needs to decide on the roles of a page's blocks: where each block is,
how long it is, how much of it is links, and how its text begins. Short links in a row share a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from thresher.evaluation.corpora import LabelledPage
from thresher.page import Page
from thresher.page.tags import NAMES

__all__ = ["write_sheet"]

_MAX_TEXT: Final = 130
"""Characters shown of a block's text."""
_SHORT_TEXT: Final = 40
"""Characters up to which links share a line."""
_MAX_NAME: Final = 28
"""Characters shown of a class or id."""
_MAX_INDENT: Final = 12
_PLAIN: Final = frozenset(
    ("html", "body", "div", "span", "tr", "td", "tbody", "font", "center", "a")
)
"""Elements that are shown only if they have a class or an id."""


class _SheetBlock(NamedTuple):
    block: int
    chain: tuple[tuple[int, str], ...]
    """Rows and labels of the elements around the block, outermost first."""
    tag: str
    text: str
    words: int
    link_share: float
    hidden: bool

    @property
    def is_short_link(self) -> bool:
        return 0 < len(self.text) <= _SHORT_TEXT and self.link_share > 0.5


def write_sheet(labelled: LabelledPage, page: Page, name: str) -> str:
    """Write the sheet of a page under a name by which the labeller's answer refers to it."""
    facts = (f"url {labelled.url}", f"lang {labelled.lang}", f"{len(page.blocks)} blocks")
    lines = [f"=== {name} | {' | '.join(facts)}"]
    opened: tuple[tuple[int, str], ...] = ()
    entries = list(_read_entries(page))
    for _, group in groupby(entries, key=lambda entry: (entry.chain, entry.is_short_link)):
        run = list(group)
        chain = run[0].chain
        shared = sum(1 for _ in _shared(opened, chain))
        new = [label for _, label in chain[shared:]]
        if new:
            lines.append(" " * min(shared, _MAX_INDENT) + ">".join(new))
        opened = chain
        indent = " " * min(len(chain), _MAX_INDENT)
        lines += [indent + line for line in _write_run(run)]
    return "\n".join(lines)


def _shared(
    one: Sequence[tuple[int, str]], other: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, str]]:
    for left, right in zip(one, other, strict=False):
        if left != right:
            return
        yield left


def _write_run(run: Sequence[_SheetBlock]) -> Iterator[str]:
    if run[0].is_short_link and len(run) > 1:
        yield " · ".join(f"{one.block}{'~' * one.hidden} {one.text}" for one in run) + "  [links]"
        return
    for one in run:
        text = one.text if len(one.text) <= _MAX_TEXT else one.text[: _MAX_TEXT - 1] + "…"
        marks = f" {one.words}w" * (len(one.text) > _MAX_TEXT) + " link" * (one.link_share > 0.5)
        yield f"{one.block}{'~' * one.hidden} {one.tag}{marks}: {text}"


def _read_entries(page: Page) -> Iterator[_SheetBlock]:
    naming = {name: page.attributes.values(name) for name in ("id", "class", "role", "alt")}
    words = page.blocks.sums(page.leaf_words)
    links = page.blocks.sums(page.leaf_link_words)
    texts = list(page.block_texts())
    for block, row in enumerate(page.block_row.tolist()):
        chain = []
        above = int(page.parent[row])
        while above >= 0:
            label = _label_element(page, above, naming)
            if label:
                chain.append((above, label))
            above = int(page.parent[above])
        n_word = int(words[block])
        leaf = int(page.block_leaf[block])
        wordless = f"({NAMES[page.tag[leaf]]} {naming['alt'].get(leaf, '')})"
        yield _SheetBlock(
            block,
            tuple(reversed(chain)),
            _label_element(page, row, naming) or NAMES[page.tag[row]],
            " ".join((texts[block] or wordless).split()),
            n_word,
            int(links[block]) / n_word if n_word else 0.0,
            bool(page.hidden[row]),
        )


def _label_element(page: Page, row: int, naming: Mapping[str, Mapping[int, str]]) -> str:
    """Return the tag, id and first two classes of an element; empty if it says nothing."""
    tag = NAMES[page.tag[row]]
    names = "#" + naming["id"][row][:_MAX_NAME] if naming["id"].get(row) else ""
    names += "".join("." + name[:_MAX_NAME] for name in naming["class"].get(row, "").split()[:2])
    if naming["role"].get(row):
        names += f"[{naming['role'][row]}]"
    if tag in ("html", "body") or (tag in _PLAIN and not names):
        return ""
    return f"{tag}{names}"
