"""Sanitising of fragments: an allow-list of elements, attributes and URL schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

# -- elements ----------------------------------------------------------------------------------

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

# -- attributes that go before the fragment is parsed ------------------------------------------
#
# Most attributes of a page are classes, ids and data for scripts, and the sanitiser checks each
# one. Attributes dropped here need not be parsed; the sanitiser decides on the others.


def _sort(names: Iterable[str]) -> tuple[list[str], npt.NDArray[np.uint64]]:
    """Return names in the order of their words, and these; uint64[n, 2]."""
    listed = sorted(names)
    words = pack_names(*listed)
    order = np.lexsort((words.high, words.low))
    packed = np.ascontiguousarray(np.column_stack(words)[order])
    return [listed[place] for place in order.tolist()], packed


_ALL: Final = ALLOWED_ATTRIBUTES["*"]
_ALLOWED: Final = {name: _ALL | ALLOWED_ATTRIBUTES.get(name, frozenset()) for name in _TEXT_TAGS}
_TAG_NAMES, _TAG_WORDS = _sort(_TEXT_TAGS)
_ATTRIBUTE_NAMES, _ATTRIBUTE_WORDS = _sort(_ALL.union(*_ALLOWED.values()))
_BIT_OF: Final = {name: 1 << bit for bit, name in enumerate(_ATTRIBUTE_NAMES)}
_ALLOWED_BITS: Final = np.array(
    [sum(_BIT_OF[attribute] for attribute in _ALLOWED[name]) for name in _TAG_NAMES], np.uint32
)
"""A bit for each attribute that an element may have; uint32[n_tag]."""


def _tidy_by_step(steps: Steps, fragment: bytes) -> str | None:
    # An id stays if it is the mark of a note.
    rules = (_TAG_WORDS, _ALLOWED_BITS, _ATTRIBUTE_WORDS, _BIT_OF["id"])
    tidied = steps.tidy_markup(fragment, *rules)
    return None if tidied is None else str(tidied.data, "utf-8", "surrogatepass")


@kernel_with(_tidy_by_step)
def tidy(fragment: bytes) -> str:
    """Remove the attributes that no element may have from a fragment in UTF-8, where that is easy.

    It is returned unchanged if it contains other elements than those of text, and without the
    compiled steps.
    """
    return str(fragment, "utf-8", "surrogatepass")


# -- sanitising --------------------------------------------------------------------------------


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
    markup = tidy(fragment)
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
