"""The table of writers: each turns an Edition into named bytes, purely."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from exporter.edition import Edition
    from exporter.message.build import Attachment
    from exporter.model.blocks import Format
    from exporter.notices import Notice


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may ask of the writers; each reads its own.

    Attributes:
        paper: Paper of the print edition; the issue's or publication's by default.
        profile: PDF profile.
        bleed: Bleed in millimeters; by default 3 in the press profile and none elsewhere.
        marks: Print crop and register marks.
        body: What the message's body holds.
        hosted_images: Address that pictures are served from, instead of parts of the message.
        attachments: Files that the message carries; never asked for, always handed over.
        width: Columns of the text edition.
        ambiguous: Columns of a character of ambiguous width; the language's by default.
    """

    paper: Literal["a4", "a5", "letter"] | None = None
    profile: Literal["screen", "archive", "press"] = "archive"
    bleed: float | None = None
    marks: bool = False
    body: Literal["full", "digest", "auto"] = "auto"
    hosted_images: str | None = None
    attachments: tuple[Attachment, ...] = ()
    width: int = 78
    ambiguous: Literal[1, 2] | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """What a writer made.

    Attributes:
        files: Bytes by ending, such as ``.pdf``; the file's name is the edition's stem and the ending.
        notices: What the writer found.
    """

    files: Mapping[str, bytes]
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Writer:
    """An entry of the table; the module is imported when it is used.

    Attributes:
        format: Name of the format, the command's name.
        endings: Endings of the files it writes, the first one goes to stdout with ``-o -``.
        module: Module that holds ``write(edition, options) -> Output``.
    """

    format: Format
    endings: tuple[str, ...]
    module: str

    def write(self, edition: Edition, options: Options) -> Output:
        """Write the edition.

        Raises:
            WriterError: The format cannot carry this edition.
            ThemeError: A template is missing or wrong.
        """
        function: Callable[[Edition, Options], Output] = importlib.import_module(self.module).write
        return function(edition, options)


WRITERS: Final[Mapping[Format, Writer]] = MappingProxyType(
    {
        "pdf": Writer("pdf", (".pdf",), "exporter.writers.pdf"),
        "email": Writer("email", (".html", ".eml", ".txt"), "exporter.writers.email"),
        "text": Writer("text", (".txt",), "exporter.writers.text"),
    }
)
