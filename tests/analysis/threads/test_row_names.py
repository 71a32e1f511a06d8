"""The names of a page's rows."""

from __future__ import annotations

from thresher.analysis.threads.row_names import MAX_NAME_BYTES, read_row_names
from thresher.page.parse import parse
from thresher.page.parts import Parts


def test_each_value_is_listed_once() -> None:
    """Rows share the values of their classes, ids and custom elements."""
    page = parse("<p class='a b' id=a>x</p><q class='a b'>y</q><my-post>z</my-post><dodo>w</dodo>")
    names = read_row_names(page)
    rows = [page.name(row) for row in names.row.tolist()]
    assert [b"a b", b"#a", b"<my-post"] == names.values
    assert [("p", 0), ("q", 0), ("p", 1), ("my-post", 2)] == list(
        zip(rows, names.value.tolist(), strict=True)
    )


def test_long_values_are_cut() -> None:
    """What follows the first bytes of a class is not read."""
    page = parse(f"<p class='{'x' * 2 * MAX_NAME_BYTES}'>a</p>")
    assert [MAX_NAME_BYTES] == [len(value) for value in read_row_names(page).values]


def test_parts_are_found_without_digits() -> None:
    """Digits inside a name do not hide a part, and parts do not reach into the next value."""
    names = read_row_names(parse("<p class=p1ost>a</p><p class=po>b</p><p class=st>c</p>"))
    assert [0] == names.find(Parts(b"post"))


def test_a_page_without_names_has_none() -> None:
    """Nothing is found on a page without classes, ids and custom elements."""
    names = read_row_names(parse("<p>a</p>"))
    assert ([], []) == (names.values, names.find(Parts(b"post")))
