"""Contenders of `bench.speed`: each stage of Thresher, the whole of it, and its peers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import thresher
from bench.inside_steps import InsideSteps
from bench.speed_page import BASE
from thresher.algorithms import MethodName
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Inference, Model
from thresher.features import Features, compute_features
from thresher.page import Page
from thresher.page.decode import decode
from thresher.page.parse import parse
from thresher.writers.formats import FormatName

__all__ = ["Contender", "Staged", "peers_of", "stages_of", "whole_of"]

Contender = Callable[[str], object]


def stages_of(method: MethodName) -> dict[str, Contender]:
    """Return each stage as a contender; what comes before a stage is prepared untimed."""
    return {
        "decode": Staged(lambda html: html.encode(), decode),
        "parse": Staged(lambda html: html, parse),
        "views": Staged(parse, _touch_views),
        **_learned_stages(),
        "select, all of it": Staged(_seen_page, lambda page: thresher.select(page, method)),
        **{f"write {name}": Staged(_selected(method), _writer(name)) for name in thresher.FORMATS},
        "metadata": Staged(_selected(method), lambda document: document.metadata),
    }


def _learned_stages() -> dict[str, Contender]:
    """Return the stages of the default method; the choice of blocks is what is left of `select`."""
    model = Model.load(SHIPPED_MODEL)

    def measure(page: Page) -> Features:
        return compute_features(page, model.scale, with_words=model.reads_words)

    def read(html: str) -> Inference | None:
        page = _seen_page(html)
        return model.prepare(measure(page), 0) if len(page.blocks) else None

    return {
        "features": Staged(
            _seen_page,
            lambda page: measure(page) if len(page.blocks) else None,
        ),
        "network": Staged(read, lambda inference: inference.run() if inference else None),
    }


def _writer(name: FormatName) -> Callable[[thresher.Document], str]:
    return lambda document: document.write(name)


class Staged:
    """A contender whose preparation is not measured."""

    def __init__(self, prepare: Callable[[str], Any], run: Callable[[Any], object]) -> None:
        self.prepare = prepare
        self.run = run

    def __call__(self, html: str) -> object:
        """Prepare and run, untimed."""
        return self.run(self.prepare(html))


def _touch_views(page: Page) -> None:
    """Compute the views that every method needs."""
    _ = (
        page.leaves,
        page.blocks,
        page.leaf_words,
        page.leaf_link_words,
        page.attributes,
        page.hidden,
    )


def _seen_page(html: str) -> Page:
    page = parse(html)
    _touch_views(page)
    return page


def _selected(method: MethodName) -> Callable[[str], thresher.Document]:
    def prepare(html: str) -> thresher.Document:
        page = _seen_page(html)
        return thresher.document_of(thresher.select(page, method))

    return prepare


def whole_of(method: MethodName) -> dict[str, Contender]:
    """Return extractions from HTML to a format, and what of them is spent in compiled steps."""

    def read_text(html: str) -> str:
        return thresher.extract(html, method=method).text

    def read_markdown(html: str) -> str:
        return thresher.extract(html, method=method).markdown

    return {
        f"thresher {method}, text": read_text,
        f"thresher {method}, text: compiled steps alone": InsideSteps(read_text),
        f"thresher {method}, markdown": read_markdown,
        f"thresher {method}, markdown: compiled steps alone": InsideSteps(read_markdown),
        "thresher keep_all, text": lambda html: thresher.extract(html, method="keep_all").text,
    }


def peers_of() -> dict[str, Contender]:
    """Return the peers that are installed."""
    import turbohtml

    peers: dict[str, Contender] = {
        "turbohtml parse only": lambda html: turbohtml.parse(html, positions=False),
        "turbohtml main_text": lambda html: turbohtml.parse(html, positions=False).main_text(),
    }
    try:
        from resiliparse.extract.html2text import extract_plain_text

        peers[BASE] = lambda html: extract_plain_text(html, main_content=True)
    except ImportError:
        print("resiliparse is not installed")
    try:
        import trafilatura

        peers["trafilatura fast"] = lambda html: trafilatura.extract(html, fast=True)
        peers["trafilatura"] = lambda html: trafilatura.extract(html)
    except ImportError:
        print("trafilatura is not installed")
    try:
        import readability

        peers["readability-lxml"] = lambda html: readability.Document(html).summary()
    except ImportError:
        print("readability-lxml is not installed")
    return peers
