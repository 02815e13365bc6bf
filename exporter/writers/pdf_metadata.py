"""What a PDF says of itself: one XMP block and the document information, both from the edition alone."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from xml.sax.saxutils import escape

import exporter
from exporter.labels import language_tag
from exporter.model import blocks
from exporter.model.walk import plain
from exporter.typography.spacing import space_for

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping

    from exporter.edition import Edition

Standard = Literal["pdf/a-2a", "pdf/a-3a", "pdf/x-4"]
"""What a file may claim. WeasyPrint 70 cannot keep what pdf/a-1, a-4u and ua-2 ask: they are never offered."""

_NAMESPACES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
}
_PRISM: Final = {
    "publicationName": ("Text", "Name of the periodical"),
    "issn": ("Text", "ISSN of the periodical"),
    "number": ("Text", "Number of the issue"),
    "volume": ("Text", "Volume of the issue"),
    "publicationDate": ("Text", "Date of publication"),
    "aggregationType": ("Text", "Kind of publication"),
}
# XML 1.0 §2.2: what no document may hold, not even as a character reference.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Record:
    """The bibliographic record of an edition.

    Attributes:
        title: Title in the edition's language.
        titles: Title by language tag, every language that the issue has, the edition's first.
        identifier: URN of the edition: the same for a corrected file.
        instance: URN of exactly this content in this profile.
        date: Publication date.
    """

    title: str
    titles: tuple[tuple[str, str], ...]
    description: str
    creators: tuple[str, ...]
    subjects: tuple[str, ...]
    publisher: str
    language: str
    date: dt.date
    identifier: str
    instance: str
    rights: str
    publication: str
    issn: str
    number: str
    volume: str

    @property
    def timestamp(self) -> str:
        """Return the date as XMP writes it; no clock is asked."""
        return f"{self.date.isoformat()}T00:00:00Z"


def record_of(edition: Edition, *, seal: str) -> Record:
    """Return the record of an edition.

    Args:
        edition: The edition.
        seal: Digest of what the file is made from; a changed content gets a new instance URN.
    """
    masthead, version = edition.masthead, edition.version
    base = edition.publication.url or masthead.publication if edition.publication else ""
    identifier = _urn(f"{base}/{edition.id}/{edition.language}")
    others = (
        (language_tag(other.language), space_for(other.title, language_tag(other.language)))
        for other in edition.issue.versions
    )
    return Record(
        title=edition.title,
        titles=((edition.tag, edition.title), *(pair for pair in others if pair[0] != edition.tag)),
        description=" ".join(
            plain(node.children) for node in version.summary if isinstance(node, blocks.Paragraph)
        ),
        creators=masthead.authors,
        subjects=masthead.tags,
        publisher=masthead.publisher,
        language=edition.tag,
        date=edition.date,
        identifier=identifier,
        instance=_urn(f"{identifier} {seal}"),
        rights=masthead.license,
        publication=masthead.publication,
        issn=masthead.issn,
        number=version.number or "",
        volume=version.volume or "",
    )


def write_metadata(pdf: Any, record: Record, standard: Standard) -> None:
    """Replace the metadata of a pydyf file by the record's: validators read the first RDF block only."""
    import pydyf

    producer = pdf.info["Producer"].string
    # WeasyPrint's own packet is overwritten, not left behind: for PDF/X-4 it holds a random number.
    packet = pdf.objects[int(pdf.catalog["Metadata"].split()[0])]
    packet.stream = [xmp(record, standard, producer)]
    # PDF/X-4 asks for it, and whoever looks for XMP in a file without knowing PDF finds it.
    packet.compress = False
    date = pydyf.String(f"D:{record.date:%Y%m%d}000000Z")
    pdf.info.clear()
    for key, value in {
        "Title": record.title,
        "Author": ", ".join(record.creators),
        "Subject": record.description,
        "Keywords": ", ".join(record.subjects),
        "Creator": _TOOL,
        "Producer": producer,
    }.items():
        if value:
            pdf.info[key] = pydyf.String(printable(value))
    pdf.info |= {"CreationDate": date, "ModDate": date}
    if standard == "pdf/x-4":
        pdf.info["Trapped"] = "/False"


def xmp(record: Record, standard: Standard, producer: str) -> bytes:
    """Return the XMP packet (ISO 16684-1), one RDF block in UTF-8."""
    namespaces = "".join(f'\n    xmlns:{prefix}="{address}"' for prefix, address in _NAMESPACES.items())
    rows = "\n".join(f"   {row}" for row in (*_claims(standard), *_rows(record, producer)))
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/">\n'
        ' <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        f'  <rdf:Description rdf:about=""{namespaces}>\n{rows}\n  </rdf:Description>\n'
        ' </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end="r"?>'
    ).encode()


def printable(text: str) -> str:
    """Return the text with a replacement character for each that neither XML nor UTF-16 can hold."""
    return _NO_XML.sub("\ufffd", text)


