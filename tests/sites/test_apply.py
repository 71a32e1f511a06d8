"""Evidence of a site and the user's rules change what is selected; clicks become selectors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.helpers.trees import soups
from tests.sites.pages import BANNER, NOTICE, form, stories, story
from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.page import Page
from thresher.page.parse import parse
from thresher.sites.apply import Evidence, check_rules, find_rows, match, read_evidence
from thresher.sites.learning import MIN_LIKENESS, Site, learn, update
from thresher.sites.propose import MAX_PROPOSALS, propose_selectors
from thresher.sites.rulebook import Rules


def facts(page: Page, evidence: Evidence) -> dict[str, tuple[int, int]]:
    """Return text → on how many pages of how many."""
    pairs = zip(evidence.repeated.tolist(), evidence.seen.tolist(), strict=True)
    return {page.block_text(block): pair for block, pair in enumerate(pairs)}


def test_repeated_blocks_are_told() -> None:
    """A text that all pages have in its place is on all, a story on none, though it was learned."""
    pages = stories(1, 2, 3, 4)
    for page, n_other in ((pages[3], 3), (pages[0], 2)):
        found = facts(page, read_evidence(learn(pages[:3]), page))
        assert (n_other, n_other) == found[BANNER]
        assert 0 == max(pair[0] for text, pair in found.items() if "week" in text)
    evidence = read_evidence(learn(pages[:1]), pages[0])
    assert not evidence.repeated.any()
    assert not evidence.share.any()


def test_a_page_of_the_site_matches_its_layout() -> None:
    """The layout with the most common places is returned; without any, its likeness is low."""
    found = match(learn([*stories(1, 2, 3), parse(form())]), stories(4)[0])
    assert 0 == found.layout
    assert found.likeness > 0.9
    assert match(learn(stories(1, 2, 3)), parse(form())).likeness < MIN_LIKENESS


def test_the_default_method_drops_what_repeats_and_says_why() -> None:
    """A block that reads like content is dropped when other pages have it too."""
    site = learn(stories(1, 2, 3))
    assert NOTICE in extract(story(4)).text
    document = extract(story(4), site=site)
    assert NOTICE not in document.text
    assert "praised" in document.text
    (block,) = [block for block in document.blocks if block.text == NOTICE]
    assert block.reason.endswith("; on 3 of 3 pages of this site")


def test_other_methods_drop_what_repeats() -> None:
    """Even the method that keeps everything drops what repeats on two pages or more."""
    document = extract(story(4), method="keep_all", site=learn(stories(1, 2, 3)))
    assert BANNER not in document.text
    assert "praised" in document.text
    text = extract(story(4), method="keep_all", site=learn(stories(1))).text
    assert text == extract(story(4), method="keep_all").text


def test_a_page_is_never_silenced() -> None:
    """If all blocks are repeated, nothing is dropped."""
    html = "<p>Rye is in.</p>"
    site = Site()
    for page in stories(1, 1, 1):
        site = replace(update(site, page), sketches=())  # without it, a copy counts once
    assert "Rye" in extract(html, method="keep_all", site=site).text
    whole = extract(story(1), method="keep_all", site=replace(site, sketches=())).text
    assert whole == extract(story(1), method="keep_all").text


def test_a_site_of_one_page_changes_nothing() -> None:
    """Selection and reasons are the same as without a site."""
    alone, known = extract(story(1)), extract(story(1), site=learn(stories(1)))
    assert [(block.kept, block.reason, block.score) for block in alone.blocks] == [
        (block.kept, block.reason, block.score) for block in known.blocks
    ]


def test_rules_of_the_user_are_stronger() -> None:
    """What a rule matches is kept or dropped whatever was learned; drop overrides keep."""
    site = replace(
        learn(stories(1, 2, 3)), rules=Rules(keep=(".top p", "h1", ".about"), drop=("article h1",))
    )
    document = extract(story(4), site=site)
    assert BANNER in document.text
    assert NOTICE in document.text
    reasons = {block.text: block.reason for block in document.blocks}
    assert "kept by a rule of the site" == reasons[BANNER]
    (title,) = [block for block in document.blocks if block.tag == "h1"]
    assert not title.kept
    assert "dropped by a rule of the site" == title.reason


@pytest.mark.parametrize("selector", ["", "p::", "a,", ":is(" * 1_000])
def test_selectors_can_be_checked_without_a_page(selector: str) -> None:
    """Invalid selectors are reported immediately, and when a page is extracted."""
    check_rules(Rules(keep=("p > a:has(b)",), drop=("#x",)))
    with pytest.raises(UsageError, match="is not a CSS selector"):
        check_rules(Rules(drop=("p", selector)))
    with pytest.raises(UsageError, match="is not a CSS selector"):
        extract(story(3), site=replace(learn(stories(1, 2)), rules=Rules(drop=(selector,))))


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
