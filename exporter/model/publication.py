"""The periodical: what all its issues share, and how its messages are addressed."""

from __future__ import annotations

import re
from email.utils import parseaddr
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from exporter.model.base import FilledLine, Language, Line, Node

Localized = Annotated[Line | dict[Language, Line], Field(description="A text, or texts by language.")]

Paper = Literal["a4", "a5", "letter"]


class Address(Node):
    """A mail address with the name shown beside it."""

    name: Localized = Field(default="", description="Display name.")
    address: FilledLine = Field(description="local@domain; the domain may be international.")

    @field_validator("address")
    @classmethod
    def _one_at(cls, value: str) -> str:
        local, at, domain = value.rpartition("@")
        if not at or not local or not domain or re.search(r"[\s<>,;:\"()\[\]]", value):
            raise ValueError("must be an address such as news@example.org")
        return value


def _address(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    name, address = parseaddr(value)
    return {"name": name, "address": address or value.strip()}


AddressLike = Annotated[Address, BeforeValidator(_address)]


def _many(value: Any) -> Any:
    return [value] if isinstance(value, str | dict | Address) else value


def _https(value: str) -> str:
    if not re.match(r"(https?://|mailto:)[^\s<>]+$", value):
        raise ValueError("must be a URL that begins with https://, http:// or mailto:")
    return value


Url = Annotated[FilledLine, AfterValidator(_https)]


class EmailSettings(Node):
    """How the e-mail edition is addressed; an issue may override each key of its publication."""

    from_: AddressLike | None = Field(default=None, alias="from", description="Sender.")
    reply_to: Annotated[tuple[AddressLike, ...], BeforeValidator(_many)] = Field(
        default=(), description="Where answers go."
    )
    to: Annotated[tuple[AddressLike, ...], BeforeValidator(_many)] = Field(
        default=(), description="Recipients shown."
    )
    list_id: Line | None = Field(
        default=None, description="RFC 2919 list identifier, such as briefing.example.org."
    )
    list_unsubscribe: Annotated[tuple[Url, ...], BeforeValidator(_many)] = Field(
        default=(), description="RFC 2369 addresses, https first."
    )
    list_post: Line | None = Field(default=None, description="mailto: address of the list, or NO.")
    list_archive: Url | None = Field(default=None, description="Where old messages are.")
    list_help: Url | None = Field(default=None, description="Where help is.")
    subject: Localized | None = Field(
        default=None,
        description="Subject template; {title}, {publication}, {number} and {date} are filled in.",
    )
    base_url: Url | None = Field(default=None, description="Online archive: an issue is at base_url/<id>.")
    postal_address: Localized | None = Field(default=None, description="Postal address for the footer.")
    reason: Localized | None = Field(default=None, description="Why the reader gets this message.")
    domain: Line | None = Field(
        default=None, description="Right side of Message-ID; the sender's domain by default."
    )
    one_click: bool | None = Field(default=None, description="Add List-Unsubscribe-Post (RFC 8058).")


class Publication(Node):
    """A periodical, as publication.yaml says."""

    name: Localized = Field(description="Name of the periodical.")
    publisher: Localized | None = Field(default=None, description="Who publishes it.")
    language: Language = Field(default="zh", description="Language of its issues unless they say otherwise.")
    languages: tuple[Language, ...] = Field(default=(), description="Languages that it appears in.")
    url: Url | None = Field(default=None, description="Home page.")
    issn: Line | None = Field(default=None, description="ISSN with its check digit, such as 2049-3630.")
    license: Localized | None = Field(default=None, description="Terms of use, such as CC BY 4.0.")
    theme: Line | None = Field(
        default=None, description="Theme of its editions; a path is relative to publication.yaml."
    )
    paper: Paper | None = Field(default=None, description="Paper of its print edition.")
    logo: Line | None = Field(default=None, description="Path of the logo, relative to publication.yaml.")
    email: EmailSettings = Field(default_factory=EmailSettings, description="How its messages are addressed.")

    @field_validator("issn")
    @classmethod
    def _check_digit(cls, value: str | None) -> str | None:
        if value is None:
            return None
        digits = value.replace("-", "").upper()
        if not re.fullmatch(r"\d{7}[\dX]", digits):
            raise ValueError("must be eight digits such as 2049-3630")
        total = sum((8 - index) * int(digit) for index, digit in enumerate(digits[:7]))
        if "0123456789X"[-total % 11] != digits[7]:
            raise ValueError(f"has the wrong check digit: it should be {'0123456789X'[-total % 11]}")
        return f"{digits[:4]}-{digits[4:]}"


def localize(value: str | dict[str, str] | None, language: str) -> str:
    """Return the text in the language, else in one of the same primary tag, else the first."""
    if value is None or isinstance(value, str):
        return value or ""
    primary = language.split("-", maxsplit=1)[0]
    for wanted in (language, primary):
        if wanted in value:
            return value[wanted]
    return next(
        (text for tag, text in value.items() if tag.split("-", maxsplit=1)[0] == primary),
        next(iter(value.values()), ""),
    )
