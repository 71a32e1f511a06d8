"""Fitting of the networks: they learn, and are deterministic for a seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.training.learned.conftest import Lesson
from thresher.errors import UsageError
from thresher.roles import NO_ROLE, ROLES
from thresher.training.learned import fit
from thresher.training.learned.calibrate import quantise
from thresher.training.learned.fit import fit_network, fit_role_network, role_loss
from thresher.training.learned.network import Encoded, TrainableNetwork, join_pages


def in_corpus(page: Encoded, corpus: str, page_type: str | None) -> Encoded:
    labelled = replace(page.example.page, corpus=corpus, page_type=page_type)
    return replace(page, example=replace(page.example, page=labelled))


def test_content_is_learned(lesson: Lesson, network: TrainableNetwork) -> None:
    """On more than 95 % of blocks, the sign of the score agrees with the label."""
    with torch.no_grad():
        scores = network(join_pages(lesson.pages, [0] * len(lesson.pages)))
    gold = np.concatenate([page.example.share for page in lesson.pages])
    right = (scores.blocks.numpy() > 0) == (gold > 0.5)
    assert right.mean() > 0.95


def test_same_seed_gives_same_weights(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal seeds give bit-identical networks of each kind, different seeds different ones."""
    monkeypatch.setattr(fit, "N_EPOCH", 2)
    annotated = [page for page in lesson.pages if page.example.role_trust == 1]
    for fit_one, pages in ((fit_network, lesson.pages), (fit_role_network, annotated)):
        one, same, other = (
            fit_one(pages, lesson.n_token, seed=seed).state_dict() for seed in (3, 3, 4)
        )
        assert all(torch.equal(one[name], same[name]) for name in one)
        assert not any(torch.equal(one[name], other[name]) for name in one)


