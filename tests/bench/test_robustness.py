"""Checks for crashes and ambiguous patterns find what is planted."""

from __future__ import annotations

import contextlib
import random
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import thresher
from bench import agreement, fuzz, readers, soak
from bench.agreement import compare, main, read_cases
from bench.native_rounds import Draw, draw_arguments, play_round
from bench.pattern_ambiguity import find_ambiguity
from bench.patterns import Found, find_patterns
from tests.bench.conftest import Run
from tests.helpers.compiled_steps import compiled_steps, needs_steps, with_steps
from tests.helpers.corpora import write_corpus
from tests.helpers.document_calls import CALLS
from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, digest_html
from thresher.native.table import Step, read_steps
from thresher.page.canonical import canonicalise
from thresher.roles import ROLES

PAGES = [
    {
        "id": "a",
        "html": "<nav><a href=/>Home</a></nav><p>a story of words",
        "text": "a story of words",
    },
    {"id": "b", "html": "<p>second page of words", "text": None, "url": "https://b.example/"},
]


def test_exit_status_zero_when_no_page_fails(corpus: Path, run: Run) -> None:
    """A run without failures prints a line per method, with the number of outputs."""
    row = run(soak, str(corpus), "--method", "prune_shake_purify").splitlines()[1].split()
    outputs = len(PAGES) * len(CALLS)
    assert ["tiny", "prune_shake_purify", "2", str(outputs), "0", "0", "1.000"] == row[:7]


def test_exit_status_one_when_a_page_fails(
    corpus: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure is counted and listed with its page, and makes the run fail."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr(thresher, "select", fail)
    said = run(soak, str(corpus), "--method", "keep_all", status=1)
    assert "keep_all, selection: ZeroDivisionError: by design (test_robustness.py:" in said


NEEDED = {"app": ("uvicorn",), "serve": ("uvicorn",), "proxy": ("mitmproxy", "uvicorn")}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what mitmproxy needs
@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_target_bears_the_seeds(target: str, tmp_path: Path) -> None:
    """Every seed gives a result or one of Thresher's own errors."""
    for needed in NEEDED.get(target, ()):
        pytest.importorskip(needed, reason="its extra is not installed")
    fuzz.plant_seeds(tmp_path)
    seeds = sorted(tmp_path.iterdir())
    assert len(seeds) > 50
    for seed in seeds:
        with contextlib.suppress(ThresherError):
            fuzz.TARGETS[target](seed.read_bytes())


def test_dictionary_has_tags_and_attributes() -> None:
    """Words are in the format of the fuzzer's dictionaries, without quotation marks inside."""
    words = fuzz.spell_words()
    assert {"<table>", " href=", "</p>"} <= set(words)
    assert not any('"' in word or "\\" in word for word in words)


@needs_steps
@pytest.mark.parametrize("number", range(20))
def test_rounds_find_nothing(number: int) -> None:
    """Even without sanitizers, kernels equal their definitions and accept any arguments."""
    play_round(random.Random(number))


class WrongSteps:
    """The compiled steps with one that is wrong."""

    def __init__(self) -> None:
        self.right = compiled_steps()

    def __getattr__(self, name: str) -> object:
        return getattr(self.right, name)

    def group_leaves(self, marks: bytes, edges: int) -> object:
        found = self.right.group_leaves(marks, edges)
        return None if found is None else (found[0] + 1, found[1], found[2])


@needs_steps
def test_rounds_find_a_wrong_step() -> None:
    """A step whose result differs from its definition ends the round."""
    with with_steps(WrongSteps()), pytest.raises(AssertionError, match="group_leaves"):
        for number in range(20):
            play_round(random.Random(number))


@pytest.mark.parametrize("step", read_steps(), ids=lambda step: step.name)
def test_drawn_arrays_fit_if_they_are_to(step: Step) -> None:
    """In a valid call, each size has the same value in all arrays."""
    for number in range(20):
        arguments = draw_arguments(random.Random(number), step, Draw.FITTING)
        sizes = {
            each.name: given
            for each, given in zip(step.given, arguments, strict=True)
            if each.type == "int"
        }
        for each, given in zip(step.given, arguments, strict=True):
            if each.is_array:
                assert isinstance(given, np.ndarray)
                for size, n_item in zip(each.sizes, given.shape, strict=True):
                    expected = sizes.setdefault(size.name, n_item - size.plus) if size.name else 0
                    assert expected + size.plus == n_item


PARAGRAPHS = ("The old mill grinds rye.", "Nine villages bring it.", "Read more news here.")
HTML = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)


