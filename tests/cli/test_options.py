"""Options that several commands share are read, or rejected, before anything else happens."""

from __future__ import annotations

import re
from argparse import ArgumentError, ArgumentParser, Namespace
from pathlib import Path

import pytest

from tests.helpers import judged
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.algorithms.base import FAVORS
from thresher.cli.arguments import build_parser
from thresher.cli.choices import has_content, read_params, read_reading
from thresher.cli.console import STDIN, Reading
from thresher.cli.options import (
    FLAGS,
    add_choice,
    add_reading,
    add_write_options,
    read_count,
    read_write_options,
)
from thresher.document import Verdict, WriteOptions
from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.limits import Limits
from thresher.roles import SCOPES
from thresher.support.quoting import quote
from thresher.support.settings import describe


def parse_options(*argv: str) -> Namespace:
    """Read options with a parser that has no others."""
    parser = ArgumentParser(exit_on_error=False)
    add_choice(parser)
    add_reading(parser)
    return parser.parse_args(argv)


def test_nothing_is_chosen_by_default() -> None:
    """Without options the default method runs without scope, favor and parameters."""
    args = parse_options()
    assert (DEFAULT_METHOD, [], None, None) == (args.method, args.param, args.scope, args.favor)


@pytest.mark.parametrize("scope", SCOPES)
def test_scope_is_any_of_the_methods(scope: str) -> None:
    """Every scope of the method can be given."""
    assert scope == parse_options("--scope", scope).scope


@pytest.mark.parametrize("favor", [*FAVORS, "0.5", "4", "1e-3"])
def test_favor_is_a_word_or_a_number(favor: str) -> None:
    """A favor is passed on as it is written; the method interprets it."""
    assert favor == parse_options("--favor", favor).favor


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--favor", value) for value in ("", "some", "0", "-1", "nan", "inf")),
        *(("--timeout", value) for value in ("0", "nan", "1e9")),
        *(("--max-bytes", value) for value in ("0", "1.5", "²", "9999999999")),
        *(("--user-agent", value) for value in ("a\tb", "müller")),
    ],
)
def test_value_is_refused_when_it_makes_no_sense(option: str, value: str) -> None:
    """An invalid value is incorrect usage, and the message names it."""
    with pytest.raises(ArgumentError, match=re.escape(f"not {quote(value)}")):
        parse_options(f"{option}={value}")


@pytest.mark.parametrize(("text", "count"), [("1", 1), ("007", 7), (str(2**31), 2**31)])
def test_count_is_a_whole_number(text: str, count: int) -> None:
    """Counts consist of decimal digits."""
    assert count == read_count(text)


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


OPTIONS = {
    "url": "https://a.example/",
    "charset": "koi8-r",
    "timeout": 2.0,
    "max_bytes": 9,
    "max_nodes": 8,
    "deadline": 7.0,
    "on_limit": "partial",
    "user_agent": "me",
    "allow_private": False,
}


def choice_of(method: str, *settings: str, **shorthands: str) -> Namespace:
    """Return the method and the parameters that a command line selects."""
    return Namespace(
        **{"method": method, "param": list(settings), "scope": None, "favor": None, "model": None}
        | shorthands
    )


def test_params_are_read_by_name() -> None:
    """The value is everything after the first equals sign; the last value of a name counts."""
    params = read_params(choice_of("max_density", "degree=1", " degree =2"))
    assert 2 == params.degree


def test_params_have_scope_and_favor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scope and favor, which have their own options, are parameters as well."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    choice = choice_of("judged", "page_type=forum", scope="thread", favor="0.5")
    assert judged.Params("thread", "0.5", "forum") == read_params(choice)


@pytest.mark.parametrize("setting", ["degree", "degree:2", "speed=3", "degree=many"])
def test_params_that_are_wrong(setting: str) -> None:
    """An unknown parameter of the method is incorrect usage."""
    with pytest.raises(UsageError):
        read_params(choice_of("max_density", setting))


