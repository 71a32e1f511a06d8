"""Order of the sources for authors."""

from __future__ import annotations

from itertools import islice
from typing import Final

from thresher.analysis.metadata.build import build_authors, narrow_authors, some_in_common
from thresher.analysis.metadata.decide import (
    Family,
    FieldRule,
    FieldSource,
    about_article,
    about_item,
    about_page,
    in_meta,
    on_page,
)
from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.metadata.rules.trust_levels import GENERAL, INFERRED, SHOWN, STATED
from thresher.analysis.metadata.shown_facts import (
    find_likely_bylines,
    find_marked_bylines,
    find_signed_lines,
)

__all__ = ["AUTHORS"]


AUTHORS: Final = FieldRule(
    sources=(
        FieldSource(
            Family.JSON_LD,
            STATED,
            "the authors of this article",
            about_article("author", "creator"),
        ),
        FieldSource(
            Family.META,
            STATED,
            "for citation tools",
            in_meta("citation_author", "citation_authors"),
        ),
        FieldSource(
            Family.MICRODATA, STATED, "the authors in microdata", about_item("author", "creator")
        ),
        FieldSource(
            Family.META, GENERAL, "for analytics", in_meta("parsely-author", "sailthru.author")
        ),
        FieldSource(
            Family.OPENGRAPH, GENERAL, "of this article; often a profile", in_meta("article:author")
        ),
        FieldSource(
            Family.PAGE,
            SHOWN,
            "a byline marked as such",
            on_page("page:byline", lambda e: find_marked_bylines(e.visible)),
        ),
        FieldSource(
            Family.META,
            GENERAL,
            "sometimes the webmaster",
            in_meta("author", "byl", "article.author"),
        ),
        FieldSource(
            Family.DUBLIN_CORE,
            GENERAL,
            "for library catalogues",
            in_meta("dc.creator", "dcterms.creator", "dc.author"),
        ),
        FieldSource(
            Family.JSON_LD, GENERAL, "the authors of the page", about_page("author", "creator")
        ),
        FieldSource(
            Family.PAGE,
            SHOWN,
            "a line near the headline that begins with By",
            on_page("page:near-h1", lambda e: islice(find_signed_lines(e.visible), 1)),
        ),
        FieldSource(
            Family.PAGE,
            INFERRED,
            "an element that looks like a byline",
            on_page("page:byline-class", lambda e: find_likely_bylines(e.visible)),
        ),
    ),
    build=build_authors,
    key=lambda names: frozenset(map(key_of, names)),
    agree=some_in_common,
    refine=narrow_authors,
)
