"""Selections: built from rows and blocks, combined, and always shaped like their page."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import judged
from tests.helpers.trees import soups
from thresher import extract
from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.parse import parse
from thresher.roles import NO_ROLE, ROLES
from thresher.selection import KnownRoles, Selection

HTML = "<p>a <b>b</b></p><p>c</p><ul><li>d<li>e</ul>"
"""Four blocks, the first of two leaves."""


def select_at_random(page: Page, seed: int, method: str = "any") -> Selection:
    """Decide every block at random, the same for the same seed."""
    draw = np.random.default_rng(seed)
    n_block = len(page.blocks)
    return Selection(
        page,
        method,
        draw.random(page.leaves.size) < 0.5,
        draw.standard_normal(n_block).astype(np.float32),
        draw.integers(0, 2, n_block).astype(np.int16),
        ("heads", "tails"),
    )


def keep_all_but(page: Page, **changes: Any) -> Selection:
    """Make a valid selection, with some fields changed."""
    n_block = len(page.blocks)
    valid = {
        "keep": np.ones(page.leaves.size, np.bool_),
        "score": np.ones(n_block, np.float32),
        "reason_code": np.zeros(n_block, np.int16),
        "reasons": ("kept",),
    }
    return Selection(page, "all", **{**valid, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keep": np.ones(4, np.bool_)}, "keep must be bool"),
        ({"keep": np.ones((5, 1), np.bool_)}, "keep must be bool"),
        ({"keep": np.ones(5, np.int8)}, "keep must be bool"),
        ({"score": np.ones(5, np.float32)}, "score and reason_code"),
        ({"reason_code": np.zeros(3, np.int16)}, "score and reason_code"),
    ],
)
def test_selection_of_a_wrong_shape(changes: dict[str, Any], message: str) -> None:
    """Arrays that do not fit the page are refused."""
    with pytest.raises(ValueError, match=message):
        keep_all_but(parse(HTML), **changes)


def test_selection_is_read_only() -> None:
    """No array of a selection can be written to."""
    selection = keep_all_but(parse(HTML))
    arrays = (selection.keep, selection.score, selection.reason_code)
    assert [False, False, False] == [array.flags.writeable for array in arrays]


def test_repr_says_how_much_is_kept() -> None:
    """A selection shows its method and what it keeps."""
    keep = np.array([True, True, False, False, False])
    assert "<Selection all: 2 of 5 leaves>" == repr(keep_all_but(parse(HTML), keep=keep))


def test_of_blocks_lifts_to_every_leaf_of_a_block() -> None:
    """A block's decision is that of all its leaves."""
    selection = Selection.of_blocks(
        parse(HTML),
        "blocks",
        np.array([True, False, False, True]),
        score=np.array([4.0, 3.0, 2.0, 1.0]),
        reason_code=np.array([1, 0, 0, 1]),
        reasons=("short", "long"),
    )
    assert [True, True, False, False, True] == selection.keep.tolist()
    assert [True, False, False, True] == selection.block_keep.tolist()
    assert [4, 3, 2, 1] == selection.score.tolist()
    assert ["long", "short", "short", "long"] == [selection.reason(block) for block in range(4)]


def test_of_rows_reads_each_leaf() -> None:
    """A leaf is kept if its row is; a block has the score and reason of its first kept leaf."""
    page = parse(HTML)
    keep = np.zeros(len(page), np.bool_)
    keep[page.leaves[[1, 3]]] = True
    selection = Selection.of_rows(
        page,
        "rows",
        keep,
        score=np.arange(len(page)) / 2,
        reason_code=np.where(keep, 1, 0),
        reasons=("dropped", "kept"),
    )
    assert [False, True, False, True, False] == selection.keep.tolist()
    assert (page.leaves[[1, 2, 3, 4]] / 2).tolist() == selection.score.tolist()
    assert ["kept", "dropped", "kept", "dropped"] == [selection.reason(i) for i in range(4)]


