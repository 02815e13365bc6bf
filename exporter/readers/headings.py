"""Headings: every one says something, and a label is one that the catalogues have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.model import Entry, Section, Version, blocks, inlines, plain, walk
from exporter.readers.findings import nearest

if TYPE_CHECKING:
    from exporter.model import Inlines
    from exporter.readers.findings import Findings

_KIND = "heading"


def check_headings(version: Version, findings: Findings) -> None:
    """Report sections, entries and headings with nothing to print, and labels that there are not."""
    for node in walk(version):
        match node:
            case Section() if not _shows(node.title):
                findings.problem("the section has no title", node.place, "write it behind #, before any {#id}")
            case Entry() if not _shows(node.title):
                findings.problem("the entry has no title", node.place, "write it behind ##, before any {#id}")
            case blocks.Heading():
                _check_heading(node, findings)


def _check_heading(node: blocks.Heading, findings: Findings) -> None:
    shows = _shows(node.children)
    if node.label is None:
        if not shows:
            hint = "write its text, or what it is for, such as {label=why}"
            findings.problem("the heading has neither a text nor a label", node.place, hint)
        return
    from exporter.labels import label_names

    known = label_names(_KIND)
    if node.label in known:
        return
    message = f"there is no heading label {node.label}"
    if shows:
        findings.notice("unknown-label", message, node.place, nearest(node.label, known, what="labels"))
    else:
        findings.problem(message, node.place, nearest(node.label, known, what="labels"))


def _shows(line: Inlines) -> bool:
    """Tell whether a line prints anything; an empty reference prints what its target is called."""
    return bool(plain(line).strip()) or any(isinstance(node, inlines.Reference) for node in walk(line))
