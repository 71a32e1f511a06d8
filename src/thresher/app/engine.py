"""The app's interface to the extraction engine: opened pages and options in, documents out.

In query strings and forms ``method`` names the method, ``scope`` and ``favor`` are as in
`thresher.extract`; any other parameter is ``METHOD.NAME``, so that a form may send those of another
method too. ``param.NAME``, as sent by the reading page, is accepted as well.

What extracts runs in a worker process (`AppContext.work`), so arguments and results must pickle. A
user who inspects one block usually inspects the next, so each process caches the last few
documents. Of their texts the app shows excerpts, and the time to read them.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, find_algorithm
from thresher.algorithms.base import FAVORS
from thresher.document import Document, WriteOptions
from thresher.errors import UsageError
from thresher.extraction import extract_request
from thresher.fetching.model import Fetched
from thresher.limits import Limits
from thresher.page.archives import unpack_archive
from thresher.request import SelectRequest
from thresher.roles import SCOPES
from thresher.sites import HostRules, Rulebook, SiteFolder
from thresher.support.hosts import host_of
from thresher.support.settings import Setting
from thresher.writers.formats import FormatName

_SHORT: Final[Mapping[str, tuple[str, ...]]] = {"scope": SCOPES, "favor": tuple(FAVORS)}
"""Parameters without a prefix, and their choices in a form."""
_MODEL: Final = "model"
"""Parameter with a file name: only the operator of the server sets it."""
_ANY: Final = "param."
_MAX_VALUE_CHARS: Final = 2_000
_NOTHING: Final = "(none)"
"""How `Setting.display` shows an empty value."""


@dataclass(frozen=True, slots=True)
class MethodQuery:
    """Method, and its parameters that differ from their defaults, as text."""

    method: str = DEFAULT_METHOD
    values: tuple[tuple[str, str], ...] = ()

    def select_request(self) -> SelectRequest:
        """Return the request for the engine; UsageError for an invalid parameter value."""
        # In the format of `Algorithm.build_params` a comma is an empty list.
        values: dict[str, object] = {
            name: "," if value == _NOTHING else value for name, value in self.values
        }
        find_algorithm(self.method).build_params(values)
        return SelectRequest(self.method, values)

    @property
    def query(self) -> str:
        """The choice as a query string."""
        pairs = [(_key_of(self.method, name), value) for name, value in self.values]
        return urlencode([("method", self.method), *pairs])


@dataclass(frozen=True, slots=True)
class ParameterField:
    """Form field of one parameter."""

    key: str
    name: str
    help: str
    value: str
    is_default: bool
    is_short: bool
    """Whether it is one of the few parameters without a prefix."""
    choices: tuple[str, ...]
    """Options of a select; empty for a text field."""
    is_number: bool


def read_method_query(
    query: Mapping[str, str], default: MethodQuery = MethodQuery()
) -> MethodQuery:
    """Parse a method query; missing parameters are from the default, if the method is the same.

    Raises UsageError for an unknown method or an invalid parameter value.
    """
    method = query.get("method") or default.method
    algorithm = find_algorithm(method)
    values = dict(default.values) if method == default.method else {}
    for parameter in algorithm.parameters():
        key = _key_of(method, parameter.name)
        value = (query.get(key) or query.get(f"{_ANY}{parameter.name}") or "").strip()
        if not value or parameter.name == _MODEL:
            continue
        if len(value) > _MAX_VALUE_CHARS:
            raise UsageError(f"{parameter.name} is longer than {_MAX_VALUE_CHARS} characters")
        values[parameter.name] = value
        if value == parameter.display(parameter.default):
            del values[parameter.name]
    chosen = MethodQuery(method, tuple(sorted(values.items())))
    chosen.select_request()
    return chosen


def fields_of(chosen: MethodQuery) -> tuple[ParameterField, ...]:
    """Return the form fields of a method's parameters, with the current values."""
    values = dict(chosen.values)
    return tuple(
        _field_of(chosen.method, parameter, values.get(parameter.name))
        for parameter in find_algorithm(chosen.method).parameters()
        if parameter.name != _MODEL
    )


def _field_of(method: str, parameter: Setting, given: str | None) -> ParameterField:
    name, kind = parameter.name, parameter.kind
    value = parameter.display(parameter.default) if given is None else given
    if name in _SHORT:
        choices = tuple(dict.fromkeys((*_SHORT[name], value)))
    else:
        choices = {"switch": ("yes", "no"), "choice": parameter.choices}.get(kind, ())
    return ParameterField(
        _key_of(method, name),
        name,
        parameter.help,
        value,
        is_default=given is None,
        is_short=name in _SHORT,
        choices=choices,
        is_number=kind in ("integer", "number") and not parameter.is_optional and not choices,
    )


