"""Inks of a press file: what WeasyPrint draws in red, green and blue becomes cyan, magenta, yellow and black."""

from __future__ import annotations

import functools
import io
import re
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Ink = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each 0 to 1."""

_RGB = re.compile(rb"([\d.]+) ([\d.]+) ([\d.]+) (rg|RG)")
# CIE 1976 L* and C*: a gray of the screen is printed in black alone, so that no plate out of register can color
# it; a dark one is solid black, so that no letter of the text is screened.
_NEUTRAL: Final = 10.0
_SOLID: Final = 25.0


class Inks:
    """Converts colors of a screen to inks of one printing condition.

    Args:
        icc: ICC profile of the printing condition, class ``prtr``, CMYK.

    Raises:
        ThemeError: It is no such profile.
    """

    def __init__(self, icc: bytes) -> None:
        from PIL import ImageCms

        from exporter.errors import ThemeError

        try:
            condition = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        except OSError as error:
            raise ThemeError(f"the profile of the printing condition cannot be read: {error}") from error
        if condition.profile.xcolor_space.strip() != "CMYK":
            raise ThemeError("the profile of the printing condition is not for CMYK")
        screen, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
        colorimetric = ImageCms.Intent.RELATIVE_COLORIMETRIC
        compensated = ImageCms.Flags.BLACKPOINTCOMPENSATION
        self._inks = ImageCms.buildTransform(screen, condition, "RGB", "CMYK", colorimetric, compensated)
        self._seen = ImageCms.buildTransform(screen, lab, "RGB", "LAB", colorimetric)
        printed = ImageCms.buildTransform(condition, lab, "CMYK", "LAB", colorimetric)
        self._grays = [_lab(printed, "CMYK", (0, 0, 0, black))[0] for black in range(256)]

    @functools.cache  # noqa: B019 - lives as long as one export
    def of(self, red: float, green: float, blue: float) -> Ink:
        """Return the inks of a color; each part is 0 to 1."""
        rgb = tuple(round(255 * min(max(part, 0.0), 1.0)) for part in (red, green, blue))
        lightness, chroma = _lab(self._seen, "RGB", rgb)
        if chroma <= _NEUTRAL:
            return (0.0, 0.0, 0.0, self._black(lightness))
        cyan, magenta, yellow, black = (round(part / 255, 4) for part in _pixel(self._inks, "RGB", rgb))
        return (cyan, magenta, yellow, black)

    def _black(self, lightness: float) -> float:
        if lightness <= _SOLID:
            return 1.0
        darkest = self._grays[255]
        # Black point compensation: the screen's black is the paper's darkest gray.
        wanted = darkest + lightness * (self._grays[0] - darkest) / 100
        nearest = min(range(256), key=lambda black: abs(self._grays[black] - wanted))
        return round(nearest / 255, 4)


def ink_everything(pdf: Any, inks: Inks) -> None:
    """Turn every color of a pydyf file into inks; pictures keep theirs, with the profile that gives it its meaning.

    PDF/X-4 allows DeviceCMYK and what an ICC profile explains, and no bare DeviceRGB (ISO 15930-7, 6.2.3).
    """
    import pydyf
    from weasyprint.pdf.stream import Stream

    screen = _screen_profile(pdf)
    masks = set(_masks(pdf))
    for entry in pdf.objects:
        if isinstance(entry, Stream):
            mask = entry.number in masks
            if mask:
                entry.extra["Group"]["CS"] = "/DeviceGray"
            entry.stream = [_inked(item, inks, mask=mask) for item in entry.stream]
        elif isinstance(entry, pydyf.Stream) and entry.extra.get("ColorSpace") == "/DeviceRGB":
            entry.extra["ColorSpace"] = screen
        elif isinstance(entry, pydyf.Dictionary) and "ShadingType" in entry and _components(entry["Function"]) == 3:
            entry["ColorSpace"] = screen


def _screen_profile(pdf: Any) -> Any:
    import pydyf

    content = resources.files("weasyprint.pdf").joinpath("sRGB2014.icc").read_bytes()
    profile = pydyf.Stream([content], pydyf.Dictionary({"N": 3, "Alternate": "/DeviceRGB"}), compress=True)
    pdf.add_object(profile)
    return pydyf.Array(("/ICCBased", profile.reference))


def _masks(pdf: Any) -> Iterator[int]:
    """Yield the numbers of the groups whose luminosity is a mask: gray is their only color."""
    from weasyprint.pdf.stream import Stream

    for entry in pdf.objects:
        if isinstance(entry, Stream):
            for state in entry._resources["ExtGState"].values():  # noqa: SLF001 - pydyf keeps no other list
                if "SMask" in state:
                    yield int(state["SMask"]["G"].split()[0])


def _inked(item: Any, inks: Inks, *, mask: bool) -> Any:
    match = _RGB.fullmatch(item) if isinstance(item, bytes) else None
    if match is None:
        return item
    red, green, blue = (float(part) for part in match.groups()[:3])
    stroke = match[4] == b"RG"
    if mask:
        return _operator((0.3 * red + 0.59 * green + 0.11 * blue,), b"G" if stroke else b"g")
    return _operator(inks.of(red, green, blue), b"K" if stroke else b"k")


def _operator(parts: tuple[float, ...], name: bytes) -> bytes:
    return b" ".join((*(f"{part:.4f}".rstrip("0").rstrip(".").encode() for part in parts), name))


def _components(function: Any) -> int:
    if "Functions" in function:
        return max(_components(part) for part in function["Functions"])
    return len(function["C0"])


def _lab(transform: Any, mode: str, color: tuple[int, ...]) -> tuple[float, float]:
    """Return L* and C* of a color."""
    lightness, a, b = _pixel(transform, mode, color)
    return lightness * 100 / 255, ((a - 128) ** 2 + (b - 128) ** 2) ** 0.5


def _pixel(transform: Any, mode: str, color: tuple[int, ...]) -> tuple[int, ...]:
    from PIL import Image

    parts: tuple[int, ...] = transform.apply(Image.new(mode, (1, 1), color)).getpixel((0, 0))
    return parts
