"""Outputs of peers are stored by peer, version and page."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.leaderboard.peer_runs import Outputs, PeerAnswer, key_of

PAGE = LabelledPage("mine", "rye", "<p>rye", text="rye")


def test_answers_are_kept(tmp_path: Path) -> None:
    """Stored outputs are there in the next run, including unusual characters and errors."""
    answer = PeerAnswer("rye \ud800 稞麦", 0.25, "half of it")
    with Outputs(tmp_path / "new" / "kept") as outputs:
        outputs.put("peer", "1.0", key_of(PAGE), answer)
    with Outputs(tmp_path / "new" / "kept") as outputs:
        assert answer == outputs.get("peer", "1.0", key_of(PAGE))
        outputs.put("peer", "1.0", key_of(PAGE), PeerAnswer("new", 1.0))
        assert PeerAnswer("new", 1.0) == outputs.get("peer", "1.0", key_of(PAGE))


@pytest.mark.parametrize(
    ("peer", "version", "html"),
    [("other", "1.0", "<p>rye"), ("peer", "1.1", "<p>rye"), ("peer", "1.0", "<p>oats")],
)
def test_another_peer_version_or_page_is_not_known(
    tmp_path: Path, peer: str, version: str, html: str
) -> None:
    """A stored output is only used for the same peer, version and page."""
    with Outputs(tmp_path / "kept") as outputs:
        outputs.put("peer", "1.0", key_of(PAGE), PeerAnswer("rye", 0.1))
        page = dataclasses.replace(PAGE, html=html)
        assert outputs.get(peer, version, key_of(page)) is None


def test_key_is_of_the_request_to_peers() -> None:
    """The key excludes the label, and separates fields unambiguously."""
    assert key_of(PAGE) == key_of(dataclasses.replace(PAGE, text="oats", id="2", corpus="yours"))
    moved = [
        dataclasses.replace(PAGE, url="ab"),
        dataclasses.replace(PAGE, url="a", lang="b"),
        dataclasses.replace(PAGE, html=PAGE.html + "a", url="b"),
    ]
    assert 4 == len({key_of(page) for page in (PAGE, *moved)})


def test_file_of_another_kind(tmp_path: Path) -> None:
    """A file of another kind is rejected and stays unchanged."""
    (tmp_path / "notes.txt").write_text("rye and oats" * 99)
    with pytest.raises(InputError, match=r"notes\.txt"):
        Outputs(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text().startswith("rye")
    with pytest.raises(InputError):
        Outputs(tmp_path)