def _key_of(method: str, name: str) -> str:
    return name if name in _SHORT else f"{method}.{name}"


_OVERHEAD_BYTES: Final = 1000
"""Bytes added per page, so that the number of empty pages is bounded too."""


@dataclass(frozen=True, slots=True)
class PageSource:
    """Page as received; picklable."""

    body: bytes | str
    url: str | None = None
    http_charset: str | None = None
    name: str = ""
    """Name of the uploaded file, if any."""
    is_public: bool = True
    """Whether the page is from the public internet, and must not load private addresses."""
    is_fetched: bool = False
    """Whether it was fetched from its address, and can be fetched again."""
    label: str | None = None
    """Text that a person marked as its content; None if there is no label."""

    @classmethod
    def of_fetched(cls, fetched: Fetched) -> PageSource:
        """Build the source of a fetched page."""
        return cls(
            fetched.body,
            fetched.url,
            fetched.http_charset,
            is_public=fetched.is_public,
            is_fetched=True,
        )

    @classmethod
    def of_file(cls, body: bytes, url: str | None, name: str) -> PageSource:
        """Build the source of a file; that of an archive (MHTML, webarchive) is its page.

        InputError for an archive without a page.
        """
        archived = unpack_archive(body)
        if archived is None:
            return cls(body, url, name=name)
        return cls(archived.html, url or archived.url, archived.charset, name)

    @classmethod
    def of_stored(cls, body: bytes, stored: Any) -> PageSource:
        """Build the source of a page as the saved list or an archive of it describes it."""
        return cls(
            body.decode("utf-8", "surrogatepass") if stored["is_decoded"] else body,
            None if stored["url"] is None else str(stored["url"]),
            None if stored["http_charset"] is None else str(stored["http_charset"]),
            str(stored["name"]),
            bool(stored["is_public"]),
            bool(stored["is_fetched"]),
        )

    @classmethod
    def of_content(
        cls, content: str, title: str, url: str | None, *, is_public: bool = True
    ) -> PageSource:
        """Build the source of a page from the HTML of its content alone, and its title."""
        head = title.replace("&", "&amp;").replace("<", "&lt;")
        html = f"<title>{head}</title><article><h1>{head}</h1>{content}</article>"
        return cls(html, url, is_public=is_public)

    @property
    def n_bytes(self) -> int:
        """Approximate bytes of memory."""
        is_wide = isinstance(self.body, str) and not self.body.isascii()
        n_label = len(self.label or "")
        return (len(self.body) + n_label) * (2 if is_wide else 1) + _OVERHEAD_BYTES


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
    if not model or all(parameter.name != _MODEL for parameter in parameters):
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


def write_record(
    task: Task, formats: Sequence[FormatName], options: WriteOptions
) -> tuple[str, bytes]:
    """Extract a page; return its verdict, and its record as one line of JSON."""
    start_s = time.monotonic()
    document = extract_task(task)
    output = [(name, document.write(name, options)) for name in dict.fromkeys(formats)]
    facts = _describe_record(document) | {"elapsed_s": round(time.monotonic() - start_s, 4)}
    head = json.dumps(facts, ensure_ascii=False, allow_nan=False)
    # The output of the writer `json` is JSON already; it may be long, and is not parsed again.
    written = ", ".join(
        f'"{name}": {text if name == "json" else json.dumps(text, ensure_ascii=False)}'
        for name, text in output
    )
    line = f'{head[:-1]}, "output": {{{written}}}}}'
    return document.verdict.value, line.encode("utf-8", "replace")


def label_record(label: Mapping[str, object], record: bytes) -> bytes:
    """Insert fields at the start of a record."""
    if not label:
        return record
    fields = json.dumps(label, ensure_ascii=False)[1:-1].encode("utf-8", "replace")
    return b"{%b, %b" % (fields, record[1:])


def _describe_record(document: Document) -> dict[str, object]:
    obstacle, limit = document.obstacle, document.limit
    return {
        "url": document.page.url,
        "verdict": document.verdict.value,
        "page_type": document.page_type._asdict() if document.page_type else None,
        "confidence": document.confidence,
        "obstacle": {**asdict(obstacle), "kind": obstacle.kind.value} if obstacle else None,
        "limit": str(limit) if limit else None,
        "metadata": document.metadata.as_dict(),
        "next_url": document.next_url,
        "method": document.selection.method,
        "encoding": document.page.encoding,
    }


