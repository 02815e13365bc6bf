"""Themes: a folder with theme.toml and templates; a theme may extend another and holds only what differs."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from exporter.errors import ThemeError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = Path(__file__).resolve().parent
# In the wheel the themes lie inside the package, in a checkout beside it.
_SHIPPED = (_PACKAGE / "themes", _PACKAGE.parent / "themes")


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme with its parents.

    Attributes:
        name: Its name, the folder's.
        folders: Its own folder first, then each parent's.
        tokens: Merged tokens: tables of theme.toml, the child's values over the parents'.
    """

    name: str
    folders: tuple[Path, ...]
    tokens: Mapping[str, Any] = field(repr=False)

    def token(self, path: str) -> Any:
        """Return a token by its dotted path, such as ``color.accent``.

        Raises:
            ThemeError: No theme of the chain sets it.
        """
        value: Any = self.tokens
        for key in path.split("."):
            if not hasattr(value, "keys") or key not in value:
                raise ThemeError(f"theme {self.name!r} sets no token {path!r}", hint="add it to theme.toml")
            value = value[key]
        return value

    def file(self, name: str) -> Path | None:
        """Return the first file of that name, the child's before the parents', or None."""
        return next((folder / name for folder in self.folders if (folder / name).is_file()), None)

    def text(self, name: str) -> str:
        """Return a file of the theme.

        Raises:
            ThemeError: No folder of the chain has it, or it is not UTF-8.
        """
        path = self.file(name)
        if path is None:
            raise ThemeError(f"theme {self.name!r} has no file {name!r}", hint="a theme extends base by default")
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            raise ThemeError(f"cannot read {path}: {error}") from error

    def sha256(self) -> str:
        """Return a digest of every file of the chain, so that a changed theme makes a changed edition."""
        digest = hashlib.sha256()
        for folder in self.folders:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix not in {".pyc", ".ttf", ".otf"}:
                    digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()


def shipped_themes() -> tuple[str, ...]:
    """Return the names of the themes that come with the program."""
    return tuple(sorted({path.parent.name for root in _SHIPPED for path in root.glob("*/theme.toml")}))


def load_theme(name: str = "base", *, near: Path | None = None) -> Theme:
    """Load a theme by its name or by the path of its folder.

    Args:
        name: Name of a shipped theme, or a path (absolute, or relative to ``near``).
        near: Folder that a relative path starts from, the issue's or publication's.

    Raises:
        ThemeError: The theme, a parent or theme.toml is missing or wrong.
    """
    folders: list[Path] = []
    layers: list[dict[str, Any]] = []
    following: str | None = name
    while following is not None:
        folder = _find(following, near=near)
        if folder in folders:
            raise ThemeError(f"theme {name!r} extends itself through {following!r}")
        folders.append(folder)
        layer = _read(folder)
        layers.append(layer)
        near = folder.parent
        following = layer.pop("extends", None if folder.name == "base" else "base")
    tokens: dict[str, Any] = {}
    for layer in reversed(layers):
        tokens = _merged(tokens, layer)
    return Theme(name=folders[0].name, folders=tuple(folders), tokens=MappingProxyType(tokens))


def _find(name: str, *, near: Path | None) -> Path:
    if "/" not in name and "\\" not in name:
        for root in _SHIPPED:
            if (root / name / "theme.toml").is_file():
                return root / name
    folder = ((near or Path()) / name).resolve()
    if (folder / "theme.toml").is_file():
        links = [path for path in folder.rglob("*") if path.is_symlink()]
        if links:
            raise ThemeError(f"a theme folder may not hold symbolic links: {links[0]}")
        return folder
    import difflib

    near_names = difflib.get_close_matches(name, shipped_themes(), n=1) or list(shipped_themes())
    raise ThemeError(f"there is no theme {name!r}", hint=f"did you mean {', '.join(near_names)}?")


def _read(folder: Path) -> dict[str, Any]:
    path = folder / "theme.toml"
    try:
        text = path.read_text(encoding="utf-8")
        tokens = tomllib.loads(text)
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(f"cannot read {path}: {error}") from error
    base = _find("base", near=None)
    if folder != base:
        from exporter.theme_tokens import token_faults

        if faults := token_faults(path, text, tokens, _read(base)):
            raise ThemeError("\n".join(faults), hint="docs/themes.md has every token")
    return tokens


def _merged(parent: dict[str, Any], child: dict[str, Any]) -> dict[str, Any]:
    result = dict(parent)
    for key, value in child.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result
