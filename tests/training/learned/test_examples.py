"""Examples: labelled pages with their features, content and roles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.training.learned.pages import make_pages, write_page
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, digest_html
from thresher.features import compute_features
from thresher.page.parse import parse
from thresher.roles import NO_ROLE, ROLES, SCOPES
from thresher.training.learned.examples import Example, label_by_rules, make_examples, scope_of

STORY = "The mill grinds rye, oats and barley for nine villages around it."
HTML = f"<nav><a href=/>Home</a></nav><p>{STORY}</p><p>And wheat.</p>"
LONG_STORY = "The mill grinds rye, oats and barley for nine villages around it, and has for years."
REPLY = "I remember the miller well, who let us children ride on the sacks on the way home."
SURE = {
    "a paragraph of the label": (f"<p>{LONG_STORY}</p>", "body"),
    "a caption": ("<figure><img src=a><figcaption>The mill</figcaption></figure>", "caption"),
    "a date": ("<div><time>22 November 2026</time></div>", "date"),
    "a reply": (f"<p>{LONG_STORY}</p><div id=comments><p>{REPLY}</p></div>", "comment"),
    "code": ("<pre>grind(rye)</pre>", "code"),
}
UNSURE = {
    "a short paragraph": "<p>The mill grinds rye.</p>",
    "no paragraph": f"<div>{LONG_STORY}</div>",
    "a heading of another name": "<h1>The mill</h1>",
    "a short reply": "<p>Rye.</p><div id=comments><p>Lovely!</p></div>",
    "much text in a time": f"<time>{LONG_STORY}</time>",
    "a menu of which the label has words": "<nav><ul><li><a href=/>Home</a></ul></nav>",
}


def page_of(text: str | None, html: str = HTML, page_type: str | None = None) -> LabelledPage:
    return LabelledPage(
        "wcxb_dev", "1", html, url="https://a.mill.example/", text=text, page_type=page_type
    )


def make_one(page: LabelledPage) -> Example:
    (example,) = make_examples([page])
    return example


def test_blocks_have_shares_of_the_label() -> None:
    """Each block has its number of tokens, and the share of them that is in the label."""
    example = make_one(page_of(f"{STORY}\nAnd nothing else."))
    assert [1, 12, 2] == example.weight.tolist()
    assert [0, 1, 0.5] == example.share.tolist()
    assert 15 == example.n_gold
    assert ("mill.example", "") == (example.site, example.page.html)
    assert len(example.features.values) == example.names.opened.shape[1] == 3


@pytest.mark.parametrize(
    ("keep", "f1"),
    [
        ([False, False, False], 0),
        ([False, True, False], 2 * 12 / (12 + 15)),
        ([False, True, True], 2 * 13 / (14 + 15)),
        ([True, True, True], 2 * 13 / (15 + 15)),
    ],
)
def test_measure_is_the_f1_of_tokens(keep: list[bool], f1: float) -> None:
    """F1 compares the tokens of kept blocks with those of the label."""
    example = make_one(page_of(f"{STORY}\nAnd nothing else."))
    assert f1 == pytest.approx(example.measure(np.array(keep)))


def test_copies_have_no_weight() -> None:
    """If a text occurs twice on the page, one copy is content and the other has no weight."""
    example = make_one(page_of(STORY, f"<p>{STORY}</p><div hidden><p>{STORY}</p></div>"))
    assert [12, 0] == example.weight.tolist()
    assert 1 == example.measure(np.array([True, True])) == example.measure(np.array([True, False]))


@pytest.mark.parametrize(
    ("text", "is_empty", "all_dropped"), [("", True, 1), (" \n", True, 1), (STORY, False, 0)]
)
def test_page_may_have_no_content(text: str, is_empty: bool, all_dropped: float) -> None:
    """With an empty label, keeping nothing scores 1 and keeping anything 0."""
    example = make_one(page_of(text))
    assert is_empty == (not example.n_gold)
    assert all_dropped == example.measure(np.zeros(3, bool))
    assert not is_empty or 0 == example.measure(np.array([False, True, False]))


@pytest.mark.parametrize(
    "page",
    [
        page_of(None),
        page_of("Another text, of which the page has not half of the words."),
        page_of("", ""),
    ],
    ids=["no label", "label of another page", "no block"],
)
def test_unusable_pages_are_left_out(page: LabelledPage) -> None:
    """A page without a label, with the label of another page, or without blocks is left out."""
    other = page_of(STORY)
    assert [other.text] == [each.page.text for each in make_examples([page, other])]


@pytest.mark.parametrize(
    ("page_type", "scope", "place"),
    [
        (None, "article", -1),
        ("other", "article", -1),
        ("article", "article", 0),
        ("forum", "thread", PAGE_TYPES.index("forum")),
        *((name, "page", PAGE_TYPES.index(name)) for name in ("product", "listing", "service")),
    ],
)
def test_scope_follows_from_the_page_type(page_type: str | None, scope: str, place: int) -> None:
    """The page type determines the scope of a label; a page without a type is an article."""
    page = page_of(STORY, page_type=page_type)
    assert SCOPES.index(scope) == scope_of(page)
    assert place == make_one(page).page_type


def label(page: LabelledPage, *names: str) -> RoleLabels:
    codes = np.array([ROLES.index(name) for name in names], np.int8)
    found = RoleLabel(page.corpus, page.id, digest_html(page.html), "r1", codes)
    return {(page.corpus, page.id): (found,)}


def test_roles_are_those_of_the_label() -> None:
    """Roles come from the role label, fully trusted; content comes from the text label."""
    page = page_of(STORY)
    (example,) = make_examples([page], label(page, "navigation", "body", "caption"))
    expected = [ROLES.index(name) for name in ("navigation", "body", "caption")]
    assert (1, expected) == (example.role_trust, example.role.tolist())
    assert make_one(page).share.tolist() == example.share.tolist()
    assert make_one(page).weight.tolist() == example.weight.tolist()


def test_roles_are_those_of_rules_without_a_label() -> None:
    """Without a role label, rules give some roles with less trust, and the rest is unknown."""
    example = make_one(page_of(STORY, f"<nav><p>Home</p></nav><p>{STORY}</p>"))
    assert [ROLES.index("navigation"), NO_ROLE] == example.role.tolist()
    assert 0 < example.role_trust < 1


def test_role_label_of_another_page_is_ignored() -> None:
    """A role label with another number of blocks, or of changed HTML, is ignored."""
    page = page_of(STORY)
    other = label(replace(page, html=HTML + "<p>More"), "navigation", "body", "body")
    for labels in (label(page, "navigation", "body"), other):
        (example,) = make_examples([page], labels)
        assert example.role_trust < 1


def test_content_follows_from_roles_without_a_text() -> None:
    """Body, tables and code are content; blocks on which corpora differ have no weight."""
    html = f"<h1>The mill</h1><p>{STORY}</p><pre>grind(rye)</pre><p>More mills</p>"
    page = page_of(None, html)
    (example,) = make_examples([page], label(page, "title", "body", "code", "related"))
    assert [0, 1, 1, 0] == example.share.tolist()
    assert [0, 12, 2, 2] == example.weight.tolist()
    assert 14 == example.n_gold
    assert 1 == example.measure(np.array([True, True, True, False]))
    assert 1 == example.measure(np.array([False, True, True, False]))
    page = page_of(None)
    (example,) = make_examples([page], label(page, "navigation", "related", "legal"))
    assert not example.n_gold
    assert 1 == example.measure(np.zeros(3, bool))


def test_annotated_roles_are_learned_under_auto_and_the_text_under_its_scope() -> None:
    """Under `auto` roles say what is content and counts, under other scopes the text does."""
    html = f"<h1>The mill</h1><p>{STORY}</p><p>By Ann</p><p>And wheat.</p>"
    page = page_of(f"The mill. {STORY} By Ann", html)
    (example,) = make_examples([page], label(page, "title", "body", "byline", "body"))
    assert [1, 1, 0, 1] == example.gold(0).share.tolist()
    assert [2, 12, 2, 2] == example.gold(0).weight.tolist()
    text = example.gold(1)
    assert [1, 1, 1, 0] == text.share.tolist()
    assert (example.weight.tolist(), example.share.tolist()) == tuple(map(list, text))


def test_without_annotated_roles_the_text_is_learned_under_every_scope() -> None:
    """Roles by rules say nothing about content."""
    example = make_one(page_of(STORY))
    for scope in range(len(SCOPES)):
        assert example.share.tolist() == example.gold(scope).share.tolist()
        assert example.weight.tolist() == example.gold(scope).weight.tolist()


def test_comments_are_flagged() -> None:
    """Blocks inside elements named after comments are flagged."""
    page = page_of(STORY, f"<p>{STORY}</p><div id=comments><p>Lovely!</p></div>")
    assert [False, True] == make_one(page).comments.tolist()


def test_examples_are_the_same_in_processes() -> None:
    """Several processes make the same examples, in the same order."""
    pages = [*make_pages(2), replace(write_page(3, 0), text=None)]
    one, two = (list(make_examples(pages, n_job=n_job)) for n_job in (1, 2))
    assert [each.page for each in one] == [each.page for each in two]
    for each, other in zip(one, two, strict=True):
        assert np.array_equal(each.features.values, other.features.values)
        assert np.array_equal(each.share, other.share)


def roles_of(
    html: str,
    *,
    share: float = 1.0,
    text: str | None = LONG_STORY,
    title: str | None = None,
    page_type: str | None = "article",
) -> list[str | None]:
    """Return the roles of blocks that all have the same share in the label."""
    page = parse(html)
    labelled = LabelledPage("news", "1", html, text=text, page_type=page_type, title=title)
    shares = np.full(len(page.blocks), share, np.float32)
    codes = label_by_rules(page, compute_features(page), labelled, shares)
    assert ("int8", (len(page.blocks),)) == (codes.dtype.name, codes.shape)
    return [None if code == NO_ROLE else ROLES[code] for code in codes.tolist()]


@pytest.mark.parametrize(("html", "role"), SURE.values(), ids=SURE)
def test_reliable_roles_are_derived(html: str, role: str) -> None:
    """A block in a dedicated element, or in the label, gets its role."""
    assert role == roles_of(html)[-1]


@pytest.mark.parametrize("html", UNSURE.values(), ids=UNSURE)
def test_doubtful_roles_are_left_open(html: str) -> None:
    """Ambiguous blocks get no role."""
    assert {None} == set(roles_of(html))


def test_text_missing_in_the_label_is_not_body() -> None:
    """A paragraph or code block has a role only if nearly all of it is in the label.

    A block of `nav` that is not in the label is navigation.
    """
    assert ["navigation"] == roles_of("<nav><p><a href=/>Home</a></p></nav>", share=0)
    assert [None] == roles_of(f"<p>{LONG_STORY}</p>", share=0.875)
    assert [None] == roles_of("<pre>grind(rye)</pre>", share=0.875)


@pytest.mark.parametrize(
    ("heading", "role"),
    [("The  MILL", "title"), ("The mill", "title"), ("The mill today", None), ("", None)],
)
@pytest.mark.parametrize("tag", ["h1", "h2"])
def test_title_is_the_heading_with_its_words(tag: str, heading: str, role: str | None) -> None:
    """A heading is the title if it has the same words; case and spaces do not matter."""
    assert [role] == roles_of(f"<{tag}>{heading}<img src=a></{tag}>", title="The mill")


@pytest.mark.parametrize("page_type", ["forum", "listing", "product"])
def test_content_of_other_page_types_has_no_role(page_type: str) -> None:
    """On a page that is not an article, content blocks get no role."""
    html = f"<p>{LONG_STORY}</p><time>1 May</time><div id=comments><p>{REPLY}</p></div>"
    assert {None} == set(roles_of(html, page_type=page_type))


@pytest.mark.parametrize("text", [None, ""])
def test_no_body_without_a_text(text: str | None) -> None:
    """Without a text label, no paragraph is body."""
    assert {None} == set(roles_of(f"<p>{LONG_STORY}</p>", text=text))


def test_some_pages_have_an_example_with_insertions() -> None:
    """What is inserted is in the gold if it is content; captions are not scored; the rest stays."""
    prose = [f"{LONG_STORY * 3} It stands in village number {number}." for number in range(8)]
    html = "".join(f"<p>{paragraph}</p>" for paragraph in prose)
    page = page_of("\n".join(prose), html)
    examples = [make_one(replace(page, id=str(number))) for number in range(60)]
    varied = [example.varied for example in examples if example.varied]
    assert 8 < len(varied) < 32
    content = [ROLES.index(role) for role in ("body", "table", "code")]
    roles = set()
    for one in varied:
        assert one.varied is None
        was = one.weight > 40  # longer than anything that is inserted
        assert len(prose) == was.sum()
        assert one.share[was].all()
        assert (np.isin(one.role[~was], content) == (one.share[~was] == 1)).all()
        assert not one.weight[one.role == ROLES.index("caption")].any()
        assert one.n_gold == pytest.approx((one.weight * one.share).sum())
        assert len(one.features.values) == one.comments.size == one.role.size
        roles |= set(one.role[~was].tolist())
    assert {"body", "table", "caption", "navigation", "advertisement"} <= {ROLES[r] for r in roles}
