"""WeasyPrint behind one function: nothing is fetched but the edition's own, and nothing that it logs is lost."""

from __future__ import annotations

import contextlib
import gc
import logging
import re
import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from exporter.errors import ThemeError, WriterError
from exporter.fonts import only_fonts
from exporter.writers.pdf_compact import compact_fonts
from exporter.writers.pdf_footnotes import footnotes_stay
from exporter.writers.pdf_justify import justified_chinese
from exporter.writers.pdf_structure import complete_structure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from exporter.fonts import FontPlan
    from exporter.writers.pdf_profiles import Profile

EDITION: Final = "https://edition.invalid/"
"""Base of the addresses of the edition's own pictures (RFC 2606: .invalid never resolves)."""
THEME: Final = "https://theme.invalid/"
"""Base of the addresses of the theme's files."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A rendered edition.

    Attributes:
        content: The PDF.
        log: What WeasyPrint said, in order, each line once.
        refused: Addresses that were asked for and not given.
        pages: Number of pages.
        outside: Text that leaves its page, with the page's number.
        coarse: Page, address and pixels an inch of pictures that are too coarse for their profile.
    """

    content: bytes
    log: tuple[str, ...]
    refused: tuple[str, ...]
    pages: int
    outside: tuple[tuple[int, str], ...]
    coarse: tuple[tuple[int, str, int], ...]


def print_html(
    html: str,
    *,
    profile: Profile,
    plan: FontPlan,
    files: Mapping[str, tuple[bytes, str]],
    theme_file: Callable[[str], bytes | None],
    justified: bool,
) -> Printed:
    """Render a document to PDF, in memory.

    Args:
        html: The document, style included.
        profile: What the file promises.
        plan: The only fonts that it may use.
        files: Content and media type by address.
        theme_file: Gives a file of the theme by its path, or None.
        justified: Spread Chinese lines over the measure.

    Raises:
        WriterError: Pango is missing, or WeasyPrint failed.
    """
    weasyprint = _weasyprint()
    fetcher = _fetcher(files, theme_file)

    def finish(_: Any, pdf: Any) -> None:
        profile.finish(pdf)
        # A font that cannot be treated stays as it is: the file is larger, nothing else.
        compact_fonts(pdf)

    with (
        # WeasyPrint leaves its sRGB profile's file to the garbage collector.
        warnings.catch_warnings(action="ignore", category=ResourceWarning),
        _log() as log,
        _seldom_collected(),
        only_fonts(plan),
        footnotes_stay(),
        justified_chinese() if justified else nullcontext(),
        complete_structure(),
    ):
        from weasyprint.text.fonts import FontConfiguration

        try:
            document = weasyprint.HTML(string=html, base_url=THEME + "pdf/", url_fetcher=fetcher).render(
                font_config=FontConfiguration(),
                stylesheets=[weasyprint.CSS(string=profile.css, url_fetcher=fetcher)],
                **profile.rendering,
            )
            profile.prepare(document)
            content: bytes = document.write_pdf(finisher=finish, **profile.writing())
        except RecursionError as error:
            raise WriterError("the issue is nested too deeply to be printed") from error
        except (ValueError, TypeError, AssertionError, KeyError, IndexError, OSError, AttributeError) as error:
            raise WriterError(f"WeasyPrint failed: {type(error).__name__}: {error}") from error
    return Printed(
        content=content,
        log=tuple(dict.fromkeys(log)),
        refused=tuple(dict.fromkeys(fetcher.refused)),
        pages=len(document.pages),
        outside=tuple(_outside(document)),
        coarse=profile.coarse(document),
    )


def _weasyprint() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import weasyprint
    except OSError as error:
        raise WriterError(
            f"Pango is missing: {error}",
            hint="on Debian: apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0; see exporter doctor",
        ) from error
    return weasyprint


def _fetcher(files: Mapping[str, tuple[bytes, str]], theme_file: Callable[[str], bytes | None]) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Own(URLFetcher):  # type: ignore[misc]
        """Serves what it was given, from memory; opens no file and no connection."""

        def __init__(self) -> None:
            super().__init__(allowed_protocols=("data",), allow_redirects=False)
            self.refused: list[str] = []

        def fetch(self, url: str, headers: Any = None) -> Any:
            if url in files:
                content, media_type = files[url]
                return URLFetcherResponse(url, content, {"Content-Type": media_type})
            if url.startswith(THEME) and (own := theme_file(url.removeprefix(THEME))) is not None:
                return URLFetcherResponse(url, own, {"Content-Type": _media_type(url)})
            if url.startswith("data:"):
                return super().fetch(url, headers)
            self.refused.append(url if len(url) < 200 else url[:200] + "…")
            raise ValueError(f"only the edition's own files are read, not {url[:200]}")

    return Own()


def _media_type(url: str) -> str:
    endings = {"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "css": "text/css"}
    kind = endings.get(url.rpartition(".")[2].lower())
    if kind is None:
        raise ThemeError(f"{url.removeprefix(THEME)!r} is no picture or style sheet")
    return kind


@contextlib.contextmanager
def _log() -> Iterator[list[str]]:
    """Collect WeasyPrint's warnings and errors; none is printed."""
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    logger = logging.getLogger("weasyprint")
    handler = Collector(logging.WARNING)
    before = logger.propagate, logger.level
    logger.addHandler(handler)
    logger.propagate, logger.level = False, logging.WARNING
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.propagate, logger.level = before


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Look for cycles to free less often: nearly all boxes live until the file is written.

    Every look goes through all of them; it takes 7 % of a run, and 1 MB is freed.
    """
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _outside(document: Any) -> Iterator[tuple[int, str]]:
    """Yield text whose box leaves the paper."""
    for number, page in enumerate(document.pages, 1):
        for box in page._page_box.descendants():  # noqa: SLF001 - the only way to the laid out boxes
            text = getattr(box, "text", None)
            if (
                isinstance(text, str)
                and text.strip("\u200b\u2060 ")
                and (box.position_x + box.width > page.width + 0.5 or box.position_x < -0.5)
            ):
                yield number, re.sub(r"\s+", " ", text.strip())[:40]
