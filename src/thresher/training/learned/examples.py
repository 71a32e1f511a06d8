"""Training examples: features of a labelled page, and the share of each block that is gold.

Pages without role labels get roles by reliable rules from markup and labels. A caption is in
`figcaption`, a date in `time`, readers' comments in elements named after them; the title is the
heading equal to the label's title, and whole paragraphs found in an article's label are its body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.comments import find_comments
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import NamePlaces, place_names
from thresher.evaluation.alignment import align_label
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.folds import site_of
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, label_of
from thresher.features import Features, compute_features
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of
from thresher.roles import NO_ROLE, ROLES, SCOPES
from thresher.training.learned.insertion import vary

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_CODE_OF: Final = {role: np.int8(code) for code, role in enumerate(ROLES)}
_HEADING: Final = flags_of("h1 h2")
_CAPTION: Final = flags_of("figcaption")
_TIME: Final = flags_of("time")
_PARAGRAPH: Final = flags_of("p")
_PRE: Final = flags_of("pre")
_NAVIGATION: Final = flags_of("nav")
_MAX_DATE_WORDS: Final = 8
_MIN_BODY_WORDS: Final = 15
_MIN_BODY_SHARE: Final = 0.9
"""Share of a paragraph's tokens that must be in the page's label."""
_ARTICLE_TYPES: Final = (None, "article", "documentation")
MIXED_CORPORA: Final = ("wcxb_dev",)
"""Corpora of all page types, which have full weight for `auto` and for page types."""
_MIN_CONTENT_SHARE: Final = 0.5
"""Share of a block's tokens in the text from which it counts as content."""
_SCOPE_OF_TYPE: Final = {
    "article": "article",
    "documentation": "article",
    "forum": "thread",
    "service": "page",
    "product": "page",
    "collection": "page",
    "listing": "page",
}
"""Explicit scope of which a label of each page type is an example."""
_TYPE_OF_KIND: Final = {
    **dict.fromkeys(("article", "blog", "live", "transcript", "recipe"), "article"),
    **dict.fromkeys(("documentation", "wiki", "howto"), "documentation"),
    **dict.fromkeys(("forum", "qa"), "forum"),
    **dict.fromkeys(("listing", "search", "schedule"), "listing"),
    **dict.fromkeys(("collection", "home"), "collection"),
    **dict.fromkeys(("service", "company", "contact", "event", "job"), "service"),
    "product": "product",
}
"""Page type of the kinds that role labels name, where the corpus names none. Learned from too, they
raise the accuracy on wcxb_dev from .755 to .775, on other sites' pages from .41 to .55 (half of the
sites held out, 2026-11-27)."""
_ARTICLE_ROLES: Final = [ROLES.index(role) for role in ("body", "table", "code")]
CONTENT_ROLES: Final = (_ARTICLE_ROLES, [*_ARTICLE_ROLES, ROLES.index("comment")])
"""Codes of the roles that are content, of a forum if indexed by True."""
_TOLD_BY_TEXT: Final = [ROLES.index(role) for role in ("title", "caption")]
"""Codes of the roles that are content if the page's text has them: corpora disagree about them."""
_DISPUTED_ROLES: Final = [*_TOLD_BY_TEXT, *(ROLES.index(role) for role in ("byline", "date"))]
"""Codes of the roles that are content in some corpora and not in others."""
_RULE_TRUST: Final = 0.2
"""Weight of a page's roles if derived by rules, which cover few blocks of few kinds."""
_UNVARIED_SHARE: Final = 0.7
"""Share of pages that are trained on as they are, without insertions."""
_CHUNK: Final = 8
"""Pages sent to a process at a time."""


def map_in_processes(
    run: Callable[[_Item], _Result], items: Iterable[_Item], n_job: int, *, chunk: int = 1
) -> Iterator[_Result]:
    """Yield the results of a function in order; with one job it runs in this process."""
    if n_job == 1:
        yield from map(run, items)
        return
    with ProcessPoolExecutor(n_job, mp_context=get_context("spawn")) as pool:
        yield from pool.map(run, items, chunksize=chunk)