def label(*roles: str) -> RoleLabels:
    codes = np.array([ROLES.index(role) for role in roles], np.int8)
    return {("news", "1"): (RoleLabel("news", "1", digest_html(HTML), "r1", codes),)}


def page(*gold: str) -> LabelledPage:
    return LabelledPage("news", "1", HTML, text="\n".join(gold))


def test_readers_are_scored_by_the_text() -> None:
    """What the text leaves out is foreign, what the label leaves out lost; without one is none."""
    losses = readers.score_readers(page(*PARAGRAPHS[1:]), label("body", "body", "related"))
    assert losses is not None
    assert (1, 5) == (losses.n_lost, losses.n_foreign_word)
    assert readers.score_readers(page(*PARAGRAPHS), {}) is None
    assert readers.score_readers(page(), label("body", "body", "body")) is None


def test_corpora_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints a row for each corpus with such pages."""
    monkeypatch.setattr(readers, "read_labels", lambda: label("body", "body", "related"))
    write_corpus(tmp_path, "news", [{"id": "1", "html": HTML, "text": "\n".join(PARAGRAPHS[:2])}])
    assert 0 == readers.main([str(tmp_path)])
    assert ["news", "1", "100.0", "0.0", "0.0", "100.0"] == capsys.readouterr().out.split()[-6:]


CASES = """#data
<p>One
<p>Two
#errors
(1,3): expected-doctype
#document
| <html>

#data
<td>a part of a table
#errors
#document-fragment
tr
#document
| <td>
"""


@needs_steps
def test_pages_are_counted() -> None:
    """Every page is accepted or refused, and none differs."""
    found = compare("three", ["<p>a", "<b><p>a</b>", "<ul><li>a"])
    assert ("three", 3, 1, ()) == (found.name, found.n_page, found.n_refused, found.differing)


@needs_steps
def test_what_differs_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference is shown with the bytes of both outputs, or the places of tags, from there."""
    other = canonicalise(b"<p>a")._replace(html=b"<html><body>")
    by_parser = SimpleNamespace(definition=lambda html: other)
    monkeypatch.setattr(agreement, "canonicalise", by_parser)
    (differing,) = compare("one", ["<p>a"]).differing
    assert differing.startswith("b'head></head>")
    assert differing.endswith("b'body>'")
    by_parser = SimpleNamespace(definition=lambda html: canonicalise(html.replace(b" ", b"")))
    monkeypatch.setattr(agreement, "canonicalise", by_parser)
    assert ("tags at [0, 4, -1, -1] for [0, 3, -1, -1]",) == compare("one", ["<p >a"]).differing


@needs_steps
def test_cases_are_read_without_fragments(tmp_path: Path) -> None:
    """The page of a case is the text below #data; cases of fragments are left out."""
    file = tmp_path / "some.dat"
    file.write_text(CASES)
    assert ["<p>One\n<p>Two"] == list(read_cases(file))


