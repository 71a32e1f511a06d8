"""Folds of pages for training and evaluation: pages of one site are never on both sides.

A site is a registered domain: the label below a public suffix, `bbc.co.uk` of `news.bbc.co.uk`.
Public suffixes are defined by the Public Suffix List (https://publicsuffix.org), of which
publicsuffixlist bundles a copy. Only its ICANN part is used here: blogs of one host have names of
their own but share their markup.

Training in k folds writes a folder with `fold-0.npz` to `fold-{k-1}.npz`, each trained without the
sites of its fold. `hold_out` gives a page of a training corpus the weights of its own fold, and
every other page the weights that come with the method.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from thresher.algorithms import find_algorithm
from thresher.errors import MissingExtraError, UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.evaluate import Contender
from thresher.support.hosts import host_of, is_address
from thresher.support.quoting import quote

MODEL_PARAMETER: Final = "model"
"""The parameter of a trained method for the file of its weights."""
TRAIN_ROLE: Final = "train"
"""The role of the corpora that weights are trained on."""


def registered_domain(url: str | None) -> str | None:
    """Return the registered domain of a URL, in lower case; None if it has no host.

    An IP address, a host of one label and a public suffix are returned unchanged. Raises
    MissingExtraError if publicsuffixlist is not installed.
    """
    host = host_of(url).rstrip(".")
    if not host or is_address(host):
        return host or None
    return _suffixes()(host) or host


def site_of(page: LabelledPage) -> str:
    """Return the site of a page: its registered domain, or the page itself if it has no URL."""
    return registered_domain(page.url) or f"page {page.id}"


def fold_of(page: LabelledPage, n_fold: int) -> int:
    """Return the fold of a page, from 0 to ``n_fold`` - 1: the same for all pages of its site.

    It depends only on the site, not on the other pages or their order. Raises UsageError for less
    than one fold, and the errors of `registered_domain`.
    """
    if n_fold < 1:
        raise UsageError(f"n_fold must be 1 or more, not {n_fold}")
    return crc32(site_of(page).encode("utf-8", "surrogatepass")) % n_fold


@cache
def _suffixes() -> Callable[[str], str | None]:
    """Read the list; return a function from a host to its registered domain, None without one."""
    try:
        from publicsuffixlist import PublicSuffixList
    except ImportError as error:
        raise MissingExtraError("the registered domain of a URL", "eval") from error
    domain_of: Callable[[str], str | None] = PublicSuffixList(only_icann=True).privatesuffix
    return domain_of


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The parameters of a trained method for each page."""

    folder: Path
    n_fold: int
    corpora: frozenset[str]
    """Names of the training corpora."""
    params: Mapping[str, object]
    """The other parameters, the same for all pages."""

    def __call__(self, page: LabelledPage) -> Mapping[str, object]:
        """Return the parameters for a page."""
        if page.corpus not in self.corpora:
            return self.params
        return {**self.params, MODEL_PARAMETER: weights_for(page, self.folder, self.n_fold)}


def weights_for(page: LabelledPage, folder: Path, n_fold: int) -> str:
    """Return the file of the weights, among those of some folds, that never saw a page's site."""
    return str(folder / f"fold-{fold_of(page, n_fold)}.npz")


def hold_out(
    contenders: Iterable[Contender], folder: Path, corpora: Collection[Corpus]
) -> tuple[Contender, ...]:
    """Give trained contenders the weights of each page's fold; leave the others unchanged.

    A method is trained if it has the parameter `MODEL_PARAMETER`. Raises UsageError if none is, if
    the weights of one are already set, or if folds are missing; MissingExtraError if sites cannot
    be determined.
    """
    n_fold = count_folds(folder)
    registered_domain("https://page.example/")  # fails here, at the start, not on every page
    trained_on = frozenset(corpus.name for corpus in corpora if corpus.role == TRAIN_ROLE)
    held = []
    for contender in contenders:
        shipped = _find_shipped(contender)
        if shipped is None:
            held.append(contender)
            continue
        own: Any = contender.params
        params = {field.name: getattr(own, field.name) for field in fields(own)}
        if params[MODEL_PARAMETER] != shipped:
            raise UsageError(f"{contender.name}: weights are set twice, by folds and by parameter")
        held.append(replace(contender, params_of=HeldOut(folder, n_fold, trained_on, params)))
    if all(contender.params_of is None for contender in held):
        raise UsageError(f"folds need a method with the parameter {quote(MODEL_PARAMETER)}")
    return tuple(held)


def _find_shipped(contender: Contender) -> object:
    """Return the weights that a method has by default; None if it is not trained."""
    method = contender.method
    parameters = find_algorithm(method).parameters() if isinstance(method, str) else ()
    return next((p.default for p in parameters if p.name == MODEL_PARAMETER), None)


def count_folds(folder: Path) -> int:
    """Return the number of folds whose weights a folder has; UsageError if one is missing."""
    files = {file.name for file in folder.glob("fold-*.npz")}
    if not files:
        raise UsageError(f"{folder} holds no fold-*.npz")
    for fold in range(len(files)):
        if f"fold-{fold}.npz" not in files:
            raise UsageError(f"{folder} holds {len(files)} folds, but no fold-{fold}.npz")
    return len(files)