def label_by_rules(
    page: Page, features: Features, labelled: LabelledPage, share: npt.NDArray[np.float32]
) -> npt.NDArray[np.int8]:
    """Return the role of each block that a rule covers, `NO_ROLE` for others; int8[n_block].

    ``share`` float32[n_block] is the share of each block's tokens in the label.
    """
    roles = np.full(len(page.blocks), NO_ROLE, np.int8)
    leaf, words = page.block_leaf, features.words

    def inside(flags: BoolArray) -> BoolArray:
        return page.within(flags[page.tag])[leaf]

    comments = find_comments(page, features)
    if labelled.page_type in _ARTICLE_TYPES and labelled.text:
        body = inside(_PARAGRAPH) & (words >= _MIN_BODY_WORDS) & (share >= _MIN_BODY_SHARE)
        roles[body] = _CODE_OF["body"]
        roles[comments & (words >= _MIN_BODY_WORDS)] = _CODE_OF["comment"]
        roles[inside(_TIME) & (words > 0) & (words <= _MAX_DATE_WORDS)] = _CODE_OF["date"]
    roles[inside(_NAVIGATION) & (share == 0)] = _CODE_OF["navigation"]
    roles[inside(_CAPTION) & (words > 0)] = _CODE_OF["caption"]
    roles[inside(_PRE) & (share >= _MIN_BODY_SHARE)] = _CODE_OF["code"]
    title = _fold(labelled.title or "")
    if title:
        for block in np.flatnonzero(_HEADING[page.tag[page.block_row]]).tolist():
            if _fold(page.block_text(block)) == title:
                roles[block] = _CODE_OF["title"]
    return roles


def _fold(text: str) -> str:
    return "".join(text.split()).casefold()


class Gold(NamedTuple):
    """What is content of a page."""

    weight: npt.NDArray[np.float32]
    """Tokens of each block that counts, 0 for others; float32[n_block]."""
    share: npt.NDArray[np.float32]
    """Share of each block's tokens that is content; float32[n_block]."""


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled page, for training networks and measuring choices of blocks."""

    page: LabelledPage
    site: str
    features: Features
    names: NamePlaces
    weight: npt.NDArray[np.float32]
    """Tokens of each block; 0 for copies of content, which are not scored; float32[n_block]."""
    share: npt.NDArray[np.float32]
    """Share of each block's tokens that is in the gold; float32[n_block]."""
    n_gold: float
    """Tokens of the gold."""
    comments: npt.NDArray[np.bool_]
    """Blocks in elements named after readers' comments; bool[n_block]."""
    role: npt.NDArray[np.int8]
    """Code of each block's role, `NO_ROLE` if unknown; int8[n_block]."""
    role_trust: float
    """Weight of the page's roles: 1 if annotated, less if derived by rules."""
    varied: Example | None = None
    """The page with short structures inserted, to be trained on instead; None for most pages."""

    def gold(self, scope: int) -> Gold:
        """Return what is learned as content under a scope.

        Under `auto` that is what annotated roles say, as they agree from page to page; without any,
        and under the scope of the label, what the label's text says.
        """
        if scope or self.role_trust < 1:
            return Gold(self.weight, self.share)
        is_content, is_judged = self.flag_content()
        tokens = np.maximum(self.features.words, self.weight)
        return Gold((tokens * is_judged).astype(np.float32), is_content.astype(np.float32))

    def flag_content(self) -> tuple[BoolArray, BoolArray]:
        """Flag the content of the page, and the blocks whose label counts; bool[n_block] each.

        Annotated roles decide where there are any: bylines and dates are no content then, as in
        most corpora, and titles and captions are if the text has them.
        """
        has_text = self.page.text is not None
        in_text = (self.share >= _MIN_CONTENT_SHARE) & has_text
        counts_by_text = (self.weight > 0) & has_text
        if self.role_trust < 1:
            return in_text, counts_by_text
        by_text = np.isin(self.role, _TOLD_BY_TEXT)
        by_role = np.isin(self.role, CONTENT_ROLES[self.page.page_type == "forum"])
        return (
            np.where(by_text, in_text, by_role),
            np.where(by_text, counts_by_text, self.role != NO_ROLE),
        )

    def measure(self, keep: npt.NDArray[np.bool_]) -> float:
        """Return the F1 of keeping some blocks by the alignment; 1 if correctly none is kept."""
        kept = self.weight[keep]
        total = float(kept.sum()) + self.n_gold
        return 2 * float((kept * self.share[keep]).sum()) / total if total else 1.0

    @property
    def page_type(self) -> int:
        """Index in `PAGE_TYPES`, −1 if not labelled."""
        kind = self.page.page_type
        return PAGE_TYPES.index(kind) if kind in PAGE_TYPES else -1


