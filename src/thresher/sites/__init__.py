"""Site templates learned without labels from several pages of one site, and the user's rules.

Text that many pages of a site have in the same place is not the main content of any of them (Arias,
Deschacht, Moens 2009, section 6). `learn` counts it, `read_evidence` looks up a page's blocks;
methods use the counts as evidence, so that a wrong template cannot empty a page. A `Site` can be
written as TOML (`write_site`), edited by hand, and read again (`read_site`). The user's rules for
all hosts are the `Rulebook`, a separate file (`read_rulebook`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.sites.apply import check_rules, drop_repeated, explain_repeated, force
    from thresher.sites.description import Selectors, chrome, describe
    from thresher.sites.evidence import Evidence, Match, match, read_evidence
    from thresher.sites.folder import SiteFolder
    from thresher.sites.learning import MIN_LIKENESS, learn, update
    from thresher.sites.model import Layout, Site
    from thresher.sites.rulebook import (
        HostRules,
        Rulebook,
        default_rules_path,
        parse_rulebook,
        read_rulebook,
        save_rulebook,
        write_rulebook,
    )
    from thresher.sites.rules import Rules
    from thresher.sites.toml import read_site, write_site

__all__ = [
    "MIN_LIKENESS",
    "Evidence",
    "HostRules",
    "Layout",
    "Match",
    "Rulebook",
    "Rules",
    "Selectors",
    "Site",
    "SiteFolder",
    "check_rules",
    "chrome",
    "default_rules_path",
    "describe",
    "drop_repeated",
    "explain_repeated",
    "force",
    "learn",
    "match",
    "parse_rulebook",
    "read_evidence",
    "read_rulebook",
    "read_site",
    "save_rulebook",
    "update",
    "write_rulebook",
    "write_site",
]

_HOMES: Final = {
    "MIN_LIKENESS": "thresher.sites.learning",
    "Evidence": "thresher.sites.evidence",
    "HostRules": "thresher.sites.rulebook",
    "Layout": "thresher.sites.model",
    "Match": "thresher.sites.evidence",
    "Rulebook": "thresher.sites.rulebook",
    "Rules": "thresher.sites.rules",
    "Selectors": "thresher.sites.description",
    "Site": "thresher.sites.model",
    "SiteFolder": "thresher.sites.folder",
    "check_rules": "thresher.sites.apply",
    "chrome": "thresher.sites.description",
    "default_rules_path": "thresher.sites.rulebook",
    "describe": "thresher.sites.description",
    "drop_repeated": "thresher.sites.apply",
    "explain_repeated": "thresher.sites.apply",
    "force": "thresher.sites.apply",
    "learn": "thresher.sites.learning",
    "match": "thresher.sites.evidence",
    "parse_rulebook": "thresher.sites.rulebook",
    "read_evidence": "thresher.sites.evidence",
    "read_rulebook": "thresher.sites.rulebook",
    "read_site": "thresher.sites.toml",
    "save_rulebook": "thresher.sites.rulebook",
    "update": "thresher.sites.learning",
    "write_rulebook": "thresher.sites.rulebook",
    "write_site": "thresher.sites.toml",
}
"""Public name → the module that defines it."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _HOMES)
