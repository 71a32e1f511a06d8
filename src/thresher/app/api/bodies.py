"""Bodies of the API's answers, as types: the OpenAPI document is made from them.

The schema of a type has its name without ``Body``. A key that is `NotRequired` may be missing; a
description is the text in `Annotated`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from thresher.analysis.obstacles import ObstacleKind
from thresher.document import Verdict


class PageTypeBody(TypedDict):
    """Most probable type of a page."""

    name: str
    probability: Annotated[float, "0 to 1."]


class ObstacleBody(TypedDict):
    """Reason why the content cannot be read."""

    kind: ObstacleKind
    evidence: Annotated[str, "One sentence that states what was found."]
    confidence: Annotated[float, "0 to 1."]


class MetadataBody(TypedDict):
    """Metadata that a page declares; only known values are there."""

    title: NotRequired[Annotated[str, "The headline, without the name of the site."]]
    authors: NotRequired[list[str]]
    published: NotRequired[Annotated[str, "ISO 8601, as precise as the page states it."]]
    modified: NotRequired[Annotated[str, "ISO 8601, as precise as the page states it."]]
    site_name: NotRequired[str]
    description: NotRequired[str]
    language: NotRequired[Annotated[str, "BCP 47 tag."]]
    canonical_url: NotRequired[str]
    image: NotRequired[Annotated[str, "Address of the lead image."]]
    tags: NotRequired[list[str]]
    licence: NotRequired[Annotated[str, "Address of the licence of the content."]]


class OutputBody(TypedDict):
    """Content in each requested format."""

    markdown: NotRequired[str]
    text: NotRequired[str]
    html: NotRequired[str]
    json: NotRequired[Annotated[dict[str, Any], "All known data, as in docs/formats.md."]]
    inplace: NotRequired[str]
    jsonl: NotRequired[str]
    csv: NotRequired[str]
    tei: NotRequired[str]
    thread: NotRequired[str]


class RecordBody(TypedDict):
    """Result of one page."""

    id: NotRequired[Annotated[str | int, "Your identifier, if the request had one."]]
    url: Annotated[str | None, "Address of the page, after redirects."]
    verdict: Annotated[Verdict, "Outcome, as in docs/verdicts.md; content if all is well."]
    page_type: Annotated[PageTypeBody | None, "Most probable page type; or null."]
    confidence: Annotated[float | None, "Expected word F1, 0 to 1; or null."]
    obstacle: Annotated[ObstacleBody | None, "What blocks the content, such as a login; or null."]
    limit: Annotated[str | None, "Limit that was exceeded, if the result is partial; or null."]
    metadata: Annotated[MetadataBody, "Title, authors, dates and more, as far as known."]
    next_url: Annotated[str | None, "Address of the next page of the article; or null."]
    method: Annotated[str, "Extraction method that was used."]
    encoding: Annotated[str | None, "Encoding of the page's bytes; null for text."]
    elapsed_s: Annotated[float, "Seconds of processing."]
    output: Annotated[OutputBody, "Content in each requested format."]


class ErrorDetailBody(TypedDict):
    """Why a page or a request failed."""

    type: Annotated[str, "Name of the error, such as UsageError."]
    message: str
    status: Annotated[int, "HTTP status of this error."]
    what: NotRequired[Annotated[str, "Limit that was exceeded (LimitError)."]]
    limit: NotRequired[Annotated[float, "Its value (LimitError)."]]
    value: NotRequired[Annotated[float | None, "What exceeded it, if known (LimitError)."]]
    url: NotRequired[Annotated[str, "Address that was not fetched (FetchError)."]]
    http_status: NotRequired[Annotated[int | None, "Status of its server (FetchError)."]]


class ErrorBody(TypedDict):
    """Answer to a request that failed."""

    error: ErrorDetailBody


class LineRecordBody(RecordBody):
    """Record of one page of a batch."""

    line: Annotated[int, "Number of the page in the batch, from 1."]


class LineErrorBody(TypedDict):
    """Error of one page of a batch."""

    line: Annotated[int, "Number of the page in the batch, from 1."]
    id: NotRequired[Annotated[str | int, "Your identifier, if the page had one."]]
    error: ErrorDetailBody


class BatchAnswerBody(TypedDict):
    """Records of the pages of a batch, in order."""

    records: list[LineRecordBody | LineErrorBody]


class PageBody(TypedDict):
    """A page that was sent to the app, and where it is there."""

    read: Annotated[str, "Path of the page in Read."]
    inspect: Annotated[str, "Path of the page in Inspect."]
    saved: Annotated[int | None, "Number in the saved list; or null."]
    label: Annotated[str | None, "Path of the page in Label; or null."]


class ParameterBody(TypedDict):
    """Parameter of a method."""

    name: str
    default: Annotated[str, "As it is written in a request."]
    help: str
    minimum: float | None
    maximum: float | None


class MethodBody(TypedDict):
    """Extraction method."""

    name: str
    summary: str
    source: Annotated[str, "Where the method was published."]
    is_default: bool
    parameters: list[ParameterBody]


class HealthBody(TypedDict):
    """State of the server."""

    status: str
    version: str
