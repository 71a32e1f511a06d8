"""Fields of a page, with the forms or groups that contain them and what these are for."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.cached import cached_view

__all__ = ["NEVER_SHOWN", "NOT_SHOWN", "TOGGLES", "FormFields", "read_fields"]

_FORM: Final = CODE_OF["form"]
_INPUT: Final = CODE_OF["input"]
_BUTTON: Final = CODE_OF["button"]
_LABEL: Final = CODE_OF["label"]
_FIELDS: Final = flags_of("select textarea")
_PARTS: Final = flags_of("article main nav")
"""Elements inside a form that is wrapped around a page."""
_STOPS: Final = flags_of("article body form frameset html main nav")
"""Elements that no group of fields contains."""
_BUTTON_TYPES: Final = frozenset(("button", "image", "reset", "submit"))
TOGGLES: Final = frozenset(("checkbox", "radio"))
"""Outside forms these often only open and close a menu."""
_SUBSCRIPTION_TYPES: Final = frozenset(("", "email", "text"))
NEVER_SHOWN: Final = np.uint8(Hidden.TEMPLATE | Hidden.NOSCRIPT)
NOT_SHOWN: Final = NEVER_SHOWN | np.uint8(Hidden.ATTRIBUTE | Hidden.STYLE)
"""Why an element is not seen, at least until a script shows it."""
_NAMING: Final = ("class", "id", "action", "name", "placeholder", "aria-label", "role")
_SUBSCRIPTION: Final = re.compile(
    r"newsletter|mailing.?list|mailchimp|mc-embedded|subscri(?:be|ption)|abonnieren|abonnez"
    r"|suscr[ií]b|iscriviti|inscreva|nieuwsbrief|nyhetsbrev|nyhedsbrev|uutiskirje|рассыл|订阅|訂閱"
    r"|メールマガジン|뉴스레터"
)
_WIDE_SHARE: Final = 0.8
_WIDE_WORDS: Final = 300
"""A form with at least these words, and this share of the page's, is wrapped around the page."""
_MAX_LEVELS: Final = 6
_MAX_GROUP_WORDS: Final = 60
_MAX_GROUP_ROWS: Final = 200
_MAX_SUBSCRIPTION_FIELDS: Final = 3


class FormFields:
    """The fields, buttons and editable elements of a page, known from the page alone.

    ``fields``, ``buttons``, ``editable`` and ``view_states`` (the hidden fields that ASP.NET puts
    into a form around the page) flag rows; bool[n_row]. ``types`` are row → `type` in lower case,
    ``names`` row → classes, ids and other names of forms and of what is near fields.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.values = page.attributes.values
        tag = page.tag
        types = {row: kind.strip().lower() for row, kind in self.values("type").items()}
        self.types = types
        self.buttons = tag == _BUTTON
        self.fields: BoolArray = _FIELDS[tag].copy()
        for row in np.flatnonzero(tag == _INPUT).tolist():
            kind = types.get(row, "")
            if kind in _BUTTON_TYPES:
                self.buttons[row] = True
            elif kind != "hidden":
                self.fields[row] = True
        self.fields &= (page.hidden & NEVER_SHOWN) == 0
        self.editable = np.zeros(len(page), np.bool_)
        for row, value in self.values("contenteditable").items():
            self.editable[row] = value.strip().lower() in ("", "true", "plaintext-only")
        self.names = self._read_names()
        self.view_states = np.zeros(len(page), np.bool_)
        for row, name in self.values("name").items():
            self.view_states[row] = name == "__VIEWSTATE"

    def _read_names(self) -> dict[int, str]:
        """Return row → names, of the elements in forms, and of fields and what is around them."""
        page, attributes = self.page, self.page.attributes
        near = self.fields | (page.tag == _FORM)
        if not near.any():
            return {}
        near = page.within(near)
        around: npt.NDArray[np.integer] = np.flatnonzero(self.fields)
        for _ in range(_MAX_LEVELS):
            around = page.parent[around]
            near[around] = True
        names: dict[int, str] = {}
        for name in _NAMING:
            entries = attributes.named(name)
            for entry in entries[near[attributes.row[entries]]].tolist():
                row = int(attributes.row[entry])
                names[row] = f"{names.get(row, '')} {attributes.value(entry)}"
        return names

    def is_wide(self, row: int) -> bool:
        """Return whether a form is wrapped around the page."""
        page = self.page
        span = slice(row, int(page.end[row]))
        if _PARTS[page.tag[span]].any():
            return True
        if self.view_states[span].any():
            return True
        words = self.words_in(row)
        return words >= max(_WIDE_WORDS, _WIDE_SHARE * int(page.words_before[-1]))

    def words_in(self, row: int) -> int:
        """Return the number of words inside an element."""
        page = self.page
        return int(page.words_before[page.end[row]] - page.words_before[row])

    def leaves_in(self, row: int) -> slice:
        """Return the leaves inside an element."""
        page = self.page
        return slice(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))

    def is_subscription(self, row: int) -> bool:
        """Return whether a form only asks for an email address for a newsletter."""
        span = slice(row, int(self.page.end[row]))
        fields = (np.flatnonzero(self.fields[span]) + row).tolist()
        texts = [each for each in fields if self.types.get(each) not in TOGGLES]
        plain = all(
            self.page.tag[each] == _INPUT and self.types.get(each, "") in _SUBSCRIPTION_TYPES
            for each in texts
        )
        return (
            plain
            and 0 < len(texts) <= _MAX_SUBSCRIPTION_FIELDS
            and bool(_SUBSCRIPTION.search(self.describe(row)))
        )

    def describe(self, row: int) -> str:
        """Return the names and the text of a form, in lower case."""
        inside = range(row, int(self.page.end[row]))
        names = [self.names[each] for each in inside if each in self.names]
        return " ".join([*names, self.page.text_of(row)]).casefold()

    def find_group(self, row: int) -> int:
        """Return the box of a field without a form, with its text and button if any is near."""
        page = self.page
        best, box = row, row
        for _ in range(_MAX_LEVELS):
            box = int(page.parent[box])
            if (
                box <= 0
                or _STOPS[page.tag[box]]
                or self.words_in(box) > _MAX_GROUP_WORDS
                or page.end[box] - box > _MAX_GROUP_ROWS
            ):
                break
            has_text = bool((page.tag[page.leaves[self.leaves_in(box)]] == TEXT).any())
            if self.buttons[box : page.end[box]].any():
                return box
            if has_text and best == row:
                best = box
        return best

    def find_labels(self, kept: BoolArray) -> list[int]:
        """Return the labels and buttons outside a kept form that belong to it."""
        targets = {each for row, each in self.values("id").items() if kept[row]}
        labels = [
            row
            for row, target in self.values("for").items()
            if self.page.tag[row] == _LABEL and target in targets
        ]
        parts = self.buttons | self.fields
        return labels + [
            row for row, form in self.values("form").items() if parts[row] and form in targets
        ]

    def count(self, work: BoolArray) -> int:
        """Count fields; all radio buttons of one name are one field."""
        rows = np.flatnonzero(work).tolist()
        names = self.values("name")
        radios = {names.get(row, "") for row in rows if self.types.get(row) == "radio"}
        return len(radios) + sum(self.types.get(row) != "radio" for row in rows)


@cached_view
def read_fields(page: Page) -> FormFields:
    """Return the fields of a page; read once."""
    return FormFields(page)