@needs_steps
def test_table_has_a_row_for_all_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a corpus, the table has rows for the cases and for random pages."""
    (tmp_path / "some.dat").write_text(CASES)
    monkeypatch.setattr(sys, "argv", ["agreement", "--cases", str(tmp_path), "--drawn", "20"])
    monkeypatch.delenv("THRESHER_CORPORA", raising=False)
    main()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert "| some | 1 | 1 | 0 | 0 |" == rows[0]
    assert rows[1].startswith("| drawn by chance | 20 |")
    assert rows[1].endswith("| 0 |")


LINEAR = {
    "a loop that ends the match": ("a+", "search"),
    "a loop behind what it cannot read": (r"(?<!\s)\s+$", "search"),
    "a tag without a tag in it": ("<[^<>]*>", "search"),
    "a loop that leaves nothing to the next": ("a*+a*b", "match"),
    "one character of two": ("(?:a|b)*c", "match"),
    "a whole word": (r"\b\w+\b!", "search"),
    "what is counted": ("x?x?x?y{0,30}z", "search"),
    "at the beginning of a text": (r"^\s*a", "search"),
    "a loop that gives back one": ("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", "search"),
    "languages": (r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", "fullmatch"),
    "the same again": (r"(\d\d?)([./-])(\d\d?)\2(?:\d{4})", "search"),
}
OTHERS = {
    "two loops in a row": ("a*a*b", "match", "polynomial"),
    "two loops with what may be missing between": (r"\d+[.,]?\d*x", "match", "polynomial"),
    "a loop in a loop": ("(a*)*b", "match", "exponential"),
    "parts of words": (r"(?:\w+\s*)*!", "match", "exponential"),
    "counted in a loop": (r"a(?:\d{1,3},?)+b", "match", "exponential"),
    "a loop that begins anywhere": ("a+b", "search", "anywhere"),
    "white space at the end": (r"\s+$", "search", "anywhere"),
    "a tag": ("<[^>]*>", "search", "anywhere"),
    "the dearer one of two": ("(?:a+b|a)", "search", "anywhere"),
    "looking far ahead": ("(?=[^<]*<)b", "search", "anywhere"),
    "at the beginning of a line": (r"(?m)^\s*a", "search", "anywhere"),
    "what a picture's text is": (r"\\[A-Za-z]{2,}(?=.*[{^_])", "search", "polynomial"),
    "CDATA": (r"(?s)<!\[CDATA\[(.*?)%?\s*\]\]>", "match", "polynomial"),
    "a word before a name": (r"(?:^|[\s_-])\w*publish", "search", "anywhere"),
}
POSSESSIVE = {
    "thresher.page.html_parser._ATTRIBUTE",
    "thresher.page.html_parser._TAG",
    "thresher.page.xml_syntax._REST",
    "thresher.proxy.rewrite._TOKEN",
    "thresher.writers.shared.editing._COMMENT",
    "thresher.writers.stream.markup._ATTRIBUTE",
    "thresher.writers.stream.markup._TAG",
}
"""Patterns whose repeats are possessive or atomic: they never go back into an attribute they have
read, which the analysis of ambiguity does not take in."""
TO_THE_END = {"thresher.feeds.reading._PROLOG", "thresher.feeds.reading._TOKEN"}
"""Patterns that match wherever they get to: what is not closed is read to the end of the text."""
OF_THE_REPOSITORY = {"thresher.native.table._SEPARATOR", "thresher.native.table._STEP"}
"""Patterns that only read a file of this repository."""


@pytest.mark.parametrize(("pattern", "use"), LINEAR.values(), ids=list(LINEAR))
def test_linear_patterns_are_not_ambiguous(pattern: str, use: str) -> None:
    """A linear pattern never has two ways of matching a text that must both be tried."""
    assert find_ambiguity(re.compile(pattern), use) is None


@pytest.mark.parametrize(("pattern", "use", "kind"), OTHERS.values(), ids=list(OTHERS))
def test_other_patterns_are_ambiguous(pattern: str, use: str, kind: str) -> None:
    """An ambiguous pattern is reported with the text that it matches in two ways, and its cost."""
    ambiguity = find_ambiguity(re.compile(pattern), use)
    assert ambiguity
    assert ambiguity.stretch
    assert kind == ambiguity.kind


@pytest.mark.slow
def test_patterns_are_found_and_linear() -> None:
    """No page can make one of our patterns block the interpreter: see `bench.patterns`."""
    found = list(find_patterns())
    check_that_all_are_found(found)
    slow = [
        f"{each.place} ({each.use}): {ambiguity}"
        for each in found
        if each.place not in POSSESSIVE | TO_THE_END | OF_THE_REPOSITORY
        and (ambiguity := find_ambiguity(each.pattern, each.use))
    ]
    assert [] == slow


def check_that_all_are_found(found: list[Found]) -> None:
    """Check that patterns of globals, tables and calls, of text and of bytes, have their use."""
    # The modules of the proxy are found only where mitmproxy is installed.
    assert OF_THE_REPOSITORY <= {each.place for each in found}
    places = {each.place.partition(":")[0] for each in found}
    for place in (
        "thresher.writers.math.tex._COMMAND",
        "thresher.writers.fragment.players._VIEWERS",
        "thresher.analysis.metadata.visible.DATELINES",
        "thresher.analysis.metadata.normalise",
    ):
        assert place in places
    uses = {each.place: each.use for each in found}
    assert "search" == uses["thresher.analysis.metadata.visible.DATELINES"]  # in a tuple
    assert "fullmatch" == uses["thresher.analysis.links._REDIRECTS"]
    assert "match" == uses["thresher.analysis.embedded.scripts._STRING_STOPS"]
    assert all(isinstance(each.pattern, re.Pattern) for each in found)
