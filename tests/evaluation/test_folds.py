"""Folds keep pages of one site together, and hold out weights that have seen it."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.algorithms import ALGORITHMS, Algorithm
from thresher.errors import MissingExtraError, UsageError
from thresher.evaluation import folds
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.evaluate import Contender, Plan, evaluate
from thresher.evaluation.folds import fold_of, hold_out, registered_domain, site_of
from thresher.page import Page
from thresher.selection import Selection
from thresher.support.settings import setting

SHIPPED = "shipped"
CORPORA = [Corpus("ours", Path("ours"), "train"), Corpus("theirs", Path("theirs"), "measure")]
PAGES = [
    LabelledPage(corpus, str(n), "<p>rye", url=f"https://news.site{n}.example/a", text="rye")
    for n in range(9)
    for corpus in ("ours", "theirs")
]


def page(url: str | None, id: str = "a", corpus: str = "news") -> LabelledPage:
    """Return a page with a URL."""
    return LabelledPage(corpus, id, "", url=url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.rye.example.com/a?b#c", "example.com"),
        ("http://user@WWW.Example.CO.UK.:8080/", "example.co.uk"),
        ("//m.example.com.br/x", "example.com.br"),
        # Private suffixes are not registries: all blogs of a host are one site.
        ("https://rye.blogspot.com/", "blogspot.com"),
        ("https://www.xn--bcher-kva.example.de/", "example.de"),
        ("https://blog.bücher.de/", "xn--bcher-kva.de"),
        # Not in the list: the last label is the suffix.
        ("http://a.b.nosuchsuffix/", "b.nosuchsuffix"),
        # No registered domain: the host unchanged.
        ("http://192.168.0.1:80/", "192.168.0.1"),
        ("http://[2001:DB8::1]/", "2001:db8::1"),
        ("http://localhost:8000/", "localhost"),
        ("http://co.uk/", "co.uk"),
        (None, None),
        ("mailto:rye@example.com", None),
        ("http://./", None),
    ],
)
def test_registered_domain(url: str | None, expected: str | None) -> None:
    """The registered domain is one label below the public suffix."""
    assert expected == registered_domain(url)


@given(st.text(max_size=20))
def test_any_text_is_taken_for_a_url(text: str) -> None:
    """Text that is not a URL raises no error, and gives a lower-case host."""
    for url in (text, f"http://{text}/"):
        domain = registered_domain(url)
        assert domain is None or (domain and "/" not in domain and domain == domain.lower())


def test_site_without_url_is_the_page() -> None:
    """A page without a URL is its own site, whose name is never a domain."""
    assert "page example.com" == site_of(page(None, "example.com"))
    assert "example.com" == site_of(page("http://www.example.com/", "x"))


def test_pages_of_a_site_share_a_fold() -> None:
    """The fold depends on the site, not on host, path, page name or corpus."""
    pages = [
        page(f"https://{host}.example.org/{n}", str(n), corpus)
        for n, (host, corpus) in enumerate([("www", "a"), ("m", "a"), ("news.uk", "b")])
    ]
    for n_fold in (2, 3, 5, 97):
        assert 1 == len({fold_of(page, n_fold) for page in pages})


def test_folds_are_stable_and_even() -> None:
    """A fold is the same everywhere, so that runs can be compared, and has about its share."""
    names = "rye", "oat", "spelt"
    assert [2, 1, 1] == [fold_of(page(f"https://{name}.com/"), 5) for name in names]
    assert 0 == fold_of(page("https://rye.com/"), 1)
    counts = [0] * 5
    for n in range(1000):
        counts[fold_of(page(f"https://site{n}.com/"), 5)] += 1
    assert 150 < min(counts) <= max(counts) < 250
    with pytest.raises(UsageError, match="n_fold"):
        fold_of(page(None), 0)


def test_domain_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """If publicsuffixlist is not installed, the error names the extra; an IP address needs none."""
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    folds._suffixes.cache_clear()
    with pytest.raises(MissingExtraError, match=r"thresher\[eval\]"):
        registered_domain("https://example.com/")
    assert "10.0.0.1" == registered_domain("http://10.0.0.1/")


@dataclasses.dataclass(frozen=True, slots=True)
class Params:
    model: str = setting(SHIPPED, "weights")
    nerve: float = setting(0.5, "share", low=0.0, high=1.0)


def note_params(page: Page, params: Any) -> Selection:
    """Fail with the parameters as the message, so that the results contain them."""
    raise UsageError(f"{Path(params.model).name} {params.nerve}")


TRAINED = Algorithm(note_params, Params, summary="guesses", source="nobody 2024")


@pytest.fixture
def methods(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Algorithm]:
    """The existing methods and an additional trained one."""
    monkeypatch.setitem(ALGORITHMS, "trained", TRAINED)
    return ALGORITHMS


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    for fold in range(3):
        (tmp_path / f"fold-{fold}.npz").touch()
    return tmp_path


def contender(**params: object) -> Contender:
    return Contender("trained", "trained", TRAINED.build_params(params))


@pytest.mark.usefixtures("methods")
def test_each_page_has_the_weights_of_its_fold(weights: Path) -> None:
    """Pages of training corpora get the weights of their fold, others the shipped ones."""
    held = hold_out([contender(nerve=0.25)], weights, CORPORA)
    notes = {(r.corpus, r.page): r.error for r in evaluate(PAGES, Plan(held, ("word",)))}
    for page in PAGES:
        name = f"fold-{fold_of(page, 3)}.npz" if page.corpus == "ours" else SHIPPED
        assert f"{name} 0.25" == notes[page.corpus, page.id]
    assert 2 < len(set(notes.values()))


@pytest.mark.usefixtures("methods")
def test_methods_without_weights_are_unchanged(weights: Path) -> None:
    """Methods that are not trained do not change, and alone are no use of folds."""
    plain = Contender("keep_all", "keep_all", ALGORITHMS["keep_all"].build_params())
    held = hold_out([plain, contender()], weights, CORPORA)
    assert plain is held[0]
    assert ["keep_all", "trained"] == [each.name for each in held]
    with pytest.raises(UsageError, match='need a method with the parameter "model"'):
        hold_out([plain], weights, CORPORA)
    with pytest.raises(UsageError, match="set twice"):
        hold_out([contender(model="own.npz")], weights, CORPORA)


@pytest.mark.usefixtures("methods")
@pytest.mark.parametrize(
    ("lost", "message"),
    [([0, 1, 2], r"holds no fold-\*\.npz"), ([1], r"holds 2 folds, but no fold-1\.npz")],
)
def test_missing_folds_are_reported_first(weights: Path, lost: list[int], message: str) -> None:
    """A missing fold is reported at the start, not in the middle of a run."""
    for fold in lost:
        (weights / f"fold-{fold}.npz").unlink()
    with pytest.raises(UsageError, match=message):
        hold_out([contender()], weights, CORPORA)
