"""Order of the sources for the dates of publication and modification."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from thresher.analysis.metadata.build import build_date, refine_date, same_day
from thresher.analysis.metadata.dates import commonest_date, date_in_url, day_of
from thresher.analysis.metadata.decide import (
    Family,
    FieldRule,
    FieldSource,
    about_article,
    about_item,
    about_page,
    in_meta,
    in_meta_like,
    on_page,
)
from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.rules.trust_levels import GENERAL, GUESSED, INFERRED, SHOWN, STATED
from thresher.analysis.metadata.shown_facts import (
    Dateline,
    find_datelines,
    find_item_dates,
    find_lone_dates,
    find_near_dates,
    find_near_times,
    find_script_dates,
    find_times,
)

__all__ = ["MODIFIED", "PUBLISHED"]


_DATE_NAME: Final = re.compile(
    r"(?:^|[:._-])(?:(?:date[:._-]?)?(?:published|publication|publishing|created|creation|uploaded"
    r"|posted|issued)(?:[:._-]?(?:date|time|at|on))*|(?<!event.)(?<!expiry.)(?<!expiration.)date)$"
)
"""Names of `<meta>` that end in a word for the date of publication, with any prefix."""


_ABSOLUTE_LINK: Final = re.compile(r"(?i)\bhref\s*=\s*[\"']?https?://([^\s\"'/?#:>]*)[^\s\"'>]*")
"""The address of a link; other sites' have dates of their own."""
_OWN_LABELS: Final = 2
"""Last labels of a host that all hosts of a site share."""


def _url_date(evidence: PageEvidence) -> list[str | None]:
    urls = [evidence.page.url, evidence.structured.canonical_href]
    urls += evidence.meta.get("og:url", [])[:1]
    return [date_in_url(url) for url in urls if url]


def _commonest_date(evidence: PageEvidence) -> list[str | None]:
    """Return the most frequent date in the markup of an article, other sites' addresses aside.

    Shops and lists have dates too: without the restriction to pages marked as articles, this finds
    one on every fifth page of wcxb_dev that is labelled as undated.
    """
    kinds = evidence.meta.get("og:type", [])
    articles = evidence.page.tagged(["article"]).sum()
    if "article" not in kinds and not evidence.article and articles != 1:
        return []
    own = ".".join((evidence.host or "").split(".")[-_OWN_LABELS:])

    def blank(found: re.Match[str]) -> str:
        is_own = not own or f".{found[1].lower()}".endswith(f".{own}")
        return found[0] if is_own else ""

    return [commonest_date(_ABSOLUTE_LINK.sub(blank, evidence.page.source))]


def _dates(found: Iterable[Dateline], *, updates: bool = False) -> Iterator[str]:
    """Yield the dates that are updates, or those that are not."""
    return (dateline.text for dateline in found if dateline.is_update == updates)


_MODIFIED_SOURCES: Final = (
    FieldSource(Family.JSON_LD, STATED, "of this article", about_article("dateModified")),
    FieldSource(
        Family.OPENGRAPH,
        STATED,
        "of this article",
        in_meta("article:modified_time", "og:updated_time", "og:article:modified_time"),
    ),
    FieldSource(
        Family.MICRODATA, STATED, "of this article, in microdata", about_item("dateModified")
    ),
    FieldSource(Family.JSON_LD, GENERAL, "of the page", about_page("dateModified")),
    FieldSource(
        Family.META,
        GENERAL,
        "for search engines",
        in_meta(
            "dcterms.modified",
            "dc.date.modified",
            "last-modified",
            "lastmod",
            "lastmodified",
            "revised",
            "article.updated",
            "datemodified",
            "modified",
        ),
    ),
    FieldSource(
        Family.PAGE,
        SHOWN,
        "marked, outside an item",
        on_page("page:itemprop=dateModified", lambda e: find_item_dates(e.visible, "dateModified")),
    ),
    FieldSource(
        Family.PAGE,
        SHOWN,
        "a time marked as an update",
        on_page("page:time", lambda e: _dates(find_times(e.visible), updates=True)),
    ),
    FieldSource(
        Family.PAGE,
        INFERRED,
        "a date line marked as an update",
        on_page(
            "page:date-class",
            lambda e: _dates(find_datelines(e.visible, e.declared_language), updates=True),
        ),
    ),
)

