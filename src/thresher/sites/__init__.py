"""Sites: what several pages of one site have in common, learned without labels.

Text that many pages of a site have in the same place is not the main content of any of them (Arias,
Deschacht, Moens 2009, section 6). `learn` counts it, `read_evidence` says it of a page's blocks;
methods take it as evidence, so that a wrong template silences no page. `Site` can be written as
TOML (`write_site`), read and changed by hand, and read again (`read_site`). What the user says of
all hosts is the `Rulebook`, a file of its own (`read_rulebook`).
"""

from __future__ import annotations

from thresher.sites.apply import check_rules, drop_repeated, explain_repeated, force
from thresher.sites.describe import Selectors, chrome, describe
from thresher.sites.evidence import Evidence, Match, match, read_evidence
from thresher.sites.folder import SiteFolder
from thresher.sites.learn import MIN_LIKENESS, learn, update
from thresher.sites.model import Layout, Rules, Site
from thresher.sites.rulebook import (
    HostRules,
    Rulebook,
    default_rules_path,
    parse_rulebook,
    read_rulebook,
    save_rulebook,
    write_rulebook,
)
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
