"""The names of a page's rows."""

from __future__ import annotations

from hypothesis import given

from tests.helpers.compiled_steps import needs_steps
from tests.helpers.kernel_comparison import comparing_kernels
from tests.helpers.trees import soups
from thresher.analysis.threads import names as row_names
from thresher.analysis.threads.names import MAX_NAME_BYTES, read_row_names
from thresher.page.parse import parse
from thresher.page.parts import Parts


def test_each_value_is_listed_once() -> None:
    """Rows share the values of their classes, ids and custom elements."""
    page = parse("<p class='a b' id=a>x</p><q class='a b'>y</q><my-post>z</my-post><dodo>w</dodo>")
    names = read_row_names(page)
    rows = [page.name(row) for row in names.row.tolist()]
    assert [b"a b", b"#a", b"<my-post"] == names.texts()
    assert [("p", 0), ("q", 0), ("p", 1), ("my-post", 2)] == list(
        zip(rows, names.value.tolist(), strict=True)
    )


@needs_steps
def test_long_values_are_cut() -> None:
    """What follows the first bytes of a class is not read."""
    name = "x" * 2 * MAX_NAME_BYTES
    page = parse(f"<p class={name}>a</p><p id={name}>b</p><x-{name}>c</x-{name}>")
    with comparing_kernels():
        texts = row_names.read_row_names(page).texts()
    assert [MAX_NAME_BYTES, MAX_NAME_BYTES + 1, MAX_NAME_BYTES + 1] == [*map(len, texts)]


def test_parts_are_found_without_digits() -> None:
    """Digits inside a name do not hide a part, and parts do not reach into the next value."""
    names = read_row_names(parse("<p class=p1ost>a</p><p class=po>b</p><p class=st>c</p>"))
    assert [0] == names.find(Parts(b"post")).tolist()


def test_a_page_without_names_has_none() -> None:
    """Nothing is found on a page without classes, ids and custom elements."""
    names = read_row_names(parse("<p>a</p>"))
    assert ([], []) == (names.texts(), names.find(Parts(b"post")).tolist())


@needs_steps
@given(soups())
def test_names_are_those_of_the_definition(html: str) -> None:
    """The compiled step reads the same names on whatever page."""
    page = parse(html + "<a-b class=a1 id=1>x</a-b><a-b class=a1><svg><a-c/><g></svg>")
    with comparing_kernels() as comparison:
        row_names.read_row_names(page)
    assert comparison.calls["thresher.analysis.threads.names.read_row_names"]
