"""Charts: a Vega-Lite specification and its data, checked, tabled and drawn without a network."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import json
import re
from typing import TYPE_CHECKING, Any, Final

from exporter.assets import Asset
from exporter.errors import WriterError
from exporter.fonts import find_fonts
from exporter.model import blocks
from exporter.model.inlines import Text
from exporter.numbering import at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exporter.theme import Theme

MAX_ROWS: Final = 5_000
"""Most rows of data: more marks than that are no chart that paper shows."""

_REFUSED: Final = {
    "url": "a chart fetches nothing: name a CSV file as :data:",
    "href": "a chart leads nowhere: write the link in its caption",
    "sequence": "data are given, not generated",
    "graticule": "data are given, not generated",
    "sphere": "data are given, not generated",
    "sample": "a sample would differ each time",
}
_UNSTEADY: Final = re.compile(r"\b(?:random|now|sample\w+)\s*\(")
_OPEN_ENDED: Final = {"pivot", "lookup", "density", "regression", "loess", "quantile", "flatten", "joinaggregate"}
"""Transforms whose columns the specification does not spell out."""
_HAN: Final = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_COUNTED: Final = re.compile(r"(?<=[\"#])(clip|gradient_)(\d+)(?=[\")])")


def records_of(data: str) -> list[list[str]]:
    """Return the rows of a chart's CSV, the head first."""
    return [row for row in csv.reader(io.StringIO(data, newline="")) if row]


def faults(spec: dict[str, Any], columns: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield what forbids a specification to be drawn: the word of it that is wrong, why, and what to do.

    Args:
        spec: The specification.
        columns: Head of the data; without data of a file, nothing is known of columns.
    """
    made: set[str] = set()
    fields: list[str] = []
    open_ended = False
    for key, value in _pairs(spec):
        if key in _REFUSED:
            yield key, f"a chart may not have {key!r}", _REFUSED[key]
        if isinstance(value, str) and _UNSTEADY.search(value):
            yield value, f"{value!r} differs each time that the chart is drawn", "write the values into the data"
        if value == "image" and key in {"mark", "type"}:
            yield "image", "a chart may not draw images", "use another mark"
        open_ended |= key in _OPEN_ENDED
        if key == "as":
            made |= {value} if isinstance(value, str) else {str(each) for each in value or ()}
        if key == "fold":
            made |= {"key", "value"}
        if key == "encoding" and isinstance(value, dict):
            fields += [inner for name, inner in _pairs(value) if name == "field" and isinstance(inner, str)]
    if columns and not open_ended:
        known = {*columns, *made}
        for name in dict.fromkeys(fields):
            if _column(name) not in known:
                yield name, f"the data have no column {name!r}", _hint(name, columns)


def _column(field: str) -> str:
    """Return the column that a field names: a dot or bracket that is not escaped goes inside a value."""
    return re.sub(r"\\(.)", r"\1", re.split(r"(?<!\\)[.\[]", field, maxsplit=1)[0])


def _hint(name: str, columns: tuple[str, ...]) -> str:
    if name in columns:
        return "write a backslash before each . and [ of the name"
    return f"the columns are {', '.join(columns)}"


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every key with its value at any depth, except inside data that are written out."""
    waiting = [value]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, dict):
            for key, inner in node.items():
                yield str(key), inner
                if key not in {"values", "datasets"}:
                    waiting.append(inner)
        elif isinstance(node, list):
            waiting += node


def quantities(spec: dict[str, Any]) -> set[str]:
    """Return the columns whose values are drawn as quantities, so that each must be a number."""
    return {
        _column(value["field"])
        for _, value in _pairs(spec)
        if isinstance(value, dict) and value.get("type") == "quantitative" and isinstance(value.get("field"), str)
    }


def why_not(spec: str, data: str | None) -> str | None:
    """Return why Vega-Lite cannot draw a chart, or None when it can."""
    try:
        _svg(spec, data, "{}", ())
    except ValueError as error:
        lines = [each for each in str(error).splitlines() if each.strip()]
        reason = lines[1] if len(lines) > 1 else str(error)
        if reason.startswith("TypeError"):
            return "a mark or a channel is not one that it knows"
        return reason.removeprefix("Error: ")
    return None


