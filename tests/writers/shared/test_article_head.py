"""Restoration of the head of an article."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.data import cases
from tests.proxy.site import STORY
from thresher.extraction import extract
from thresher.page.parse import parse
from thresher.selection import DROPPED_BY_RULE, Selection
from thresher.writers.shared.article_head import find_lead_media, keep_article_head

TITLE = "The mill by the weir"


def page(heading: str) -> str:
    """A page with a title and a heading, in a box beside a menu."""
    return f"<title>{TITLE}</title><h2>Elsewhere</h2><div>{heading}{STORY}</div>"


def keep_story(html: str) -> tuple[Selection, list[str]]:
    """Keep the story of a page alone; also return the texts of its blocks."""
    selection = extract(html, method="keep_all").selection
    page_ = selection.page
    texts = [page_.block_text(block) for block in range(len(page_.blocks))]
    story = np.array([texts[block].startswith("Paragraph") for block in page_.blocks.of_leaf])
    return replace(selection, keep=story), texts


def kept_of(html: str) -> set[str]:
    """Return the blocks that are kept besides the story."""
    less, texts = keep_story(html)
    kept = keep_article_head(less).keep
    assert (kept | ~less.keep).all()
    return {texts[block] for block in less.page.blocks.of_leaf[kept & ~less.keep]}


HEADLINE = f"<h1>{TITLE}</h1>"


@pytest.mark.parametrize(
    ("title", "head", "expected"),
    [
        (TITLE, HEADLINE, {TITLE}),
        (TITLE, "<h2>The <i>Mill</i> by\nthe weir</h2>", {"The Mill by the weir"}),
        (TITLE, "<h4>The weather</h4>", set()),
        (TITLE, "", set()),
        (f"{TITLE} | The Courier", f"<h2>{TITLE}</h2>", {TITLE}),
        (f"The Courier: {TITLE}", f"<h2>{TITLE}</h2>", {TITLE}),
        ("The weir, and the mill by it | The Courier", f"<h2>{TITLE}</h2>", set()),
        ("", f"<h2>{TITLE}</h2>", set()),
        (
            TITLE,
            f"{HEADLINE}<p>By Ann Miller<figure><img src=mill.png alt=Mill width=600></figure>",
            {TITLE, "By Ann Miller", ""},
        ),
        (
            TITLE,
            f"{HEADLINE}<p>Share it <a href=/a>here and there</a> <a href=/b>and with others</a>",
            {TITLE},
        ),
        (TITLE, f"{HEADLINE}<p>" + "A long story of another kind. " * 12, {TITLE}),
    ],
)
def test_the_title_is_kept_with_what_belongs_to_it(
    title: str, head: str, expected: set[str]
) -> None:
    """The heading of the title is restored with a byline and a picture below it, no long text."""
    assert expected == kept_of(page(head).replace(f"<title>{TITLE}", f"<title>{title}", 1))


def test_nothing_stays_nothing() -> None:
    """Without kept content, no headline is restored."""
    document = extract(page(f"<h1>{TITLE}</h1>"), method="keep_all")
    none = np.zeros_like(document.selection.keep)
    assert not keep_article_head(replace(document.selection, keep=none)).keep.any()


def test_the_only_h1_is_kept() -> None:
    """It is the headline even if the title of the page is another."""
    html = f"<title>News</title><h1>Mill burns</h1><div><h2>Elsewhere</h2></div>{STORY}"
    assert "Mill burns" in kept_of(html)


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="og:title" content="Mill burns">',
        '<script type="application/ld+json">{"headline": "Mill \\u0062urns"}</script>',
    ],
)
def test_metadata_names_the_headline(head: str) -> None:
    """A heading that matches the metadata is kept where no or another h1 is on the page."""
    html = f"{head}<title>News</title>{{}}<h2>Mill burns</h2><div><h3>Elsewhere</h3></div>{STORY}"
    assert {"Mill burns"} == kept_of(html.replace("{}", "", 1)) - {"Elsewhere"}
    assert {"Mill burns", "The Courier"} <= kept_of(html.replace("{}", "<h1>The Courier</h1>", 1))


@pytest.mark.parametrize("title", ["Ada Holm", "Résumé of Ada Holm", "Ada Holm's CV"])
@pytest.mark.parametrize("tag", ["h1", "h2"])
def test_the_name_in_a_resume_is_kept(tag: str, title: str) -> None:
    """The person's name is the headline, by its element or by the title of the page."""
    html = f"<title>{title}</title><{tag}>Ada Holm</{tag}><h3>Work</h3><div>{STORY}</div>"
    assert "Ada Holm" in kept_of(html)


