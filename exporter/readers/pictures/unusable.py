"""A picture that cannot be used, and why."""

from __future__ import annotations

from exporter.errors import ExporterError


class UnusableError(ExporterError):
    """A picture is refused; the message ends a sentence that begins with its path."""

    exit_code = 3
