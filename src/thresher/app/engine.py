"""Interface of the app to the extraction engine: a cached page and options in, a document out.

Everything here runs in a worker process (`Context.work`), so arguments and results must pickle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.app.page_cache import Source
from thresher.document import Document
from thresher.extract import extract
from thresher.limits import Limits
from thresher.sites import Rulebook, SiteFolder

__all__ = ["Choice", "Task", "extract_source", "extract_task"]

_MODEL: Final = "model"
"""Parameter with a file name: only the operator of the server sets it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Method and parameters of an extraction, as in `thresher.extract`."""

    method: str = DEFAULT_METHOD
    scope: str | None = None
    favor: str | float | None = None
    params: Mapping[str, object] = field(default_factory=dict)

    def with_model(self, model: str) -> Choice:
        """Return the choice with a file of weights, if the method has one; empty for none."""
        parameters = ALGORITHMS[self.method].parameters() if self.method in ALGORITHMS else ()
        if not model or all(each.name != _MODEL for each in parameters):
            return self
        return replace(self, params={_MODEL: model, **self.params})


@dataclass(frozen=True, slots=True)
class Task:
    """Page to extract, with all options."""

    source: Source
    choice: Choice = field(default_factory=Choice)
    limits: Limits = field(default_factory=Limits)
    rules: Rulebook | None = None
    """The user's rules."""
    sites: SiteFolder | None = None
    """Folder with site data."""


def extract_task(task: Task) -> Document:
    """Extract a page; raise the errors of `thresher.extract`."""
    return extract_source(task.source, task.choice, task.limits, task.rules, task.sites)


def extract_source(
    source: Source,
    choice: Choice,
    limits: Limits,
    rules: Rulebook | None,
    sites: SiteFolder | None = None,
) -> Document:
    """Extract a page, with the parts of a task as separate arguments."""
    return extract(
        source.body,
        url=source.url,
        http_charset=source.http_charset,
        method=choice.method,
        params=choice.params or None,
        scope=choice.scope,
        favor=choice.favor,
        rules=rules,
        site=sites.site_of(source.url) if sites else None,
        **asdict(limits),
    )
