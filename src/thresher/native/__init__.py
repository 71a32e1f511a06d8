"""Compiled steps in C, and kernels: the numpy functions that they stand in for.

``pip install`` compiles the steps if there is a C compiler (hatch_build.py); docs/adr/0007 has
the rules for both. `steps.txt` declares their arguments, from which the glue is generated
(`thresher.native.generate`). The C files in this folder hand the arguments to plain C in the
subfolders.
"""

from typing import Final

from thresher.native.kernels import REFUSALS, Kernel, kernel, kernel_with
from thresher.native.steps import Steps

__all__ = [
    "CLOSED_AS_XML",
    "MALFORMED",
    "REFUSALS",
    "TOO_LONG",
    "Kernel",
    "Steps",
    "kernel",
    "kernel_with",
]

TOO_LONG: Final = -2
"""Result of the step `canonicalise` if the canonical HTML does not fit into its room."""
CLOSED_AS_XML: Final = -3
"""Result of the step `canonicalise`, if asked, at a raw-text element self-closed as in XML."""
MALFORMED: Final = -4
"""Result of the step `measure_utf8` for bytes that are not well-formed UTF-8."""
