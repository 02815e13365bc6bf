"""The sheet of a press file: output intent, page boxes, and marks that stand outside the bleed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""

SLUG: Final = 30.0
"""Room for the marks outside the bleed, in points."""
COARSE: Final = 200
"""Pixels an inch below which a printed picture shows its pixels."""
_GAP: Final = 4.0
_LENGTH: Final = 18.0
_HAIRLINE: Final = 0.25
_RADIUS: Final = 5.0
_CROSS: Final = 9.0
# Control points of a quarter of a circle by a Bézier curve.
_ARC: Final = 0.5523


def write_output_intent(pdf: Any, icc: bytes) -> None:
    """Say which printing condition the inks are for (ISO 15930-7, 6.2.2); FOGRA39 is in the ICC's registry."""
    import pydyf

    profile = pydyf.Stream([icc], pydyf.Dictionary({"N": 4, "Alternate": "/DeviceCMYK"}), compress=True)
    pdf.add_object(profile)
    intent = pydyf.Dictionary(
        {
            "Type": "/OutputIntent",
            "S": "/GTS_PDFX",
            "OutputConditionIdentifier": pydyf.String("FOGRA39"),
            "OutputCondition": pydyf.String("Offset printing, ISO 12647-2:2004/Amd 1, coated paper, 115 g/m2"),
            "RegistryName": pydyf.String("http://www.color.org"),
            "Info": pydyf.String("Coated FOGRA39 (ISO 12647-2:2004)"),
            "DestOutputProfile": profile.reference,
        }
    )
    pdf.catalog["OutputIntents"] = pydyf.Array([intent])


def enlarge_pages(pdf: Any, *, bleed: float, marks: bool) -> None:
    """Set the boxes of each page: the trimmed page, the bleed around it, and the sheet with the marks around both.

    WeasyPrint takes its own bleed for the sheet and 10 points at most for the BleedBox, and draws marks inside.
    """
    import pydyf

    for number in pdf.pages["Kids"][::3]:
        page = pdf.objects[number]
        trim: Box = tuple(page["TrimBox"])
        bled = grown(trim, bleed)
        sheet = grown(bled, SLUG) if marks else bled
        page["BleedBox"] = pydyf.Array(bled)
        page["MediaBox"] = pydyf.Array(sheet)
        left, bottom, right, top = bled
        # Nothing of the page may reach into the slug.
        before = pydyf.Stream([f"q {left:g} {bottom:g} {right - left:g} {top - bottom:g} re W n"])
        after = pydyf.Stream(["Q"])
        pdf.add_object(before)
        pdf.add_object(after)
        contents = [before.reference, page["Contents"], after.reference]
        if marks:
            contents.append(_marks(pdf, page, trim, bled))
        page["Contents"] = pydyf.Array(contents)


def coarse_pictures(document: Any) -> Iterator[tuple[int, str, int]]:
    """Yield page, address and pixels an inch of each picture that is coarser in print than it should be."""
    from weasyprint.images import RasterImage

    for number, page in enumerate(document.pages, 1):
        for box in page._page_box.descendants():  # noqa: SLF001 - the only way to the laid out boxes
            picture = getattr(box, "replacement", None)
            if isinstance(picture, RasterImage) and box.width > 0:
                density = round(picture.width / (box.width / 96))
                if density < COARSE:
                    yield number, box.element.get("src", ""), density


def grown(box: Box, by: float) -> Box:
    """Return the box with all its sides moved outwards."""
    left, bottom, right, top = box
    return left - by, bottom - by, right + by, top + by


def _marks(pdf: Any, page: Any, trim: Box, bled: Box) -> Any:
    """Add the page's marks to the file and return the reference of the stream that draws them."""
    import pydyf

    separation = pydyf.Array(
        (
            "/Separation",
            "/All",  # every plate: what register marks are for
            "/DeviceCMYK",
            pydyf.Dictionary(
                {
                    "FunctionType": 2,
                    "Domain": pydyf.Array((0, 1)),
                    "C0": pydyf.Array((0, 0, 0, 0)),
                    "C1": pydyf.Array((1, 1, 1, 1)),
                    "N": 1,
                }
            ),
        )
    )
    resources = pdf.objects[int(page["Resources"].split()[0])]
    spaces = pdf.objects[int(resources["ColorSpace"].split()[0])]
    spaces["Registration"] = separation
    lines = [*_crop_marks(trim, bled), *(line for target in _targets(bled) for line in _register_mark(*target))]
    drawing = pydyf.Stream(
        ["q", "/Registration CS 1 SCN", f"{_HAIRLINE:g} w", *lines, "Q"],
        compress=True,
    )
    pdf.add_object(drawing)
    return drawing.reference


def _crop_marks(trim: Box, bled: Box) -> Iterator[str]:
    """Yield two lines at each corner, in line with the trimmed page, from outside the bleed outwards."""
    for x in (trim[0], trim[2]):
        for edge, outwards in ((bled[1], -1), (bled[3], 1)):
            yield _line(x, edge + outwards * _GAP, x, edge + outwards * (_GAP + _LENGTH))
    for y in (trim[1], trim[3]):
        for edge, outwards in ((bled[0], -1), (bled[2], 1)):
            yield _line(edge + outwards * _GAP, y, edge + outwards * (_GAP + _LENGTH), y)


def _targets(bled: Box) -> Iterator[tuple[float, float]]:
    """Yield the center of the register mark of each side."""
    left, bottom, right, top = bled
    middle, half = (left + right) / 2, (bottom + top) / 2
    away = _GAP + _CROSS
    yield from ((middle, bottom - away), (middle, top + away), (left - away, half), (right + away, half))


def _register_mark(x: float, y: float) -> Iterator[str]:
    yield _line(x - _CROSS, y, x + _CROSS, y)
    yield _line(x, y - _CROSS, x, y + _CROSS)
    r, k = _RADIUS, _RADIUS * _ARC
    yield f"{x + r:.3f} {y:.3f} m"
    for (ax, ay), (bx, by), (cx, cy) in (
        ((r, k), (k, r), (0, r)),
        ((-k, r), (-r, k), (-r, 0)),
        ((-r, -k), (-k, -r), (0, -r)),
        ((k, -r), (r, -k), (r, 0)),
    ):
        yield f"{x + ax:.3f} {y + ay:.3f} {x + bx:.3f} {y + by:.3f} {x + cx:.3f} {y + cy:.3f} c"
    yield "s"


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f"{x1:.3f} {y1:.3f} m {x2:.3f} {y2:.3f} l S"
