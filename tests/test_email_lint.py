"""The check of MJML before it is compiled: every fault is named with its template and line, sound sources pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import html5lib
import mjml
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.edition import make_edition
from exporter.errors import ThemeError
from exporter.theme import load_theme
from exporter.writers import Options, email_lint
from exporter.writers.email import write
from exporter.writers.email_grammar import every_attribute, tags, value_fault
from exporter.writers.email_lint import DEPTH, check, findings
from tests.samples import all_blocks, edition_of, paragraph, sample_assets, text

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.model import Issue

HEAD = "<mj-head><mj-title>t</mj-title>{}</mj-head>"


def message(body: str = "<mj-text>x</mj-text>", *, head: str = "") -> str:
    """Return a source with content of a column, and of the head."""
    column = f"<mj-section><mj-column>{body}</mj-column></mj-section>"
    return f"<mjml>{HEAD.format(head)}<mj-body>{column}</mj-body></mjml>"


def inside(content: str) -> str:
    return message(f"<mj-text>{content}</mj-text>")


def defaults(content: str) -> str:
    return message(head=f"<mj-attributes>{content}</mj-attributes>")


def compile_mjml(source: str) -> str:
    compiled: str = mjml.mjml2html(source, fonts={}, disable_comments=True)
    return compiled


FAULTS = {
    "unknown tag": (message("<mj-txt>x</mj-txt>"), "there is no tag mj-txt: did you mean mj-text?"),
    "unknown attribute": (message('<mj-text colour="#000000">x</mj-text>'), "mj-text has no attribute colour: did you mean color?"),
    "attribute of another tag": (message('<mj-text href="u">x</mj-text>'), "mj-text has no attribute href"),
    "attribute twice": (message('<mj-text color="#000000" color="#111111">x</mj-text>'), "mj-text has color twice"),
    "attribute without value": (message("<mj-text color>x</mj-text>"), "color of mj-text has no value"),
    "text in the body": ("<mjml><mj-body><mj-text>x</mj-text></mj-body></mjml>", "mj-text cannot stand in mj-body, only in mj-column, mj-hero"),
    "section in a column": (message("<mj-section></mj-section>"), "mj-section cannot stand in mj-column, only in mj-body, mj-wrapper"),
    "wrapper in a wrapper": ("<mjml><mj-body><mj-wrapper><mj-wrapper></mj-wrapper></mj-wrapper></mj-body></mjml>", "mj-wrapper cannot stand in mj-wrapper"),
    "text tag in the head": (message(head="<mj-text>x</mj-text>"), "mj-text cannot stand in mj-head"),
    "HTML in a column": (message("<div>x</div>"), "<div> cannot stand in mj-column: HTML stands in mj-text"),
    "MJML in HTML": (inside("<p><mj-text>x</mj-text></p>"), "mj-text cannot stand in p, which holds HTML"),
    "MJML in a text": (inside("<mj-button>x</mj-button>"), "mj-button cannot stand in mj-text, which holds HTML"),
    "loose text": (message("words"), "text directly in mj-column: 'words'"),
    "text in an image": (message('<mj-image src="x">words</mj-image>'), "text directly in mj-image"),
    "element in an image": (message('<mj-image src="x"><b>x</b></mj-image>'), "b cannot stand in mj-image, which holds nothing"),
    "element in a title": ("<mjml><mj-head><mj-title>a<b>x</b></mj-title></mj-head></mjml>", "b cannot stand in mj-title, which holds text only"),
    "element in a style": (message(head="<mj-style>a<b>x</b></mj-style>"), "b cannot stand in mj-style, which holds CSS only"),
    "bare zero in padding": (message('<mj-text padding="8px 0 0px">x</mj-text>'), "padding='8px 0 0px' of mj-text takes 0px"),
    "bare zero on one side": (message('<mj-text padding-left="0">x</mj-text>'), "padding-left='0' of mj-text takes 0px"),
    "bare zero inside a button": (message('<mj-button inner-padding="0">x</mj-button>'), "takes 0px"),
    "bare zero in defaults": (defaults('<mj-section padding="0" />'), "padding='0' of mj-section takes 0px"),
    "length without unit": (message('<mj-text padding="8">x</mj-text>'), "takes lengths in px or %"),
    "length in another unit": (message('<mj-text font-size="1em">x</mj-text>'), "takes lengths in px"),
    "negative length": (message('<mj-text padding="-8px">x</mj-text>'), "takes lengths in px or %"),
    "too many lengths": (message('<mj-text padding="1px 1px 1px 1px 1px">x</mj-text>'), "takes one to 4 lengths"),
    "no length": (message('<mj-text font-size="">x</mj-text>'), "takes a length"),
    "three-digit color": (message('<mj-text color="#fff">x</mj-text>'), "color='#fff' of mj-text takes a color with six digits"),
    "eight-digit color": (message('<mj-text color="#ffffff80">x</mj-text>'), "six digits"),
    "named color": (message('<mj-text color="red">x</mj-text>'), "six digits"),
    "short color in a border": (message('<mj-button border="1px solid #abc">x</mj-button>'), "border='1px solid #abc' of mj-button holds the color #abc"),
    "short color in a style attribute": (inside('<p style="color:#abc">x</p>'), "style of <p> holds the color #abc"),
    "short color in bgcolor": (inside('<table bgcolor="#abc"></table>'), "bgcolor of <table> is #abc"),
    "short color in CSS": (message(head="<mj-style>#add { color: #abc }</mj-style>"), "the style holds the color #abc"),
    "unknown option": (message('<mj-text align="middle">x</mj-text>'), "align='middle' of mj-text takes left, right, center, justify"),
    "not a number": (message('<mj-table cellpadding="2px"><tr></tr></mj-table>'), "takes a whole number"),
    "not a boolean": (message('<mj-image src="x" fluid-on-mobile="yes" />'), "takes true, false"),
    "unclosed element": (inside("<p>x"), "<p> is not closed before </mj-text>"),
    "unclosed at the end": ("<mjml><mj-body>", "<mj-body> is never closed"),
    "mismatched element": (inside("<b><i>x</b></i>"), "<i> is not closed before </b>"),
    "closes nothing": (inside("x</b>"), "</b> closes nothing"),
    "closed void element": (inside("<br></br>"), "</br> closes nothing"),
    "unbalanced condition": (inside("<!--[if mso]><table><tr><td><![endif]-->"), "<td> is not closed before </mj-text>"),
    "control character": (inside("a\x01b"), "the control character U+0001"),
    "control character in an attribute": (message('<mj-text css-class="a\x0bb">x</mj-text>'), "the control character U+000B"),
    "noncharacter": (inside("a\uffffb"), "the control character U+FFFF"),
    "CDATA": (inside("<![CDATA[x < y]]>"), "CDATA cannot be read"),
    "bare less-than": (inside("a < b"), "a bare <: write &lt;"),
    "less-than before a digit": (inside("a <3 b"), "a bare <"),
    "less-than before a word": (inside("a <b and c"), "a bare <"),
    "bare less-than in a title": ("<mjml><mj-head><mj-title>a < b</mj-title></mj-head></mjml>", "a bare <"),
    "bare less-than in CSS": (message(head="<mj-style>a { content: '<' }</mj-style>"), "a bare <"),
    "end of CDATA": (inside("a ]]> b"), "]]> ends CDATA even where there is none"),
    "condition between MJML tags": (message("<!--[if mso]><mj-text>x</mj-text><![endif]-->"), "a conditional comment in mj-column"),
    "condition in a condition": (inside("<!--[if mso]>a<!--[if ie]>b<![endif]--><![endif]-->"), "a conditional comment in another one"),
    "condition without end": (inside("<!--[if mso]>a"), "a conditional comment is not ended before </mj-text>"),
    "end without condition": (inside("a<![endif]-->"), "<![endif]--> ends no conditional comment"),
    "condition before all": (f"<!--[if mso]>{message()}<![endif]-->", "a conditional comment in front of <mjml>"),
    "greater-than behind Han": (inside("汉 a > b"), "a bare > behind characters beyond ASCII: write &gt;"),
    "greater-than behind Han in CSS": (message(head="<mj-style>p { font-family: 宋体 } a > b { margin: 0 }</mj-style>"), "escape the characters in CSS"),
    "comment with dashes": (inside("<!-- a -- b -->"), "a comment that has no end or holds --"),
    "comment without end": (inside("<!-- a"), "a comment that has no end"),
    "doctype": (f"<!doctype html>{message()}", "a declaration such as <!doctype>"),
    "processing instruction": (inside("<?php x ?>"), "a processing instruction"),
    "attribute without quotes": (inside("<a href=x>y</a>"), "<a> cannot be read: its attributes"),
    "attributes without a blank": (inside("<a href='x'title='y'>y</a>"), "<a> cannot be read"),
    "strange attribute": (inside("<a @click='x'>y</a>"), "<a> cannot be read"),
    "mj-html-attributes": (message(head='<mj-html-attributes><mj-selector path=".a"></mj-selector></mj-html-attributes>'), "mj-html-attributes cannot be read by the compiler"),
    "child of mj-class": (defaults('<mj-class name="a" color="#000000"><mj-text color="#ffffff" /></mj-class>'), "mj-class takes attributes only: mj-text"),
    "unknown tag in defaults": (defaults('<mj-txt color="#000000" />'), "there is no tag mj-txt"),
    "HTML in defaults": (defaults('<p color="#000000" />'), "p cannot stand in mj-attributes"),
    "unknown attribute in mj-all": (defaults('<mj-all colour="#000000" />'), "mj-all has no attribute colour"),
    "mj-all in a column": (message('<mj-all color="#000000" />'), "mj-all cannot stand in mj-column, only in mj-attributes"),
    "undefined class": (message('<mj-text mj-class="big">x</mj-text>'), "mj-class 'big' is defined nowhere"),
    "include": (message('<mj-include path="x.mjml" />'), "mj-include is not allowed: use Jinja's include"),
    "include in a text": (inside('<mj-include path="x.mjml" />'), "mj-include is not allowed"),
    "include of CSS": (message(head='<mj-include path="x.css" type="css" />'), "mj-include is not allowed"),
    "another root": ("<html></html>", "<html> stands outside the one <mjml>"),
    "two roots": (message() + "<mjml></mjml>", "<mjml> stands outside the one <mjml>"),
    "text after the end": (message() + "x", "text outside <mjml>"),
    "nothing": (" \n", "there is no <mjml>"),
    "too deep": (inside("<b>" * DEPTH + "x" + "</b>" * DEPTH), f"elements nested deeper than {DEPTH}"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str) -> None:
    source, expected = FAULTS[name]
    found = [finding.message for finding in findings(source)]
    assert any(expected in one for one in found), found


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_offset(name: str) -> None:
    source, _ = FAULTS[name]
    moved = findings(f"<!-- one\nmore -->\n{source}")
    if name not in {"nothing", "doctype"}:
        shift = len("<!-- one\nmore -->\n")
        assert [(one.start - shift, one.message) for one in moved] == [
            (o.start, o.message) for o in findings(source)
        ]


SOUND = {
    "plain": message(),
    "void elements": inside('a<br>b<br />c<hr><img src="x" alt="">'),
    "case of HTML": inside("<P>x</p>"),
    "entities": inside("a &lt; b &amp; c &nbsp; &copy &#8212; AT&T"),
    "conditional comments": inside("<!--[if mso]><b>x</b><![endif]--><!--[if !mso]><!--><i>y</i><!--<![endif]-->"),
    "condition over two": inside("<!--[if mso]><table><tr><td><![endif]--> x <!--[if mso]></td></tr></table><![endif]-->"),
    "comments": inside("<!-- a - b -->x<!---->"),
    "single quotes": message("<mj-text css-class='a b'>x</mj-text>"),
    "quotes and brackets in attributes": inside("""<a title="a > b 'c' &lt;" href='"'>x</a>"""),
    "attribute without value in HTML": inside("<ol reversed><li>x</li></ol>"),
    "defaults": defaults('<mj-all font-family="x" /><mj-class name="a" color="#123456" /><mj-text padding="0px" />'),
    "classes": message('<mj-text mj-class="a b">x</mj-text>', head='<mj-attributes><mj-class name="a" /><mj-class name="b" /></mj-attributes>'),
    "CSS": message(head="<mj-style>#abc > p:hover { color: #aabbcc; margin: 0 } /* #fff */</mj-style>"),
    "page address": inside('<a href="#abc">x</a>'),
    "raw head": message(head='<mj-raw><meta name="a" content="b" /><!--[if mso]><style>p{color:#000000}</style><![endif]--></mj-raw>'),
    "depth": inside("<b>" * (DEPTH - 5) + "x" + "</b>" * (DEPTH - 5)),
    "line height": message('<mj-text line-height="1.5">x</mj-text>'),
    "negative spacing": message('<mj-text letter-spacing="-1px">x</mj-text>'),
    "byte order mark": "\ufeff" + message(),
    "greater-than before Han": inside("a > b 汉"),
    "namespaces": inside('<o:p>x</o:p><v:rect xmlns:v="urn:x">y</v:rect>'),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_source_has_no_fault_and_compiles(name: str) -> None:
    assert findings(SOUND[name]) == ()
    assert "<body" in compile_mjml(SOUND[name])


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("body", ["full", "digest"])
def test_what_the_writer_makes_has_no_fault(language: str, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources: list[str] = []

    def keep(source: str, origins: object) -> None:
        assert callable(origins)
        sources.append(source)

    monkeypatch.setattr(email_lint, "check", keep)
    write(edition_of(all_blocks("zh", "en"), language), Options(body=body))  # type: ignore[arg-type]
    assert sources
    assert not any(findings(source) for source in sources)


TOKENS = st.sampled_from((
    *("<b>", "</b>", "<br>", "<p class='a'>", "</p>", "x", " ", "&amp;", "&", "<", ">", "--", "]]>", "<![CDATA[", "<!-- a -->", "<!--", "-->"),
    *("<!--[if mso]>", "<![endif]-->", "<mj-text>", "</mj-text>", "<mj-raw>", "</mj-raw>", "<a href=x>", "</a>", "<a b='c'>", "</ b>", "<B/>"),
    *("<a b = 'c' >", "</a\n>", "<o:p>", "</o:p>", "<?x?>", "<!x>", '"', "'", "=", "/", "<img alt=\"'>\">", "<i\n>", "</i>", "<b c d='e'>"),
    *("\x00", "é", "汉", "<a b='汉>'>", "<!--汉>-->", "<汉>", "</汉>"),
))  # fmt: skip


@settings(max_examples=400)
@given(st.lists(TOKENS, max_size=12).map("".join))
def test_what_has_no_fault_is_read_by_the_compiler(content: str) -> None:
    source = message(f"<mj-text>{content}</mj-text><mj-raw>{content}</mj-raw>")
    if not findings(source):
        assert "<body" in compile_mjml(source)


@settings(max_examples=300)
@given(st.lists(TOKENS, max_size=8).map("".join), st.lists(TOKENS, max_size=4).map("".join))
def test_what_the_compiler_cannot_read_has_a_fault(first: str, second: str) -> None:
    source = f"<mjml>{first}<mj-body>{second}</mj-body></mjml>"
    try:
        compile_mjml(source)
    except BaseException as error:  # the compiler panics, too
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        assert findings(source)


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_can_be_linted(content: str) -> None:
    findings(content)
    findings(inside(content))


@pytest.mark.parametrize("name", tags())
def test_every_attribute_of_the_grammar_takes_a_value(name: str) -> None:
    samples = ("#123456", "1px", "1", "x", "true", "")
    for attribute, kind in tags()[name].attributes.items():
        options = kind.partition("(")[2].rstrip(")").split(",") if kind.startswith("enum") else samples
        assert any(value_fault(kind, value) is None for value in options), (attribute, kind)


def test_the_grammar_names_only_tags_that_it_has() -> None:
    named = set().union(*(tag.children for tag in tags().values()))
    assert named - {"mj-all", "mj-class", "*"} <= set(tags())
    assert "padding" in every_attribute()


# Template and line


def theme_with(folder: Path, **files: str) -> Path:
    """Write a theme over base whose e-mail templates are given; names stand with underscores for dots."""
    (folder / "email").mkdir(parents=True)
    (folder / "theme.toml").write_text(f'name = "{folder.name}"\n', encoding="utf-8")
    for name, content in files.items():
        (folder / "email" / f"{name.replace('_', '.')}.j2").write_text(content, encoding="utf-8")
    return folder


def fault_of(folder: Path) -> str:
    edition = make_edition(all_blocks("zh"), sample_assets(), language="zh", theme=load_theme(str(folder)))
    with pytest.raises(ThemeError) as caught:
        write(edition, Options(body="full"))
    return caught.value.message


TEMPLATE = """<mjml>
  <mj-head><mj-title>{{ subject }}</mj-title></mj-head>
  <mj-body>
{# a comment
   of two lines #}
{% for part in parts %}
    <mj-section>
      <mj-column>
        <mj-text padding="{{ "0px" if loop.first else "0" }}">{{ part.html }}</mj-text>
      </mj-column>
    </mj-section>
{% endfor %}
{% if subject %}
    <mj-section colour="x">
    </mj-section>
{% endif %}
{% include "email/end.mjml.j2" %}
  </mj-body>
</mjml>
"""


def test_every_fault_is_named_at_once_with_its_template_and_line(tmp_path: Path) -> None:
    end = "<mj-raw>a</mj-raw>\n\n<mj-foot></mj-foot>\n"
    fault = fault_of(theme_with(tmp_path / "other", issue_mjml=TEMPLATE, end_mjml=end))
    assert fault.startswith("3 faults in the mail template: ")
    assert (
        "padding='0' of mj-text takes 0px: the compiler counts widths wrong with a bare 0 (email/issue.mjml.j2:9)"
        in fault
    )
    assert "mj-section has no attribute colour" in fault
    assert "(email/issue.mjml.j2:14)" in fault
    assert "there is no tag mj-foot: did you mean mj-hero? (email/end.mjml.j2:3)" in fault or "mj-foot" in fault
    assert "(email/end.mjml.j2:3)" in fault


def test_a_fault_in_a_block_of_a_child_template_has_that_template(tmp_path: Path) -> None:
    base = "<mjml>\n<mj-body>\n{% block end %}{% endblock %}\n</mj-body>\n</mjml>\n"
    child = '{% extends "email/frame.mjml.j2" %}\n\n{% block end %}\n  <mj-txt></mj-txt>\n{% endblock %}\n'
    fault = fault_of(theme_with(tmp_path / "other", issue_mjml=child, frame_mjml=base))
    assert "(email/issue.mjml.j2:4)" in fault


def test_a_fault_that_a_value_brings_has_the_line_of_the_value(tmp_path: Path) -> None:
    template = "<mjml>\n<mj-body>\n{% if subject %}\n{{ parts[0].html }}\n{% endif %}\n</mj-body>\n</mjml>\n"
    fault = fault_of(theme_with(tmp_path / "other", issue_mjml=template))
    assert "cannot stand in mj-body" in fault
    assert set(re.findall(r"\((email/[^)]*)\)", fault)) == {"email/issue.mjml.j2:4"}


def test_a_template_that_looks_at_its_own_text_is_named_with_the_rendered_line(tmp_path: Path) -> None:
    template = "<mjml>\n<mj-body>{% set x %}abc\n{% endset %}<!-- {{ x|length }} -->\n<mj-txt></mj-txt></mj-body>\n</mjml>\n"
    fault = fault_of(theme_with(tmp_path / "other", issue_mjml=template))
    assert "there is no tag mj-txt: did you mean mj-text? (email/issue.mjml.j2, line 3 as rendered)" in fault


def test_the_same_fault_in_a_loop_is_said_once(tmp_path: Path) -> None:
    template = "<mjml>\n<mj-body>\n{% for x in range(9) %}\n<mj-txt></mj-txt>\n{% endfor %}\n</mj-body>\n</mjml>\n"
    fault = fault_of(theme_with(tmp_path / "other", issue_mjml=template))
    assert fault == "there is no tag mj-txt: did you mean mj-text? (email/issue.mjml.j2:4)"


def test_origins_are_asked_for_only_when_something_is_wrong() -> None:
    check(message(), lambda: pytest.fail("asked"))


# Titles are text

TITLES = ("a < b", "R&D", "a &amp; b", "a -- b", "]]>", "<![CDATA[x]]>", "\"a\" 'b'", "<!-- x -->", "</mj-title>", "<mj-text>", "{{ x }}", "\\n", "<b>&lt;", "a<!--[if mso]>b")  # fmt: skip


def titled(title: str) -> Issue:
    from exporter.model import Issue

    entry = {
        "kind": "entry",
        "id": "e1",
        "title": [text(title)],
        "fields": [{"name": title, "value": [text(title)]}],
        "body": [paragraph(title)],
    }
    section = {"id": "s1", "title": [text(title)], "body": [entry]}
    version = {
        "title": title,
        "subtitle": [text(title)],
        "date": "2026-08-27",
        "language": "en",
        "sections": [section],
    }
    return Issue.model_validate({"id": "trial", "versions": [version]})


def shown_in(page: str, name: str) -> list[str]:
    tree = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False).parse(page)
    return ["".join(node.itertext()).strip() for node in tree.iter(name)]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_text_whatever_it_holds(title: str) -> None:
    page = write(edition_of(titled(title), "en"), Options(body="full")).files[".html"].decode()
    assert title in shown_in(page, "title")[0]
    assert shown_in(page, "h1") == [title]
    assert title in shown_in(page, "h2")[-1]
    assert title in shown_in(page, "h3")[0]
    assert title in shown_in(page, "th")[0]


@settings(max_examples=40)
@given(st.text(st.sampled_from("<>&\"'-]![{}%#\\/=;xmj 汉"), min_size=1, max_size=24).filter(str.strip))
def test_any_title_passes_the_lint_and_is_read_back(title: str) -> None:
    page = write(edition_of(titled(title), "en"), Options(body="full")).files[".html"].decode()
    (heading,) = shown_in(page, "h1")
    # Between Han and Latin the edition may set spaces of its own.
    assert "".join(heading.split()) == "".join(title.split())