def draw(node: blocks.Chart, theme: Theme) -> Asset:
    """Return a chart as SVG in the theme's faces and colors; equal charts are drawn once.

    Raises:
        WriterError: It cannot be drawn; the message has its place.
    """
    try:
        spec = json.loads(node.spec)
        columns = tuple(records_of(node.data)[0]) if node.data else ()
        reason = next((why for _, why, _ in faults(spec, columns)), None) or why_not(node.spec, node.data)
    except (ValueError, IndexError, AttributeError, csv.Error) as error:
        reason = f"its specification or data cannot be read ({error})"
    if reason:
        raise WriterError(f"the chart cannot be drawn: {reason}{at(node.place)}")
    plan = find_fonts(theme)
    han = _HAN.search(node.spec + (node.data or ""))
    face = (plan.face("heading", "han") if han else None) or plan.face("heading", "latin")
    folders = tuple(sorted({str(each.face.file.parent) for each in plan.chosen if each.role == "heading"}))
    svg = _svg(node.spec, node.data, _look(theme, face.family if face else "sans-serif"), folders)
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    if size is None:
        raise WriterError(f"the chart has no size{at(node.place)}")
    content = svg.encode()
    digest = hashlib.sha256(content).hexdigest()
    width, height = (max(1, round(float(each))) for each in size.groups())
    return Asset(f"{node.id or 'chart'}.svg", content, "image/svg+xml", width, height, digest)


@functools.lru_cache(maxsize=128)
def _svg(spec: str, data: str | None, config: str, folders: tuple[str, ...]) -> str:
    import vl_convert

    for folder in folders:
        _register(folder)
    tree = json.loads(spec)
    tree["$schema"] = "https://vega.github.io/schema/vega-lite/v6.json"
    if data is not None:
        own = tree.get("data") if isinstance(tree.get("data"), dict) else {}
        tree["data"] = {**own, "values": data, "format": {**own.get("format", {}), "type": "csv"}}
    svg: str = vl_convert.vegalite_to_svg(tree, config=json.loads(config), allowed_base_urls=[])
    # Vega counts its ids through all charts of a process.
    order: dict[str, str] = {}
    return _COUNTED.sub(lambda found: order.setdefault(found[0], f"{found[1]}{len(order)}"), svg)


@functools.cache
def _register(folder: str) -> None:
    import vl_convert

    vl_convert.register_font_directory(folder)


def _look(theme: Theme, family: str) -> str:
    """Return the Vega configuration of a theme: sizes are CSS pixels, 400 fill the measure with the labels."""
    ink, muted, hairline, ground, *series = (
        str(theme.token(f"color.{name}"))
        for name in ("ink", "muted", "hairline", "ground", "second", "accent", "third", "muted")
    )
    quiet = {"labelColor": muted, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12}
    return json.dumps(
        {
            "background": ground,
            "font": family,
            "padding": 4,
            "mark": {"color": series[0]},
            "text": {"color": ink, "fontSize": 12},
            "rule": {"color": muted},
            "title": {"color": ink, "fontSize": 13, "anchor": "start", "fontWeight": "bold"},
            "axis": {
                **quiet,
                "titleFontWeight": "normal",
                "domainColor": muted,
                "tickColor": muted,
                "gridColor": hairline,
                "labelLimit": 200,
            },
            "axisX": {"labelAngle": 0},
            "legend": {**quiet, "titleFontWeight": "normal", "orient": "bottom", "labelLimit": 200},
            "header": quiet,
            "range": {"category": series, "ramp": [hairline, series[0]], "heatmap": [hairline, series[0]]},
            "view": {
                "stroke": None,
                "continuousWidth": 400,
                "continuousHeight": 200,
                "discreteWidth": 400,
                "discreteHeight": {"step": 26},
            },
        }
    )


def figure_of(node: blocks.Chart, asset: Asset) -> blocks.Figure:
    """Return the figure that a drawn chart is."""
    return blocks.Figure(
        path=asset.path, alt=node.alt, caption=node.caption, id=node.id, credit=node.credit, source=node.source
    ).at(node.place)


def table_of(node: blocks.Chart) -> blocks.Table | None:
    """Return the data of a chart as a table, or None where its specification holds none."""
    rows = records_of(node.data) if node.data else _inline_rows(json.loads(node.spec))
    if len(rows) < 2:
        return None
    columns = tuple(
        blocks.Column(align="decimal" if all(is_number(row[index]) for row in rows[1:]) else "left")
        for index in range(len(rows[0]))
    )
    head, *body = (tuple(blocks.Cell(children=(Text(text=cell),) if cell else ()) for cell in row) for row in rows)
    return blocks.Table(columns=columns, head=(head,), rows=tuple(body))


def is_number(cell: str) -> bool:
    """Tell whether Vega takes a cell for a number or for a missing one."""
    return not cell.strip() or bool(re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", cell))


def _inline_rows(spec: Any) -> list[list[str]]:
    data = spec.get("data") if isinstance(spec, dict) else None
    values = data.get("values") if isinstance(data, dict) else None
    if not isinstance(values, list) or not all(isinstance(row, dict) for row in values):
        return []
    names = list(dict.fromkeys(str(name) for row in values for name in row))
    return [names, *([_shown(row.get(name)) for name in names] for row in values)]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
