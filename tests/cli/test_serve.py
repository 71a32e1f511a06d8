"""`thresher serve`: the API alone."""

from __future__ import annotations

import pytest

from thresher.app.settings import AppSettings
from thresher.cli import main
from thresher.cli.arguments import build_parser
from thresher.cli.serve import read_settings


def test_defaults_are_those_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without options, all settings but one have their own defaults."""
    monkeypatch.delenv("THRESHER_TOKEN", raising=False)
    assert AppSettings(only_api=True) == read_settings(build_parser().parse_args(["serve"]))


def test_wrong_options_are_all_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing starts with unsafe or wrong options, and each has a line."""
    assert 2 == main(["serve", "--host", "0.0.0.0", "--model", "missing.npz"])
    said = capsys.readouterr().err
    assert "requires a token" in said
    assert "--model: missing.npz does not exist" in said
