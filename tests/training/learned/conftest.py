"""Fixtures of several training tests: pages, a network fitted to them, and a whole training.

Without PyTorch no test of this folder is collected.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from thresher.training.learned.encoding import Encoding
    from thresher.training.learned.examples import Example
    from thresher.training.learned.network import Encoded, TrainableNetwork
    from thresher.training.learned.recipe import TrainedModel

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
N_FOLD = 2


class Lesson(NamedTuple):
    """Pages in every form that training uses."""

    examples: list[Example]
    encoding: Encoding
    pages: list[Encoded]

    @property
    def n_token(self) -> int:
        return self.encoding.vocabulary.size


@pytest.fixture(scope="session")
def lesson() -> Lesson:
    """The pages of all sites, encoded, with uniform probabilities of page types."""
    import numpy as np
    import torch

    from tests.training.learned.pages import prepare
    from thresher.algorithms.learned.page_type import PAGE_TYPES
    from thresher.training.learned.network import encode

    torch.set_num_threads(1)
    examples, encoding = prepare()
    types = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
    return Lesson(examples, encoding, [encode(each, encoding, types) for each in examples])


@pytest.fixture(scope="session")
def network(lesson: Lesson) -> TrainableNetwork:
    """A network fitted to all pages; as they are few, each is used more often."""
    from thresher.training.learned import fit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit, "N_EPOCH", 16)
        return fit.fit_network(lesson.pages, lesson.n_token, seed=1)


@pytest.fixture(scope="session")
def trained(lesson: Lesson) -> TrainedModel:
    """A model trained on all pages, and one for each of two folds."""
    from thresher.training.learned.recipe import train

    return train(lesson.examples, n_fold=N_FOLD)
