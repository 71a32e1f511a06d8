"""The other extractors of the field, with the settings they are run with.

Settings are those that the authors recommend, in their manual or in their own evaluation; if these
differ, or a setting changes what counts as content, each is a separate peer. The calls are in
`worker`, under the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["PEERS", "Peer"]


@dataclass(frozen=True, slots=True)
class Peer:
    """Another extractor with one set of settings."""

    name: str
    """Its name in tables, and in `worker`."""
    package: str
    """The distribution that contains it, by its name on PyPI."""
    call: str
    """How it is called, in short; its outputs are kept under this too."""
    extras: str = ""
    """Comma-separated extras of the package that its settings need."""
    gives_html: bool = False
    """Whether it returns HTML. All such HTML is converted to text by our `keep_all`."""

    @property
    def requirement(self) -> str:
        """The requirement passed to pip."""
        return f"{self.package}[{self.extras}]" if self.extras else self.package


_PEERS: Final = (
    Peer("trafilatura", "trafilatura", "extract(html, include_comments=False)"),
    Peer("trafilatura comments", "trafilatura", "extract(html)"),
    Peer("trafilatura fast", "trafilatura", "extract(html, include_comments=False, fast=True)"),
    Peer(
        "trafilatura precision",
        "trafilatura",
        "extract(html, include_comments=False, favor_precision=True)",
    ),
    Peer(
        "trafilatura recall",
        "trafilatura",
        "extract(html, include_comments=False, favor_recall=True)",
    ),
    Peer("rs-trafilatura", "rs-trafilatura", "extract(html, url=url).main_content"),
    Peer("resiliparse", "resiliparse", "extract_plain_text(html, main_content=True)"),
    Peer(
        "resiliparse no alt",
        "resiliparse",
        "extract_plain_text(html, main_content=True, alt_texts=False)",
    ),
    Peer("readability-lxml", "readability-lxml", "Document(html).summary()", gives_html=True),
    Peer(
        "magic-html",
        "magic-html",
        "GeneralExtractor().extract(html, base_url=url)",
        gives_html=True,
    ),
    Peer(
        "jusText",
        "jusText",
        "justext(html, stoplist of the page's language); without stop words where there is none; "
        "in Chinese and Japanese a third of the lengths",
    ),
    Peer("BoilerPy3", "boilerpy3", "ArticleExtractor(raise_on_failure=False).get_content(html)"),
    Peer(
        "newspaper4k",
        "newspaper4k",
        "Article(url, the page's language, fetch_images=False), parsed from html",
        extras="all",
    ),
    Peer(
        "goose3",
        "goose3",
        "Goose(target_language, stop words class of the page's language).extract(raw_html=html)",
        extras="all",
    ),
    Peer("turbohtml", "turbohtml", "parse(html).main_text()"),
)

PEERS: Final[Mapping[str, Peer]] = {peer.name: peer for peer in _PEERS}
"""Every peer by name, in the order of the tables before they are sorted."""
