"""Checkpoints: trained models kept on disk, so that an interrupted training run can be resumed."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from thresher.algorithms.learned.model import Model
from thresher.support.files import publish
from thresher.training.learned import fit
from thresher.training.learned.examples import Example

__all__ = ["digest_recipe", "load_checkpoint", "save_checkpoint"]


def digest_recipe(examples: Sequence[Example], n_fold: int, n_network: int, seed: int) -> str:
    """Return a digest of pages, labels and settings: a model of any other recipe is not reused."""
    digest = hashlib.sha256(repr((n_fold, n_network, seed, fit.SETTINGS)).encode())
    for example in examples:
        page = example.page
        digest.update(f"{page.corpus} {page.id} {page.page_type} {example.site}".encode())
        features = example.features
        hashes = (features.tokens.hash, features.declared, features.first_words)
        for array in (features.values, *hashes, example.weight, example.share, example.role):
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:16]


def load_checkpoint(path: Path | None) -> Model | None:
    """Return the model that an earlier run saved, None if there is none.

    The file is unpickled: it must come from an earlier run of this program.
    """
    if path is None or not path.exists():
        return None
    model: Model = pickle.loads(path.read_bytes())
    return model


def save_checkpoint(path: Path | None, model: Model) -> None:
    """Write a model, whole or not at all; do nothing without a path."""
    if path is None:
        return

    def write(draft: Path) -> None:
        draft.write_bytes(pickle.dumps(model, protocol=pickle.HIGHEST_PROTOCOL))

    publish(path, write)