PUBLISHED: Final = FieldRule(
    sources=(
        FieldSource(Family.JSON_LD, STATED, "of this article", about_article("datePublished")),
        FieldSource(
            Family.OPENGRAPH,
            STATED,
            "of this article",
            in_meta("article:published_time", "og:article:published_time", "og:published_time"),
        ),
        FieldSource(
            Family.MICRODATA, STATED, "of this article, in microdata", about_item("datePublished")
        ),
        FieldSource(
            Family.META,
            STATED,
            "for citation tools",
            in_meta("citation_publication_date", "citation_online_date", "citation_date"),
        ),
        FieldSource(
            Family.META,
            GENERAL,
            "for analytics and search engines",
            in_meta(
                "parsely-pub-date",
                "sailthru.date",
                "article.published",
                "publishdate",
                "publish-date",
                "publish_date",
                "published-date",
                "publication_date",
                "pubdate",
                "datepublished",
                "dc.date.issued",
                "dcterms.issued",
                "dcterms.created",
                "dc.date.created",
                "date",
                "dc.date",
                "dcterms.date",
                "cxenseparse:recs:publishtime",
                "originalpublicationdate",
                "article:post_date",
                "created",
            ),
        ),
        FieldSource(Family.JSON_LD, GENERAL, "of the page", about_page("datePublished")),
        FieldSource(
            Family.JSON_LD,
            GENERAL,
            "approximate",
            about_article("dateCreated", "uploadDate", "startDate"),
        ),
        FieldSource(
            Family.MICRODATA,
            GENERAL,
            "approximate; questions and videos have no other",
            about_item("dateCreated", "uploadDate"),
        ),
        FieldSource(
            Family.PAGE,
            SHOWN,
            "marked, outside an item",
            on_page(
                "page:itemprop=datePublished", lambda e: find_item_dates(e.visible, "datePublished")
            ),
        ),
        FieldSource(
            Family.PAGE,
            SHOWN,
            "the time nearest to the headline",
            on_page("page:time", lambda e: _dates(find_near_times(e.visible))),
        ),
        FieldSource(Family.URL, SHOWN, "set at publication", on_page("url:date", _url_date)),
        FieldSource(
            Family.META,
            INFERRED,
            "an unlisted name that means a date",
            in_meta_like(_DATE_NAME, "date", "ed", "ing", "time", "at", "on"),
        ),
        FieldSource(
            Family.PAGE,
            INFERRED,
            "a date near the headline; a more distant time is often another article's",
            on_page(
                "page:near-h1",
                lambda e: _dates(find_near_dates(e.visible, e.declared_language)),
            ),
        ),
        FieldSource(
            Family.PAGE,
            INFERRED,
            "an element that looks like a date line",
            on_page(
                "page:date-class",
                lambda e: _dates(find_datelines(e.visible, e.declared_language)),
            ),
        ),
        FieldSource(
            Family.PAGE,
            INFERRED,
            "a more distant time",
            on_page("page:time", lambda e: _dates(find_times(e.visible))),
        ),
        FieldSource(
            Family.SCRIPT,
            INFERRED,
            "data from which a script builds the page",
            on_page("script:date", lambda e: find_script_dates(e.visible)),
            is_last_resort=True,
        ),
        *(
            FieldSource(
                source.family,
                GUESSED,
                "not later than the last update; correct for half of such pages in wcxb_dev",
                source.read,
                is_last_resort=True,
            )
            for source in _MODIFIED_SOURCES
        ),
        FieldSource(
            Family.PAGE,
            GUESSED,
            "a date on its own line, anywhere",
            on_page(
                "page:line",
                lambda e: islice(_dates(find_lone_dates(e.visible, e.declared_language)), 1),
            ),
            is_last_resort=True,
        ),
        FieldSource(
            Family.PAGE,
            GUESSED,
            "a time, even among comments: some pages consist only of unrelated parts",
            on_page("page:time", lambda e: islice(_dates(find_times(e.visible, anywhere=True)), 1)),
            is_last_resort=True,
        ),
        FieldSource(
            Family.TEXT,
            GUESSED,
            "images and feeds are filed by day; little better than nothing",
            on_page("text:commonest", _commonest_date),
            is_last_resort=True,
        ),
    ),
    build=build_date,
    key=day_of,
    agree=same_day,
    refine=refine_date,
)

MODIFIED: Final = FieldRule(
    sources=_MODIFIED_SOURCES,
    build=build_date,
    key=day_of,
    agree=same_day,
)
