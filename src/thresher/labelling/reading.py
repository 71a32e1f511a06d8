"""Pages to label: read from folders of HTML, WARC archives, JSON Lines and URLs, and prepared.

A prepared page is its blocks as text, each with the model's suggestion.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.plan import find_places, read_source
from thresher.deadline import deadline
from thresher.errors import InputError
from thresher.extraction import document_of, read_page, select
from thresher.labelling.model import NewPage
from thresher.limits import Limits
from thresher.page import Page
from thresher.page.archives import unpack_archive
from thresher.page.decode import decode
from thresher.page.sniff import refuse_non_html
from thresher.page.tags import CELLS, CODE_OF, flags_of

_HEADINGS: Final = tuple(CODE_OF[f"h{level}"] for level in range(1, 7))
_TAGS_OF: Final = {
    "item": flags_of("li dt dd"),
    "cell": CELLS,
    "quote": flags_of("blockquote"),
    "code": flags_of("pre"),
}
"""Kind of a block → its ancestors; the last match decides, and headings override all."""
KINDS: Final = ("text", *_TAGS_OF, "heading", "picture")
_LINK_SHARE: Final = 0.6
"""Link density from which a block is shown as a link."""


def read_pages(
    inputs: Sequence[str], skipped: Counter[str], options: ReadOptions | None = None
) -> Iterator[NewPage]:
    """Yield the pages of inputs, given as for `thresher batch`, one at a time.

    What is no page is counted in ``skipped``, by reason.

    Raises UsageError for a missing input, and MissingExtraError if the reader of such files is not
    installed.
    """
    options = options or ReadOptions()
    for place in find_places(inputs):
        tally = SourceTally()
        for _, entry in read_source(place, options, tally, lambda position: False):
            if isinstance(entry, Unreadable):
                skipped[entry.error] += 1
                continue
            try:
                yield page_of(entry, options.max_bytes)
            except InputError as error:
                skipped[str(error)] += 1
        for what in tally.unread:
            skipped[what] += 1


def page_of(item: Item, max_bytes: int) -> NewPage:
    """Decode a page; InputError if it is not HTML, or larger than the limit."""
    if len(item.body) > max_bytes:
        raise InputError(f"the page has more than {max_bytes:,} bytes")
    html, charset, url = item.body, item.http_charset, item.url
    if (archived := unpack_archive(html)) is not None:
        html, charset, url = archived.html, archived.charset, url or archived.url
    refuse_non_html(html)
    if isinstance(html, bytes):
        html = decode(html, http_charset=charset).text
    return NewPage(item.id, html, url)


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """One block of the page, as shown."""

    text: str
    kind: str
    """One of `KINDS`."""
    level: int
    """Level of a heading, 1 to 6; otherwise 0."""
    keep: bool
    """Whether the model suggests it as content."""
    probability: float
    """Probability of content, by the model."""
    is_link: bool
    is_hidden: bool
    role: str = ""
    """The role that the model suggests; empty without one."""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page as shown to a labeller."""

    title: str
    blocks: tuple[ShownBlock, ...]
    confidence: float
    """The expected word F1 of the suggestion."""
    page_type: str | None
    """The page type, by the model."""

    def to_json(self) -> str:
        """Serialise the page."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> ShownPage:
        """Parse the output of `to_json`."""
        values: dict[str, Any] = json.loads(text)
        blocks = tuple(ShownBlock(**block) for block in values.pop("blocks"))
        return cls(blocks=blocks, **values)

    def digest(self) -> str:
        """Return a digest of the blocks, which a mask of them depends on."""
        texts = "\0".join(block.text for block in self.blocks)
        return hashlib.sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def suggest(self) -> npt.NDArray[np.bool_]:
        """Return the model's mask; bool[n_block]."""
        return np.array([block.keep for block in self.blocks], np.bool_)


def read_for_labels(
    html: str, url: str | None, model: str = "", limits: Limits | None = None
) -> ShownPage:
    """Prepare a page; ``model`` is a file of weights, empty for the shipped ones.

    Raises as `thresher.extract` does.
    """
    limits = limits or Limits()
    with deadline(limits.deadline_s):
        page = read_page(html, url=url, max_bytes=limits.max_bytes, max_nodes=limits.max_nodes)
        return _read(page, model)


def _read(page: Page, model: str) -> ShownPage:
    selection = select(page, "learned", {"model": model})
    judgement = selection.judgement
    title = document_of(selection).metadata.title
    kinds, levels = _name_kinds(page)
    words = page.blocks.sums(page.leaf_words)
    of_links = page.blocks.sums(page.leaf_link_words)
    hidden = page.hidden[page.block_leaf] != 0
    kept = selection.block_keep
    blocks = tuple(
        ShownBlock(
            text=page.block_text(place),
            kind=kinds[place],
            level=levels[place],
            keep=bool(kept[place]),
            probability=round(float(selection.score[place]), 3),
            is_link=bool(words[place] and of_links[place] >= _LINK_SHARE * words[place]),
            is_hidden=bool(hidden[place]),
            role=selection.role(place) or "",
        )
        for place in range(len(page.blocks))
    )
    return ShownPage(
        title=str(title.value) if title else "",
        blocks=blocks,
        confidence=judgement.confidence if judgement else 0.0,
        page_type=judgement.page_types[0][0] if judgement else None,
    )


def text_of(shown: ShownPage, keep: npt.NDArray[np.bool_]) -> str:
    """Return the text of a label: the kept blocks, one per line."""
    texts = (block.text for block, kept in zip(shown.blocks, keep.tolist(), strict=True) if kept)
    return "\n".join(text for text in texts if text.strip())


def _name_kinds(page: Page) -> tuple[list[str], list[int]]:
    leaf = page.block_leaf
    kinds = np.full(len(page.blocks), KINDS.index("text"))
    levels = np.zeros(len(page.blocks), np.int64)
    for kind, tags in _TAGS_OF.items():
        kinds[page.within(tags[page.tag])[leaf]] = KINDS.index(kind)
    for level, code in enumerate(_HEADINGS, 1):
        flags = page.within(page.tag == code)[leaf]
        kinds[flags], levels[flags] = KINDS.index("heading"), level
    silent = page.blocks.sums(page.leaf_chars) == 0
    kinds[silent] = KINDS.index("picture")
    return [KINDS[kind] for kind in kinds.tolist()], levels.tolist()
