"""From issues on disk to editions on disk: load, choose, skip what is unchanged, write, record."""

from __future__ import annotations

import dataclasses
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exporter import files, manifest
from exporter.edition import edition_languages, make_edition
from exporter.errors import EditionError, SourceError, UsageError, VerificationError, WriterError
from exporter.notices import Notice, Place, Problem
from exporter.theme import load_theme
from exporter.toolchain import toolchain
from exporter.writers import WRITERS, Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from exporter.edition import Edition
    from exporter.message.build import Attachment
    from exporter.model.blocks import Format
    from exporter.readers import Loaded
    from exporter.theme import Theme
    from exporter.writers import Output


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of every issue of a run.

    Attributes:
        formats: The formats to write.
        languages: Languages as given, or ``all``; none means the issue's own.
        theme: Theme over the issue's and the publication's.
        labels: Language of the labels, where it is not the edition's.
        options: Options of the writers.
        attach_pdf: Attach the PDF edition to the message.
        force: Write also what is unchanged.
        strict: Take notices for errors.
    """

    formats: tuple[Format, ...]
    languages: tuple[str, ...] = ()
    theme: str | None = None
    labels: str | None = None
    options: Options = field(default_factory=Options)
    attach_pdf: bool = False
    force: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """One edition of a run.

    Attributes:
        written: Paths that were written.
        unchanged: Paths that were left, since nothing changed.
        notices: What was found.
    """

    written: tuple[Path, ...] = ()
    unchanged: tuple[Path, ...] = ()
    notices: tuple[Notice, ...] = ()


def refuse_equal_ids(loaded: Sequence[Loaded]) -> None:
    """Refuse a run in which two issues would write the same files, before any work.

    Ids that differ only in case or Unicode normalization are one name on macOS and Windows.

    Raises:
        SourceError: Two issues have one id.
    """
    seen: dict[str, Loaded] = {}
    problems: list[Problem] = []
    for issue in loaded:
        key = unicodedata.normalize("NFC", issue.issue.id).casefold()
        if key in seen:
            first = seen[key]
            problems.append(
                Problem(
                    f"two issues have the id {issue.issue.id!r}: the other one is {_named(first)}",
                    Place(_named(issue)),
                    "give one of them another id in its front matter",
                )
            )
        seen.setdefault(key, issue)
    if problems:
        raise SourceError(tuple(problems))


def languages_of(loaded: Loaded, request: Request) -> tuple[str, ...]:
    """Return the languages to export an issue in, each once.

    Raises:
        EditionError: A language is asked for that the issue does not have, or two side by side.
    """
    own = edition_languages(loaded.issue)
    chosen: list[str] = []
    for asked in request.languages or own[:1]:
        if "+" in asked:
            raise EditionError(
                f"editions side by side such as {asked} are not made yet",
                hint=f"use -l {' -l '.join(asked.split('+'))} for one edition a language",
            )
        chosen.extend(own if asked == "all" else (asked,))
    return tuple(dict.fromkeys(chosen))


def theme_for(loaded: Loaded, request: Request, language: str) -> Theme:
    """Return the theme of an edition: the one asked for, the issue's, the publication's, base.

    Raises:
        ThemeError: There is no such theme.
    """
    version = next((one for one in loaded.issue.versions if one.language == language), loaded.issue.original)
    publication = loaded.issue.publication
    if request.theme:
        return load_theme(request.theme)
    if version.theme:
        return load_theme(version.theme, near=loaded.folder)
    return load_theme((publication.theme if publication else None) or "base", near=loaded.publication_folder)


def _edition(loaded: Loaded, request: Request, language: str) -> Edition:
    theme = theme_for(loaded, request, language)
    return make_edition(loaded.issue, loaded.assets, language=language, theme=theme, labels_language=request.labels)


def export(loaded: Loaded, request: Request, output: Path, *, report: Callable[[str], None] | None = None) -> Made:
    """Write every asked edition of one issue into ``output/<id>/``.

    Args:
        loaded: The issue.
        request: What is asked.
        output: Folder of all editions.
        report: Called with the name of each edition before it is made.

    Raises:
        ExporterError: Whatever keeps an edition from being made; files that were there before are untouched.
    """
    folder = output / loaded.issue.id
    written: list[Path] = []
    unchanged: list[Path] = []
    notices: list[Notice] = []
    for language in languages_of(loaded, request):
        edition = _edition(loaded, request, language)
        for name in request.formats:
            if report:
                report(f"{edition.stem} {name}")
            recipe = recipe_of(loaded, edition, name, request)
            with files.locked(folder):
                record = manifest.read(folder)
                names = None if request.force else manifest.current(record, recipe, folder)
                if names is not None:
                    unchanged.extend(folder / name for name in names)
                    notices.extend(_recorded(record, recipe))
                    continue
                printed = _printed(loaded, edition, request, folder) if _attaches(request, name) else None
                made, found = write(loaded, edition, name, request, printed=printed)
                content = manifest.updated(record, recipe, made, found)
                *paths, _ = files.write_all(folder, {**made, manifest.NAME: content})
                written.extend(paths)
                notices.extend(found)
    return Made(tuple(dict.fromkeys(written)), tuple(dict.fromkeys(unchanged)), tuple(dict.fromkeys(notices)))


def editions_in(loaded: Loaded, request: Request) -> int:
    """Return how many editions a run makes of an issue; none when it has not the languages asked for."""
    try:
        return len(languages_of(loaded, request)) * len(request.formats)
    except EditionError:
        return 0


def export_all(
    loaded: Sequence[Loaded], request: Request, output: Path, *, jobs: int, report: Callable[[str], None]
) -> Iterator[tuple[Loaded, Made | Exception]]:
    """Export issues one after another or in worker processes; a failure of one does not stop the others.

    Yields:
        Each issue, in order, with what was made of it or why nothing was.
    """
    if jobs == 1 or len(loaded) == 1:
        for one in loaded:
            yield one, _attempt(one, request, output, report)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Forked workers would share Pango's state with this process; spawned ones import once and start clean.
    with ProcessPoolExecutor(min(jobs, len(loaded)), mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_attempt, one, request, output) for one in loaded]
        for one, future in zip(loaded, futures, strict=True):
            try:
                result: Made | Exception = future.result()
            except BrokenProcessPool:
                result = WriterError(
                    f"the worker that made issue {one.issue.id!r} died", hint="run this issue again alone"
                )
            for _ in range(editions_in(one, request)):
                report(one.issue.id)
            yield one, result


def write(
    loaded: Loaded, edition: Edition, name: Format, request: Request, *, printed: Printed | None = None
) -> tuple[Mapping[str, bytes], tuple[Notice, ...]]:
    """Make the files of one edition in one format, without writing them.

    Args:
        loaded: The issue.
        edition: Its edition.
        name: The format.
        request: What is asked.
        printed: The PDF to attach, where it has been made already.

    Returns:
        Bytes by file name, and everything found on the way.

    Raises:
        VerificationError: Something was found and the run is strict.
    """
    options, before = request.options, (*loaded.notices, *edition.notices)
    if _attaches(request, name):
        printed = printed or _typeset(loaded, edition, request)
        options = dataclasses.replace(options, attachments=(printed.attachment,))
        before = tuple(dict.fromkeys((*before, *printed.notices)))
    output = WRITERS[name].write(edition, options)
    found = (*before, *output.notices, *_audited(output, name, edition))
    if request.strict and found:
        raise StrictError(found)
    return {f"{edition.stem}{ending}": content for ending, content in output.files.items()}, found


@dataclass(frozen=True, slots=True)
class Printed:
    """The PDF edition as a message carries it, and what was found in it."""

    attachment: Attachment
    notices: tuple[Notice, ...]


class StrictError(VerificationError):
    """Notices under ``--strict``; nothing was written."""

    def __init__(self, notices: tuple[Notice, ...]) -> None:
        count = len(notices)
        super().__init__(f"{count} {'notice' if count == 1 else 'notices'} under --strict: nothing was written")
        self.notices = notices


def check(loaded: Loaded, request: Request) -> tuple[Notice, ...]:
    """Make every asked edition in memory and return what was found; nothing is written.

    Raises:
        ExporterError: Whatever keeps an edition from being made.
    """
    notices: list[Notice] = []
    lenient = dataclasses.replace(request, strict=False)
    for language in languages_of(loaded, request):
        edition = _edition(loaded, request, language)
        for name in request.formats:
            notices.extend(write(loaded, edition, name, lenient)[1])
    return tuple(dict.fromkeys(notices))


def single(loaded: Loaded, request: Request, ending: str | None) -> tuple[bytes, tuple[Notice, ...]]:
    """Return the one document that a run amounts to, for ``-o FILE`` and ``-o -``.

    Args:
        loaded: The issue.
        request: What is asked; one format, one language.
        ending: The file's ending, or None for the format's first.

    Raises:
        UsageError: The run amounts to several documents, or the format writes no such ending.
    """
    languages = languages_of(loaded, request)
    if len(languages) != 1 or len(request.formats) != 1:
        raise UsageError("one file takes one edition", hint="name one language with -l, or a folder with -o")
    name = request.formats[0]
    writer = WRITERS[name]
    wanted = ending or writer.endings[0]
    if wanted not in writer.endings:
        raise UsageError(f"{name} writes no {wanted} file", hint=f"it writes {', '.join(writer.endings)}")
    edition = _edition(loaded, request, languages[0])
    made, notices = write(loaded, edition, name, request)
    return made[f"{edition.stem}{wanted}"], notices


def recipe_of(loaded: Loaded, edition: Edition, name: Format, request: Request) -> manifest.Recipe:
    """Return everything that decides the bytes of an edition."""
    fonts: Mapping[str, str] = {}
    if name in {"pdf", "email"}:
        from exporter.fonts import find_fonts

        fonts = {one.face.file.name: one.face.sha256() for one in find_fonts(edition.theme).chosen}
    options = {key: value for key, value in dataclasses.asdict(request.options).items() if key != "attachments"}
    options["labels"] = edition.labels.tag
    parts, attached = toolchain(name), {}
    if _attaches(request, name):
        # The PDF is not made to learn whether it would be the same: its recipe decides its bytes.
        attached = {f"{edition.stem}.pdf": recipe_of(loaded, edition, "pdf", request).digest()}
        parts = toolchain("pdf") | parts
    return manifest.Recipe(
        issue=edition.id,
        format=name,
        language=edition.language,
        theme=edition.theme.name,
        theme_sha256=edition.theme.sha256(),
        options=options,
        sources=loaded.sources,
        toolchain=parts,
        fonts=fonts,
        attached=attached,
    )


def _audited(output: Output, name: Format, edition: Edition) -> tuple[Notice, ...]:
    """Return what reading the finished files back finds."""
    if name != "email":
        return ()
    from exporter.audit.clients import message_notices

    return message_notices(output.files[".eml"], edition.theme)


def _attaches(request: Request, name: Format) -> bool:
    return request.attach_pdf and name == "email"


def _printed(loaded: Loaded, edition: Edition, request: Request, folder: Path) -> Printed:
    """Return the PDF of the folder when it is what would be made, else one made for the message alone."""
    record, recipe = manifest.read(folder), recipe_of(loaded, edition, "pdf", request)
    names = manifest.current(record, recipe, folder)
    # A forced run of both formats has just made it anew.
    if names and (not request.force or "pdf" in request.formats):
        return Printed(_attachment(edition, (folder / names[0]).read_bytes()), tuple(_recorded(record, recipe)))
    return _typeset(loaded, edition, request)


def _typeset(loaded: Loaded, edition: Edition, request: Request) -> Printed:
    made, found = write(loaded, edition, "pdf", request)
    return Printed(_attachment(edition, made[f"{edition.stem}.pdf"]), found)


def _attachment(edition: Edition, content: bytes) -> Attachment:
    from exporter.message.build import Attachment

    return Attachment(f"{edition.stem}.pdf", "application/pdf", content)


def _attempt(
    loaded: Loaded, request: Request, output: Path, report: Callable[[str], None] | None = None
) -> Made | Exception:
    try:
        return export(loaded, request, output, report=report)
    except Exception as error:  # noqa: BLE001 - one issue's bug must not take the others with it
        return error


def _recorded(record: Mapping[str, object], recipe: manifest.Recipe) -> list[Notice]:
    """Return the notices of an unchanged edition as they were found when it was made."""
    editions = record.get("editions")
    for edition in editions if isinstance(editions, list) else []:
        if edition.get("recipe") == recipe.digest():
            return [
                Notice(**{**found, "place": Place(**found["place"]) if found.get("place") else None})
                for found in edition.get("notices", ())
            ]
    return []


def _named(loaded: Loaded) -> str:
    return loaded.sources[0].path if loaded.sources else str(loaded.folder)
