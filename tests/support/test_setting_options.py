"""Command-line options derived from settings."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from tests.support.kitchen import Kitchen
from thresher.errors import UsageError
from thresher.support.setting_options import add_options, from_args


def test_options_change_only_what_they_name() -> None:
    """Switches, choices and values are read; a setting without an option given keeps its value."""
    parser = ArgumentParser()
    add_options(parser, Kitchen)
    args = parser.parse_args("--no-lit --lamps 3 --fuel wood --pots a,b".split())
    expected = Kitchen(False, 3, 0.25, "wood", "", ("a", "b"))
    assert expected == from_args(Kitchen(heat=0.25), args)
    assert "100 %" in parser.format_help()


def test_option_with_an_invalid_value() -> None:
    """An invalid value is rejected with a message that names the setting."""
    parser = ArgumentParser()
    add_options(parser, Kitchen, prefix="kitchen_")
    with pytest.raises(UsageError, match="lamps must be a whole number from 0 to 9, not 11"):
        from_args(Kitchen(), parser.parse_args(["--lamps", "11"]), prefix="kitchen_")
