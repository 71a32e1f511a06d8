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
    from thresher.sites.apply import (
        Evidence,
        Match,
        check_rules,
        drop_repeated,
        explain_repeated,
        force,
        match,
        read_evidence,
    )
    from thresher.sites.learning import MIN_LIKENESS, Layout, Site, learn, update
    from thresher.sites.rulebook import (
        HostRules,
        Rulebook,
        Rules,
        default_rules_path,
        parse_rulebook,
        read_rulebook,
        save_rulebook,
        write_rulebook,
    )
    from thresher.sites.site_files import (
        PackedSites,
        Selectors,
        SiteFolder,
        chrome,
        describe,
        pack_sites,
        read_site,
        write_site,
    )

__all__ = [
    "MIN_LIKENESS",
    "Evidence",
    "HostRules",
    "Layout",
    "Match",
    "PackedSites",
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
    "pack_sites",
    "parse_rulebook",
    "read_evidence",
    "read_rulebook",
    "read_site",
    "save_rulebook",
    "update",
    "write_rulebook",
    "write_site",
]

_MODULES: Final = {
    "thresher.sites.apply": "Evidence Match check_rules drop_repeated explain_repeated force match"
    " read_evidence",
    "thresher.sites.learning": "MIN_LIKENESS Layout Site learn update",
    "thresher.sites.rulebook": "HostRules Rulebook Rules default_rules_path parse_rulebook"
    " read_rulebook save_rulebook write_rulebook",
    "thresher.sites.site_files": "PackedSites Selectors SiteFolder chrome describe pack_sites"
    " read_site write_site",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