def _urn(name: str) -> str:
    """Return the name-based UUID of a name as a URN (RFC 9562 §5.5): the same on every machine and day."""
    digest = bytearray(hashlib.sha1(_URL_NAMESPACE + name.encode(), usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    parts = (digest[:4], digest[4:6], digest[6:8], digest[8:10], digest[10:])
    return "urn:uuid:" + "-".join(part.hex() for part in parts)


_URL_NAMESPACE: Final = bytes.fromhex("6ba7b8119dad11d180b400c04fd430c8")
_TOOL: Final = f"exporter {exporter.__version__}"


def _claims(standard: Standard) -> Iterator[str]:
    match standard:
        case "pdf/x-4":
            yield _simple("pdfxid:GTS_PDFXVersion", "PDF/X-4")
            yield _simple("pdf:Trapped", "False")
        case "pdf/a-2a" | "pdf/a-3a":
            yield _simple("pdfaid:part", standard[len("pdf/a-")])
            yield _simple("pdfaid:conformance", "A")
            yield _simple("pdfuaid:part", "1")
            yield _extensions()


def _rows(record: Record, producer: str) -> Iterator[str]:
    default = (("x-default", record.title),)
    yield _array("dc:title", "Alt", default + record.titles)
    plain_rows = {
        "dc:identifier": record.identifier,
        "dc:format": "application/pdf",
        "pdf:Producer": producer,
        "pdf:Keywords": ", ".join(record.subjects),
        "xmp:CreatorTool": _TOOL,
        "xmp:CreateDate": record.timestamp,
        "xmp:ModifyDate": record.timestamp,
        "xmp:MetadataDate": record.timestamp,
        "xmpMM:DocumentID": record.identifier,
        "xmpMM:InstanceID": record.instance,
        "xmpMM:VersionID": "1",
        "xmpMM:RenditionClass": "default",
        "prism:publicationName": record.publication,
        "prism:issn": record.issn,
        "prism:number": record.number,
        "prism:volume": record.volume,
        "prism:publicationDate": record.date.isoformat(),
        "prism:aggregationType": "newsletter",
    }
    yield from (_simple(name, value) for name, value in plain_rows.items() if value)
    lists: Mapping[str, tuple[str, Iterable[tuple[str, str]]]] = {
        "dc:description": ("Alt", [("x-default", record.description), (record.language, record.description)]),
        "dc:rights": ("Alt", [("x-default", record.rights)]),
        "dc:creator": ("Seq", [("", name) for name in record.creators]),
        "dc:date": ("Seq", [("", record.date.isoformat())]),
        "dc:language": ("Bag", [("", record.language)]),
        "dc:publisher": ("Bag", [("", record.publisher)]),
        "dc:subject": ("Bag", [("", tag) for tag in record.subjects]),
        "dc:type": ("Bag", [("", "Text")]),
    }
    for name, (kind, items) in lists.items():
        if filled := [item for item in items if item[1]]:
            yield _array(name, kind, filled)


def _simple(name: str, value: str) -> str:
    return f"<{name}>{escape(printable(value))}</{name}>"


def _array(name: str, kind: str, items: Iterable[tuple[str, str]]) -> str:
    lines = "".join(
        f'<rdf:li xml:lang="{language}">{escape(printable(text))}</rdf:li>'
        if language
        else f"<rdf:li>{escape(printable(text))}</rdf:li>"
        for language, text in items
    )
    return f"<{name}><rdf:{kind}>{lines}</rdf:{kind}></{name}>"


def _extensions() -> str:
    """Return the PDF/A extension schema: PDF/A knows neither pdfuaid nor PRISM (ISO 19005-2, 6.6.2.3.3)."""
    schemas = _schema("PDF/UA identification", "pdfuaid", {"part": ("Integer", "Part of ISO 14289")}, "internal")
    schemas += _schema("PRISM basic metadata", "prism", _PRISM, "external")
    return f"<pdfaExtension:schemas><rdf:Bag>{schemas}</rdf:Bag></pdfaExtension:schemas>"


def _schema(name: str, prefix: str, properties: Mapping[str, tuple[str, str]], category: str) -> str:
    rows = "".join(
        '<rdf:li rdf:parseType="Resource">'
        + _simple("pdfaProperty:name", property_name)
        + _simple("pdfaProperty:valueType", value_type)
        + _simple("pdfaProperty:category", category)
        + _simple("pdfaProperty:description", description)
        + "</rdf:li>"
        for property_name, (value_type, description) in properties.items()
    )
    return (
        '<rdf:li rdf:parseType="Resource">'
        + _simple("pdfaSchema:schema", name)
        + _simple("pdfaSchema:namespaceURI", _NAMESPACES[prefix])
        + _simple("pdfaSchema:prefix", prefix)
        + f"<pdfaSchema:property><rdf:Seq>{rows}</rdf:Seq></pdfaSchema:property></rdf:li>"
    )
