"""Pages with their expected content as HTML, from any source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from thresher.evaluation.corpora import Corpus
from thresher.evaluation.fidelity.render import render_markdown
from thresher.roles import ScopeName

__all__ = ["Case", "as_page", "read_corpus"]

_TAG: Final = re.compile(r"\s*<[a-zA-Z]")
_LABELLED_AS: Final = "http://fakehost/test/page.html"
"""The address on which the labels of `readability` resolve relative links, whatever the page's is:
that of every page in the tests of Mozilla's Readability."""


@dataclass(frozen=True, slots=True)
class Case:
    """One page and its expected output."""

    id: str
    url: str | None
    html: str
    gold: str
    """The content as HTML; for Markdown, as rendered by `render`."""
    title: str | None = None
    text: str | None = None
    """The content as plain text, if a corpus has that too."""
    content: str | None = None
    """The part of the page that is content, for converters that omit nothing; None if it is not
    marked."""
    captions: tuple[str, ...] = ()
    """Texts that Markdown does not mark as what they are, as are the next two: captions."""
    signatures: tuple[str, ...] = ()
    embeds: tuple[str, ...] = ()
    """Addresses of posts and players."""
    scope: ScopeName = "article"
    """The scope that Thresher is asked for."""


def as_page(content: str) -> str:
    """Put content into a minimal page: some extractors accept nothing else."""
    return f"<!DOCTYPE html><html><body>{content}</body></html>"


def read_corpus(corpus: Corpus, count: int | None = None) -> Iterator[Case]:
    """Read the pages of a corpus that have markup as label; packed corpora only.

    Labels are HTML, or otherwise treated as Markdown; in a corpus with HTML the label is also the
    content. Its addresses are resolved on the page's.
    """
    n_page = 0
    for page in corpus.pages():
        label = page.gold_html or (page.text if corpus.role == "fidelity" else None)
        if not label:
            continue
        if count is not None and n_page >= count:
            return
        n_page += 1
        url = page.url
        if urljoin(_LABELLED_AS, "/") in label:
            url = url or _LABELLED_AS
            for place in (".", "/"):
                label = label.replace(urljoin(_LABELLED_AS, place), urljoin(url, place))
        is_html = bool(_TAG.match(label)) and page.gold_html is not None
        yield Case(
            id=page.id,
            url=url,
            html=page.html,
            gold=label if is_html else render_markdown(label),
            title=page.title,
            text=page.text if is_html else None,
            content=as_page(label) if is_html else None,
        )
