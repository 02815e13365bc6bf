"""The directive of charts: its specification and data read and checked at their places."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from exporter.charts import MAX_ROWS, faults, is_number, quantities, why_not
from exporter.model import blocks
from exporter.notices import Place
from exporter.readers.markdown.csv_tables import csv_records
from exporter.readers.markdown.options import line_option
from exporter.readers.structured.json_tree import read_json
from exporter.readers.structured.trees import Mapping
from exporter.readers.structured.yaml_tree import read_yaml
from exporter.readers.written import Written

if TYPE_CHECKING:
    from exporter.readers.markdown import Markdown
    from exporter.readers.markdown.directives import Directive


def chart(directive: Directive, markdown: Markdown) -> blocks.Chart | None:
    """Return the chart of a directive, or None after reporting why it cannot be drawn."""
    if not directive.option("alt"):
        markdown.findings.problem(
            "the chart has no alt text", directive.place, "add the option :alt: with what the chart says"
        )
    caption = markdown.inlines(directive.argument) if directive.argument else ()
    credit, source = (line_option(directive, name, markdown) for name in ("credit", "source"))
    written = _spec_text(directive, markdown)
    failed = markdown.findings.failed
    data = _data(directive, markdown)
    spec = _tree(written, markdown) if written is not None else None
    if written is None or spec is None or markdown.findings.failed > failed:
        return None
    columns = tuple(data[0][1]) if data else ()
    if not data and not spec.get("data") and not spec.get("datasets"):
        markdown.findings.problem("the chart has no data", directive.place, "name a CSV file as :data:")
        return None
    wrong = list(faults(spec, columns))
    for word, reason, hint in wrong:
        markdown.findings.problem(reason, _place_of(written, word), hint)
    if data:
        wrong += _check_numbers(spec, data, directive, markdown)
    if wrong:
        return None
    text = json.dumps(spec, ensure_ascii=False)
    rows = _csv(data) if data else None
    if why := why_not(text, rows):
        markdown.findings.problem(f"Vega-Lite cannot draw the chart: {why}", written.place())
        return None
    return markdown.make(
        blocks.Chart,
        directive.place,
        spec=text,
        data=rows,
        alt=str(directive.options.get("alt", "")),
        caption=caption,
        id=str(directive.options["name"]) if directive.option("name") else None,
        credit=credit,
        source=source,
        file=str(directive.options["data"]) if data else None,
    )


def _spec_text(directive: Directive, markdown: Markdown) -> Written | None:
    name = directive.option("spec")
    body = directive.body.strip()
    if name is None:
        if not body:
            markdown.findings.problem(
                "the chart has no specification", directive.place, "write Vega-Lite in its body, or name a :spec:"
            )
            return None
        return directive.body
    if body:
        markdown.findings.problem("the chart has both a :spec: and a body", directive.body.place())
    file = markdown.files.find(name, name.place(), what="the specification")
    text = markdown.files.text(file, str(name), name.place(), what="the specification") if file else None
    return None if text is None else Written.whole(text, markdown.files.label(str(name)))


def _tree(written: Written, markdown: Markdown) -> dict[str, Any] | None:
    """Return the specification as plain values; the readers of issues find what is wrong with its form."""
    import yaml

    is_json = written.lstrip().startswith("{")
    failed = markdown.findings.failed
    tree = (read_json if is_json else read_yaml)(written, markdown.findings, markdown.limits)
    if markdown.findings.failed > failed:
        return None
    if not isinstance(tree, Mapping):
        markdown.findings.problem("the specification is no mapping", written.place(), "begin with mark: bar")
        return None
    spec: dict[str, Any] = json.loads(written) if is_json else yaml.safe_load(str(written))
    result: dict[str, Any] = json.loads(json.dumps(spec, default=str))
    return result


def _data(directive: Directive, markdown: Markdown) -> list[tuple[int, list[str]]] | None:
    name = directive.option("data")
    if name is None:
        return None
    records = csv_records(name, directive, markdown)
    if records and len(records) > MAX_ROWS + 1:
        markdown.findings.problem(
            f"the chart has {len(records) - 1} rows of data, more than the limit of {MAX_ROWS}",
            name.place(),
            "sum them up before they are drawn",
        )
    return records


def _check_numbers(
    spec: dict[str, Any], data: list[tuple[int, list[str]]], directive: Directive, markdown: Markdown
) -> list[tuple[str, str, str]]:
    """Report cells that are drawn as quantities and are no numbers: Vega would leave them out."""
    head, file = data[0][1], markdown.files.label(str(directive.options["data"]))
    wanted = [index for index, name in enumerate(head) if name in quantities(spec)]
    bad = [
        (line, head[index], cells[index])
        for line, cells in data[1:]
        for index in wanted
        if not is_number(cells[index])
    ]
    hint = "leave the cell empty where there is no value"
    for line, name, cell in bad[:20]:
        markdown.findings.problem(
            f"{cell!r} is no number, but the chart draws {name} as a quantity", Place(file, line), hint
        )
    return [(cell, name, hint) for _, _, cell in bad]


def _place_of(written: Written, word: str) -> Place:
    """Return where a word of the specification stands, quoted or not."""
    found = [written.find(each) for each in (json.dumps(word, ensure_ascii=False), word)]
    return written.place_of(next((each for each in found if each >= 0), 0))


def _csv(data: list[tuple[int, list[str]]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([cell.strip() for cell in cells] for _, cells in data)
    return buffer.getvalue()
