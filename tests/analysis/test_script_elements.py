"""Scripts that are read."""

from __future__ import annotations

import pytest

from thresher.analysis.script_elements import MAX_SCRIPT_CHARS, MIN_SCRIPT_CHARS, find_scripts


def test_find_scripts_skips_the_short_and_the_huge() -> None:
    """A script is read if it is neither too short nor too long."""
    sizes = (MIN_SCRIPT_CHARS - 1, MIN_SCRIPT_CHARS, MAX_SCRIPT_CHARS + 1)
    source = "".join(f"<script>{'x' * size}</script>" for size in sizes)
    assert [MIN_SCRIPT_CHARS] == [len(script.text) for script in find_scripts(source)]


@pytest.mark.parametrize("source", ["<script", "<script>" + "x" * 999, "</script><script >x"])
def test_find_scripts_when_never_closed(source: str) -> None:
    """An unclosed script is ignored."""
    assert [] == list(find_scripts(source))


def test_is_json_ld_by_its_type() -> None:
    """JSON-LD is recognised by the start tag, in any case and with any quotes."""
    body = "x" * MIN_SCRIPT_CHARS
    source = f"<script TYPE='application/LD+JSON'>{body}</script><script>{body}</script>"
    assert [True, False] == [script.is_json_ld for script in find_scripts(source)]
