"""Role labels of blocks: annotated ones, and those derived by rules."""

from __future__ import annotations

from thresher.training.roles.labels import (
    SHIPPED_LABELS,
    RoleLabel,
    RoleLabels,
    digest_html,
    format_roles,
    label_of,
    read_labels,
    write_labels,
)
from thresher.training.roles.rules import label_by_rules

__all__ = [
    "SHIPPED_LABELS",
    "RoleLabel",
    "RoleLabels",
    "digest_html",
    "format_roles",
    "label_by_rules",
    "label_of",
    "read_labels",
    "write_labels",
]
