"""Pictures decoded whole, within limits, and normalized to what every edition can show."""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import TYPE_CHECKING

from exporter.readers.pictures.svg import safe_svg
from exporter.readers.pictures.unusable import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

    from exporter.readers.limits import Limits

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "TIFF")
_ORIENTATION = 0x0112
_KNOWN = "pictures are PNG, JPEG, GIF, WebP, AVIF, BMP, TIFF or SVG"


def normalized(content: bytes, limits: Limits) -> tuple[bytes, str, int, int, tuple[str, ...]]:
    """Return a picture's bytes, media type, size in CSS pixels, and what was taken out of it.

    The bytes are PNG, JPEG in RGB or gray, GIF, or safe SVG. What already is one of these stays as it was, free
    of metadata where it can be; a turned photograph is turned upright; any other form is decoded and written
    again. The resolution that a file claims does not count: one pixel is one CSS pixel.

    Raises:
        UnusableError: The content is no picture, is damaged, or is over a limit.
    """
    if not content:
        raise UnusableError("is empty")
    if _looks_like_svg(content):
        svg, width, height, removed = safe_svg(content, limits)
        return svg, "image/svg+xml", width, height, removed
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings(), _whole_pictures_only():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
                _check_pixels(image, limits)
                image.load()
                return (*_encoded(image, content), ())
        except Image.DecompressionBombError as error:
            raise UnusableError(f"is over the limit of {limits.picture_pixels // 1_000_000} megapixels") from error
        except UnidentifiedImageError as error:
            raise UnusableError(_unknown(content), hint=_KNOWN) from error
        except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, MemoryError) as error:
            reason = "it ends too early" if _truncated(error) else str(error).lower()
            raise UnusableError(f"is damaged: {reason}") from error


@contextlib.contextmanager
def _whole_pictures_only() -> Iterator[None]:
    """Refuse half a picture, though WeasyPrint, once imported, makes Pillow accept it everywhere."""
    from PIL import ImageFile

    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _encoded(image: Image, content: bytes) -> tuple[bytes, str, int, int]:
    turned = image.getexif().get(_ORIENTATION, 1) != 1
    form = "JPEG" if image.format == "MPO" else image.format
    if form == "GIF" and not turned:
        return content, "image/gif", *image.size
    if form == "JPEG" and not turned and image.mode in {"RGB", "L"}:
        return jpeg_without_metadata(content), "image/jpeg", *image.size
    if form == "PNG" and not turned and content[24:25] != b"\x10":
        return png_without_metadata(content), "image/png", *image.size
    upright = _upright(image)
    if form == "JPEG":
        return _written(upright, "JPEG"), "image/jpeg", *upright.size
    png = _written(upright, "PNG")
    if form in {"WEBP", "AVIF"} and upright.mode == "RGB":
        # A photograph: as PNG it would be many times the size. A drawing stays sharp.
        jpeg = _written(upright, "JPEG")
        if len(png) > 2 * len(jpeg):
            return jpeg, "image/jpeg", *upright.size
    return png, "image/png", *upright.size


def _upright(image: Image) -> Image:
    """Return the first frame turned upright, in RGB, RGBA or gray of eight bits."""
    from PIL import ImageOps

    image = ImageOps.exif_transpose(image)
    if image.mode in {"I;16", "I;16L", "I;16B", "I"}:
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.mode == "F":
        return image.convert("L")
    if image.mode in {"CMYK", "YCbCr", "LAB", "HSV"}:
        return _in_srgb(image)
    if image.mode in {"RGB", "RGBA", "L"}:
        return image
    transparent = image.mode in {"LA", "PA", "RGBa", "La"} or "transparency" in image.info
    return image.convert("RGBA" if transparent else "L" if image.mode == "1" else "RGB")


def _in_srgb(image: Image) -> Image:
    from PIL import ImageCms

    profile = image.info.get("icc_profile")
    if profile and image.mode == "CMYK":
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            turned = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
        except ImageCms.PyCMSError:
            turned = None
        if turned is not None:
            turned.info.pop("icc_profile", None)
            return turned
    return image.convert("RGB")


def _written(image: Image, form: str) -> bytes:
    output = io.BytesIO()
    profile = image.info.get("icc_profile") if image.mode in {"RGB", "RGBA"} else None
    if form == "JPEG":
        image = image if image.mode in {"RGB", "L"} else image.convert("RGB")
        image.save(output, "JPEG", quality=92, subsampling=0, optimize=True, exif=b"", icc_profile=profile)
    else:
        image.save(output, "PNG", optimize=True, exif=b"", icc_profile=profile)
    return output.getvalue()


def jpeg_without_metadata(jpeg: bytes) -> bytes:
    """Return a JPEG without Exif, XMP, IPTC and comments: where a photograph was taken is nobody's business.

    The picture's own data are copied as they are. JFIF, ICC profile and Adobe's color transform stay (ITU-T T.81
    Annex B; APP0, APP2, APP14).
    """
    kept, at = [jpeg[:2]], 2
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker == 0xDA or 0xD0 <= marker <= 0xD9:
            break
        end = at + 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
        segment = jpeg[at:end]
        icc = marker == 0xE2 and segment[4:15] == b"ICC_PROFILE"
        if icc or marker in {0xE0, 0xEE} or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(segment)
        at = end
    return b"".join((*kept, jpeg[at:]))


def png_without_metadata(png: bytes) -> bytes:
    """Return a PNG without Exif, texts and its time of change; the other chunks stay (PNG, third edition, §11)."""
    kept, at = [png[:8]], 8
    while at + 12 <= len(png):
        end = at + 12 + int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] not in {b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"tIME"}:
            kept.append(png[at:end])
        at = end
    return b"".join(kept)


def _check_pixels(image: Image, limits: Limits) -> None:
    width, height = image.size
    if width * height > limits.picture_pixels:
        found, limit = width * height / 1_000_000, limits.picture_pixels / 1_000_000
        raise UnusableError(f"has {found:.0f} megapixels, more than the limit of {limit:.0f}")
    if not width or not height:
        raise UnusableError("has no size")


def _looks_like_svg(content: bytes) -> bool:
    start = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and (
        b"<svg" in content[:65536].lower() or start.startswith(b"<?xml")
    )


def _unknown(content: bytes) -> str:
    start = content[:512].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")) or b"<html" in start:
        return "is an HTML page, not a picture"
    if start.startswith(b"%pdf"):
        return "is a PDF, not a picture"
    return "is no picture that is known"


def _truncated(error: BaseException) -> bool:
    return "truncated" in str(error).lower() or isinstance(error, EOFError) or "broken" in str(error).lower()
