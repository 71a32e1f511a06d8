"""The trainable network has the same shape as the shipped one."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from tests.training.learned.conftest import Lesson
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
    assert scores.empty.isfinite().all()
    assert scores.roles.isfinite().all()


@pytest.mark.parametrize("reads_words", [False, True])
def test_every_weight_has_a_gradient(lesson: Lesson, reads_words: bool) -> None:
    """Every weight of the network affects some score."""
    network = TrainableNetwork(lesson.n_token, reads_words=reads_words)
    scores = network(join_pages(lesson.pages[:8], [0, 1, 2, 3] * 2))
    (scores.blocks.sum() + scores.empty.sum() + scores.roles.sum()).backward()
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
