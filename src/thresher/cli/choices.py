"""Objects built from the options that several commands share, and messages about verdicts."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import TYPE_CHECKING, Any, Final

from thresher.cli.console import Loaded, Reading, say, show_name
from thresher.document import Document, Verdict
from thresher.errors import UsageError
from thresher.extraction import extract_request
from thresher.limits import Limits
from thresher.page.decode import decode
from thresher.request import SelectRequest
from thresher.support.files import RULES_VARIABLE
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from thresher.sites import Rulebook, Site, SiteFolder

_MODEL: Final = "model"
"""The parameter of `learned` that ``--model`` sets."""


def read_params(args: Namespace) -> Any:
    """Build a method's params from ``NAME=VALUE`` options; UsageError for an invalid one."""
    values = read_values(args)
    _, params = SelectRequest(args.method, values, args.scope, args.favor).resolve()
    return params


def read_request(args: Namespace, site: Site | None = None) -> SelectRequest:
    """Build the request from the options; UsageError for an invalid one."""
    return SelectRequest(args.method, read_params(args), site=site, rules=read_rules(args))


def read_values(args: Namespace) -> dict[str, str]:
    """Return the values of ``NAME=VALUE`` options by name, as given."""
    values = {} if args.model is None else {_MODEL: args.model}
    for setting in args.param:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"a parameter is set as NAME=VALUE, not {quote(setting)}")
        if name.strip() == _MODEL and args.model is not None:
            raise UsageError("the model is given twice, by --model and as a parameter")
        values[name.strip()] = value
    return values


def read_reading(args: Namespace) -> Reading:
    """Build the reading options; UsageError for an unknown charset."""
    if args.charset is not None and not _is_charset(args.charset):
        raise UsageError(f"unknown charset {quote(args.charset)}; a label of the Encoding Standard")
    return Reading(
        url=args.url,
        charset=args.charset,
        timeout_s=args.timeout,
        user_agent=args.user_agent,
        limits=read_limits(args),
        allow_private=args.allow_private,
    )


def read_rules(args: Namespace) -> Rulebook | None:
    """Read the rulebook named by an option or the environment; None if neither names one.

    Raises UsageError for an invalid file, and for an option that names a missing one.
    """
    named = args.rules or os.environ.get(RULES_VARIABLE)
    if not named:
        return None
    if args.rules and not args.rules.exists():
        raise UsageError(f"{args.rules}: no such file")
    # Needed only with rules.
    from thresher.sites.rulebook import read_rulebook

    return read_rulebook(named)


def read_sites(args: Namespace) -> SiteFolder | None:
    """Return the folder of sites named by an option; UsageError if it is not a folder."""
    if args.sites is None:
        return None
    if not args.sites.is_dir():
        raise UsageError(f"{args.sites} is no folder of sites")
    from thresher.sites.site_files import SiteFolder

    return SiteFolder(args.sites.resolve())


def read_limits(args: Namespace) -> Limits:
    """Build the limits on the size of a page and the time for it."""
    return Limits(args.max_bytes, args.max_nodes, args.deadline, args.on_limit)


def extract_loaded(loaded: Loaded, request: SelectRequest, reading: Reading) -> Document:
    """Extract a page that was read; raises as `extract` does."""
    return extract_request(
        loaded.body, request, reading.limits, url=loaded.url, http_charset=loaded.http_charset
    )


def _is_charset(charset: str) -> bool:
    # A NUL byte gives no evidence of an encoding, so a known label decides.
    return decode(b"\0", http_charset=charset).source == "http"


_FRUITLESS: Final = (Verdict.NO_MAIN_CONTENT, Verdict.BLOCKED, Verdict.NEEDS_BROWSER)
"""Verdicts of pages without main content; a listing has its items."""


def has_content(name: str, document: Document) -> bool:
    """Return whether an input has content; if not, print why on standard error."""
    if document.limit:
        say(f"{show_name(name)}: {document.verdict.value}: {document.limit}")
        return bool(document.selection.keep.any())
    if document.verdict not in _FRUITLESS:
        return True
    why = f": {document.obstacle.evidence}" if document.obstacle else ""
    say(f"{show_name(name)}: {document.verdict.value}{why}")
    return False
