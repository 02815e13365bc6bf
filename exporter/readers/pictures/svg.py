"""SVG made safe: static shapes and text alone, nothing fetched, nothing run, bounded when drawn out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exporter.readers.pictures.unusable import UnusableError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from exporter.readers.limits import Limits

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"

_SHAPES = {
    *("svg", "g", "defs", "symbol", "use", "title", "desc", "path", "rect", "circle", "ellipse", "line"),
    *("polyline", "polygon", "text", "tspan", "textPath", "linearGradient", "radialGradient", "stop"),
    *("clipPath", "mask", "pattern", "marker", "filter", "style", "switch", "a"),
}
_FILTERS = {
    *("Blend", "ColorMatrix", "ComponentTransfer", "Composite", "ConvolveMatrix", "DiffuseLighting"),
    *("DisplacementMap", "DistantLight", "DropShadow", "Flood", "FuncA", "FuncB", "FuncG", "FuncR"),
    *("GaussianBlur", "Merge", "MergeNode", "Morphology", "Offset", "PointLight", "SpecularLighting"),
    *("SpotLight", "Tile", "Turbulence"),
}
_ALLOWED = frozenset(_SHAPES | {f"fe{name}" for name in _FILTERS})

# Removed without a word: they draw nothing.
_SILENT = frozenset({"metadata", "view", "cursor"})

_URL = re.compile(r"url\(\s*(['\"]?)(?!['\"]?#)[^)]*\)", re.IGNORECASE)
_ACTIVE_STYLE = re.compile(r"@import|@font-face|expression\s*\(|-moz-binding|behavior\s*:|\\", re.IGNORECASE)
_LENGTH = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*(px|pt|pc|mm|cm|in|em|ex|q)?\s*", re.IGNORECASE)
_PIXELS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
    "em": 16.0,
    "ex": 8.0,
    "q": 96 / 101.6,
}
_DEPTH = 200
_LARGEST = 4096


def safe_svg(content: bytes, limits: Limits) -> tuple[bytes, int, int, tuple[str, ...]]:
    """Return an SVG that is safe to draw, its size in CSS pixels, and what was taken out of it.

    Raises:
        UnusableError: It is no SVG, declares entities, has no size, or would draw out to too many elements.
    """
    root = _parse(content)
    removed: dict[str, None] = {}
    _strip(root, removed)
    _bound(root, limits.uses)
    width, height = _size(root)
    own = {"xmlns": _SVG, "viewBox": f"0 0 {width:g} {height:g}"}
    width, height = _bounded(width, height)
    root.attrib = own | root.attrib | {"width": f"{width:g}", "height": f"{height:g}"}
    from xml.etree.ElementTree import tostring

    safe = tostring(root, encoding="utf-8", xml_declaration=True)
    return safe, max(1, round(width)), max(1, round(height)), tuple(removed)


def _parse(content: bytes) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException, ElementTree, EntitiesForbidden

    try:
        root: Element = ElementTree.fromstring(content)
    except EntitiesForbidden as error:
        raise UnusableError("declares XML entities, which are not allowed") from error
    except DefusedXmlException as error:
        raise UnusableError("refers to files outside of itself in its XML declaration") from error
    except (ParseError, ValueError, LookupError) as error:
        raise UnusableError(f"is no well-formed SVG: {error}") from error
    if root.tag not in {f"{{{_SVG}}}svg", "svg"}:
        raise UnusableError("is XML, but no SVG")
    return root


def _strip(root: Element, removed: dict[str, None]) -> None:
    """Take out what is not static, level by level; names lose their namespaces, which the root declares."""
    level = [(root, 1)]
    while level:
        node, depth = level.pop()
        if depth > _DEPTH:
            raise UnusableError(f"is nested deeper than the limit of {_DEPTH}")
        node.tag = _local(node.tag)
        _strip_attributes(node, removed)
        if node.tag == "style" and node.text and (_ACTIVE_STYLE.search(node.text) or _URL.search(node.text)):
            removed["outside references in a style"] = None
            node.text = ""
        for child in list(node):
            if not isinstance(child.tag, str):
                _remove(node, child)
                continue
            namespace, name = _split(child.tag)
            if namespace not in {_SVG, ""} or name not in _ALLOWED:
                if namespace in {_SVG, ""} and name not in _SILENT:
                    removed[f"<{name}>"] = None
                _remove(node, child)
                continue
            level.append((child, depth + 1))


def _strip_attributes(node: Element, removed: dict[str, None]) -> None:
    for key, value in list(node.attrib.items()):
        namespace, name = _split(key)
        del node.attrib[key]
        if namespace not in {"", _XLINK, _XML}:
            continue
        if name.lower().startswith("on"):
            removed[name] = None
        elif name == "href":
            if value.strip().startswith("#"):
                node.set("href", value.strip())
            else:
                removed["outside references"] = None
        elif namespace == _XML:
            if name in {"lang", "space"}:
                node.set(f"xml:{name}", value)
        elif _URL.search(value) or _ACTIVE_STYLE.search(value):
            removed["outside references"] = None
        elif namespace != _XLINK:
            node.set(name, value)


def _bound(root: Element, limit: int) -> None:
    """Count the elements that are drawn when every ``use`` stands for a copy of what it names."""
    by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
    counts: dict[int, int] = {}
    # Depth first without recursion; a node is counted when everything that it draws is.
    stack: list[tuple[Element, bool]] = [(root, False)]
    open_nodes: set[int] = set()
    while stack:
        node, ready = stack.pop()
        below = [*node]
        if node.tag == "use" and (target := by_id.get(node.get("href", "#")[1:])) is not None:
            below.append(target)
        if ready:
            counts[id(node)] = 1 + sum(counts[id(each)] for each in below)
            open_nodes.discard(id(node))
            continue
        if id(node) in counts:
            continue
        open_nodes.add(id(node))
        stack.append((node, True))
        for each in below:
            if id(each) in open_nodes:
                raise UnusableError("has a <use> that draws itself")
            if id(each) not in counts:
                stack.append((each, False))
    if counts[id(root)] > limit:
        raise UnusableError(f"draws {counts[id(root)]:,} elements through <use>, more than the limit of {limit:,}")


def _size(root: Element) -> tuple[float, float]:
    width, height = _pixels(root.get("width")), _pixels(root.get("height"))
    box = [float(part) for part in re.findall(r"-?[0-9.]+(?:[eE][+-]?[0-9]+)?", root.get("viewBox", ""))]
    ratio = box[3] / box[2] if len(box) == 4 and box[2] > 0 and box[3] > 0 else None
    if width and height:
        return width, height
    if ratio is None:
        raise UnusableError("has no size", hint="give its <svg> a viewBox, or width and height")
    if width:
        return width, width * ratio
    if height:
        return height / ratio, height
    return box[2], box[3]


def _bounded(width: float, height: float) -> tuple[float, float]:
    """Scale a drawing down to what may be drawn as pixels; the units of a view box are anyone's."""
    factor = min(1.0, _LARGEST / max(width, height))
    return width * factor, height * factor


def _pixels(length: str | None) -> float | None:
    match = _LENGTH.fullmatch(length or "")
    if not match:
        return None
    pixels = float(match.group(1)) * _PIXELS[(match.group(2) or "px").lower()]
    return pixels if 0 < pixels < 100_000 else None


def _remove(parent: Element, child: Element) -> None:
    """Remove a child and keep the text behind it."""
    if child.tail:
        index = list(parent).index(child)
        if index:
            before = parent[index - 1]
            before.tail = (before.tail or "") + child.tail
        else:
            parent.text = (parent.text or "") + child.tail
    parent.remove(child)


def _split(name: str) -> tuple[str, str]:
    namespace, _, local = name.rpartition("}")
    return namespace.removeprefix("{"), local


def _local(name: str) -> str:
    return _split(name)[1]