def test_byline_and_lead_among_other_blocks_are_kept() -> None:
    """Names mark a byline and lead between headline and content; share links stay out."""
    share = "<ul>" + "<li><a href=/s>Share this with everyone</a></li>" * 8 + "</ul>"
    head = "<p class=standfirst>It was old.</p><div class=byline>By Ann</div>"
    kept = kept_of(f"<title>Mill burns</title><h1>Mill burns</h1>{head}{share}{STORY}")
    assert {"Mill burns", "It was old.", "By Ann"} == kept


def test_a_byline_below_a_kept_headline_is_kept() -> None:
    """A method that keeps the headline itself still leaves the byline to be restored."""
    html = f"<title>Mill burns</title><h1>Mill burns</h1><div class=entry-meta>By Ann</div>{STORY}"
    selection = extract(html, method="keep_all").selection
    leaf_texts = [selection.page.leaf_text(leaf) for leaf in range(selection.keep.size)]
    byline = np.array([text == "By Ann" for text in leaf_texts])
    less = replace(selection, keep=selection.keep & ~byline)
    assert byline.sum() == 1
    assert np.array_equal(selection.keep, keep_article_head(less).keep)


def test_rules_of_the_user_hold() -> None:
    """A headline that a rule excludes does not come back."""
    document = extract(page(f"<h1>{TITLE}</h1>"), method="keep_all")
    selection = document.selection
    story = selection.page.leaf_words > 20
    code = np.ones_like(selection.reason_code)
    less = replace(selection, keep=story, reason_code=code, reasons=("", DROPPED_BY_RULE))
    assert np.array_equal(story, keep_article_head(less).keep)


META = '<meta property="og:image" content="https://cdn.example/a/mill.jpg?w=1200">'
AMP = "<script src=https://cdn.ampproject.org/v0.js></script>"
URL = "https://site.example/news/page"


def kept_beside(body: str, head: str = META) -> set[str]:
    """Return the ids of the leaves that are kept besides the paragraphs."""
    page = parse(f"<head>{head}</head><body>{body}", url=URL)
    texts = [page.leaf_text(leaf) for leaf in range(page.leaves.size)]
    keep = np.array([text.startswith("Story") for text in texts], np.bool_)
    found = find_lead_media(page, keep)
    ids = page.attributes.values("id")
    return {ids.get(int(row), page.text_of(int(row))) for row in page.leaves[found]}


@pytest.mark.parametrize(
    ("picture", "kept"),
    [
        ("<img id=i src=https://cdn.example/a/mill.jpg>", {"i"}),
        ("<img id=i src=//cdn.example/a/mill.jpg?w=600>", {"i"}),
        ("<img id=i src=x.gif data-src=/a/mill.jpg>", {"i"}),
        ("<img id=i srcset='/a/weir.jpg 1x, /a/mill.jpg 2x'>", {"i"}),
        ("<picture><source srcset=/a/mill.jpg><img id=i src=x.gif></picture>", {"i"}),
        ("<figure><img id=i src=/a/mill.jpg><figcaption>Mill</figcaption></figure>", {"i", "Mill"}),
        ("<img id=i src=/a/mill.jpg><img id=j src=/a/mill.jpg>", {"i"}),
        (f"{AMP}<amp-img id=i src=/a/mill.jpg></amp-img>", {"i"}),
        ("<img id=i src=/a/weir.jpg>", set()),
    ],
)
def test_the_picture_that_a_page_names_is_kept(picture: str, kept: set[str]) -> None:
    """The first picture with the address in og:image is kept, with its caption."""
    assert kept == kept_beside(f"<div>{picture}</div><p>Story")
    assert not kept_beside(f"<div>{picture}</div><p>Story", "")


@cases(__file__, "videos")
def test_videos_within_the_content_are_kept(video: str, is_kept: bool) -> None:
    """Videos of the page and of known players are kept between selected texts."""
    assert ({"v"} if is_kept else set()) == kept_beside(f"<p>Story one</p>{video}<p>Story two")
    assert set() == kept_beside(f"<p>Story one</p><p>Story two</p>{video}")
