"""What an edition is made with: versions of its libraries, read without loading any of them."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import platform
from importlib import metadata
from typing import TYPE_CHECKING, Final

from exporter import __version__

if TYPE_CHECKING:
    from exporter.model.blocks import Format

_READING: Final = ("pydantic", "markdown-it-py", "mdit-py-plugins", "PyYAML", "babel")
_DRAWING: Final = ("pillow", "ziamath", "ziafont", "latex2mathml", "resvg-py")
_PACKAGES: Final[dict[Format, tuple[str, ...]]] = {
    "pdf": (*_READING, *_DRAWING, "jinja2", "weasyprint", "pydyf", "fonttools", "pyphen", "tinycss2"),
    "email": (*_READING, *_DRAWING, "jinja2", "mjml-python", "css-inline", "wcwidth"),
    "text": (*_READING, "ziamath", "latex2mathml", "wcwidth"),
}
# The names that WeasyPrint itself tries (weasyprint.text.ffi), Debian's, macOS's and Windows's.
_LIBRARIES: Final = {
    "pango": ("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll"),
    "pangoft2": ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll"),
    "harfbuzz": ("libharfbuzz.so.0", "libharfbuzz.0.dylib", "libharfbuzz-0.dll"),
    "harfbuzz-subset": ("libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib", "libharfbuzz-subset-0.dll"),
    "fontconfig": ("libfontconfig.so.1", "libfontconfig.1.dylib", "libfontconfig-1.dll"),
}


def toolchain(output_format: Format) -> dict[str, str]:
    """Return name → version of everything that the bytes of a format depend on."""
    versions = {"exporter": __version__, "python": platform.python_version()}
    for package in _PACKAGES[output_format]:
        versions[package] = metadata.version(package)
    if output_format == "pdf":
        for name in ("pango", "harfbuzz"):
            versions[name] = library_version(name) or "missing"
        versions["harfbuzz-subset"] = "present" if load_library("harfbuzz-subset") else "missing"
    return versions


@functools.cache
def load_library(name: str) -> ctypes.CDLL | None:
    """Return the shared library of that name, or None where the system has none."""
    candidates = [*_LIBRARIES[name], ctypes.util.find_library(name), ctypes.util.find_library(f"{name}-1.0")]
    for candidate in candidates:
        if candidate:
            try:
                return ctypes.CDLL(candidate)
            except OSError:
                continue
    return None


@functools.cache
def library_version(name: str) -> str | None:
    """Return the version that Pango or HarfBuzz states of itself, or None where it is missing."""
    library = load_library(name)
    function = {"pango": "pango_version_string", "harfbuzz": "hb_version_string"}[name]
    if library is None:
        return None
    call = getattr(library, function)
    call.restype = ctypes.c_char_p
    return str(call().decode())