def test_reading_is_what_options_say() -> None:
    """Every option for reading pages is passed on."""
    limits = Limits(9, 8, 7.0, "partial")
    assert Reading("https://a.example/", "koi8-r", 2.0, "me", limits, False) == read_reading(
        Namespace(**OPTIONS)
    )


def test_reading_in_unknown_charset() -> None:
    """An unknown charset is rejected before anything is read."""
    with pytest.raises(UsageError, match='unknown charset "runes"'):
        read_reading(Namespace(**OPTIONS | {"charset": "runes"}))


def verdict_on(capsys: pytest.CaptureFixture[str], html: str, **params: object) -> list[str]:
    """Return the verdict on a page, and the message about it, if any."""
    document = extract(html, method=judged.select, params=judged.Params(**params))  # type: ignore[arg-type]
    said = not has_content(STDIN, document)
    lines = capsys.readouterr().err.splitlines()
    assert said is bool(lines)
    return [document.verdict.value, *lines]


@pytest.mark.parametrize(
    ("page_type", "verdict"), [("article", Verdict.CONTENT), ("listing", Verdict.LISTING)]
)
def test_nothing_is_said_of_content(
    capsys: pytest.CaptureFixture[str], page_type: str, verdict: Verdict
) -> None:
    """A page with content, including a listing, gives no message."""
    assert [verdict.value] == verdict_on(capsys, "<p>rye", page_type=page_type)


def test_verdict_is_said_when_nothing_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """A page without content gives a message with its verdict."""
    assert ["no main content", "thresher: standard input: no main content"] == verdict_on(
        capsys, "<p>rye", keeps=False
    )


@pytest.mark.parametrize(
    ("html", "verdict", "evidence"),
    [
        ("<title>404 Not Found</title><p>Gone.", Verdict.BLOCKED, "An error page: the title says"),
        ("<div id=root></div><script src=a.js></script>", Verdict.NEEDS_BROWSER, "The application"),
    ],
)
def test_evidence_is_said_when_there_is_an_obstacle(
    capsys: pytest.CaptureFixture[str], html: str, verdict: Verdict, evidence: str
) -> None:
    """An obstacle gives a message with its evidence, even if something is kept."""
    for keeps in (True, False):
        said, line = verdict_on(capsys, html, keeps=keeps)
        assert verdict.value == said
        assert line.startswith(f"thresher: standard input: {verdict.value}: {evidence}")


def parse(*argv: str) -> Namespace:
    return build_parser().parse_args(argv)


def test_defaults_of_training() -> None:
    """By default, all pages are used, in one process, and no folds are stored."""
    args = parse("train", "-o", "mill.npz")
    assert ([], Path("mill.npz"), None) == (args.corpora, args.output, args.folds)
    assert (None, None, 1) == (args.n_fold, args.pages, args.jobs)


def test_options_of_training() -> None:
    """Each option is passed on."""
    options = ["--folds", "out", "--n-fold", "4", "--pages", "9", "-j", "2", "--output", "m.npz"]
    args = parse("train", "a", "b", *options)
    assert (["a", "b"], Path("m.npz"), Path("out")) == (args.corpora, args.output, args.folds)
    assert (4, 9, 2) == (args.n_fold, args.pages, args.jobs)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "-o/--output"),
        (["-o", "m.npz", "--n-fold", "1"], "must be 2 or more, not 1"),
        (["-o", "m.npz", "--n-fold", "two"], "must be a whole number"),
        (["-o", "m.npz", "--pages", "0"], "must be a whole number"),
        (["-o", "m.npz", "--jobs", "-1"], "must be a whole number"),
    ],
)
def test_training_refused_when_options_are_wrong(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    """Invalid options are rejected before training, not an hour later."""
    with pytest.raises(SystemExit):
        parse("train", *options)
    assert message in capsys.readouterr().err


def test_both_commands_take_corpora_alike() -> None:
    """Both commands have the same options for corpora, pages and processes."""
    shared = ("a", "b", "--pages", "3", "-j", "4")
    measured, trained = parse("eval", *shared), parse("train", *shared, "-o", "m.npz")
    for name in ("corpora", "pages", "jobs"):
        assert getattr(measured, name) == getattr(trained, name)
