"""Texts in JSON-LD about the page itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thresher.analysis.json_ld import Entity, JsonValue, as_list, read_json_ld

__all__ = ["read_texts"]

_BODY: Final = "articleBody"
_TEXTS_OF: Final[dict[str, tuple[str, ...]]] = {
    "DiscussionForumPosting": ("text",),
    "SocialMediaPosting": ("text",),
    "Product": ("description",),
    "ProductGroup": ("description",),
    "JobPosting": ("description",),
    "Recipe": ("description", "recipeIngredient", "recipeInstructions"),
}
"""Type (schema.org) → the properties that are the text of a page about such an object."""
_MAIN: Final = ("mainEntity", "mainEntityOfPage")


def read_texts(script: str) -> Iterator[tuple[str, JsonValue]]:
    """Yield (path, text) for each object of a JSON-LD script that has a text."""
    for number, entity in enumerate(read_json_ld(script)):
        for steps, each in _with_main(entity):
            prefix = "".join((f"[{number}].", *steps))
            for path, text in _texts_of(each):
                yield prefix + path, text


def _with_main(entity: Entity) -> Iterator[tuple[tuple[str, ...], Entity]]:
    """Yield an object and its main entity."""
    yield (), entity
    for key in _MAIN:
        main = entity.get(key)
        if isinstance(main, dict):
            yield (f"{key}.",), main


def _texts_of(entity: Entity) -> Iterator[tuple[str, JsonValue]]:
    body = entity.get(_BODY)
    if isinstance(body, list) and all(isinstance(part, str) for part in body):
        body = "\n\n".join(str(part) for part in body)
    if isinstance(body, str):
        yield _BODY, body
        return
    for kind in as_list(entity.get("@type")):
        names = _TEXTS_OF.get(kind, ()) if isinstance(kind, str) else ()
        parts = [part for name in names for part in _parts_of(entity.get(name), name)]
        if parts:
            yield names[0] if len(names) == 1 else ", ".join(names), parts


def _parts_of(value: JsonValue, name: str) -> Iterator[JsonValue]:
    """Yield the paragraphs or the list of a property."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        steps = [each.get("text") if isinstance(each, dict) else each for each in value]
        texts: list[JsonValue] = [step for step in steps if isinstance(step, str)]
        if texts:
            kind = "ol" if name == "recipeInstructions" else "ul"
            yield {"type": kind, "children": texts}
