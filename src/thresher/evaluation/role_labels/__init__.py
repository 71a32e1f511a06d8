"""Role labels of blocks: what careful readers said that each block of a page is."""

from __future__ import annotations

from thresher.evaluation.role_labels.labels import (
    SHIPPED_LABELS,
    RoleLabel,
    RoleLabels,
    digest_html,
    format_roles,
    label_of,
    read_labels,
    write_labels,
)

__all__ = [
    "SHIPPED_LABELS",
    "RoleLabel",
    "RoleLabels",
    "digest_html",
    "format_roles",
    "label_of",
    "read_labels",
    "write_labels",
]
