"""Role names, and the roles of each scope."""

from __future__ import annotations

import pytest

import thresher
from thresher.errors import UsageError
from thresher.roles import NO_ROLE, ROLES, SCOPE_ROLES, read_roles


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        ("", ()),
        (" , ", ()),
        ((), ()),
        ("title", ("title",)),
        ("title, date ,byline", ("title", "date", "byline")),
        (["code", "table"], ("code", "table")),
        ("date,title,date", ("date", "title")),
        (",".join(ROLES), ROLES),
    ],
)
def test_names_are_read(names: str | list[str], roles: tuple[str, ...]) -> None:
    """Names come as a sequence or separated by commas; duplicates are dropped, order is kept."""
    assert roles == read_roles(names)


@pytest.mark.parametrize("names", ["story", "title,Body", "title date", ["title,date"]])
def test_unknown_names_are_refused(names: str | list[str]) -> None:
    """The error names the unknown role, and lists the known ones."""
    with pytest.raises(UsageError, match=r'unknown role ".*"; one of title, byline, .*, other$'):
        read_roles(names)


def test_roles_have_codes_of_their_own() -> None:
    """No role occurs twice, and none has the code of an unknown role."""
    assert len(ROLES) == len(set(ROLES))
    assert NO_ROLE not in range(len(ROLES))


def test_scopes_want_known_roles() -> None:
    """Each scope has its roles, all of them known, and the wider scope has those of the others."""
    assert set(thresher.SCOPES) == set(SCOPE_ROLES)
    assert set(ROLES) == SCOPE_ROLES["auto"] > SCOPE_ROLES["page"]
    assert SCOPE_ROLES["page"] >= SCOPE_ROLES["thread"] > SCOPE_ROLES["article"]
    assert "comment" not in SCOPE_ROLES["article"]
    assert "comment" in SCOPE_ROLES["thread"]
