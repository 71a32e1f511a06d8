"""Sites: what several pages of one site have in common, learned without labels.

Text that many pages of a site have in the same place is not the main content of any of them (Arias,
Deschacht, Moens 2009, section 6). `learn` counts it, `read_evidence` says it of a page's blocks;
methods take it as evidence, so that a wrong template silences no page. `Site` can be written as
TOML (`write_site`), read and changed by hand, and read again (`read_site`).
"""

from __future__ import annotations

from thresher.sites.apply import drop_repeated, explain_repeated, force
from thresher.sites.describe import Selectors, chrome, describe
from thresher.sites.evidence import Evidence, Match, match, read_evidence
from thresher.sites.learn import MIN_LIKENESS, learn, update
from thresher.sites.model import Layout, Rules, Site
from thresher.sites.toml import read_site, write_site

__all__ = [
    "MIN_LIKENESS",
    "Evidence",
    "Layout",
    "Match",
    "Rules",
    "Selectors",
    "Site",
    "chrome",
    "describe",
    "drop_repeated",
    "explain_repeated",
    "force",
    "learn",
    "match",
    "read_evidence",
    "read_site",
    "update",
    "write_site",
]
