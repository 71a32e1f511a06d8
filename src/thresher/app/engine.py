"""The engine as the app asks it: a kept page and what was chosen in, a document out.

Everything here runs in a worker process (`Context.work`), so what comes in and goes out pickles.
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
"""The parameter that names a file: only who runs the server chooses one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How the content of a page is found; as the arguments of `thresher.extract`."""

    method: str = DEFAULT_METHOD
    scope: str | None = None
    favor: str | float | None = None
    params: Mapping[str, object] = field(default_factory=dict)

    def with_model(self, model: str) -> Choice:
        """Return the same with a file of weights, where the method takes one; empty for none."""
        parameters = ALGORITHMS[self.method].parameters() if self.method in ALGORITHMS else ()
        if not model or all(each.name != _MODEL for each in parameters):
            return self
        return replace(self, params={_MODEL: model, **self.params})


@dataclass(frozen=True, slots=True)
class Task:
    """One page to work on."""

    source: Source
    choice: Choice = field(default_factory=Choice)
    limits: Limits = field(default_factory=Limits)
    rules: Rulebook | None = None
    """What the user always keeps and drops."""
    sites: SiteFolder | None = None
    """What is known of the sites of pages."""


def extract_task(task: Task) -> Document:
    """Extract a page; raises as `thresher.extract` does."""
    return extract_source(task.source, task.choice, task.limits, task.rules, task.sites)


def extract_source(
    source: Source,
    choice: Choice,
    limits: Limits,
    rules: Rulebook | None,
    sites: SiteFolder | None = None,
) -> Document:
    """Do the same, its parts one by one."""
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