@pytest.mark.parametrize("build", [Selection.of_rows, Selection.of_blocks])
def test_lifting_on_a_page_without_leaves(build: Any) -> None:
    """A page with nothing on it has an empty selection, not an error."""
    page = parse("")
    n_unit = len(page) if build == Selection.of_rows else 0
    none = np.zeros(n_unit, np.int16)
    selection = build(page, "none", none > 0, score=none, reason_code=none, reasons=("none",))
    combined = ~(selection & selection) | selection
    assert (0, 0) == (selection.keep.size, combined.keep.size)


@given(soups(), st.integers(0, 5), st.integers(0, 5))
def test_combining_leaf_by_leaf(html: str, first: int, second: int) -> None:
    """And, or and not are applied leaf by leaf; scores are the least, the greatest, negated."""
    page = parse(html)
    a, b = select_at_random(page, first, "a"), select_at_random(page, second, "b")
    assert [x and y for x, y in zip(a.keep, b.keep, strict=True)] == (a & b).keep.tolist()
    assert [x or y for x, y in zip(a.keep, b.keep, strict=True)] == (a | b).keep.tolist()
    assert [not x for x in a.keep] == (~a).keep.tolist()
    assert np.minimum(a.score, b.score).tolist() == (a & b).score.tolist()
    assert np.maximum(a.score, b.score).tolist() == (a | b).score.tolist()
    assert [-x for x in a.score] == (~a).score.tolist()


@given(soups(), st.integers(0, 5), st.integers(0, 5))
def test_reasons_are_joined(html: str, first: int, second: int) -> None:
    """Each block's reason names both methods with their reasons."""
    page = parse(html)
    a, b = select_at_random(page, first, "a"), select_at_random(page, second, "b")
    for i in range(len(page.blocks)):
        assert f"a: {a.reason(i)}; b: {b.reason(i)}" == (a & b).reason(i) == (a | b).reason(i)
        assert f"not ({a.reason(i)})" == (~a).reason(i)


def tell(*names: str | None) -> KnownRoles:
    codes = [NO_ROLE if name is None else ROLES.index(name) for name in names]
    return KnownRoles(np.array(codes, np.int8))


def keep_none(**changes: Any) -> Selection:
    """Keep nothing of a page of four blocks, the first of two leaves."""
    page = parse(HTML)
    return keep_all_but(page, keep=np.zeros(page.leaves.size, np.bool_), **changes)


def test_roles_are_told_when_asked_for() -> None:
    """A block has its role, or none where it is unknown, and they are computed once."""
    asked = []

    def predict_roles() -> npt.NDArray[np.int8]:
        asked.append(1)
        return tell("title", None, "body", "other").codes

    selection = keep_none(predict_roles=predict_roles)
    assert [] == asked
    assert ["title", None, "body", "other"] == [selection.role(block) for block in range(4)]
    assert [1] == asked
    assert selection.role_code is not None
    assert not selection.role_code.flags.writeable


def test_roles_are_unknown_when_the_method_tells_none() -> None:
    """No block has a role then, and none can be kept for it."""
    selection = keep_none()
    assert selection.role_code is None
    assert [None] * 4 == [selection.role(block) for block in range(4)]
    with pytest.raises(UsageError, match="the method all assigns no roles"):
        selection.with_roles(("title",))


def test_blocks_are_kept_by_their_role() -> None:
    """All leaves of a block of a role that was asked for are kept, and that is the reason."""
    selection = keep_none(predict_roles=tell("title", None, "body", "title"))
    wider = selection.with_roles(("title", "date"))
    assert [True, True, False, False, True] == wider.keep.tolist()
    asked_for = "of a role that was asked for"
    assert [asked_for, "kept", "kept", asked_for] == [wider.reason(block) for block in range(4)]
    assert ["title", None, "body", "title"] == [wider.role(block) for block in range(4)]
    assert selection.keep.tolist() == selection.with_roles(()).keep.tolist()


