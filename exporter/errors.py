"""The exception tree: every failure that a person can cause or mend, with its exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from exporter.notices import Notice, Problem


class ExporterError(Exception):
    """A failure that the command line reports without a traceback.

    Args:
        message: What is wrong, as one sentence without a full stop.
        hint: What to do about it.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[Callable[..., ExporterError], tuple[type[ExporterError], dict[str, Any]]]:
        """Pickle by attributes, so that every subclass crosses from a worker whatever it is made from."""
        return _restored, (type(self), self.__dict__)


class UsageError(ExporterError):
    """The command was asked for something that cannot be meant."""

    exit_code = 2


class SourceError(ExporterError):
    """The source cannot be read or is invalid; carries every problem found, and the notices."""

    exit_code = 3

    def __init__(self, problems: tuple[Problem, ...], notices: tuple[Notice, ...] = ()) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems
        self.notices = notices


class EditionError(ExporterError):
    """The edition cannot be made: a language, an asset or a label is missing."""

    exit_code = 4


class ThemeError(ExporterError):
    """A theme or one of its templates is wrong."""

    exit_code = 5


class WriterError(ExporterError):
    """A writer failed on a valid edition."""

    exit_code = 6


class OutputError(ExporterError):
    """The output cannot be written; what was there before is untouched."""

    exit_code = 7


class VerificationError(ExporterError):
    """Notices under ``--strict``, or an audit or a verification that failed."""

    exit_code = 8


class DeliveryError(ExporterError):
    """Delivery is incomplete: running again resumes it."""

    exit_code = 9


def _restored(kind: type[ExporterError], attributes: dict[str, Any]) -> ExporterError:
    error = kind.__new__(kind)
    Exception.__init__(error, attributes.get("message", ""))
    error.__dict__.update(attributes)
    return error
