"""Properties of every table of sources, and claims from each row."""

from __future__ import annotations

from dataclasses import fields

import pytest

from thresher.analysis.metadata import Metadata, rules
from thresher.analysis.metadata.decide import FieldRule
from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.rules import trust_levels
from thresher.page.parse import parse

TABLES = [getattr(rules, name) for name in rules.__all__]
LEVELS = [getattr(trust_levels, name) for name in trust_levels.__all__]


def test_rules_when_listed_are_one_for_each_field() -> None:
    """Every field of the metadata has its table, and every table its field."""
    assert {field.name.upper() for field in fields(Metadata)} == set(rules.__all__)


@pytest.mark.parametrize("rule", TABLES)
def test_rule_has_only_known_levels_and_a_reason_in_each_row(rule: FieldRule[object]) -> None:
    """A reader finds the trust among the levels, and a reason in every row."""
    assert all(source.trust in LEVELS and source.reason for source in rule.sources)


@pytest.mark.parametrize("rule", TABLES)
def test_rule_when_the_page_is_empty_has_no_claim(rule: FieldRule[object]) -> None:
    """An empty page gives no claims."""
    evidence = PageEvidence(parse(""))
    assert [] == [claim for source in rule.sources for claim in source.read(evidence)]
