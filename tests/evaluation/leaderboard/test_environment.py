"""Each peer has its own environment; a failed installation reports its reason."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.evaluation.leaderboard.conftest import FAKE_VERSION
from thresher.errors import ThresherError
from thresher.evaluation.leaderboard.peers import PEERS, Environment, Peer, default_folder, prepare

RYE = Peer("rye", "rye", "reap(html)", extras="all")


FAKE_PYTHON = f"""\
#!{sys.executable}
import pathlib, sys

place = pathlib.Path(__file__).parents[1]
with open(place.parent / "log", "a") as log:
    print(*sys.argv[1:], file=log)
if "-c" in sys.argv:  # asked for versions
    if not (place / "installed").exists():
        sys.exit(1)
    print("2.0 3.12.1")
elif sys.argv[-1] == "rye[all]":
    print("Collecting rye")
    if "FAILS":
        print("ERROR: no rye this year")
        print("hint: sow")
        sys.exit(1)
    (place / "installed").touch()
"""
"""Stands in for the interpreter of an environment that is not filled yet, with its pip."""


def maker(tmp_path: Path, *, fails: bool) -> str:
    """Return a program that stands in for python: ``-m venv PLACE`` makes an environment."""
    (tmp_path / "fake").write_text(FAKE_PYTHON.replace("FAILS", "yes" if fails else ""))
    program = tmp_path / "maker"
    program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, shutil, sys\n"
        "place = pathlib.Path(sys.argv[-1]) / 'bin' / 'python'\n"
        "place.parent.mkdir(parents=True)\n"
        "shutil.copy(pathlib.Path(__file__).with_name('fake'), place)\n"
        "place.chmod(0o755)\n"
    )
    program.chmod(0o755)
    return str(program)


def test_existing_environment_is_used(environments: Path) -> None:
    """An existing installation is used as it is, with its versions."""
    found = prepare(PEERS["trafilatura"], environments, python="unused")
    python = environments / "trafilatura" / "bin" / "python"
    assert Environment(python, FAKE_VERSION, "3.99.0") == found


def test_environment_made_and_filled(tmp_path: Path) -> None:
    """A missing environment is created, its pip upgraded, and the package installed with extras."""
    folder = tmp_path / "environments"
    found = prepare(RYE, folder, python=maker(tmp_path, fails=False))
    assert Environment(folder / "rye" / "bin" / "python", "2.0", "3.12.1") == found
    commands = [
        line.split()[-2:] for line in (folder / "log").read_text().splitlines() if "pip" in line
    ]
    assert [["--upgrade", "pip"], ["--disable-pip-version-check", "rye[all]"]] == commands


def test_install_that_fails(tmp_path: Path) -> None:
    """A failed installation reports pip's error message, not its advice."""
    with pytest.raises(ThresherError, match=r"^cannot be installed: ERROR: no rye this year$"):
        prepare(RYE, tmp_path / "new", python=maker(tmp_path, fails=True))


def test_missing_python(tmp_path: Path) -> None:
    """Without an interpreter there is no environment."""
    with pytest.raises(ThresherError, match="no environment"):
        prepare(RYE, tmp_path, python=str(tmp_path / "absent"))


def test_nothing_installed_unasked(tmp_path: Path) -> None:
    """If installing is not allowed, nothing is changed."""
    with pytest.raises(ThresherError, match="not installed"):
        prepare(RYE, tmp_path / "new", python=sys.executable, install=False)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("named", "expected"),
    [("/caches", "/caches"), ("relative", "/home/rye/.cache"), ("", "/home/rye/.cache")],
)
def test_default_folder(named: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is in the folder of the XDG specification; a relative path is ignored."""
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv("HOME", "/home/rye")
    assert Path(expected, "thresher", "peers") == default_folder()
