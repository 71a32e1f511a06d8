"""The learned method, with small models made for these tests: its decisions and explanations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.algorithms.learned.models import (
    NEVER_EMPTY,
    follow_network,
    make_model,
    make_role_network,
    watch_feature,
)
from tests.analysis.obstacles.pages import CHALLENGES
from thresher.algorithms.base import FAVORS
from thresher.algorithms.learned import Params, select
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.errors import UsageError
from thresher.page.parse import parse
from thresher.roles import ROLES, SCOPES
from thresher.selection import Selection

WORDS: Final = (40, 12, 6, 3, 1)
GRADED: Final = "".join(f"<p>{'rye ' * count}</p>" for count in WORDS)
"""Blocks of fewer and fewer words."""
BY_WORDS: Final = watch_feature("words", low=0, high=6)
"""The more words, the more probable: 7 words or log-odds of 0 are the middle."""
REPLIES: Final = (
    f"<article><p>{'rye ' * 40}</p></article>"
    f"<section id=comments><p>{'oats ' * 20}</p><p>{'oats ' * 20}</p></section>"
)

Save = Callable[[Model], Params]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Save a model; return the parameters that ask for it."""

    def save(model: Model) -> Params:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.npz"
        model.save(path)
        return Params(model=str(path))

    return save


@pytest.fixture
def params(save: Save) -> Params:
    """Return the parameters of a model that decides by the number of words of a block."""
    return save(make_model(network=BY_WORDS))


def reasons(selection: Selection) -> list[str]:
    return [selection.reason(block) for block in range(len(selection.page.blocks))]


def count_words(selection: Selection) -> int:
    return int(np.array(WORDS)[selection.block_keep].sum())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scope": "story"}, 'scope must be one of auto, article, thread, page, not "story"'),
        ({"favor": "speed"}, "favor must be one of balanced, precision, recall or a β above 0"),
        *(({"favor": favor}, "at most 16") for favor in ("0", "-1", "17", "nan", "inf", "")),
        ({"model": "absent.npz"}, r"absent\.npz holds no model"),
    ],
)
def test_invalid_parameters_are_rejected(
    params: Params, changes: dict[str, str], message: str
) -> None:
    """An unknown scope, favor or model raises UsageError on any page."""
    for html in (GRADED, ""):
        with pytest.raises(UsageError, match=message):
            select(parse(html), replace(params, **changes))


def test_score_is_the_probability(params: Params) -> None:
    """Scores are probabilities of content; in this model they rise with the length of a block."""
    score = select(parse(GRADED), params).score
    assert ((score > 0) & (score < 1)).all()
    assert (np.diff(score) < 0).all()
    # A block of 7 words would have even odds; 6 and 12 are the nearest on both sides.
    assert [True, True, False, False, False] == (score > 0.5).tolist()


def test_words_are_traded_as_favored(params: Params) -> None:
    """`precision` keeps fewer words than `recall`, and `balanced` no more than `recall`."""
    page = parse(GRADED)
    kept = {favor: count_words(select(page, replace(params, favor=favor))) for favor in FAVORS}
    assert 0 < kept["precision"] <= kept["balanced"] <= kept["recall"]
    assert kept["precision"] < kept["recall"]


@pytest.mark.parametrize(("favor", "beta"), FAVORS.items())
def test_favor_is_a_beta(params: Params, favor: str, beta: float) -> None:
    """A named favor and its β give the same selection."""
    page = parse(GRADED)
    word, number = (select(page, replace(params, favor=name)) for name in (favor, str(beta)))
    assert word.keep.tolist() == number.keep.tolist()


def test_reasons_report_choices_against_the_odds(params: Params) -> None:
    """A block kept below 1/2, or dropped above it, has the reason that the page's choice did so."""
    page = parse(GRADED)
    far, near = (select(page, replace(params, favor=beta)) for beta in ("16", "0.03125"))
    content, boilerplate = "content", "boilerplate"
    reached = "kept beside surer blocks: the page's best choice reaches down to it"
    beyond = "as likely content as not, but the page's best choice ends before it"
    assert [content, content, reached, reached, reached] == reasons(far)
    assert [content, beyond, boilerplate, boilerplate, boilerplate] == reasons(near)
    assert far.keep.all()


def test_page_judged_as_a_whole(save: Save) -> None:
    """The judgement ranks all page types, and its numbers are from 0 to 1."""
    selection = select(parse(GRADED), save(make_model()))
    judgement = selection.judgement
    assert judgement is not None
    assert set(PAGE_TYPES) == {name for name, _ in judgement.page_types}
    probabilities = [probability for _, probability in judgement.page_types]
    assert sorted(probabilities, reverse=True) == probabilities
    assert 1 == pytest.approx(sum(probabilities), abs=0.06)
    assert 0 <= judgement.empty_probability < 1e-9
    assert 0 < judgement.confidence <= 1


def test_confidence_does_not_depend_on_favor(params: Params) -> None:
    """Confidence is an expected F1, whatever measure the choice maximises."""
    judgements = [select(parse(GRADED), replace(params, favor=favor)).judgement for favor in FAVORS]
    assert judgements == [judgements[0]] * len(FAVORS)


def test_nothing_kept_when_page_seems_empty(save: Save) -> None:
    """Nothing is kept, with a reason, if an empty page is more probable than a good choice."""
    decider = replace(follow_network(), decider_empty=-NEVER_EMPTY)
    selection = select(parse(GRADED), save(make_model(network=BY_WORDS, decider=decider)))
    assert not selection.keep.any()
    assert {"the page seems to have no main content"} == set(reasons(selection))
    assert selection.judgement is not None
    assert (1, 1) == (selection.judgement.empty_probability, selection.judgement.confidence)
    assert (selection.score > 0).all()


