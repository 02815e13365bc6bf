"""Pictures as mail shows them: PNG, JPEG or GIF, opaque, upright, at most 1,200 pixels wide."""

from __future__ import annotations

import functools
import hashlib
import io
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from exporter.errors import WriterError
from exporter.fonts import find_fonts

if TYPE_CHECKING:
    from pathlib import Path

    from PIL import Image

    from exporter.assets import Asset
    from exporter.theme import Theme

MAX_PIXELS: Final = 1200
"""Widest picture that goes into a message."""

DENSITY: Final = 2
"""Device pixels to a CSS pixel in what is drawn."""

_GROUND: Final = "#ffffff"
_PASSED: Final = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture ready for a message.

    Attributes:
        name: ASCII file name with an ending that fits its kind; it changes with the content.
        content: The bytes.
        media_type: ``image/png``, ``image/jpeg`` or ``image/gif``.
        width: Width to show it at, CSS pixels.
        height: Height to show it at, CSS pixels.
    """

    name: str
    content: bytes
    media_type: str
    width: int
    height: int


def mail_picture(asset: Asset, theme: Theme, *, width: int) -> Picture:
    """Return a picture of an issue as mail shows it.

    Vector drawings become PNG at twice their size on a light ground, in the theme's faces and the system's. What
    mail programs do not show (WebP, AVIF, TIFF, BMP, CMYK, rotated or transparent pictures) is redrawn; the rest
    passes as it is.

    Args:
        asset: The picture.
        theme: Its fonts are used for lettering in drawings.
        width: Width to show it at, CSS pixels.

    Raises:
        WriterError: The picture cannot be drawn; the message names it.
    """
    try:
        if asset.media_type == "image/svg+xml":
            content = draw_svg(asset.content, width=min(width * DENSITY, MAX_PIXELS), faces=faces_of(theme))
            media_type = "image/png"
        else:
            content, media_type = _raster(asset.content, asset.media_type, min(width * DENSITY, MAX_PIXELS))
        height = _height(content, width)
    except (ValueError, OSError) as error:
        raise WriterError(f"the picture {asset.path!r} cannot be drawn for mail: {error}") from error
    return Picture(_name(asset.path, media_type, content), content, media_type, width, height)


def formula_picture(svg: str, *, width: int, pad: int, name: str) -> Picture:
    """Return a drawn formula as a picture on a light pad, which a dark ground needs; lengths in CSS pixels."""
    from PIL import Image, ImageOps

    density = min(3, max(1, MAX_PIXELS // (width + 2 * pad)))
    with Image.open(io.BytesIO(draw_svg(svg.encode(), width=width * density))) as image:
        content = _png(ImageOps.expand(image.convert("RGB"), border=pad * density, fill=_GROUND))
    shown = width + 2 * pad
    return Picture(_name(name, "image/png", content), content, "image/png", shown, _height(content, shown))


@dataclass(frozen=True, slots=True)
class Faces:
    """What lettering in a drawing is set in.

    Attributes:
        folders: Folders of fonts beside the system's.
        sans: What ``sans-serif`` means; what a face lacks comes from any that has it.
        serif: What ``serif`` means.
        code: What ``monospace`` means.
    """

    folders: tuple[Path, ...] = ()
    sans: str | None = None
    serif: str | None = None
    code: str | None = None


def faces_of(theme: Theme) -> Faces:
    """Return the theme's families that this machine has: resvg draws nothing at all for a family that it lacks.

    A machine without the Chinese family letters with the Latin one, which theme folders carry.

    Raises:
        ThemeError: The theme names no families for a role.
    """
    plan = find_fonts(theme)

    def family(role: str) -> str | None:
        face = plan.face(role, "han") or plan.face(role, "latin")
        return face.family if face else None

    return Faces(
        folders=tuple(folder / "fonts" for folder in theme.folders if (folder / "fonts").is_dir()),
        sans=family("heading"),
        serif=family("text"),
        code=family("code"),
    )


@functools.lru_cache(maxsize=256)
def draw_svg(svg: bytes, *, width: int, faces: Faces = Faces()) -> bytes:
    """Return an SVG drawing as an opaque PNG of a width in pixels.

    Raises:
        ValueError: The drawing is not one that resvg reads.
    """
    import resvg_py
    from PIL import Image

    drawn = resvg_py.svg_to_bytes(
        svg_string=svg.decode("utf-8"),
        width=width,
        background=_GROUND,
        font_dirs=[str(folder) for folder in faces.folders],
        sans_serif_family=faces.sans,
        serif_family=faces.serif,
        monospace_family=faces.code,
    )
    with Image.open(io.BytesIO(drawn)) as image:
        return _png(image.convert("RGB"))


def _raster(content: bytes, media_type: str, pixels: int) -> tuple[bytes, str]:
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content)) as image:
        upright = image.getexif().get(0x0112, 1) == 1
        if media_type in _PASSED and upright and image.width <= max(pixels, 1) and _is_plain(image):
            return content, media_type
        image.load()
        shown = _opaque(ImageOps.exif_transpose(image))
        if shown.width > pixels:
            size = (pixels, max(1, round(shown.height * pixels / shown.width)))
            shown = shown.resize(size, Image.Resampling.LANCZOS)
        if image.format in {"JPEG", "MPO"} or (image.format in {"WEBP", "AVIF"} and image.mode == "RGB"):
            return _jpeg(shown), "image/jpeg"
        return _png(shown), "image/png"


def _is_plain(image: Image.Image) -> bool:
    """Tell whether every mail program shows the picture's colors, on a dark ground too."""
    if image.format == "GIF":
        return True
    return image.mode in {"L", "RGB", "1"} or (image.mode == "P" and "transparency" not in image.info)


def _opaque(image: Image.Image) -> Image.Image:
    from PIL import Image

    if image.mode.startswith("I;16"):
        return image.point(lambda value: value / 256).convert("L")
    if image.mode == "CMYK" or not image.has_transparency_data:
        return image.convert("L" if image.mode in {"1", "L"} else "RGB")
    layer = image.convert("RGBA")
    ground = Image.new("RGBA", layer.size, _GROUND)
    return Image.alpha_composite(ground, layer).convert("RGB")


def _png(image: Image.Image) -> bytes:
    from PIL import Image

    # Charts have few colors: a palette keeps them exactly and halves the message.
    colors = image.getcolors(256) if image.mode == "RGB" else None
    if colors:
        image = image.convert("P", palette=Image.Palette.ADAPTIVE, colors=len(colors))
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _jpeg(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=86, optimize=True, progressive=True)
    return buffer.getvalue()


def _height(content: bytes, width: int) -> int:
    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        return max(1, round(image.height * width / image.width))


def _name(path: str, media_type: str, content: bytes) -> str:
    stem = unicodedata.normalize("NFKD", PurePosixPath(path).stem).encode("ascii", "ignore").decode()
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-.") or "picture"
    ending = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"}[media_type]
    return f"{kept[:60]}-{hashlib.sha256(content).hexdigest()[:8]}.{ending}"
