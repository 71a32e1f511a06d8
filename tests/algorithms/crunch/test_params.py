"""The parameters."""

from __future__ import annotations

from thresher.algorithms.base import Algorithm
from thresher.algorithms.crunch import Params, select


def test_settings_valid_and_described_when_listed() -> None:
    """Every parameter has a description, and defaults can be formatted as text."""
    algorithm = Algorithm(select, Params, summary="", source="")
    assert all(setting.help for setting in algorithm.parameters())
    defaults = {setting.name: setting.default for setting in algorithm.parameters()}
    assert Params() == algorithm.build_params(defaults)


def test_settings_read_from_the_command_line() -> None:
    """Lists, switches and `auto` are read from text."""
    spelled = {"ad_hosts": "||a.test^,b.test", "remove_ads": "no", "max_link_ratio": "0.5"}
    params = Algorithm(select, Params, summary="", source="").build_params(spelled)
    expected = Params(ad_hosts=("||a.test^", "b.test"), remove_ads=False, max_link_ratio=0.5)
    assert expected == params
    assert Params() == Algorithm(select, Params, "", "").build_params({"ad_hosts": "auto"})
