"""The message: headers and parts as every reader decodes them, and the same bytes at every build."""

from __future__ import annotations

import base64
import datetime as dt
import email
import email.header
import email.policy
import email.utils
import quopri
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.errors import EditionError
from exporter.message.addresses import Mailbox, ascii_domain, ascii_url, mailbox
from exporter.message.build import InlinePicture, build_message, date_of, online_address, subject_of
from exporter.message.headers import address_field, exact_field, parameter_field, text_field, url_field
from exporter.message.parts import file_part, multipart, text_part
from exporter.message.words import encoded_words
from exporter.model import Address
from tests.samples import all_blocks, edition_of

if TYPE_CHECKING:
    from email.message import EmailMessage

    from exporter.edition import Edition
    from exporter.message.parts import Part

CHINESE = "研究简报的记忆与经验分开，长轨迹任务：「成功率」提高了——但代价仍不清楚……①㐂𠮷"
EMOJI = "🧪👩🏽‍🔬🇨🇳❤️é𝒳ñß✓"
MIXED = st.text(alphabet=st.sampled_from(CHINESE + EMOJI + "abc XYZ 019 =?_.,;:\"\\<>@()[]'"), max_size=120)
LINES = st.one_of(
    MIXED,
    st.text(
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029\x85"),
        max_size=200,
    ),
)


TRANSFERABLE = st.characters(codec="utf-8", exclude_characters="\r")


