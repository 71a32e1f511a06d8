"""Our methods as contenders: with default parameters, and variants with other parameters."""

from __future__ import annotations

from collections.abc import Iterable

from thresher.algorithms import find_algorithm
from thresher.errors import UsageError
from thresher.evaluation.evaluate import Contender
from thresher.support.quoting import quote

__all__ = ["format_call", "read_contenders"]


def read_contenders(methods: Iterable[str], variants: Iterable[str]) -> tuple[Contender, ...]:
    """Return a contender for each method, and for each variant ``METHOD NAME=VALUE ...``.

    The text of a variant is its name in tables. Raises UsageError for unknown names.
    """
    contenders = [_build(name, name, {}) for name in methods]
    for variant in variants:
        method, *settings = variant.split() or [""]
        pairs = [setting.partition("=") for setting in settings]
        if not pairs or not all(equals for _, equals, _ in pairs):
            raise UsageError(f"a variant is METHOD NAME=VALUE ..., not {quote(variant)}")
        params = {name: value for name, _, value in pairs}
        contenders.append(_build(" ".join([method, *settings]), method, params))
    return tuple(contenders)


def format_call(contender: Contender) -> str:
    """Format the Python call of a method."""
    method, *settings = contender.name.split()
    pairs = ", ".join(f"{n!r}: {v!r}" for n, _, v in (each.partition("=") for each in settings))
    params = f", params={{{pairs}}}" if pairs else ""
    return f"extract(html, method={method!r}{params}).text"


def _build(name: str, method: str, params: dict[str, str]) -> Contender:
    return Contender(name, method, find_algorithm(method).build_params(params))