_N_DOCUMENT: Final = 4
_MAX_CHARS: Final = 1_000_000
"""Maximum size of a cached page in characters or bytes: one of 100,000 blocks took 86 MB with all
derived data. Of 2,275 pages of four training corpora 123 are larger."""


@dataclass(frozen=True, slots=True)
class DocumentKey:
    """Cache key: a page and all options of its extraction."""

    source: PageSource
    chosen: MethodQuery
    limits: Limits
    rules: HostRules
    """Rules of the page's host."""
    model: str = ""
    """File of weights; empty for the shipped ones."""
    sites: SiteFolder | None = None

    @property
    def request(self) -> SelectRequest:
        """Method, parameters and weights, without rules; UsageError if a value is invalid."""
        return with_model(self.chosen.select_request(), self.model)


def open_document(key: DocumentKey) -> Document:
    """Extract a page, or return it from the cache; raise the errors of `thresher.extract`."""
    return _extract_cached(key) if len(key.source.body) <= _MAX_CHARS else _extract(key)


def _extract(key: DocumentKey) -> Document:
    host = host_of(key.source.url)
    book = Rulebook({host: key.rules}) if host else None
    return extract_task(Task(key.source, replace(key.request, rules=book), key.limits, key.sites))


_extract_cached: Final = lru_cache(_N_DOCUMENT)(_extract)


def excerpt(text: str, max_chars: int) -> str:
    """Return the beginning of a text on one line, with an ellipsis if cut at ``max_chars``."""
    flat = " ".join(text[: 2 * max_chars].split())
    return flat if len(flat) <= max_chars else f"{flat[: max_chars - 1]}…"


_WORDS_A_MINUTE: Final = 238
"""Words of English non-fiction, read silently: Brysbaert, "How many words do we read per
minute?", Journal of Memory and Language 109, 2019."""
_CHARACTERS_A_MINUTE: Final = 255
"""Chinese characters: Trauzettel-Klosinski and Dietz, "Standardized assessment of reading
performance", Investigative Ophthalmology & Visual Science 53, 2012; of Japanese more."""
_LETTERS_A_MINUTE: Final = 863
"""Letters, the mean of the 17 languages in the same publication."""
_LETTERS_A_WORD: Final = _LETTERS_A_MINUTE / _WORDS_A_MINUTE
_IDEOGRAPH: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_UNSPACED: Final = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]+")
"""Thai, Lao, Burmese and Khmer, which are alphabetic and written without spaces."""
_MIN_MINUTES: Final = 0.5
"""Time below which a text takes less than a minute."""


class ReadingTime(NamedTuple):
    """Length of a text."""

    n_word: int
    """Words; characters of Chinese and Japanese count as words."""
    minutes: int | None
    """Minutes to read it, 0 for less than one; None without words."""


def measure(text: str) -> ReadingTime:
    """Count the words of a text, and estimate the time to read it."""
    n_ideograph = len(_IDEOGRAPH.findall(text))
    unspaced = _UNSPACED.findall(text)
    n_letter = sum(map(str.isalpha, "".join(unspaced)))
    spaced = _UNSPACED.sub(" ", _IDEOGRAPH.sub(" ", text))
    # Signs of vowels are not alphanumeric, so words end at spaces, as they do for readers.
    n_spaced = sum(any(map(str.isalnum, word)) for word in spaced.split())
    n_word = n_spaced + n_ideograph + round(n_letter / _LETTERS_A_WORD)
    minutes = (
        n_spaced / _WORDS_A_MINUTE
        + n_ideograph / _CHARACTERS_A_MINUTE
        + n_letter / _LETTERS_A_MINUTE
    )
    if not n_word:
        return ReadingTime(0, None)
    return ReadingTime(n_word, 0 if minutes < _MIN_MINUTES else max(1, round(minutes)))


_MAX_DIGITS: Final = 18
"""Digits of a number that fits in 64 bits, as SQLite stores it."""


def read_number(text: str) -> int | None:
    """Return a whole number of at most 18 digits; None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def number_in(values: Mapping[str, Any], name: str) -> int | None:
    """Return the number in a field of a form or a query, as `read_number` does."""
    return read_number(str(values.get(name, "")))
