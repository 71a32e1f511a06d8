"""Pages made to hurt: each a shape that grows with one number.

What a shape is made of is repeated ``n`` times, so that twice the number is twice the page. Each
row has a full size, with which the page is of the order of the largest that the web has or that
an attacker would send: 100,000 levels, a million attributes, 20 MB of text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tests.helpers.data import DATA, read_tables


@dataclass(frozen=True, slots=True)
class Shape:
    """One way of hurting."""

    build: Callable[[int], str]
    """The page of a size."""
    full: int
    """The size that the promises are about."""


def _nested(tag: str, inside: str = "word ") -> Callable[[int], str]:
    return lambda n: f"<p>start</p>{f'<{tag}>' * n}{inside}{f'</{tag}>' * n}"


def _worded(tag: str) -> Callable[[int], str]:
    """Nest elements that each have a word of their own."""
    return lambda n: f"<{tag}>word " * n + f"</{tag}>" * n


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda n: piece * n


def _numbered(piece: str) -> Callable[[int], str]:
    return lambda n: "".join(piece.replace("#", str(i)) for i in range(n))


def _around(before: str, piece: str, after: str) -> Callable[[int], str]:
    return lambda n: before + piece * n + after


def _reopened(n: int) -> str:
    """Leave elements open in a paragraph, which are opened again in each of as many behind it."""
    return "<p>" + "".join(f"<b c={i}>" for i in range(n)) + "<p>w" * n


def _json_ld(n: int) -> str:
    """Build objects in objects, more than any JSON reader recurses."""
    data = '{"@type":"Article","hasPart":' * n + "{}" + "}" * n
    return f"<script type='application/ld+json'>{data}</script><p>word"


def _json_ld_wide(n: int) -> str:
    people = [{"@type": "Person", "name": f"Name {i}"} for i in range(n)]
    data = json.dumps({"@type": "Article", "author": people, "articleBody": "word " * n})
    return f"<script type='application/ld+json'>{data}</script><p>word"


def _long_base(n: int) -> str:
    """Build a base as long as all the links that are relative to it."""
    return f"<base href='https://x.example/{'b' * 15 * n}/'>" + "<a href=c>d</a> " * n


_SENTENCE: Final = "The grain was cut before the rain, and the barn was full by night. "

_KINDS: Final[Mapping[str, Callable[..., Callable[[int], str]]]] = {
    "nested": _nested,
    "worded": _worded,
    "repeated": _repeated,
    "numbered": _numbered,
    "around": _around,
}


def _read_shapes() -> Iterator[tuple[str, Shape]]:
    """Read those made of pieces that are written down."""
    for name, table in read_tables(DATA / "hostile-shapes.toml").items():
        (kind, pieces), (_, full) = table.items()
        arguments = [pieces] if isinstance(pieces, str) else pieces
        yield name, Shape(_KINDS[kind](*arguments), full)


SHAPES: Final[Mapping[str, Shape]] = {
    **dict(_read_shapes()),
    "names in names of a formula": Shape(
        lambda n: f"<p>w<math>{'<mi>{' * n}x{'</mi>' * n}</math>", 2_000
    ),
    "references in no paragraph": Shape(
        lambda n: (
            "".join(f"<p>w</p><sup id=r{i}><a href=#n{i}>{i}</a></sup>" for i in range(n))
            + "<ol class=references>"
            + "".join(f"<li id=n{i}><a href=#r{i}>^</a> note {i}" for i in range(n))
        ),
        20_000,
    ),
    "links on a long base": Shape(_long_base, 100_000),
    "links on a base of a server's limit": Shape(
        _around(f"<base href='https://x.example/{'b' * 7900}/'>", "<a href=c>d</a> ", ""), 100_000
    ),
    "code in quotes": Shape(
        lambda n: f"{'<blockquote>' * n}<pre>{'w' + chr(10) * 8 * n}</pre>", 100_000
    ),
    "lines in quotes": Shape(lambda n: f"{'<blockquote>' * n}<p>{'w<br>' * n}", 100_000),
    "table in quotes": Shape(
        lambda n: f"{'<ol><li>' * n}<table>{'<tr><td>a<td>b' * n}</table>", 50_000
    ),
    "code in a note": Shape(
        lambda n: (
            "w<sup><a href=#n>1</a></sup><ol class=footnotes><li id=n>"
            f"{'<blockquote>' * n}<pre>{'w' + chr(10) * 8 * n}"
        ),
        50_000,
    ),
    "blocks below a hundred levels": Shape(_around("<div>" * 100, "<p>w", ""), 200_000),
    "blocks below long names": Shape(_around(f"<x-{'y' * 200}>" * 50, "<p>w", ""), 200_000),
    "sections below a long heading": Shape(
        lambda n: f"<h1>{'word ' * n}</h1>{'<h2>b</h2><p>w' * n}", 30_000
    ),
    "attributes of one element": Shape(
        lambda n: f"<p {' '.join(f'a{i}=1' for i in range(n))}>word", 1_000_000
    ),
    "classes of one element": Shape(
        lambda n: f"<p class='{' '.join(f'c{i}' for i in range(n))}'>word", 500_000
    ),
    "formatting open in all behind it": Shape(_reopened, 20_000),
    "NUL and control characters": Shape(
        _around(_SENTENCE * 80, "a\0b\x01\x1f\x7f\x85", ""), 1_000_000
    ),
    "backticks in code": Shape(
        lambda n: f"<code>{' '.join('`' * (i % 40) for i in range(n))}", 50_000
    ),
    "formulas in signs": Shape(
        lambda n: f"<p>w<img class=tex src=a.png alt='{'$$' * n}x{'$$' * n}'>", 100_000
    ),
    "state in a script": Shape(
        lambda n: f"<script>window.__STATE__={json.dumps({'a': [{'b': 'word'}] * n})}</script>",
        200_000,
    ),
    "JSON-LD, deep": Shape(_json_ld, 100_000),
    "JSON-LD, wide": Shape(_json_ld_wide, 100_000),
    "rules of a style sheet": Shape(
        lambda n: (
            f"<style>{''.join(f'.c{i}{{display:none}}' for i in range(n))}</style>"
            + "".join(f"<p class=c{i}>w" for i in range(n))
        ),
        50_000,
    ),
    "srcset": Shape(
        lambda n: f"<p>word<img srcset='{', '.join(f'/{i}.jpg {i + 1}w' for i in range(n))}'>",
        100_000,
    ),
}
"""Every shape by what is hurtful about it."""
