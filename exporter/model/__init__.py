"""The issue as a frozen tree: content only, no language's labels, no theme, no format, no disk."""

from exporter.model.base import Node
from exporter.model.blocks import Block, Blocks
from exporter.model.inlines import Inline, Inlines
from exporter.model.issue import Body, Entry, Issue, Note, Section, Version
from exporter.model.publication import Address, EmailSettings, Publication, localize
from exporter.model.walk import plain, rewrite_lines, walk

__all__ = [
    "Address",
    "Block",
    "Blocks",
    "Body",
    "EmailSettings",
    "Entry",
    "Inline",
    "Inlines",
    "Issue",
    "Node",
    "Note",
    "Publication",
    "Section",
    "Version",
    "localize",
    "plain",
    "rewrite_lines",
    "walk",
]
