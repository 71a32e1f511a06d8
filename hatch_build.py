"""Compile src/thresher/native into the wheel, where there is a C compiler.

``THRESHER_NATIVE=0`` in the environment builds without, ``THRESHER_NATIVE=1`` fails where that
cannot be compiled; otherwise a wheel of Python alone is made then, which does the same with numpy.
An editable install compiles into src/, for the Python that runs this.
"""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

_MODULE: Final = "thresher.native._compiled"
_SOURCES: Final = Path("src/thresher/native")
_LIMITED_API: Final = "0x030B0000"
"""One binary serves CPython 3.11 and all later ones."""
_FLAGS: Final = (
    # Visual C++ takes no C11 unless it is asked to.
    ["/std:c11"]
    if sys.platform == "win32"
    else [
        *("-std=c11", "-O3", "-g0", "-fvisibility=hidden"),
        # The network rounds as numpy does: no two operations become one. And nobody looks at what
        # a comparison of floats would trap, which would keep loops from being vectorised.
        *("-ffp-contract=off", "-fno-trapping-math"),
        # Sums of broken numbers wrap around, as numpy's do, and are no undefined behaviour.
        "-fwrapv",
        # A forgotten header would otherwise compile, and only fail to load.
        "-Werror=implicit-function-declaration",
    ]
)


class CompiledSteps(BuildHookInterface[Any]):
    """Adds the compiled module to a wheel, and says so in its name."""

    folder: tempfile.TemporaryDirectory[str] | None = None
    """Where it was compiled, for as long as the wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is put together."""
        wanted = os.environ.get("THRESHER_NATIVE")
        # The limited API is CPython's, and not there without its lock.
        fits = platform.python_implementation() == "CPython" and not sysconfig.get_config_var(
            "Py_GIL_DISABLED"
        )
        if wanted == "0" or not (fits or wanted == "1"):
            return
        self.folder = tempfile.TemporaryDirectory(prefix="thresher-native-")
        try:
            built = _compile(Path(self.root), self.folder.name)
        except Exception as error:  # whatever a compiler, or its absence, raises
            if wanted == "1":
                raise
            self.app.display_warning(f"compiled steps left out: {error}")
            return
        if version == "editable":
            target = Path(self.root, _SOURCES, built.name)
            target.unlink(missing_ok=True)  # running programs keep the old one
            target.write_bytes(built.read_bytes())
            return
        build_data["force_include"][str(built)] = f"thresher/native/{built.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{_platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        if self.folder:
            self.folder.cleanup()


def _compile(root: Path, folder: str) -> Path:
    """Compile the module into a folder, and return it."""
    from setuptools import Distribution, Extension  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    extension = Extension(
        _MODULE,
        [str(source) for source in sorted((root / _SOURCES).rglob("*.c"))],
        define_macros=[("Py_LIMITED_API", _LIMITED_API)],
        extra_compile_args=_FLAGS,
        py_limited_api=True,
    )
    command = build_ext(Distribution({"ext_modules": [extension]}))
    command.build_lib, command.build_temp = folder, folder
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(_MODULE))


def _platform_tag() -> str:
    """Return the platform that a wheel compiled here is for, as its name spells it.

    On Linux that is the machine's own, ``linux_x86_64``: only auditwheel, which cibuildwheel runs
    afterwards, can tell which manylinux or musllinux it fits. Elsewhere Python knows the target,
    which the builder may have set: the oldest macOS, or the other architecture.
    """
    if sys.platform != "linux":
        return sysconfig.get_platform().replace("-", "_").replace(".", "_")
    others = ("manylinux", "musllinux")
    return next(tag.platform for tag in sys_tags() if not tag.platform.startswith(others))
