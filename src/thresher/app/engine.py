"""Interface of the app to the extraction engine: a cached page and options in, a document out.

Everything here runs in a worker process (`Context.work`), so arguments and results must pickle.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from thresher.algorithms import ALGORITHMS
from thresher.app.opened_pages import PageSource
from thresher.document import Document
from thresher.extraction import extract_request
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.sites import SiteFolder

__all__ = ["Task", "extract_task", "with_model"]

_MODEL: Final = "model"
"""Parameter with a file name: only the operator of the server sets it."""


@dataclass(frozen=True, slots=True)
class Task:
    """Page to extract, with all options."""

    source: PageSource
    request: SelectRequest = field(default_factory=SelectRequest)
    """How it is selected; the site is looked up in ``sites``."""
    limits: Limits = field(default_factory=Limits)
    sites: SiteFolder | None = None
    """Folder with site data."""


def with_model(request: SelectRequest, model: str) -> SelectRequest:
    """Return a request with a file of weights, if the method takes one; empty for none."""
    method = request.method if isinstance(request.method, str) else ""
    parameters = ALGORITHMS[method].parameters() if method in ALGORITHMS else ()
    if not model or all(each.name != _MODEL for each in parameters):
        return request
    return replace(request, params={_MODEL: model, **(request.params or {})})


def extract_task(task: Task) -> Document:
    """Extract a page; raise the errors of `thresher.extract`."""
    source, request = task.source, task.request
    if task.sites:
        request = replace(request, site=task.sites.site_of(source.url))
    return extract_request(
        source.body, request, task.limits, url=source.url, http_charset=source.http_charset
    )
