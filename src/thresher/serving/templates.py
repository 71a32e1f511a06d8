"""Templates of pages."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

__all__ = ["load_templates"]


def load_templates(folder: Path) -> Environment:
    """Open the templates of a folder: values are escaped, and a name that is not there is an error.

    A template is read when it is asked for first.
    """
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