def parsed(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(message, email.message.EmailMessage)
    return message


def field_value(field: str) -> str:
    return field.partition(": ")[2].removesuffix("\r\n")


def decoded(field: str) -> str:
    """Decode a folded field as the standard library does, from the encoded words alone."""
    unfolded = field_value(field).replace("\r\n", "")
    return "".join(
        part.decode(charset or "ascii") if isinstance(part, bytes) else part
        for part, charset in email.header.decode_header(unfolded)
    )


def with_email(edition: Edition, **changes: Any) -> Edition:
    import dataclasses

    return dataclasses.replace(edition, email=edition.email.model_copy(update=changes))


def built(edition: Edition, **changes: Any) -> bytes:
    arguments: dict[str, Any] = {"html": "<p>正文</p>", "plain": "正文\n"} | changes
    return build_message(edition, **arguments).content


@given(LINES)
def test_a_subject_in_any_script_reads_back_as_it_was(text: str) -> None:
    field = text_field("Subject", text)
    message = parsed(field.encode("ascii") + b"\r\n")
    # The standard parser drops blanks at the ends of a field; the encoded words keep them.
    assert str(message["subject"]).strip() == text.strip() or decoded(field).strip() == text.strip()


@given(LINES)
def test_encoded_words_are_short_and_whole_and_only_the_last_is_padded(text: str) -> None:
    words = encoded_words(text, first_room=40)
    shown = ""
    for index, word in enumerate(words):
        assert len(word) <= (40 if index == 0 else 75)
        charset, encoding, content = word[2:-2].split("?", 2)
        assert charset == "utf-8"
        assert content
        assert encoding == "q" or index == len(words) - 1 or not content.endswith("=")
        octets = base64.b64decode(content) if encoding == "b" else quopri.decodestring(content.replace("_", " "))
        shown += octets.decode("utf-8")
    assert shown == text


@given(LINES)
def test_no_header_line_is_long_or_blank(text: str) -> None:
    for field in (text_field("Subject", text), address_field("Reply-To", [Mailbox(text, "a@example.org")] * 3)):
        assert field.isascii()
        lines = field.split("\r\n")[:-1]
        assert all(line.strip() and len(line) <= 78 for line in lines)
        assert all(len(line) <= 76 for line in lines if "=?utf-8?" in line)
        assert not any(line[0] != " " for line in lines[1:])


@given(st.lists(LINES, min_size=1, max_size=4))
def test_names_with_commas_and_quotes_never_become_other_recipients(names: list[str]) -> None:
    boxes = [Mailbox(name, f"reader{index}@example.org") for index, name in enumerate(names)]
    unfolded = field_value(address_field("To", boxes)).replace("\r\n", "")
    found = email.utils.getaddresses([unfolded])
    assert [address for _, address in found] == [box.address for box in boxes]


def test_a_short_ascii_subject_stays_readable() -> None:
    assert text_field("Subject", "Daily briefing: one of every element") == (
        "Subject: Daily briefing: one of every element\r\n"
    )


def test_a_long_ascii_subject_is_folded_between_words() -> None:
    text = " ".join(["measurement"] * 20)
    field = text_field("Subject", text)
    assert "=?" not in field
    assert field_value(field).replace("\r\n", "") == text


@pytest.mark.parametrize("line_break", ["\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_line_break_of_any_kind_is_refused_and_names_the_header(line_break: str) -> None:
    text = f"简报{line_break}Bcc: stolen@example.org"
    with pytest.raises(EditionError, match="Subject"):
        text_field("Subject", text)
    with pytest.raises(EditionError, match="From"):
        address_field("From", [Mailbox(text, "a@example.org")])
    with pytest.raises(EditionError, match="List-Id"):
        exact_field("List-Id", text)
    with pytest.raises(EditionError, match="Content-Disposition"):
        parameter_field("Content-Disposition", "inline", {"filename": text})


def test_international_domains_become_a_labels() -> None:
    assert mailbox(Address(address="d@bücher.example"), "zh") == Mailbox("", "d@xn--bcher-kva.example")
    assert ascii_url("https://例子.example/订阅?谁=我") == (
        "https://xn--fsqu00a.example/%E8%AE%A2%E9%98%85?%E8%B0%81=%E6%88%91"
    )
    assert ascii_url("mailto:leave@bücher.example?subject=退订") == (
        "mailto:leave@xn--bcher-kva.example?subject=%E9%80%80%E8%AE%A2"
    )
    assert ascii_url("https://a.example/%E8%AE%A2") == "https://a.example/%E8%AE%A2"


def test_a_domain_that_programs_read_differently_is_refused() -> None:
    with pytest.raises(EditionError, match="straße"):
        ascii_domain("straße.example")


def test_a_non_ascii_local_part_is_refused_by_its_name() -> None:
    with pytest.raises(EditionError, match="用户@例子"):
        mailbox(Address(name="国际", address="用户@例子.example"), "zh")


def test_an_address_too_long_for_a_line_is_refused() -> None:
    with pytest.raises(EditionError, match="900"):
        ascii_url("https://shushu.example/" + "a" * 1000)


def test_a_long_unsubscribe_address_is_never_encoded_or_cut() -> None:
    url = "https://lists.shushu.example/leave?token=" + "abc123" * 60
    field = url_field("List-Unsubscribe", [url, "mailto:leave@shushu.example"])
    assert field == f"List-Unsubscribe: <{url}>,\r\n <mailto:leave@shushu.example>\r\n"


@pytest.mark.parametrize(
    "name",
    [
        "研究简报 2026-09 第42期（终稿）.pdf",
        "plain.pdf",
        'a "quoted" one.pdf',
        "图.png",
        "很长的文件名" * 12 + ".pdf",
    ],
)
def test_a_file_name_reads_back_and_has_an_ascii_stand_in(name: str) -> None:
    field = parameter_field("Content-Disposition", "attachment", {"filename": name})
    assert field.isascii()
    assert all(len(line) <= 78 for line in field.split("\r\n"))
    fallback = re.search(r'filename="?([^";\r]+)', field)
    assert fallback
    assert fallback[1].endswith(name.rpartition(".")[2]) or "quoted" in name
    assert parsed(field.encode() + b"\r\n").get_filename() == name


def part_body(part: Part) -> bytes:
    content = parsed(part.serialized()).get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


@given(st.text(TRANSFERABLE, max_size=400))
def test_any_text_survives_its_transfer_encoding(text: str) -> None:
    part = text_part(text, "text/plain")
    expected = text if text.endswith("\n") else text + "\n"
    assert part_body(part).decode() == expected.replace("\n", "\r\n")
    assert all(len(line) <= 76 for line in part.body.split(b"\r\n"))


@given(st.text(TRANSFERABLE, max_size=200))
def test_text_inside_a_multipart_keeps_its_last_line_end(text: str) -> None:
    tree = parsed(multipart("mixed", text_part(text, "text/plain"), text_part("x", "text/html")).serialized())
    first = next(iter(tree.iter_parts()))
    content = first.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert content.decode() == (text if text.endswith("\n") else text + "\n").replace("\n", "\r\n")


def test_lone_dots_and_from_lines_are_guarded_against_relays() -> None:
    text = ".\n.hidden\n" + "." * 100 + "\nFrom the field\n" + "From " * 40 + "\n" + "word " * 300 + "\n"
    part = text_part(text, "text/plain")
    assert b"quoted-printable" in part.serialized()
    assert not re.search(rb"(?m)^(\.|From )", part.body)
    assert part_body(part).decode() == text.replace("\n", "\r\n")


def test_latin_text_is_quoted_and_chinese_text_is_base64() -> None:
    assert b"quoted-printable" in text_part("An English line, with — one dash.\n" * 20, "text/plain").serialized()
    assert b": base64" in text_part("一行中文，没有别的。\n" * 20, "text/plain").serialized()


def test_equal_parts_have_equal_boundaries_and_others_differ() -> None:
    one, two = text_part("甲", "text/plain"), text_part("乙", "text/plain")
    assert multipart("mixed", one, two) == multipart("mixed", one, two)
    assert multipart("mixed", one, two).fields != multipart("mixed", two, one).fields


def test_a_content_id_is_bracketed_and_the_part_is_inline() -> None:
    part = parsed(
        file_part(b"\x89PNG", "image/png", name="图.png", disposition="inline", content_id="a@b").serialized()
    )
    assert part["content-id"] == "<a@b>"
    assert part.get_content_disposition() == "inline"


def test_the_date_is_english_whatever_the_locale() -> None:
    assert date_of(dt.date(2026, 8, 27)) == "Thu, 27 Aug 2026 08:00:00 +0800"
    assert date_of(dt.date(2026, 9, 7)) == "Mon, 07 Sep 2026 08:00:00 +0800"
    for day in (dt.date(1999, 12, 31), dt.date(2024, 2, 29)):
        moment = email.utils.parsedate_to_datetime(date_of(day))
        assert moment.date() == day
        assert moment.weekday() == day.weekday()


def test_the_message_has_every_list_header_once() -> None:
    edition = with_email(edition_of(all_blocks()), one_click=True, list_post="mailto:desk@shushu.example")
    message = parsed(built(edition))
    assert message["list-id"] == "<daily.shushu.example>"
    assert message["list-unsubscribe"] == "<https://shushu.example/leave>, <mailto:leave@shushu.example>"
    assert message["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert message["list-post"] == "<mailto:desk@shushu.example>"
    assert message["list-archive"] == "<https://shushu.example/archive>"
    assert message["archived-at"] == "<https://shushu.example/archive/specimen>"
    assert message["auto-submitted"] == "auto-generated"
    assert message["content-language"] == "zh-Hans"
    assert message["message-id"].endswith("@shushu.example>")
    assert all(count == 1 for count in map(message.keys().count, message.keys()))


def test_one_click_without_an_https_address_is_left_out_with_a_notice() -> None:
    edition = with_email(
        edition_of(all_blocks()), one_click=True, list_unsubscribe=("mailto:leave@shushu.example",)
    )
    made = build_message(edition, html="<p>x</p>", plain="x")
    assert parsed(made.content)["list-unsubscribe-post"] is None
    assert [notice.code for notice in made.notices] == ["one-click-without-https"]


def test_names_stand_in_the_language_of_the_edition() -> None:
    issue = all_blocks()
    assert parsed(built(edition_of(issue, "zh")))["from"] == "鼠鼠研究站 <daily@shushu.example>"
    assert parsed(built(edition_of(issue, "en")))["from"] == "Shushu Research Station <daily@shushu.example>"


def test_awkward_names_come_back_as_they_were_given() -> None:
    names = [
        'Doe, Jane (Lab) "JD"',
        "一个很长很长很长很长很长很长的中文显示名，用来迫使折行",
        "x@evil.example, y",
        "",
    ]
    boxes = tuple(
        Address(name=name, address=f"{letter}@example.org") for name, letter in zip(names, "abcd", strict=True)
    )
    raw = built(with_email(edition_of(all_blocks()), to=boxes))
    unfolded = re.sub(rb"\r\n ", b" ", raw.partition(b"\r\n\r\n")[0]).decode()
    line = next(line for line in unfolded.split("\r\n") if line.startswith("To: "))
    found = email.utils.getaddresses([line[4:]])
    assert [address for _, address in found] == [box.address for box in boxes]
    shown = [str(email.header.make_header(email.header.decode_header(name))) for name, _ in found]
    assert shown == names


def test_a_subject_template_is_filled_once_and_braces_of_a_title_are_text() -> None:
    import dataclasses

    edition = with_email(edition_of(all_blocks()), subject="[{publication}] {title}（{date}） {unknown}")
    version = edition.version.model_copy(update={"title": "标题 {publication} {{ 7*7 }} %(x)s"})
    subject = subject_of(dataclasses.replace(edition, version=version))
    assert subject == "[鼠鼠研究站] 标题 {publication} {{ 7*7 }} %(x)s（2026年8月27日） {unknown}"


def test_without_a_publication_the_message_has_a_placeholder_that_can_never_be_sent() -> None:
    issue = all_blocks("zh").model_copy(update={"publication": None})
    edition = edition_of(issue)
    made = build_message(edition, html="<p>x</p>", plain="x")
    message = parsed(made.content)
    assert "edition@publication.invalid" in message["from"]
    assert str(message["subject"]) == edition.title
    assert message["to"] == "undisclosed-recipients:;"
    assert [notice.code for notice in made.notices] == ["no-sender"]
    assert online_address(edition) is None


def test_a_rebuild_gives_the_same_bytes_and_any_change_another_id() -> None:
    edition = edition_of(all_blocks())
    picture = InlinePicture("a@shushu.example", "图.png", "image/png", b"\x89PNG")
    first = built(edition, pictures=[picture])
    assert first == built(edition_of(all_blocks()), pictures=[picture])
    ids = {
        parsed(content)["message-id"]
        for content in (first, built(edition), built(edition, html="<p>x</p>"), built(edition, plain="其他"))
    }
    assert len(ids) == 4


def test_the_tree_is_plain_text_first_then_the_html_with_its_pictures() -> None:
    picture = InlinePicture("a@shushu.example", "图.png", "image/png", b"\x89PNG")
    message = parsed(built(edition_of(all_blocks()), pictures=[picture]))
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    plain = next(message.iter_parts())
    assert plain["content-type"].params == {"charset": "utf-8", "format": "flowed", "delsp": "yes"}


def test_a_list_identifier_that_is_none_is_refused() -> None:
    with pytest.raises(EditionError, match="list_id"):
        built(with_email(edition_of(all_blocks()), list_id="每日 简报"))


def test_a_list_identifier_keeps_its_ascii_name() -> None:
    edition = with_email(edition_of(all_blocks()), list_id="Shushu daily <daily.shushu.example>")
    assert parsed(built(edition))["list-id"] == '"Shushu daily" <daily.shushu.example>'
