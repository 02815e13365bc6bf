"""PDF profiles: what each promises, what it asks of WeasyPrint, and what is done to the file to keep the promise.

``archive`` is PDF/A-3a and PDF/UA-1 with the issue inside, ``screen`` PDF/A-2a and PDF/UA-1, ``press`` PDF/X-4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from exporter.errors import ThemeError, UsageError
from exporter.writers.pdf_inks import Inks, ink_everything
from exporter.writers.pdf_metadata import Standard, record_of, write_metadata
from exporter.writers.pdf_press import coarse_pictures, enlarge_pages, write_output_intent
from exporter.writers.pdf_sources import Embedded, attachments, embedded_files, seal_of, settle_attachments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exporter.edition import Edition
    from exporter.writers import Options
    from exporter.writers.pdf_metadata import Record

PRESS_BLEED: Final = 3.0
"""Millimeters that printers ask for where the command line names no bleed."""
_POINTS: Final = 72 / 25.4
_ICC: Final = "icc/FOGRA39L-coated.icc"


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile, settled for one edition.

    Attributes:
        name: Its name on the command line.
        standard: What its files claim.
        record: What they say of themselves.
        files: What they carry inside.
        bleed: Bleed in points, on every side.
        marks: Crop and register marks stand outside the bleed.
        icc: Profile of the printing condition; empty where none is claimed.
    """

    name: Literal["screen", "archive", "press"]
    standard: Standard
    record: Record
    files: tuple[Embedded, ...]
    bleed: float
    marks: bool
    icc: bytes

    @property
    def css(self) -> str:
        """Return what the style sheet must say besides the theme's own rules."""
        return f"@page {{ bleed: {self.bleed:g}pt }}" if self.bleed else ""

    @property
    def rendering(self) -> dict[str, Any]:
        """Return the options of ``HTML.render``: they settle the color space of groups before a page is drawn."""
        # A file for plates has no reader: it needs no structure.
        return {"pdf_variant": self.standard, "pdf_tags": self.name != "press"}

    def prepare(self, document: Any) -> None:
        """Change a laid-out document before it is written: nothing on a plate can be clicked.

        PDF/X-4 forbids annotations inside the bleed (ISO 15930-7, 6.17).
        """
        if self.name == "press":
            for page in document.pages:
                page.links.clear()

    def coarse(self, document: Any) -> tuple[tuple[int, str, int], ...]:
        """Return page, address and resolution of the pictures that are too coarse for plates; none elsewhere."""
        return tuple(coarse_pictures(document)) if self.name == "press" else ()

    def writing(self) -> dict[str, Any]:
        """Return the options of ``Document.write_pdf``."""
        return {
            **self.rendering,
            "attachments": attachments(self.files, self.record.date),
            # Of the two parts of a file's identifier the first stays when the content changes.
            "pdf_identifier": self.record.identifier.rpartition(":")[2].replace("-", ""),
        }

    def finish(self, pdf: Any) -> None:
        """Bring WeasyPrint's file to what the profile promises, as its finisher."""
        write_metadata(pdf, self.record, self.standard)
        settle_attachments(pdf, self.files)
        _forbid_interpolation(pdf)
        if self.name == "press":
            ink_everything(pdf, Inks(self.icc))
            write_output_intent(pdf, self.icc)
            enlarge_pages(pdf, bleed=self.bleed, marks=self.marks)


def profile_of(edition: Edition, options: Options) -> Profile:
    """Return the profile that the options ask for.

    Raises:
        UsageError: Bleed or marks without ``press``: they would be cut from a page that nobody trims.
        ThemeError: The theme has no profile of a printing condition, or it is none.
    """
    press = options.profile == "press"
    if not press and (options.bleed or options.marks):
        raise UsageError(f"the {options.profile} profile has no bleed and no marks", hint="add --profile press")
    standards: Mapping[str, Standard] = {"archive": "pdf/a-3a", "screen": "pdf/a-2a", "press": "pdf/x-4"}
    bleed = PRESS_BLEED if press and options.bleed is None else options.bleed or 0.0
    seal = f"{seal_of(edition)} {options.profile} {options.paper} {bleed} {options.marks}"
    return Profile(
        name=options.profile,
        standard=standards[options.profile],
        record=record_of(edition, seal=seal),
        files=embedded_files(edition) if options.profile == "archive" else (),
        bleed=bleed * _POINTS,
        marks=options.marks,
        icc=_printing_condition(edition) if press else b"",
    )


def _printing_condition(edition: Edition) -> bytes:
    path = edition.theme.file(_ICC)
    if path is None:
        raise ThemeError(f"theme {edition.theme.name!r} has no {_ICC}", hint="a theme extends base by default")
    return path.read_bytes()


def _forbid_interpolation(pdf: Any) -> None:
    """Let no image ask for smoothing, which PDF/A forbids (ISO 19005-2, 6.2.8)."""
    import pydyf

    for entry in pdf.objects:
        if isinstance(entry, pydyf.Stream) and "Interpolate" in entry.extra:
            entry.extra["Interpolate"] = "false"
