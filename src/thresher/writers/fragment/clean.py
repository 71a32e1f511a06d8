"""Sanitising of fragments: an allow-list of elements, attributes and URL schemes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml
from turbohtml import Element
from turbohtml.clean import OnDisallowed, Policy, Sanitizer

from thresher.analysis.links import clean_address, resolve_link
from thresher.deadline import check_deadline, watch
from thresher.native import Steps, kernel_with
from thresher.page.names import pack_names
from thresher.writers.fragment.slices import ALLOWED_ATTRIBUTES
from thresher.writers.math.formulas import FORMULA_TAGS
from thresher.writers.math.tex import drop_tex_links
from thresher.writers.shared.note_marks import is_mark, link_notes
from thresher.writers.stream.markup import (
    LANGUAGE_CLASS,
    REMOVED,
    RENAMED,
    SCHEMES,
    encode_url,
    read_align,
    read_text_align,
)

# -- attributes that go before the fragment is parsed ------------------------------------------
#
# Most attributes of a page are classes, ids and data for scripts, and the sanitiser checks each
# one. Attributes dropped here need not be parsed; the sanitiser decides on the others.


@dataclass(frozen=True, slots=True)
class _AttributeRules:
    """Elements and the attributes that they may have."""

    tags: npt.NDArray[np.uint64]
    """The names of the elements as words, sorted; uint64[n_tag, 2]."""
    allowed: npt.NDArray[np.uint32]
    """A bit for each attribute that an element may have; uint32[n_tag]."""
    attributes: npt.NDArray[np.uint64]
    """The names of the attributes as words, sorted; uint64[n_attribute, 2]."""
    ids: int
    """The bit of the attribute that is kept if it is the mark of a note."""


def _make_rules(tags: frozenset[str], attributes: Mapping[str, frozenset[str]]) -> _AttributeRules:
    """Make rules from the names of elements, and of their attributes; "*" stands for all."""
    names, tag_words = _sort(tags)
    attribute_names, words = _sort(
        frozenset().union(*(attributes.get(name, ()) for name in (*tags, "*")))
    )

    bit_of = {name: 1 << bit for bit, name in enumerate(attribute_names)}
    allowed = [
        sum(bit_of[attribute] for attribute in attributes["*"] | attributes.get(name, frozenset()))
        for name in names
    ]
    return _AttributeRules(tag_words, np.array(allowed, np.uint32), words, bit_of["id"])


def _tidy_by_step(steps: Steps, fragment: bytes, rules: _AttributeRules) -> str | None:
    tidied = steps.tidy_markup(fragment, rules.tags, rules.allowed, rules.attributes, rules.ids)
    return None if tidied is None else str(tidied.data, "utf-8", "surrogatepass")


@kernel_with(_tidy_by_step)
def tidy(fragment: bytes, rules: _AttributeRules) -> str:
    """Remove the attributes that no element may have from a fragment in UTF-8, where that is easy.

    It is returned unchanged if it contains elements unknown to ``rules``, and without the compiled
    steps.
    """
    return str(fragment, "utf-8", "surrogatepass")


def _sort(names: frozenset[str]) -> tuple[list[str], npt.NDArray[np.uint64]]:
    listed = sorted(names)
    words = pack_names(*listed)
    order = np.lexsort((words.high, words.low))
    return [listed[place] for place in order.tolist()], np.ascontiguousarray(
        np.column_stack(words)[order]
    )


# -- sanitising --------------------------------------------------------------------------------

_TEXT_TAGS: Final = frozenset(
    (
        "a abbr b bdi bdo blockquote br caption cite code dd del details dfn div dl dt em"
        " figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rb rp rt"
        " rtc ruby s samp small span strong sub summary sup table tbody td tfoot th thead time"
        " tr u ul var"
    ).split()
)
"""Elements of text content."""
_TAGS: Final = _TEXT_TAGS | FORMULA_TAGS
"""Allowed elements; others are unwrapped."""
_RULES: Final = _make_rules(_TEXT_TAGS, ALLOWED_ATTRIBUTES)


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "id":
        return value if is_mark(value) else None
    if name == "class":
        return value if LANGUAGE_CLASS.fullmatch(value) else None
    if name == "align":
        return read_align(value) or None
    if name == "style":
        aligned = read_text_align(value)
        return f"text-align: {aligned}" if aligned else None
    if name in ("href", "src", "cite"):
        return encode_url(value) or None
    return value


_SANITIZER: Final = Sanitizer(
    Policy(
        tags=_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        url_schemes=SCHEMES,
        allow_relative_urls=True,
        on_disallowed_tag=OnDisallowed.STRIP,
        attribute_filter=_filter_attribute,
        remove_with_content=REMOVED,
        transform_tags=RENAMED,
        allow_svg=False,
    )
)


def clean_fragment(fragment: bytes, base: str | None, *, tracking: bool = False) -> Element:
    """Parse a fragment in UTF-8, resolve its links on ``base`` if that is known, and make it safe.

    Returns the enclosing element, which is not part of it. Footnotes are linked. With ``tracking``
    links keep their tracking parameters.
    """
    markup = tidy(fragment, _RULES)
    del fragment  # it is long
    tree = turbohtml.parse_fragment(markup, positions=False)
    check_deadline()
    if base is not None:
        _resolve_links(tree, base)
        check_deadline()
    tree = _SANITIZER.sanitize_node(tree)
    check_deadline()
    for note in watch(tree.find_all("annotation")):
        if "\\" in note.text and (tex := drop_tex_links(note.text)) != note.text:
            note.set_text(tex)
    link_notes(tree)
    for link in watch(tree.find_all("a")):
        address = link.attr("href")
        if address is None and "id" not in link.attrs:
            link.unwrap()
        elif address and not tracking and (clean_one := clean_address(address)) != address:
            # A URL of nothing but such characters points to the page itself.
            link.attrs["href"] = clean_one or base or "#"
    return tree


def _resolve_links(tree: Element, base: str) -> None:
    """Make the URLs in a tree absolute; malformed ones stay unchanged."""
    try:
        tree.resolve_links(base)
    except ValueError:  # such as an unclosed bracket where a host should be
        tree.rewrite_links(partial(resolve_link, base=base))


# -- addresses ---------------------------------------------------------------------------------


def rewrite_addresses(html: str, replace: Callable[[str], str]) -> str:
    """Return a fragment in which each address of a link, picture or source is replaced."""
    tree = turbohtml.parse_fragment(html, positions=False)
    tree.rewrite_links(replace)
    return tree.serialize(inner=True)