def test_long_pages_are_left_out(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages above the limit change nothing; if all are, there is nothing to learn from."""
    monkeypatch.setattr(fit, "N_EPOCH", 1)
    sizes = sorted({page.n_block for page in lesson.pages})
    monkeypatch.setattr(fit, "MAX_BLOCKS", sizes[-2])
    short = [page for page in lesson.pages if page.n_block < sizes[-1]]
    assert len(short) < len(lesson.pages)
    every, some = (
        fit_network(pages, lesson.n_token, seed=1).state_dict() for pages in (lesson.pages, short)
    )
    assert all(torch.equal(every[name], some[name]) for name in every)
    monkeypatch.setattr(fit, "MAX_BLOCKS", sizes[0] - 1)
    with pytest.raises(UsageError, match=f"no page to learn from has {sizes[0] - 1} blocks"):
        fit_network(lesson.pages, lesson.n_token, seed=1)


def test_pages_are_drawn_under_both_their_scopes(lesson: Lesson) -> None:
    """Each page is drawn under `auto` for a fixed share, and otherwise under its label's scope."""
    luck = np.random.default_rng(0)
    page = in_corpus(lesson.pages[0], "wcxb_dev", "forum")
    drawn = np.array([fit._draw_scope(page, luck) for _ in range(500)])
    assert {0, 2} == set(drawn.tolist())
    assert fit._AUTO_SHARE == pytest.approx(np.mean(drawn == 0), abs=0.08)


@pytest.mark.parametrize(
    ("corpus", "page_type", "is_rare"),
    [
        ("wcxb_dev", "forum", True),
        ("wcxb_dev", "article", False),
        ("news", "forum", False),
        ("news", None, False),
    ],
)
def test_rare_page_types_weigh_more(
    lesson: Lesson, corpus: str, page_type: str | None, is_rare: bool
) -> None:
    """Pages of mixed corpora that are not articles weigh more than other pages."""
    page = in_corpus(lesson.pages[0], corpus, page_type)
    assert is_rare == (fit._weigh(page, {page.example.site: 1}) > 1)


def test_pages_of_large_sites_weigh_less(lesson: Lesson) -> None:
    """More pages of a site weigh more in total, but each of them less."""
    page = in_corpus(lesson.pages[0], "news", None)
    of_one, of_few, of_many = (fit._weigh(page, {page.example.site: n}) for n in (1, 4, 100))
    assert 1 == of_one > of_few > of_many
    assert of_one < 4 * of_few < 100 * of_many


def test_dropout_hides_tokens_and_features(lesson: Lesson) -> None:
    """Dropout makes tokens unknown, and sets features to their mean on a whole page."""
    torch.manual_seed(0)
    batch = join_pages(lesson.pages, [0] * len(lesson.pages))
    blurred = fit.apply_dropout(batch, lesson.n_token)
    changed = blurred.tokens != batch.tokens
    assert (blurred.tokens[changed] == lesson.n_token).all()
    known = batch.tokens != lesson.n_token
    assert fit.TOKEN_DROPOUT == pytest.approx(float(changed[known].float().mean()), abs=0.05)
    hidden = (blurred.values == 0) & (batch.values != 0)
    share = hidden.sum() / (batch.values != 0).sum()
    assert fit.FEATURE_DROPOUT == pytest.approx(float(share), abs=0.02)
    shown = blurred.values == batch.values
    assert (hidden | shown).all()
    page = lesson.pages[0]
    own = hidden[: page.n_block] | (batch.values[: page.n_block] == 0)
    assert (own.all(dim=0) | shown[: page.n_block].all(dim=0)).all()


def test_average_is_of_the_last_steps() -> None:
    """The average forgets the initial weights, and equals a weight that stays constant."""
    layer = torch.nn.Linear(1, 1, bias=False)
    weight = torch.tensor([[100.0]])
    with torch.no_grad():
        layer.weight.fill_(1)
    for step in range(1, 50):
        fit.add_to_average({"weight": weight}, layer, step)
    assert 1 == pytest.approx(weight.item(), abs=1e-3)
    with torch.no_grad():
        layer.weight.fill_(2)
    fit.add_to_average({"weight": weight}, layer, 10_000)
    assert 1 + 1 / fit._AVERAGED_STEPS == pytest.approx(weight.item(), abs=1e-3)


def test_roles_are_learned(lesson: Lesson) -> None:
    """On new sites, more than 90 % of blocks get their role, also after quantisation."""
    annotated = [page for page in lesson.pages if page.example.role_trust == 1]
    seen, held_out = annotated[: len(annotated) // 2], annotated[len(annotated) // 2 :]
    fitted = fit_role_network(seen, lesson.n_token, seed=1)
    whole = quantise([fitted], lesson.encoding, seen, predicts_roles=True)
    role = np.concatenate([page.example.role for page in held_out])
    with torch.no_grad():
        scores = fitted(join_pages(held_out, [0] * len(held_out))).roles.numpy()
    rounded = np.concatenate(
        [whole.score_roles(each.example.features, each.tokens, each.types) for each in held_out]
    )
    assert (len(role), len(ROLES)) == scores.shape == rounded.shape
    assert (scores.argmax(axis=1) == role).mean() > 0.9
    assert (rounded.argmax(axis=1) == role).mean() > 0.9
    assert np.abs(scores - rounded).mean() < 0.1


def test_network_without_pages_is_random(lesson: Lesson) -> None:
    """Without pages, the result is a network of random weights."""
    one, same = (fit_role_network([], lesson.n_token, seed=3).state_dict() for _ in range(2))
    assert all(torch.equal(one[name], same[name]) for name in one)


def test_unknown_roles_have_no_loss(lesson: Lesson) -> None:
    """Blocks without a known role do not affect the loss."""
    page = lesson.pages[0]
    assert page.example.role_trust == 1
    batch = join_pages([page], [0])
    scores = torch.randn(len(batch.role), len(ROLES))
    unknown = replace(batch, role=torch.full_like(batch.role, NO_ROLE))
    assert 0 == role_loss(scores, unknown)
    first = replace(batch, role=batch.role.clone())
    first.role[1:] = NO_ROLE
    changed = scores.clone()
    changed[1:] = 0
    assert role_loss(scores, first).item() == pytest.approx(role_loss(changed, first).item())
    assert role_loss(scores, batch).item() != pytest.approx(role_loss(changed, batch).item())
