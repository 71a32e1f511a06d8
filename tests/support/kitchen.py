"""Settings of every kind, and a strategy that draws them, for the tests of settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from thresher.support.settings import check, setting

__all__ = ["KITCHENS", "Kitchen"]


@dataclass(frozen=True, slots=True)
class Kitchen:
    """Settings of every kind that a file, an option and a form can hold."""

    lit: bool = setting(True, "whether it is lit; 100 %", group="light")
    lamps: int = setting(2, "how many lamps", group="light", unit="lamps", low=0, high=9)
    heat: float = setting(0.5, "how hot", group="stove", low=0, high=1)
    fuel: str = setting("gas", "what burns", group="stove", choices=("gas", "wood"))
    name: str = setting("", "what it is called", group="stove")
    pots: tuple[str, ...] = setting(("big", "small"), "what stands on it", group="stove")

    def __post_init__(self) -> None:
        check(self)


KITCHENS: Final = st.builds(
    Kitchen,
    st.booleans(),
    st.integers(0, 9),
    st.floats(0, 1),
    st.sampled_from(["gas", "wood"]),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.from_regex(r"[a-z|^@.]+", fullmatch=True)).map(tuple),
)
