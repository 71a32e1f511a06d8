"""Pages of the test site with scripts and styles of their own, by path."""

from __future__ import annotations

from pathlib import Path
from typing import Final

CASES: Final = Path(__file__).parent / "cases"
"""Pages that a person works with: articles with controls, applications, shops."""
_SCRIPTED: Final = Path(__file__).parent / "scripted"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_PARTS: Final = {
    "{{story}}": "".join(
        f"<p>Paragraph {number}: rye is sown in autumn, stands under the snow through the winter, "
        "and is cut when the days are longest, which is why the village counts its years by the "
        "harvest and its evenings by the sheaves that still lie in the field behind the church.</p>"
        for number in range(6)
    ),
    "{{links}}": "".join(
        f'<li class="item"><a href="/{number}">Field {number} of the farm</a></li>'
        for number in range(9)
    ),
    # Has to come first: what the page's own scripts throw.
    "{{errors}}": """<script>
window.errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("unhandledrejection", event => errors.push(String(event.reason)));
</script>""",
}


def _read(path: Path) -> tuple[str, str]:
    text = path.read_text(encoding="utf-8")
    for name, part in _PARTS.items():
        text = text.replace(name, part)
    return _TYPES[path.suffix], text


FILES: Final[dict[str, tuple[str, str]]] = {
    "/banners/own.png": ("image/png", "not stopped"),
    **{
        f"/{path.relative_to(folder.parent).as_posix().removesuffix('.html')}": _read(path)
        for folder in (_SCRIPTED, CASES)
        for path in sorted(folder.rglob("*.*"))
    },
}
"""Path → media type and text."""
