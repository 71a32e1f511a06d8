"""The trainable network has the shape of the shipped one, and batches change no scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.training.learned.conftest import Lesson
from thresher.roles import NO_ROLE
from thresher.training.learned.network import N_ROUND, TrainableNetwork, join_pages


def test_every_layer_has_codes(lesson: Lesson, network: TrainableNetwork) -> None:
    """Each layer has a code of values from 0 for every block."""
    codes = network.codes(join_pages(lesson.pages[:2], [0, 0]))
    assert 2 + 2 * N_ROUND == len(codes)
    n_block = sum(page.n_block for page in lesson.pages[:2])
    assert {n_block} == {len(code) for code in codes}
    assert all((code >= 0).all() for code in codes)


def test_scores_are_finite_without_words(lesson: Lesson) -> None:
    """A page of pictures, which has no share of words, has finite scores."""
    batch = join_pages(lesson.pages[:1], [0])
    batch.word_share.zero_()
    scores = TrainableNetwork(lesson.n_token)(batch)
    assert scores.blocks.isfinite().all()
    assert scores.roles.isfinite().all()


def test_every_weight_has_a_gradient(lesson: Lesson) -> None:
    """Every weight of the network affects some score."""
    network = TrainableNetwork(lesson.n_token)
    scores = network(join_pages(lesson.pages[:8], [0, 1, 2, 3] * 2))
    (scores.blocks.sum() + scores.roles.sum()).backward()
    for name, weight in network.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.abs().max() > 0, name


def test_names_of_a_block_are_those_around_it(lesson: Lesson, network: TrainableNetwork) -> None:
    """Names inside the nearest container plus those outside are all names around a block."""
    batch = join_pages(lesson.pages[:1], [0])
    with torch.no_grad():
        levels = network.gather_names(batch).reshape(len(batch.values), -1, 8).sum(dim=1)
        vector = network.embedding.weight[batch.tokens]
        tokens = lesson.examples[0].features.tokens
        starts = [*tokens.start.tolist(), len(tokens.hash)]
        entry = torch.stack(
            [vector[starts[name] : starts[name + 1]].sum(dim=0) for name in tokens.name.tolist()]
        )
    for block, row in enumerate(lesson.examples[0].features.chain.leaf.tolist()):
        around = torch.from_numpy((tokens.row <= row) & (tokens.end > row))
        assert entry[around].sum(dim=0).tolist() == pytest.approx(levels[block].tolist(), abs=1e-4)


def test_batch_does_not_change_scores(lesson: Lesson) -> None:
    """A page's scores do not depend on the other pages of the batch."""
    network = TrainableNetwork(lesson.n_token).eval()
    pages, scopes = lesson.pages[4:9], [0, 3, 1, 3, 2]
    with torch.no_grad():
        together = network(join_pages(pages, scopes)).blocks
        pairs = zip(pages, scopes, strict=True)
        alone = [network(join_pages([page], [own])).blocks for page, own in pairs]
    assert torch.cat(alone).tolist() == pytest.approx(together.tolist(), abs=1e-4)


def test_numbers_of_a_batch(lesson: Lesson) -> None:
    """Shares of each page add up to 1; a batch has weights, scopes and labels of its pages."""
    pages = lesson.pages[8:11]
    batch = join_pages(pages, [0, 1, 0], [1, 2, 1])
    assert (3, [0, 1, 0], [1, 2, 1]) == (
        batch.n_page,
        batch.scope.tolist(),
        batch.page_weight.tolist(),
    )
    assert [page.n_block for page in pages] == torch.bincount(batch.page).tolist()
    for share in (batch.word_share, batch.block_share, batch.weight):
        sums = torch.zeros(3).index_add(0, batch.page, share)
        assert [1, 1, 1] == pytest.approx(sums.tolist(), abs=1e-5)
    gold = np.concatenate([page.example.share for page in pages])
    assert gold.tolist() == batch.gold.tolist()


def test_roles_of_a_batch(lesson: Lesson) -> None:
    """The role weights of a page add up to its trust, and are 0 where no role is known."""
    pages = lesson.pages[8:11]
    batch = join_pages(pages, [0, 0, 0])
    role = np.concatenate([page.example.role for page in pages])
    assert role.tolist() == batch.role.tolist()
    assert not batch.role_weight[batch.role == NO_ROLE].any()
    sums = torch.zeros(3).index_add(0, batch.page, batch.role_weight)
    assert [page.example.role_trust for page in pages] == pytest.approx(sums.tolist())
    assert {1.0} < {page.example.role_trust for page in pages}
    unknown = replace(pages[0].example, role=np.full_like(pages[0].example.role, NO_ROLE))
    batch = join_pages([replace(pages[0], example=unknown)], [0])
    assert {0.0} == set(batch.role_weight.tolist())
    assert [1] == batch.page_weight.tolist()
