"""The e-mail page against what mail programs support: each gap is a notice unless it is accepted with a reason."""

from __future__ import annotations

import functools
import json
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from exporter.audit.page_features import page_features
from exporter.errors import ThemeError
from exporter.notices import Notice, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from exporter.theme import Theme

ACCEPTED: Final = "email/accepted.toml"
"""The file of a theme that accepts features: ``css-border-radius = "corners are square there"``."""

_COMMENT: Final = re.compile(r"\{#.*?#\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that mail programs support or lack.

    Attributes:
        slug: Its name in the data and in ``accepted.toml``.
        title: Its name for people.
        keys: What shows in a page that the feature is used.
        missing: Programs that lack it, with the versions that were tested.
        partial: Programs that support it in part.
    """

    slug: str
    title: str
    keys: frozenset[str]
    missing: tuple[str, ...]
    partial: tuple[str, ...]


def message_notices(message: bytes, theme: Theme) -> tuple[Notice, ...]:
    """Return the notices of a finished message (RFC 5322): of its HTML part, as it goes out.

    Raises:
        ThemeError: An ``accepted.toml`` is wrong.
    """
    from email import message_from_bytes, policy

    part = message_from_bytes(message, policy=policy.default).get_body(("html",))
    return client_notices(part.get_content(), theme) if part else ()


def client_notices(html: str, theme: Theme) -> tuple[Notice, ...]:
    """Return a notice for each feature of a page that some mail program lacks and nobody has accepted.

    Args:
        html: The finished page, its styles inlined.
        theme: The theme that it was made with; its ``email/accepted.toml`` and its parents' are read.

    Raises:
        ThemeError: An ``accepted.toml`` is wrong.
    """
    accepted = accepted_features(theme)
    wanting = [
        feature
        for feature in features_used(html)
        if feature.slug not in accepted and (feature.missing or feature.partial)
    ]
    lines = _template_lines(theme) if wanting else ()
    return tuple(_notice(feature, _place(lines, feature)) for feature in wanting)


def features_used(html: str) -> tuple[Feature, ...]:
    """Return the known features that a page uses, in the order of the data."""
    keys = page_features(html)
    return tuple(feature for feature in features().values() if not feature.keys.isdisjoint(keys))


def accepted_features(theme: Theme) -> Mapping[str, str]:
    """Return why each accepted feature may be lost: the program's own markup first, then the theme and its parents.

    Raises:
        ThemeError: A file cannot be read, accepts a feature that is not known, or gives no reason.
    """
    accepted = dict(_own_accepted())
    for folder in reversed(theme.folders):
        accepted |= _read(folder / ACCEPTED)
    return MappingProxyType(accepted)


@functools.cache
def features() -> Mapping[str, Feature]:
    """Return every known feature by its slug."""
    known = _data()
    clients = known["clients"]
    return MappingProxyType(
        {
            slug: Feature(
                slug,
                entry["title"],
                frozenset(entry["finds"]),
                _programs(clients, entry["lacks"], "n"),
                _programs(clients, entry["lacks"], "a"),
            )
            for slug, entry in known["features"].items()
        }
    )


def data_date() -> str:
    """Return the date of the client data, as in ``2026-05-13``."""
    return str(_data()["date"])


@functools.cache
def _data() -> dict[str, Any]:
    source = files("exporter.audit").joinpath("clients.json").read_text(encoding="utf-8")
    known: dict[str, Any] = json.loads(source)
    return known


@functools.cache
def _own_accepted() -> Mapping[str, str]:
    source = files("exporter.audit").joinpath("accepted.toml").read_text(encoding="utf-8")
    return _checked(tomllib.loads(source), "exporter/audit/accepted.toml")


def _read(path: Path) -> Mapping[str, str]:
    if not path.is_file():
        return {}
    try:
        return _checked(tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(f"cannot read {path}: {error}") from error


def _checked(entries: Mapping[str, Any], name: str) -> Mapping[str, str]:
    faults = [f"there is no feature {slug!r}{_near(slug)}" for slug in entries if slug not in features()]
    faults += [
        f"{slug} has no reason" for slug, why in entries.items() if not (isinstance(why, str) and why.strip())
    ]
    if faults:
        raise ThemeError(
            f"{'; '.join(faults)} ({name})", hint='each line is a feature and why it may be lost: x = "…"'
        )
    return entries


def _near(slug: str) -> str:
    import difflib

    near = difflib.get_close_matches(slug, features(), n=1)
    return f", did you mean {near[0]}?" if near else ""


def _programs(clients: Mapping[str, list[str]], lacks: Mapping[str, str], state: str) -> tuple[str, ...]:
    """Return the programs in a state, those of one name together: ``Gmail (web 2024-02, iOS 2023-01)``."""
    platforms: dict[str, list[str]] = {}
    for client, verdict in lacks.items():
        found, _, versions = verdict.partition(" ")
        if found == state:
            name, platform = clients[client]
            platforms.setdefault(name, []).append(f"{platform} {versions}")
    return tuple(f"{name} ({', '.join(shown)})" for name, shown in platforms.items())


def _notice(feature: Feature, place: Place | None) -> Notice:
    return Notice(
        "client-support",
        f"{feature.title} is not supported everywhere: {_gaps(feature)}",
        place=place,
        hint=f'do without it, or accept it in {ACCEPTED} of the theme: {feature.slug} = "why it may be lost"',
        output="email",
    )


def _gaps(feature: Feature) -> str:
    gaps = []
    if feature.missing:
        gaps.append(f"not in {', '.join(feature.missing)}")
    if feature.partial:
        gaps.append(f"only in part in {', '.join(feature.partial)}")
    return "; ".join(gaps)


def _place(lines: Iterable[tuple[Place, str]], feature: Feature) -> Place | None:
    """Return the first line of the templates that asks for a feature; None when only the program's markup does."""
    needles = [re.compile(needle) for key in sorted(feature.keys) if (needle := _needle(key))]
    return next((place for place, line in lines if any(needle.search(line) for needle in needles)), None)


def _needle(key: str) -> str | None:
    """Return a regular expression for the line of a template that a key of a page comes from, if it can be told."""
    kind, _, rest = key.partition(" ")
    words = [re.escape(word) for word in rest.split(" ")]
    match kind:
        case "property":
            return rf"(?<![\w-]){words[0]}\s*:"
        case "declaration":
            return rf"(?<![\w-]){words[0]}\s*:[^;]*(?<![\w-]){words[1]}(?![\w-])"
        case "ident":
            return rf":[^;]*(?<![\w-]){words[0]}(?![\w-])"
        case "function":
            return rf"(?<![\w-]){words[0]}\("
        case "unit":
            return rf"\d{words[0]}(?!\w)"
        case "at":
            return rf"@{words[0]}(?![\w-])"
        case "media":
            return rf"@media[^{{]*\((?:-webkit-)?(?:min-|max-)?{words[0]}(?![\w-])"
        case "pseudo":
            return rf"(?<=[\w*\])\s:]):{words[0]}(?![\w-])(?!\s*:)"
        case "element":
            return rf"<{words[0]}(?![\w-])"
        case "attribute":
            return rf"\s{words[0]}\s*="
        case "link":
            return rf"href=[\"']{words[0]}"
        case "image":
            return rf"\.{words[0]}(?!\w)"
        case "meta":
            return rf"name=[\"']{words[0]}[\"']"
        case "important":
            return "!important"
        case _:
            return {"css comment": r"/\*", "css variable": r"(?<![\w-])--\w", "comment": r"<!--(?!\[if)"}.get(key)


def _template_lines(theme: Theme) -> tuple[tuple[Place, str], ...]:
    """Return the lines of a theme's e-mail templates, a child's over its parents', without Jinja's comments."""
    found: dict[str, Path] = {}
    for folder in theme.folders:
        for path in sorted(folder.glob("email/**/*.j2")):
            found.setdefault(path.relative_to(folder).as_posix(), path)
    return tuple(
        (Place(name, number), line)
        for name in found
        for number, line in enumerate(_without_comments(theme.text(name)).split("\n"), 1)
    )


def _without_comments(source: str) -> str:
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)
