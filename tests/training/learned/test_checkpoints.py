"""Checkpoints: saved models are found again, but only for the same recipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.algorithms.learned.models import make_model
from tests.training.learned.conftest import Lesson
from thresher.training.learned.recipe import digest_recipe, load_checkpoint, save_checkpoint


def test_model_is_loaded_as_saved(tmp_path: Path) -> None:
    """A checkpoint contains the whole model, and no temporary file remains."""
    path, model = tmp_path / "model.pickle", make_model()
    save_checkpoint(path, model)
    loaded = load_checkpoint(path)
    assert loaded is not None
    assert [path] == list(tmp_path.iterdir())
    for name, saved in (("one.npz", model), ("two.npz", loaded)):
        saved.save(tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_missing_checkpoint_is_none(tmp_path: Path) -> None:
    """Without a folder or a file there is no checkpoint, and nothing is written."""
    save_checkpoint(None, make_model())
    assert load_checkpoint(None) is None
    assert load_checkpoint(tmp_path / "model.pickle") is None


def test_digest_depends_on_pages_labels_and_settings(lesson: Lesson) -> None:
    """Other pages, roles, labels, folds, networks or seeds give another digest."""
    examples = lesson.examples
    silent = replace(examples[0], role=np.full_like(examples[0].role, -1))
    moved = replace(examples[0], share=1 - examples[0].share)
    digests = [
        digest_recipe(examples, 2, 1, 7),
        digest_recipe(examples, 3, 1, 7),
        digest_recipe(examples, 2, 2, 7),
        digest_recipe(examples[1:], 2, 1, 7),
        digest_recipe([silent, *examples[1:]], 2, 1, 7),
        digest_recipe([moved, *examples[1:]], 2, 1, 7),
        digest_recipe(examples, 2, 1, 8),
    ]
    assert len(digests) == len(set(digests))
    assert digests[0] == digest_recipe(list(examples), 2, 1, 7)
