"""Markdown from events, with notes behind it."""

from __future__ import annotations

from thresher.writers.commonmark.renderer import render_by_events
from thresher.writers.shared.note_marks import note_id


def test_blocks_are_written_in_order() -> None:
    """Blocks are parted by empty lines, and links are resolved."""
    markup = '<h2>Rye</h2><p>It <em>is</em> <a href="/in">in</a>.</p>'
    found = render_by_events(markup, "https://field.example/", tracking=False, mark="")
    assert found == "## Rye\n\nIt *is* [in](https://field.example/in)."


def test_a_mark_is_put_where_a_run_starts() -> None:
    """Marks in the markup stay where they are, so that positions can be found."""
    found = render_by_events("<p>\ue000Rye</p>", None, tracking=False, mark="\ue000")
    assert "\ue000Rye" in found


def test_a_note_is_not_the_address_of_a_script() -> None:
    """Readers without notes take a note for the definition of a link, which must do no harm."""
    markup = f'<p>Rye.</p><div id="{note_id("1", "1")}"><p>javascript:boom()</p></div>'
    found = render_by_events(markup, None, tracking=False, mark="")
    assert found == "Rye.\n\n[^1]: &#8288;javascript:boom()"
