"""A click on a block becomes a selector that a person would have written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.helpers.trees import soups
from thresher.page import Page
from thresher.page.parse import parse
from thresher.sites.apply import find_rows
from thresher.sites.propose import MAX_PROPOSALS, propose_selectors

PARAGRAPH = "<p>The rye is in the barn, and the miller is glad.</p>"
FILLER = f"<main><h1>Rye</h1>{8 * PARAGRAPH}</main>"


def block_with(page: Page, text: str) -> int:
    """Return the block whose text holds a text."""
    (found,) = [b for b in range(len(page.blocks)) if text in page.block_text(b)]
    return found


def best(markup: str, text: str = "Buy flour") -> str:
    """Return the first selector proposed for a text of some markup on a page of much else."""
    page = parse(FILLER + markup)
    return propose_selectors(page, block_with(page, text))[0].selector


@pytest.mark.parametrize(
    ("markup", "selector"),
    [
        ("<div id=offer><p>Buy flour</p></div>", "#offer"),
        ("<div class='post-12 offer'>Buy flour</div>", "div.offer"),
        ("<div class='css-1x2y3 kQbXz aGVWFTY offer'>Buy flour</div>", "div.offer"),
        ("<div class='is-open active offer'>Buy flour</div>", "div.offer"),
        ("<div class='Offer_box__hN3wAR'>Buy flour</div>", 'div[class*="Offer_box__"]'),
        ("<div role=complementary>Buy flour</div>", 'div[role="complementary"]'),
        ("<aside><div><p>Buy flour</div></aside>", "aside"),
        ("<div class=offerBox><p class=x1>Buy flour</p></div>", "div.offerBox"),
    ],
)
def test_a_thing_is_named_by_what_it_is(markup: str, selector: str) -> None:
    """Id, class or role count; numbers, hashes and states do not."""
    assert selector == best(markup)


def test_one_of_many_is_named_by_its_kind() -> None:
    """In a list of related stories, all are matched first; each alone can be chosen too."""
    items = "".join(f"<li class=related>Story {word}</li>" for word in ("one", "two", "three"))
    page = parse(f"{FILLER}<ul>{items}</ul>")
    proposals = propose_selectors(page, block_with(page, "Story two"))
    assert ("li.related", 3, 3) == proposals[0][:3]
    assert any(each.is_place and each.n_block == 1 for each in proposals)


def test_a_paragraph_of_the_text_is_named_by_its_place() -> None:
    """A rule for all paragraphs would match the whole text, so it is not the first guess."""
    page = parse(FILLER.replace("glad.</p></main>", "glad. Buy flour.</p></main>"))
    first, *others = propose_selectors(page, block_with(page, "Buy flour"))
    assert ("main > p:nth-of-type(8)", True) == (first.selector, first.is_place)
    assert all(each.n_word <= 0.6 * page.leaf_words.sum() for each in others)


@settings(max_examples=30)
@given(soups())
def test_every_proposal_names_the_block(html: str) -> None:
    """On any page, every proposed selector matches the block, with correct counts."""
    page = parse(html)
    for block in range(min(len(page.blocks), 6)):
        proposals = propose_selectors(page, block)
        assert len(proposals) <= MAX_PROPOSALS
        flags = find_rows(page, [each.selector for each in proposals])
        for each, found in zip(proposals, flags, strict=True):
            assert page.within(found)[page.block_leaf[block]]
            assert each.n_element == found.sum()
