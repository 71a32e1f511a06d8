"""Peers have environments of their own, are asked once about a page, and stop no run."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Set
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from tests.evaluation.conftest import FAKE_VERSION, times_asked
from thresher.algorithms import ALGORITHMS
from thresher.errors import InputError, ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import Plan, evaluate
from thresher.evaluation.fidelity import loaders as fidelity_loaders
from thresher.evaluation.fidelity.measure import MARKDOWN_PEERS, PACKAGES
from thresher.evaluation.leaderboard import worker
from thresher.evaluation.leaderboard.peer_runs import (
    Entrant,
    Outputs,
    PeerAnswer,
    Process,
    ask_all,
    key_of,
    request_of,
)
from thresher.evaluation.leaderboard.peers import PEERS, Environment, Peer, prepare
from thresher.evaluation.metadata_scores import loaders as metadata_loaders
from thresher.evaluation.metadata_scores.scores import METADATA_PEERS

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
OBEDIENT: Final = """
import json, os, signal, sys, time
print(json.dumps({"error": None}), flush=True)
for number, line in enumerate(sys.stdin):
    do = json.loads(line)["do"]
    if do == "hang":
        time.sleep(60)
    if do == "run out":
        os.kill(os.getpid(), signal.SIGPROF)
    if do == "die":
        os._exit(7)
    if do == "babble":
        print("babble", flush=True)
    print(json.dumps({"found": f"{do} {number}", "cpu_s": 0.5, "error": None}), flush=True)
"""
PAGE = LabelledPage("mine", "rye", "<p>rye", text="rye")
PAGES = [
    LabelledPage("mine", "rye", "<p>a good year for rye</p>", text="a good year for rye"),
    LabelledPage("mine", "bad", "<p>raise", text="raise"),
    LabelledPage("mine", "dead", "<p>crash", text="crash"),
    LabelledPage("mine", "slow", "<p>hang", text="hang"),
    LabelledPage("mine", "oats", "<ul><li>oats<li>barley</ul>", text="oats barley"),
]
Entrants = dict[Entrant, Process]


def test_peers_have_names_and_settings_of_their_own() -> None:
    """Each name is of one contender, each settings of one peer, whose score they explain."""
    assert not PEERS.keys() & ALGORITHMS.keys()
    assert "none" not in PEERS
    assert len(PEERS) == len({(peer.package, peer.call) for peer in PEERS.values()})
    assert all("(" in peer.call and "," not in peer.name for peer in PEERS.values())


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


def test_environment_that_cannot_be_made(tmp_path: Path) -> None:
    """A failed installation has pip's message, not its advice; so has a missing interpreter."""
    with pytest.raises(ThresherError, match=r"^cannot be installed: ERROR: no rye this year$"):
        prepare(RYE, tmp_path / "new", python=maker(tmp_path, fails=True))
    with pytest.raises(ThresherError, match="no environment"):
        prepare(RYE, tmp_path, python=str(tmp_path / "absent"))
    with pytest.raises(ThresherError, match="not installed"):
        prepare(RYE, tmp_path / "none", python=sys.executable, install=False)
    assert not (tmp_path / "none").exists()


@pytest.fixture
def obedient(tmp_path: Path) -> list[str]:
    """A command for a worker that follows instructions."""
    file = tmp_path / "worker.py"
    file.write_text(OBEDIENT)
    return [sys.executable, str(file)]


def test_requests_answered_by_one_process(obedient: list[str]) -> None:
    """A healthy process answers all requests, even one larger than the buffer of a pipe."""
    with Process(obedient, deadline_s=20.0) as process:
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow", "html": "x" * 3_000_000})
        assert PeerAnswer("reap 1", 0.5) == process.ask({"do": "reap"})


