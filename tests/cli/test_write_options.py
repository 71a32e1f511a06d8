"""Flags of write options."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from thresher.cli.write_options import FLAGS, add_write_options, read_write_options
from thresher.document import WriteOptions
from thresher.errors import UsageError
from thresher.support.settings import describe


def read(*args: str, names: tuple[str, ...] = ()) -> WriteOptions:
    parser = ArgumentParser()
    add_write_options(parser.add_argument_group("output"), *names)
    return read_write_options(parser.parse_args(args), *names)


def test_every_write_option_has_a_flag() -> None:
    """Every declared write option has a flag, and there are no other flags."""
    assert {each.name for each in describe(WriteOptions)} == FLAGS.keys()


def test_options_without_flags_are_the_defaults() -> None:
    """Without flags, the command writes as the library does."""
    assert WriteOptions() == read()
    assert WriteOptions() == read(names=("links", "images"))


def test_each_flag_sets_its_option() -> None:
    """A flag changes its option; those of options that are on turn them off."""
    args = "--with-metadata --with-title --keep comment,date --max-chars 500 --max-tokens 100"
    switches = "--no-links --no-images --keep-tracking --removed-links"
    expected = WriteOptions(
        links=False,
        images=False,
        metadata=True,
        removed_links=True,
        title=True,
        tracking=True,
        max_chars=500,
        max_tokens=100,
        keep=("comment", "date"),
    )
    assert expected == read(*args.split(), *switches.split())


def test_the_title_can_be_asked_for_and_left_out() -> None:
    """Its default depends on the format, so there must be a flag for either."""
    assert (None, True, False) == tuple(
        read(*args).title for args in ((), ("--with-title",), ("--no-title",))
    )


def test_invalid_values_are_rejected() -> None:
    """A limit that is too small and an unknown role are incorrect usage."""
    with pytest.raises(UsageError, match="max_chars must be a whole number of 100 or more"):
        read("--max-chars", "99")
    with pytest.raises(UsageError, match='unknown role "nothing"'):
        read("--keep", "nothing")
