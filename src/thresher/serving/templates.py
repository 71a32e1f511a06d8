"""Loading of page templates."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

__all__ = ["load_templates"]

_CODE: Final = re.compile("`([^`]+)`")


def load_templates(folder: Path) -> Environment:
    """Return the templates in a folder, with autoescaping; undefined names raise an error.

    A template is loaded on first use. The filter ``code`` writes what messages have in backticks.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = _mark_code
    return environment


def _mark_code(text: str) -> Markup:
    """Escape a message, and make code of what is in backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
