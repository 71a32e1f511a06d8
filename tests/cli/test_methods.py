"""`thresher methods`: lists and descriptions."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.cli.exits import Exit


def squeeze(text: str) -> str:
    return " ".join(text.split())


def test_methods_lists_every_method(command: Command) -> None:
    """Every method is listed with its idea and its source, and the default is marked."""
    ran = command("methods")

    assert (Exit.OK, []) == (ran.status, ran.errors)
    for name, algorithm in ALGORITHMS.items():
        assert squeeze(f"{name} {algorithm.summary} Source: {algorithm.source}") in squeeze(
            ran.out.replace(" (default)", "")
        )
    assert f"\n{DEFAULT_METHOD} (default)\n" in f"\n{ran.out}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_methods_describes_every_parameter(command: Command, name: str) -> None:
    """Each parameter has its name, help, range and default."""
    ran = command("methods", name)

    assert Exit.OK == ran.status
    for parameter in ALGORITHMS[name].parameters():
        assert f"\n    {parameter.name}\n" in ran.out
        assert squeeze(parameter.help) in squeeze(ran.out)
        for bound in (parameter.low, parameter.high):
            assert bound is None or f"{bound:g}" in ran.out
    assert len(ALGORITHMS[name].parameters()) == squeeze(ran.out).count("; default: ")


@pytest.mark.parametrize("name", ALGORITHMS)
def test_methods_spells_defaults_as_they_are_set(command: Command, name: str) -> None:
    """A default, given as it is printed, is read as the default."""
    blocks = command("methods", name).out.split("\n\n")[2:]
    shown = {}
    for block in blocks:
        parameter, _, facts = squeeze(block).partition(" ")
        shown[parameter] = facts.rpartition("; default: ")[2].replace("(none)", "")

    algorithm = ALGORITHMS[name]
    assert algorithm.params() == algorithm.build_params(shown)


def test_methods_without_parameters(command: Command) -> None:
    """A method without parameters is described as such."""
    assert "Parameters: none" in command("methods", "keep_all").out


def test_methods_of_unknown_name(command: Command) -> None:
    """An unknown name is incorrect usage, and the message lists the names."""
    ran = command("methods", "guess")

    assert (Exit.USAGE, "") == (ran.status, ran.out)
    assert "invalid choice: 'guess' (choose from" in ran.errors[-1]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_methods_shows_no_python_types(command: Command, name: str) -> None:
    """Types of parameters have names that users know."""
    out = command("methods", name).out

    assert "<class" not in out
    assert "tuple[" not in out