@pytest.mark.parametrize(
    ("do", "answer"),
    [
        pytest.param(
            "hang", PeerAnswer("", 0.2, "no answer in 0.2 s"), marks=pytest.mark.slow, id="hang"
        ),
        ("run out", PeerAnswer("", 7.0, "no answer in 7 s")),
        ("die", PeerAnswer("", 0.0, "the process died (status 7)")),
    ],
)
def test_worker_that_fails_is_replaced(obedient: list[str], do: str, answer: PeerAnswer) -> None:
    """A process that hangs, ends at its deadline or dies is an error of its page only."""
    with Process(obedient, deadline_s=answer.cpu_s or 20.0) as process:
        process.ask({"do": "sow"})
        assert answer == process.ask({"do": do})
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_invalid_answer_is_an_error(obedient: list[str]) -> None:
    """An invalid answer is an error, and is not used for any later page."""
    with Process(obedient, deadline_s=20.0) as process:
        assert "the process died" in (process.ask({"do": "babble"}).error or "")
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([sys.executable, "-c", "import sys; sys.exit(3)"], "the process died"),
        ([sys.executable, "-c", 'print(\'{"error": "no module"}\')'], "no module"),
        (["/no/such/interpreter"], ""),
    ],
)
def test_worker_that_does_not_start(command: list[str], message: str) -> None:
    """A peer that cannot be loaded is distinguished from one that fails on a page."""
    with (
        Process(command, deadline_s=20.0) as process,
        pytest.raises(ThresherError, match=f"cannot be started: {message}"),
    ):
        process.ask({})


