"""Labels of roles: what people say each block of a page is, and what rules are sure of."""

from __future__ import annotations

from thresher.training.roles.labels import (
    SHIPPED_LABELS,
    RoleLabel,
    RoleLabels,
    digest_html,
    label_of,
    read_labels,
    spell_roles,
    write_labels,
)
from thresher.training.roles.rules import tell_roles

__all__ = [
    "SHIPPED_LABELS",
    "RoleLabel",
    "RoleLabels",
    "digest_html",
    "label_of",
    "read_labels",
    "spell_roles",
    "tell_roles",
    "write_labels",
]
