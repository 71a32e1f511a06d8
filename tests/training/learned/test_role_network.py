"""The role network: it learns annotated roles, and is deterministic for a seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.training.learned.conftest import Lesson
from thresher.roles import NO_ROLE, ROLES
from thresher.training.learned import fit
from thresher.training.learned.fit import fit_role_network, role_loss
from thresher.training.learned.network import Encoded, join_pages
from thresher.training.learned.quantise import quantise


@pytest.fixture(scope="module")
def annotated(lesson: Lesson) -> list[Encoded]:
    """The pages with annotated roles."""
    return [page for page in lesson.pages if page.example.role_trust == 1]


def test_roles_are_learned(lesson: Lesson, annotated: list[Encoded]) -> None:
    """On new sites, more than 90 % of blocks get their role, also after quantisation."""
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


def test_same_seed_gives_same_weights(
    lesson: Lesson, annotated: list[Encoded], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal seeds give bit-identical networks, different seeds different ones."""
    monkeypatch.setattr(fit, "_ROLE_EPOCHS", 1)
    one, same, other = (
        fit_role_network(annotated, lesson.n_token, seed=seed).state_dict() for seed in (3, 3, 4)
    )
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not any(torch.equal(one[name], other[name]) for name in one)


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