def scope_of(page: LabelledPage) -> int:
    """Return the scope of which a page's label is an example, besides `auto`."""
    return SCOPES.index(_SCOPE_OF_TYPE.get(page.page_type or "article", "article"))


def make_examples(
    pages: Iterable[LabelledPage], labels: RoleLabels | None = None, *, n_job: int = 1
) -> Iterator[Example]:
    """Yield an example for every page whose label is found in it, in order.

    ``labels`` are role labels; a page without a text label is an example by its role label alone.
    """
    labels = labels or {}
    make = partial(_make_example, labels=labels)
    labelled = (page for page in pages if page.text is not None or (page.corpus, page.id) in labels)
    made = map_in_processes(make, labelled, n_job, chunk=_CHUNK)
    yield from (example for example in made if example)


def _make_example(labelled: LabelledPage, labels: RoleLabels) -> Example | None:
    page = parse(labelled.html, url=labelled.url)
    if not len(page.blocks):
        return None
    label = label_of(labels, labelled, len(page.blocks))
    gold_and_tokens = _find_gold(page, labelled, label)
    if gold_and_tokens is None:
        return None
    gold, n_gold = gold_and_tokens
    features = compute_features(page)
    kind = label.kind if label else ""
    example = Example(
        # The HTML is no longer needed, and most of the size.
        page=replace(
            labelled,
            html="",
            gold_html=None,
            page_type=labelled.page_type or _TYPE_OF_KIND.get(kind),
        ),
        site=site_of(labelled),
        features=features,
        names=place_names(features),
        weight=gold.weight,
        share=gold.share,
        n_gold=n_gold,
        comments=find_comments(page, features),
        role=label.roles if label else label_by_rules(page, features, labelled, gold.share),
        role_trust=1.0 if label else _RULE_TRUST,
    )
    return replace(example, varied=_vary(example, page, labelled.html))


def _vary(example: Example, page: Page, html: str) -> Example | None:
    """Return an example of the page with insertions; None for most pages."""
    random = Random(f"{example.page.corpus} {example.page.id}")
    if random.random() < _UNVARIED_SHARE:
        return None
    is_content = (example.share >= _MIN_BODY_SHARE) & (example.role == _CODE_OF["body"])
    varied = vary(page, html, is_content, random)
    if varied is None:
        return None
    features = compute_features(varied.page)
    is_new = varied.origin < 0
    is_gold = np.isin(varied.role, _ARTICLE_ROLES).astype(np.float32)
    tokens = varied.page.blocks.sums(varied.page.leaf_words).astype(np.float32)
    tokens[np.isin(varied.role, _DISPUTED_ROLES)] = 0
    return replace(
        example,
        features=features,
        names=place_names(features),
        weight=np.where(is_new, tokens, example.weight[varied.origin]),
        share=np.where(is_new, is_gold, example.share[varied.origin]),
        n_gold=example.n_gold + float((tokens * is_gold)[is_new].sum()),
        comments=find_comments(varied.page, features),
        role=np.where(is_new, varied.role, example.role[varied.origin]),
    )


def _find_gold(
    page: Page, labelled: LabelledPage, label: RoleLabel | None
) -> tuple[Gold, float] | None:
    """Find the content of a page and its tokens by its text, or without one by its role label."""
    if labelled.text is None:
        return _read_roles(page, label) if label else None
    alignment = align_label(page, labelled.text)
    if alignment is None:
        return None
    return Gold(alignment.weight, alignment.share), alignment.n_gold


def _read_roles(page: Page, label: RoleLabel) -> tuple[Gold, float]:
    """Treat body, tables, code and a forum's comments as content; do not score disputed roles."""
    tokens = page.blocks.sums(page.leaf_words).astype(np.float32)
    is_forum = _TYPE_OF_KIND.get(label.kind) == "forum"
    is_content = np.isin(label.roles, CONTENT_ROLES[is_forum])
    weight = np.where(np.isin(label.roles, _DISPUTED_ROLES), 0, tokens).astype(np.float32)
    return Gold(weight, is_content.astype(np.float32)), float(tokens[is_content].sum())
