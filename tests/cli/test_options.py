"""Options that several commands share are read, or rejected, before anything else happens."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from thresher.cli.arguments import build_parser
from thresher.cli.choices import read_reading
from thresher.cli.console import Reading
from thresher.cli.options import (
    FLAGS,
    add_write_options,
    read_write_options,
)
from thresher.document import WriteOptions
from thresher.limits import Limits
from thresher.support.settings import describe


def read(*args: str, names: tuple[str, ...] = ()) -> WriteOptions:
    parser = ArgumentParser()
    add_write_options(parser.add_argument_group("output"), *names)
    return read_write_options(parser.parse_args(args), *names)


def test_every_write_option_has_a_flag() -> None:
    """Every declared write option has a flag, and there are no other flags."""
    assert {each.name for each in describe(WriteOptions)} == FLAGS.keys()


def test_options_without_flags_are_the_defaults() -> None:
    """Without flags, the command writes as the library does; the title can be left out."""
    assert WriteOptions() == read() == read(names=("links", "images"))
    assert read("--no-title").title is False


def test_each_flag_sets_its_option() -> None:
    """A flag changes its option; those of options that are on turn them off."""
    args = "--with-metadata --with-title --keep comment,date --max-chars 500 --max-tokens 100"
    switches = "--no-links --no-images --keep-tracking --removed-links"
    on = dict.fromkeys(("metadata", "removed_links", "title", "tracking"), True)
    expected = WriteOptions(
        links=False, images=False, max_chars=500, max_tokens=100, keep=("comment", "date"), **on
    )
    assert expected == read(*args.split(), *switches.split())


def test_reading_is_what_options_say() -> None:
    """Every option for reading pages is passed on."""
    options = {
        **{"url": "https://a.example/", "charset": "koi8-r", "user_agent": "me", "timeout": 2.0},
        **{"max_bytes": 9, "max_nodes": 8, "deadline": 7.0, "on_limit": "partial"},
        "allow_private": False,
    }
    limits = Limits(9, 8, 7.0, "partial")
    assert Reading("https://a.example/", "koi8-r", 2.0, "me", limits, False) == read_reading(
        Namespace(**options)
    )


def test_both_commands_take_corpora_alike() -> None:
    """Both commands have the same options for corpora, pages and processes."""
    parse = build_parser().parse_args
    shared = ("a", "b", "--pages", "3", "-j", "4")
    measured, trained = parse(["eval", *shared]), parse(["train", *shared, "-o", "m.npz"])
    for name in ("corpora", "pages", "jobs"):
        assert getattr(measured, name) == getattr(trained, name)
