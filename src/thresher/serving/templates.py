"""Loading of page templates."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

__all__ = ["load_templates"]


def load_templates(folder: Path) -> Environment:
    """Return the templates in a folder, with autoescaping; undefined names raise an error.

    A template is loaded on first use.
    """
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
