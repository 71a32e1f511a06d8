"""Completion of a page with a text of its scripts."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from tests.analysis.embedded.pages import (
    HTML_BODY,
    OTHER,
    PARAGRAPHS,
    STORY,
    TEASER,
    TITLE,
    article_json_ld,
    next_data,
    page,
)
from thresher.analysis.embedded import Origin, complete
from thresher.judgement import Effect
from thresher.page.parse import parse
from thresher.roles import ROLES
from thresher.selection import KnownRoles, Selection

HEADING = f"<h1>{TITLE}</h1>"
ARTICLE = f"<article>{HEADING}{HTML_BODY}</article>"
FOOTER = "<footer><p>The Harrow Post, est. 1902</footer>"
LONG = "".join(f"<p>{text} And so it went on day {n}.</p>" for n in range(3) for text in OTHER)


def keep(html: str, *texts: str) -> Selection:
    """Keep the blocks of a page that have one of the texts in them."""
    of = parse(html)
    blocks = [of.block_text(block) for block in range(len(of.blocks))]
    kept = np.array([any(text in block for text in texts) for block in blocks], np.bool_)
    return Selection.of_blocks(
        of,
        "test",
        kept,
        score=kept.astype(np.float32),
        reason_code=kept.astype(np.int16),
        reasons=("dropped", "kept"),
    )


def texts_of(selection: Selection) -> list[str]:
    of = selection.page
    return [of.block_text(int(block)) for block in np.flatnonzero(selection.block_keep)]


COMPLETED = {
    "nothing is shown": (page(article_json_ld()), (), []),
    "a teaser": (
        page(article_json_ld(), body=f"{HEADING}<p>{TEASER}</p>{FOOTER}"),
        (TITLE, TEASER),
        [TITLE],
    ),
    "a teaser cut short": (
        page(article_json_ld(), body=f"{HEADING}<p>{TEASER[:140]} …</p>"),
        (TITLE, TEASER[:100]),
        [TITLE],
    ),
    "a lead of its own": (
        page(next_data(STORY), body=f"{HEADING}<p>A town that kept its flames.</p>"),
        (TITLE, "A town"),
        [TITLE, "A town that kept its flames."],
    ),
    "much beside": (page(next_data(STORY), body=LONG), (), []),
}


@pytest.mark.parametrize(("html", "kept", "left"), COMPLETED.values(), ids=COMPLETED)
def test_complete(html: str, kept: Iterable[str], left: list[str]) -> None:
    """The text is kept whole: it replaces blocks that it repeats and follows the others."""
    assert [*left, *PARAGRAPHS] == texts_of(complete(keep(html, *kept)))


UNTOUCHED = {
    "no scripts": (page(body=HEADING), (TITLE,)),
    "the same text is shown": (page(article_json_ld(), body=ARTICLE), (TITLE, *PARAGRAPHS)),
    "the same text is shown, and nothing kept": (page(article_json_ld(), body=ARTICLE), ()),
    "the same text is hidden": (
        page(next_data(STORY), body=f"<div hidden>{ARTICLE}</div>"),
        (TITLE,),
    ),
    "another text is shown": (page(article_json_ld(), body=LONG), ("Ferries",)),
    "a short other text is shown": (
        page(article_json_ld(), body=f"<p>{' '.join(OTHER[:4])}</p>"),
        ("Ferries",),
    ),
    "only a description": (page(article_json_ld(TEASER)), ()),
    "several articles": (page(article_json_ld(), article_json_ld(" ".join(OTHER) * 2)), ()),
    "data of another page": (page(next_data(STORY), title="Ferries leave from the pier"), ()),
    "an error page": (
        page(next_data({**STORY, "headline": "404 Not Found"}), title="404 Not Found"),
        (),
    ),
    "a frameset": ("<frameset><frame src=a></frameset>" + article_json_ld(), ()),
    "broken data": (page(article_json_ld()).replace('"articleBody":', '"articleBody"'), ()),
}


@pytest.mark.parametrize(("html", "kept"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_complete_when_nothing_is_missing(html: str, kept: Iterable[str]) -> None:
    """The same selection is returned."""
    selection = keep(html, *kept)
    assert selection is complete(selection)


def test_complete_twice() -> None:
    """A completed selection is not completed again."""
    once = complete(keep(page(article_json_ld())))
    assert once is complete(once)


def test_complete_gives_reasons() -> None:
    """Every block has a reason, the page's own blocks the same as before."""
    html = page(article_json_ld(), body=f"{HEADING}<p>{TEASER}</p>{FOOTER}")
    whole = complete(keep(html, TITLE, TEASER))
    reasons = [whole.reason(block) for block in range(len(whole.page.blocks))]
    added = "from JSON-LD, [0].articleBody: the page's own text lacks it"
    assert ["kept", "repeated by the text from JSON-LD", "dropped", *[added] * 5] == reasons


def test_complete_says_where_blocks_are_from() -> None:
    """The blocks that are new are those of the attached rows."""
    whole = complete(keep(page(next_data(STORY), body=HEADING), TITLE))
    origins = [whole.page.origin(int(row)) for row in whole.page.block_leaf]
    assert [Origin.MARKUP, *[Origin.STATE] * 5] == origins


def test_complete_explains_the_page_only() -> None:
    """Effects on the page's own blocks stay; on the others there are none."""
    selection = keep(page(article_json_ld(), body=HEADING), TITLE)
    effect = Effect("words", 1.0, 0.5)
    object.__setattr__(selection, "explain", lambda block: (effect,) * (block + 1))
    whole = complete(selection)
    assert [1, 0] == [len(whole.effects(block)) for block in (0, 1)]
    assert whole.keep.tolist() == pickle.loads(pickle.dumps(whole)).keep.tolist()


def test_complete_tells_roles_of_what_is_behind() -> None:
    """Blocks of the page keep their roles, and a text from its scripts is the body."""
    html, kept, _ = COMPLETED["a teaser"]
    selection = keep(html, *kept)
    n_block = len(selection.page.blocks)
    codes = np.full(n_block, ROLES.index("title"), np.int8)
    whole = complete(replace(selection, predict_roles=KnownRoles(codes)))
    roles = [whole.role(block) for block in range(len(whole.page.blocks))]
    assert len(roles) > n_block
    assert ["title"] * n_block + ["body"] * (len(roles) - n_block) == roles
    assert complete(selection).role_code is None
