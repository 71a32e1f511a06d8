"""Rules: reliable roles from markup and labels, and no role where neither decides."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from thresher.evaluation.corpora import LabelledPage
from thresher.features import compute_features
from thresher.page.parse import parse
from thresher.roles import NO_ROLE, ROLES
from thresher.training.learned.examples import label_by_rules

STORY = "The mill grinds rye, oats and barley for nine villages around it, and has for years."
REPLY = "I remember the miller well, who let us children ride on the sacks on the way home."


def roles_of(
    html: str,
    *,
    share: float = 1.0,
    text: str | None = STORY,
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


SURE = {
    "a paragraph of the label": (f"<p>{STORY}</p>", "body"),
    "a caption": ("<figure><img src=a><figcaption>The mill</figcaption></figure>", "caption"),
    "a date": ("<div><time>22 November 2026</time></div>", "date"),
    "a reply": (f"<p>{STORY}</p><div id=comments><p>{REPLY}</p></div>", "comment"),
    "code": ("<pre>grind(rye)</pre>", "code"),
}


@pytest.mark.parametrize(("html", "role"), SURE.values(), ids=SURE)
def test_reliable_roles_are_derived(html: str, role: str) -> None:
    """A block in a dedicated element, or in the label, gets its role."""
    assert role == roles_of(html)[-1]


UNSURE = {
    "a short paragraph": "<p>The mill grinds rye.</p>",
    "no paragraph": f"<div>{STORY}</div>",
    "a heading of another name": "<h1>The mill</h1>",
    "a short reply": "<p>Rye.</p><div id=comments><p>Lovely!</p></div>",
    "much text in a time": f"<time>{STORY}</time>",
    "a menu of which the label has words": "<nav><ul><li><a href=/>Home</a></ul></nav>",
}


@pytest.mark.parametrize("html", UNSURE.values(), ids=UNSURE)
def test_doubtful_roles_are_left_open(html: str) -> None:
    """Ambiguous blocks get no role."""
    assert {None} == set(roles_of(html))


def test_text_missing_in_the_label_is_not_body() -> None:
    """A paragraph or code block has a role only if nearly all of it is in the label."""
    assert [None] == roles_of(f"<p>{STORY}</p>", share=0.875)
    assert [None] == roles_of("<pre>grind(rye)</pre>", share=0.875)


def test_menus_outside_the_label_are_navigation() -> None:
    """A block of `nav` that is not in the label is navigation."""
    assert ["navigation"] == roles_of("<nav><p><a href=/>Home</a></p></nav>", share=0)


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
    html = f"<p>{STORY}</p><time>1 May</time><div id=comments><p>{REPLY}</p></div>"
    assert {None} == set(roles_of(html, page_type=page_type))


@pytest.mark.parametrize("text", [None, ""])
def test_no_body_without_a_text(text: str | None) -> None:
    """Without a text label, no paragraph is body."""
    assert {None} == set(roles_of(f"<p>{STORY}</p>", text=text))


def test_comments_are_not_body() -> None:
    """Comments are not body, even if the label contains them."""
    assert ["body", "comment"] == roles_of(f"<p>{STORY}</p><div id=comments><p>{REPLY}</p></div>")