def run(python: Path | str, peer: str, *pages: str) -> list[dict[str, Any]]:
    """Run the worker with pages; return all its answers."""
    requests = "".join(
        json.dumps({"html": page, "url": None, "lang": None}) + "\n" for page in pages
    )
    ran = subprocess.run(
        [str(python), "-I", worker.__file__, peer, "20"],
        input=requests,
        capture_output=True,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_each_page_has_an_answer(environments: Path) -> None:
    """Each page has a text and a time, or the peer's exception; the peer's prints are discarded."""
    python = environments / "trafilatura" / "bin" / "python"
    ready, found, failed, again = run(
        python, "trafilatura", "<p>rye \ud800", "<p>raise", "<p>oats</p>"
    )
    assert {"error": None} == ready
    assert ("rye \ud800", None) == (found["found"], found["error"])
    assert ("", "ValueError: by design") == (failed["found"], failed["error"])
    assert "oats" == again["found"]
    assert 0 <= found["cpu_s"] < 60


@pytest.mark.parametrize("peer", ["goose3", "nobody"])
def test_peer_that_cannot_be_loaded(environments: Path, peer: str) -> None:
    """A peer that cannot be loaded is reported instead of readiness, and nothing follows."""
    (only,) = run(environments / "trafilatura" / "bin" / "python", peer, "<p>rye")
    assert "Error" in only["error"]


@pytest.mark.parametrize(
    ("module", "peers"),
    [
        (worker, PEERS.keys()),
        (fidelity_loaders, MARKDOWN_PEERS.keys() - PACKAGES.keys()),
        (metadata_loaders, METADATA_PEERS.keys()),
    ],
)
def test_worker_and_loaders_know_all_peers_and_nothing_of_ours(
    module: ModuleType, peers: Set[str]
) -> None:
    """What runs in an environment of a peer needs only the standard library."""
    assert peers == module.LOADERS.keys()
    code = f"import runpy, sys; runpy.run_path({module.__file__!r}); print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "sys" in modules
    assert "thresher" not in modules


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("de", ("German", {})),
        ("th", (None, {"stopwords_low": 0, "stopwords_high": 0})),
        (
            "zh",
            (None, {"stopwords_low": 0, "stopwords_high": 0, "length_low": 23, "length_high": 66}),
        ),
    ],
)
def test_justext_without_a_stoplist(
    lang: str, expected: tuple[str | None, dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language without a stoplist uses the mode without one, with lower limits if it is dense."""

    class Paragraph:
        def __init__(self, text: str, *, is_boilerplate: bool) -> None:
            self.text = text
            self.is_boilerplate = is_boilerplate

    class Module:
        called: tuple[Any, dict[str, int]]

        def get_stoplist(self, name: str) -> str:
            return name

        def justext(self, html: str, stoplist: Any, **settings: int) -> list[Paragraph]:
            self.called = (stoplist or None, settings)
            return [Paragraph("rye", is_boilerplate=False), Paragraph("ad", is_boilerplate=True)]

    module = Module()
    monkeypatch.setattr(worker, "import_module", lambda name: module)
    assert "rye" == worker.LOADERS["jusText"]()("<p>", None, lang)
    assert expected == module.called


def test_answers_are_kept(tmp_path: Path) -> None:
    """Outputs are there in the next run, with odd characters and errors, of the same peer only."""
    answer = PeerAnswer("rye \ud800 稞麦", 0.25, "half of it")
    with Outputs(tmp_path / "new" / "kept") as outputs:
        outputs.put("peer", "1.0", key_of(PAGE), answer)
    with Outputs(tmp_path / "new" / "kept") as outputs:
        assert answer == outputs.get("peer", "1.0", key_of(PAGE))
        outputs.put("peer", "1.0", key_of(PAGE), PeerAnswer("new", 1.0))
        assert PeerAnswer("new", 1.0) == outputs.get("peer", "1.0", key_of(PAGE))
        assert outputs.get("other", "1.0", key_of(PAGE)) is None
        assert outputs.get("peer", "1.1", key_of(PAGE)) is None
        assert outputs.get("peer", "1.0", key_of(PAGES[0])) is None


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


def kept_by(entrants: Entrants) -> Path:
    return next(iter(entrants)).outputs


@pytest.mark.parametrize("n_job", [1, 2])
def test_peers_scored_like_methods(entrants: Entrants, n_job: int) -> None:
    """A page on which a peer fails scores as empty; the pages after it are not affected."""
    with Outputs(kept_by(entrants)) as outputs:
        assert (10, {}) == ask_all(entrants, PAGES, outputs, n_job=n_job)
    results = list(evaluate(PAGES, Plan(tuple(entrants), ("word",)), n_job=n_job))
    strip = [result for result in results if result.method == "trafilatura"]
    assert [1.0, 0.0, 0.0] == [result.scores["word"].f1 for result in strip[:3]]
    assert [
        None,
        "ValueError: by design",
        "the process died (status 7)",
        "no answer in 1 s",
        None,
    ] == [result.error for result in strip]
    assert [False, True, True, True, False] == [result.is_empty for result in strip]
    # It strips tags, so the items are one word. We convert its HTML to text with two words.
    assert 0.0 == strip[4].scores["word"].f1
    assert [1.0] * 5 == [r.scores["word"].f1 for r in results if r.method == "readability-lxml"]


def test_each_page_is_requested_once(entrants: Entrants, environments: Path) -> None:
    """Stored outputs and errors are not requested again, and an interrupted run resumes."""
    with Outputs(kept_by(entrants)) as outputs:
        ask_all(entrants, PAGES[:2], outputs)
        before = times_asked(environments)
        assert (0, {}) == ask_all(entrants, PAGES[:2], outputs)
        assert before == times_asked(environments)
        assert (2, {}) == ask_all(entrants, [PAGES[0], PAGES[4]], outputs)
        assert before + 1 == times_asked(environments)


def test_peer_that_cannot_be_started(entrants: Entrants, tmp_path: Path) -> None:
    """A peer that does not start is reported, does not stop the others, and stores nothing."""
    (fine, _), (broken, _) = entrants.items()
    lost = {fine: entrants[fine], broken: Process([str(tmp_path / "absent")], deadline_s=9.0)}
    with Outputs(kept_by(entrants)) as outputs:
        n_answer, problems = ask_all(lost, [PAGES[0], PAGES[4]], outputs)
    assert (2, [broken]) == (n_answer, list(problems))
    assert "cannot be started" in problems[broken]
    with pytest.raises(ThresherError, match="not asked"):
        broken.find(PAGES[0])


def test_page_and_language_are_sent_to_peers() -> None:
    """Nothing of the label but its language, which has priority over the page's, without region."""
    german = dataclasses.replace(PAGES[0], html="<html lang=de-AT><p>Roggen</p>", url="a:b")
    assert {"html": german.html, "url": "a:b", "lang": "de"} == request_of(german)
    assert "nl" == request_of(dataclasses.replace(german, lang="nl-BE"))["lang"]
    assert request_of(dataclasses.replace(german, html="%PDF-1.7"))["lang"] is None