@pytest.mark.parametrize("html", CHALLENGES.values(), ids=CHALLENGES)
def test_nothing_kept_when_an_obstacle_was_sent(params: Params, html: str) -> None:
    """The text of a page that was sent in place of the content is not kept."""
    selection = select(parse(html), params)
    assert not selection.keep.any()
    assert {"the page is blocked, or its content is not in its HTML"} >= set(reasons(selection))
    assert selection.judgement is None or selection.judgement.confidence > 0


@pytest.mark.parametrize("html", ["", "  ", "<div></div>", "<script>rye</script>"])
def test_nothing_judged_when_page_is_blank(params: Params, html: str) -> None:
    """A page without blocks has nothing to keep and no judgement."""
    selection = select(parse(html), params)
    assert (0, 0) == (selection.keep.sum(), selection.score.size)
    assert selection.judgement is None


def test_comments_excluded_under_article(params: Params) -> None:
    """`article` drops comments, and says why; `thread` and `page` keep them."""
    page = parse(REPLIES)
    kept = {scope: select(page, replace(params, scope=scope)) for scope in SCOPES}
    assert [True, False, False] == kept["article"].block_keep.tolist()
    assert ["readers' comments, outside the scope"] * 2 == reasons(kept["article"])[1:]
    assert [0, 0] == kept["article"].score[1:].tolist()
    for scope in ("thread", "page"):
        assert kept[scope].block_keep.all()


@pytest.mark.parametrize(("bias", "n_kept"), [(9.0, 3), (-9.0, 1)])
def test_comments_follow_the_kind_of_page_under_auto(save: Save, bias: float, n_kept: int) -> None:
    """Under `auto`, replies are content on a forum and not on other pages."""
    model = make_model(network=BY_WORDS)
    model.page_types.type_bias[PAGE_TYPES.index("forum")] = bias
    model.page_types.type_bias[PAGE_TYPES.index("documentation")] = -9
    selection = select(parse(REPLIES), save(model))
    assert n_kept == selection.block_keep.sum()


@pytest.mark.parametrize("shift", [-2.0, 0.0, 2.0])
def test_decider_decides_what_is_kept(save: Save, shift: float) -> None:
    """A model with a decider keeps the blocks that this one finds probable, and scores by it."""
    page = parse(GRADED)
    params = save(make_model(network=BY_WORDS, decider=follow_network(shift)))
    selection = select(page, params)
    assert selection.score[selection.block_keep].min() >= selection.score[
        ~selection.block_keep
    ].max(initial=0)


@pytest.mark.parametrize("shift", [0.0, 9.0])
def test_scopes_come_before_the_decider(save: Save, shift: float) -> None:
    """Whatever is decided, comments below a story are dropped, and replies of a thread kept."""
    params = save(make_model(network=BY_WORDS, decider=follow_network(shift)))
    page = parse(REPLIES)
    article, thread = (
        select(page, replace(params, scope=scope)) for scope in ("article", "thread")
    )
    assert not article.block_keep[1:].any()
    assert thread.block_keep[1:].all()


def test_roles_come_from_the_role_network(save: Save) -> None:
    """A model with a role network gives roles, a model without one gives none."""
    page = parse(GRADED)
    assert select(page, save(make_model())).role_code is None
    selection = select(page, save(make_model(roles=make_role_network(1))))
    assert {selection.role(block) for block in range(len(WORDS))} <= set(ROLES)


@pytest.mark.parametrize(
    ("scope", "role", "n_kept"),
    [
        ("auto", "navigation", len(WORDS)),
        ("article", "navigation", len(WORDS)),
        ("article", "comment", 0),
        ("thread", "comment", len(WORDS)),
        ("page", "comment", len(WORDS)),
        ("page", "related", len(WORDS)),
        ("article", "caption", len(WORDS)),
    ],
)
def test_blocks_of_roles_outside_the_scope_are_dropped(
    save: Save, scope: str, role: str, n_kept: int
) -> None:
    """A block that is almost certainly of a role outside the scope is dropped for that reason."""
    roles = make_role_network()
    roles.output_bias[:, ROLES.index(role)] = 1e4
    params = replace(save(make_model(network=BY_WORDS, roles=roles)), favor="16", scope=scope)
    selection = select(parse(GRADED), params)
    assert n_kept == selection.block_keep.sum()
    assert [role] * len(WORDS) == [selection.role(block) for block in range(len(WORDS))]
    assert n_kept or {"of a role that the scope leaves out"} == set(reasons(selection))


def test_the_requested_model_is_used(save: Save) -> None:
    """Another weights file gives other scores, and the first one the same scores again."""
    page = parse(GRADED)
    one, other = (save(make_model(seed)) for seed in (1, 2))
    scores = [select(page, params).score.tolist() for params in (one, other, one)]
    assert scores[0] == scores[2]
    assert scores[0] != scores[1]


def test_selection_has_the_effects_of_features(params: Params) -> None:
    """The effects in a selection name the only feature that this model reads."""
    selection = select(parse(GRADED), params)
    long, short = (selection.effects(block)[0] for block in (0, len(WORDS) - 1))
    assert ("words", "words") == (long.feature, short.feature)
    assert short.log_odds < 0 < long.log_odds
