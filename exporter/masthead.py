"""The masthead: what an edition says of itself, in its own language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exporter.labels import language_tag
from exporter.model import inlines
from exporter.model.publication import localize
from exporter.typography.spacing import space_for

if TYPE_CHECKING:
    from exporter.labels import Labels
    from exporter.model import Inlines, Issue, Version


@dataclass(frozen=True, slots=True)
class Masthead:
    """What an edition says of itself, localized.

    Attributes:
        publication: Name of the periodical; the issue's title where there is none.
        kind: ``每日简报`` …, or empty.
        number: ``第 239 期`` …, with the volume where there is one, or empty.
        date: Publication date with the weekday; ``short_date`` without.
        rating: Stars out of five, or None; ``stars`` shows them, ``rating_text`` reads them out.
        coverage: The time window as one line, or empty.
    """

    publication: str
    publisher: str
    url: str
    license: str
    issn: str
    kind: str
    number: str
    date: str
    short_date: str
    rating: float | None
    stars: str
    rating_text: str
    tags: tuple[str, ...]
    authors: tuple[str, ...]
    coverage: Inlines


def masthead_of(issue: Issue, version: Version, labels: Labels) -> Masthead:
    """Return the masthead of one version of an issue."""
    publication = issue.publication
    tag = language_tag(version.language)

    def local(value: str | dict[str, str] | None) -> str:
        return space_for(localize(value, version.language), tag)

    return Masthead(
        publication=local(publication.name) if publication else "",
        publisher=local(publication.publisher) if publication else "",
        url=publication.url or "" if publication else "",
        license=local(publication.license) if publication else "",
        issn=publication.issn or "" if publication else "",
        kind=_kind(version, labels),
        number=_number(version, labels),
        date=labels.date(version.date, "full"),
        short_date=labels.date(version.date, "long"),
        rating=version.rating,
        stars=stars_of(version.rating),
        rating_text=labels("rating-value", value=f"{version.rating:g}", maximum=5)
        if version.rating is not None
        else "",
        tags=tuple(space_for(text, tag) for text in version.tags),
        authors=tuple(space_for(author.name, tag) for author in version.authors),
        coverage=_coverage(version, labels),
    )


def _number(version: Version, labels: Labels) -> str:
    match version.volume, version.number:
        case None, None:
            return ""
        case None, number:
            return labels("issue-number", number=number)
        case volume, None:
            return labels("volume", volume=volume)
        case volume, number:
            return labels("volume-and-issue", volume=volume, number=number)


def stars_of(rating: float | None) -> str:
    """Return a rating as five stars, a half as ½; the exact value is read out beside it."""
    if rating is None:
        return ""
    halves = round(rating * 2)
    shown = "★" * (halves // 2) + "½" * (halves % 2)
    return shown + "☆" * (5 - len(shown))


def _kind(version: Version, labels: Labels) -> str:
    if not version.kind:
        return ""
    key = f"kind-{version.kind}"
    return labels(key) if labels.has(key) else version.kind


def _coverage(version: Version, labels: Labels) -> Inlines:
    coverage = version.coverage
    if coverage is None:
        return ()
    window = ""
    if coverage.from_ and coverage.to:
        window = labels.date_range(coverage.from_, coverage.to)
    elif coverage.from_:
        window = labels("coverage-from", start=labels.date(coverage.from_, "long"))
    elif coverage.to:
        window = labels("coverage-until", end=labels.date(coverage.to, "long"))
    if not window:
        return coverage.note
    if not coverage.note:
        return (inlines.Text(text=window),)
    before, after = labels("parenthesis", text="\0").split("\0")
    return (
        inlines.Text(text=f"{window}{' ' if before.isascii() else ''}{before}"),
        *coverage.note,
        inlines.Text(text=after),
    )