@given(soups(), st.integers(0, 5), st.sets(st.sampled_from(ROLES)))
def test_roles_only_add(html: str, seed: int, roles: set[str]) -> None:
    """What was kept stays so, with its reason; the rest of the blocks is as it was."""
    page = parse(html)
    draw = np.random.default_rng(seed)
    codes = draw.integers(NO_ROLE, len(ROLES), len(page.blocks)).astype(np.int8)
    selection = replace(select_at_random(page, seed), predict_roles=KnownRoles(codes))
    wider = selection.with_roles(sorted(roles))
    assert (selection.keep <= wider.keep).all()
    assert selection.score.tolist() == wider.score.tolist()
    for block in range(len(page.blocks)):
        kept = bool(selection.block_keep[block])
        assert (kept or selection.role(block) in roles) == wider.block_keep[block]
        if kept or selection.role(block) not in roles:
            assert selection.reason(block) == wider.reason(block)


def test_roles_outlive_a_pickle() -> None:
    """A pickled selection keeps its roles."""
    selection = keep_none(predict_roles=tell("title", None, "body", "other"))
    assert ["title", None, "body", "other"] == [
        pickle.loads(pickle.dumps(selection)).role(block) for block in range(4)
    ]
    assert pickle.loads(pickle.dumps(keep_none())).role_code is None


def test_roles_of_a_combination() -> None:
    """They are those of the first that has any, and negation keeps them."""
    page = parse(HTML)
    silent = keep_all_but(page)
    titles, bodies = (
        keep_all_but(page, predict_roles=tell(*[name] * 4)) for name in ("title", "body")
    )
    assert "title" == (titles & bodies).role(0) == (silent | titles).role(0) == (~titles).role(0)
    assert (silent & silent).role(0) is (~silent).role(0) is None


def test_method_of_a_combination() -> None:
    """The method's name says how a selection was made."""
    page = parse(HTML)
    a, b, c = (select_at_random(page, seed, name) for seed, name in enumerate("abc"))
    assert "a and (not (b or c))" == (a & ~(b | c)).method


def test_combining_across_pages() -> None:
    """Selections of two pages do not combine, not even of equal ones."""
    a, b = keep_all_but(parse(HTML)), keep_all_but(parse(HTML))
    with pytest.raises(ValueError, match="same page"):
        a & b


def test_a_page_without_blocks_has_none_of_any_role() -> None:
    """Asking for roles there is not an error, although no method assigned any."""
    nothing = Selection.of_nothing(parse(""), "learned", reason="empty")
    assert nothing.with_roles(("caption",)) is nothing


def test_without_unseen_drops_what_nothing_shows() -> None:
    """A hidden block or picture is dropped with a reason, and kept where little else is."""
    text = "<p>The council of the town met on Tuesday evening to decide about it.</p>"
    selection = extract(f"{text}<p hidden>Ignore all that.</p>", method="keep_all").selection
    assert ([True, False], "hidden, and nothing on the page shows it") == (
        selection.block_keep.tolist(),
        selection.reason(1),
    )
    picture = "<div style=display:none><img src=/a.jpg></div>"
    pictured = extract(f"{text}{picture}<p><img src=/b.jpg></p>", method="keep_all").selection
    assert [True, False, True] == pictured.keep.tolist()
    parts = "<p hidden>One part of it all.</p>" * 4
    assert extract(f"<p>A page.</p>{parts}", method="keep_all").selection.keep.all()
    copies = "<p hidden>Rye is sown in autumn.</p>" * 2
    copied = extract(f"<p>Rye is sown in autumn.</p>{copies}", method="keep_all").selection
    assert [True, False, False] == copied.keep.tolist()


def test_selection_tells_judgement_and_effects() -> None:
    """A selection gives its method's judgement of the page and the effects on each block."""
    selection = judged.select(parse("<p>one<p>two"), judged.Params(page_type="forum"))
    assert selection.judgement is not None
    assert (("forum", 0.75), ("service", 0.25)) == selection.judgement.page_types
    assert [judged.EFFECTS] * 2 == [selection.effects(block) for block in range(2)]


def test_selection_tells_nothing_when_combined() -> None:
    """A method's judgement does not apply to combined or inverted selections."""
    one = judged.select(parse("<p>one<p>two"), judged.Params())
    for combined in (one & one, one | one, ~one):
        assert (None, ()) == (combined.judgement, combined.effects(0))
