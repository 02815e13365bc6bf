"""The e-mail page against the client data: a gap is named with programs and template line unless it is accepted."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter import batch
from exporter.audit.clients import (
    accepted_features,
    client_notices,
    data_date,
    features,
    features_used,
    message_notices,
)
from exporter.audit.page_features import page_features
from exporter.edition import make_edition
from exporter.errors import ThemeError
from exporter.readers import load
from exporter.theme import load_theme
from exporter.writers import Options
from exporter.writers.email import write
from tests.conftest import ROOT
from tests.samples import all_blocks, edition_of
from tests.strategies import assets_for, issues
from tests.tools.slim_clients import lacking

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from exporter.model import Issue

AUDIT = ROOT / "exporter" / "audit"
SHOWCASE = ROOT / "issues" / "2026-08-27"


def page(body: str = "", style: str = "") -> str:
    return f"<!doctype html><html><head><style>{style}</style></head><body>{body}</body></html>"


def slugs(html: str) -> set[str]:
    return {feature.slug for feature in features_used(html)}


def theme_with(folder: Path, **files: str) -> Path:
    """Write a theme over base with files of its folder email; a name stands with an underscore for each dot."""
    (folder / "email").mkdir(parents=True)
    (folder / "theme.toml").write_text(f'name = "{folder.name}"\n', encoding="utf-8")
    for name, content in files.items():
        (folder / "email" / name.replace("_", ".")).write_text(content, encoding="utf-8")
    return folder


def in_style(css: str) -> str:
    return page(style=css)


def inline(css: str) -> str:
    return page(f'<p style="{css}">x</p>')


USES = {
    "css-position": inline("position: relative"),
    "css-display-flex": inline("display: flex"),
    "css-display-grid": in_style("p { display: grid }"),
    "css-flex-direction": in_style("p { flex-flow: column wrap }"),
    "css-animation": in_style("p { animation-name: x }"),
    "css-border-radius": inline("border-top-left-radius: 4px"),
    "css-padding": inline("padding-left: 4px"),
    "css-overflow": inline("overflow-x: auto"),
    "css-margin-inline-block": in_style("p { margin-inline: 4px }"),
    "css-gap": in_style("p { column-gap: 4px }"),
    "css-at-media": in_style("@media (max-width: 480px) { p { color: #000000 } }"),
    "css-at-media-prefers-color-scheme": in_style(
        "@media screen and (prefers-color-scheme: dark) { p { margin: 0 } }"
    ),
    "css-at-media-device-pixel-ratio": in_style("@media (-webkit-min-device-pixel-ratio: 2) { p { margin: 0 } }"),
    "css-at-media-hover": in_style("@media (any-hover: hover) { p { margin: 0 } }"),
    "css-at-supports": in_style("@supports (display: grid) { p { margin: 0 } }"),
    "css-at-font-face": in_style("@font-face { font-family: x; src: url(x.woff) }"),
    "css-at-import": in_style("@import url(x.css);"),
    "css-at-keyframes": in_style("@keyframes x { from { opacity: 0 } }"),
    "css-opacity": in_style("@keyframes x { from { opacity: 0 } }"),
    "css-nesting": in_style("p { color: #000000; &:hover { margin: 0 } }"),
    "css-comments": in_style("p { /* x */ margin: 0 }"),
    "css-variables": in_style("p { --x: 1px }"),
    "css-function-clamp": inline("width: clamp(1px, 2px, 3px)"),
    "css-function-light-dark": inline("color: light-dark(#000000, #ffffff)"),
    "css-unit-calc": inline("width: calc(100% - 2px)"),
    "css-unit-percent": inline("width: calc(100% - 2px)"),
    "css-unit-vw": inline("width: 50vw"),
    "css-unit-rem": in_style("p { padding: 1px 2rem }"),
    "css-unit-initial": inline("color: initial"),
    "css-rgba": inline("color: rgba(0, 0, 0, 0.5)"),
    "css-modern-color": inline("color: oklch(50% 0.1 20)"),
    "css-linear-gradient": inline("background: linear-gradient(#000000, #ffffff)"),
    "css-intrinsic-size": inline("width: min-content"),
    "css-sytem-ui": inline("font-family: system-ui, sans-serif"),
    "css-important": inline("margin: 0 !important"),
    "css-selector-type": in_style("p { margin: 0 }"),
    "css-selector-class": in_style(".a { margin: 0 }"),
    "css-selector-id": in_style("#a { margin: 0 }"),
    "css-selector-universal": in_style("* { margin: 0 }"),
    "css-selector-attribute": in_style("[lang] { margin: 0 }"),
    "css-selector-descendant": in_style("p b { margin: 0 }"),
    "css-selector-child": in_style("p > b { margin: 0 }"),
    "css-selector-adjacent-sibling": in_style("p + p { margin: 0 }"),
    "css-selector-general-sibling": in_style("p~p { margin: 0 }"),
    "css-selector-grouping": in_style("p, b { margin: 0 }"),
    "css-selector-chaining": in_style(".a.b { margin: 0 }"),
    "css-pseudo-class-hover": in_style("a:hover { margin: 0 }"),
    "css-pseudo-class-not": in_style("a:not(.b) { margin: 0 }"),
    "css-pseudo-class-nth-child": in_style("tr:nth-child(2n) { margin: 0 }"),
    "css-pseudo-class-has": in_style("p:has(> img) { margin: 0 }"),
    "css-pseudo-element-before": in_style("p::before { margin: 0 }"),
    "css-pseudo-element-after": in_style("p:after { margin: 0 }"),
    "html-style": in_style(""),
    "html-semantics": page("<section>x</section>"),
    "html-video": page("<video></video>"),
    "html-h1-h6": page("<h4>x</h4>"),
    "html-lists": page("<dl></dl>"),
    "html-svg": page("<svg></svg>"),
    "html-button-submit": page("<button>x</button>"),
    "html-input-text": page("<input>"),
    "html-input-checkbox": page('<INPUT TYPE="CHECKBOX">'),
    "html-link": page('<link rel="stylesheet" href="x.css">'),
    "html-align": page('<p align="right">x</p>'),
    "html-background": page('<td background="x.png"></td>'),
    "html-srcset": page('<img src="x.png" srcset="y.webp 2x">'),
    "html-image-maps": page('<img src="x.png" usemap="#m">'),
    "html-loading-attribute": page('<img src="x.png" loading="lazy">'),
    "html-anchor-links": page('<a href="#x">x</a>'),
    "html-mailto-links": page('<a href="mailto:a@example.org">x</a>'),
    "html-comments": page("<!-- x -->"),
    "html-doctype": page(),
    "html-meta-color-scheme": page('<meta name="color-scheme" content="light">'),
    "html-aria-hidden": page('<b aria-hidden="true">x</b>'),
    "image-base64": page('<img src="data:image/png;base64,AAAA">'),
    "image-svg": page('<img src="https://example.org/x.SVG?y=1">'),
    "image-webp": page('<img src="x.png" srcset="y.webp 2x">'),
    "image-avif": inline("background: url(x.avif)"),
    "image-gif": in_style("p { background: url('x.gif') }"),
    "amp": page().replace("<html>", "<html amp4email>"),
}


@pytest.mark.parametrize("slug", USES)
def test_a_feature_is_found(slug: str) -> None:
    assert slug in slugs(USES[slug])


@pytest.mark.parametrize("slug", USES)
def test_a_feature_is_not_found_where_it_is_not_used(slug: str) -> None:
    if slug not in {"html-style", "html-doctype"}:
        assert slug not in slugs(page("<b>x</b>"))


def test_every_feature_of_css_properties_is_found_by_its_property() -> None:
    for feature in features().values():
        for key in feature.keys:
            if key.startswith("property "):
                assert feature.slug in slugs(inline(f"{key.removeprefix('property ')}: 0")), key


def test_words_in_text_and_in_outlook_comments_are_no_features() -> None:
    text = page("position: fixed &lt;video&gt; @media<!--[if mso]><svg style='position:fixed'></svg><![endif]-->")
    assert not {"css-position", "html-video", "css-at-media", "html-svg", "html-comments"} & slugs(text)


def test_what_other_programs_than_outlook_see_is_a_feature() -> None:
    assert "html-svg" in slugs(page("<!--[if !mso]><!--><svg></svg><!--<![endif]-->"))


def test_a_property_in_a_name_is_no_feature() -> None:
    assert "css-gap" not in slugs(inline("grid-row-gapx: 0; font-family: gap, position"))
    assert "css-selector-descendant" not in slugs(in_style("p { margin: 0 } @media print { b { margin: 0 } }"))
    assert "css-selector-universal" not in slugs(inline("width: calc(2 * 3px)"))


@settings(max_examples=150)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_page_can_be_read(body: str, css: str) -> None:
    page_features(body)
    page_features(page(body, css))
    page_features(inline(css))


# Notices


def test_a_notice_names_feature_programs_versions_and_template_line(tmp_path: Path) -> None:
    css = "{# .a { position: relative } #}\np { margin: 0 }\n.a { position: relative }\n"
    theme = load_theme(str(theme_with(tmp_path / "mine", head_css_j2=css)))
    (notice,) = client_notices(in_style(".a { position: relative }"), theme)
    assert notice.code == "client-support"
    assert notice.message.startswith("position is not supported everywhere: not in Gmail (web 2021-05, mobile web")
    assert "Outlook (Windows 2007–2019, " in notice.message
    assert "; only in part in Outlook (" in notice.message
    assert str(notice.place) == "email/head.css.j2:3"
    assert 'css-position = "why it may be lost"' in (notice.hint or "")
    assert notice.output == "email"


def test_a_gap_that_the_program_writes_itself_has_no_template_line() -> None:
    (notice,) = client_notices(page("<video></video>"), load_theme("base"))
    assert notice.place is None


def test_a_feature_that_every_program_supports_is_no_notice() -> None:
    assert client_notices(inline("background-color: #ffffff; vertical-align: top"), load_theme("base")) == ()


def test_a_theme_accepts_a_feature_with_a_reason(tmp_path: Path) -> None:
    theme = load_theme(str(theme_with(tmp_path / "mine", accepted_toml='css-position = "decoration"\n')))
    assert client_notices(inline("position: relative"), theme) == ()
    assert [one.message.partition(" ")[0] for one in client_notices(inline("z-index: 2"), theme)] == ["z-index"]
    assert accepted_features(theme)["css-position"] == "decoration"
    assert "css-tab-size" in accepted_features(theme), "the parent's acceptances hold too"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('css-positoin = "x"', "there is no feature 'css-positoin', did you mean css-position?"),
        ('css-position = ""', "css-position has no reason"),
        ("css-position = true", "css-position has no reason"),
        ("css-position", "cannot read"),
    ],
)
def test_a_wrong_acceptance_is_an_error(tmp_path: Path, content: str, fault: str) -> None:
    theme = load_theme(str(theme_with(tmp_path / "mine", accepted_toml=content)))
    with pytest.raises(ThemeError, match=fault) as caught:
        client_notices(page(), theme)
    assert "accepted.toml" in caught.value.message


def test_the_message_is_read_as_it_goes_out_not_as_the_page_that_stands_alone() -> None:
    output = write(edition_of(all_blocks("zh"), "zh"), Options(body="full"))
    assert "image-base64" in slugs(output.files[".html"].decode()), "the sample has a picture"
    assert message_notices(output.files[".eml"], load_theme("base")) == ()


def test_a_gap_reaches_the_notices_of_an_export(tmp_path: Path) -> None:
    template = (ROOT / "themes/base/email/head.css.j2").read_text(encoding="utf-8")
    theme = theme_with(tmp_path / "mine", head_css_j2=template + ".content { position: relative }\n")
    loaded = load(SHOWCASE)
    found = batch.check(loaded, batch.Request(formats=("email",), theme=str(theme)))
    (notice,) = [one for one in found if one.code == "client-support"]
    assert str(notice.place) == f"email/head.css.j2:{len(template.splitlines()) + 1}"


# The base theme


def mail_pages() -> Iterator[str]:
    theme = load_theme("base")
    showcase = load(SHOWCASE)
    for language in ("zh", "en"):
        bodies: tuple[Literal["full", "digest"], ...] = ("full", "digest")
        for body in bodies:
            options = Options(body=body)
            yield html_of(write(edition_of(all_blocks("zh", "en"), language), options).files[".eml"])
            edition = make_edition(showcase.issue, showcase.assets, language=language, theme=theme)
            yield html_of(write(edition, options).files[".eml"])


def html_of(message: bytes) -> str:
    part = message_from_bytes(message, policy=policy.default).get_body(("html",))
    assert part is not None
    content: str = part.get_content()
    return content


def test_the_base_theme_has_no_notice() -> None:
    for html in mail_pages():
        assert client_notices(html, load_theme("base")) == ()


@settings(max_examples=15)
@given(issues(languages=["zh"]))
def test_any_issue_in_the_base_theme_has_no_notice(issue: Issue) -> None:
    theme = load_theme("base")
    edition = make_edition(issue, assets_for(issue), language="zh", theme=theme)
    assert message_notices(write(edition, Options(body="full")).files[".eml"], theme) == ()


def test_nothing_is_accepted_that_is_supported_everywhere() -> None:
    accepted = accepted_features(load_theme("base"))
    assert [slug for slug in accepted if not (features()[slug].missing or features()[slug].partial)] == []


def test_nothing_is_accepted_that_the_base_theme_does_not_use() -> None:
    import mjml

    # What a theme may add to the skeleton at any time: a button and a picture bring their own.
    column = '<mj-column><mj-text>x</mj-text><mj-button href="u">x</mj-button><mj-image src="x" /></mj-column>'
    source = f"<mjml><mj-body><mj-section>{column}</mj-section></mj-body></mjml>"
    used = slugs(mjml.mjml2html(source, fonts={}, disable_comments=True)).union(*map(slugs, mail_pages()))
    assert sorted(set(accepted_features(load_theme("base"))) - used) == []


# The data


def test_the_data_has_its_license_and_its_date_and_is_small() -> None:
    assert "Permission is hereby granted" in (AUDIT / "clients.LICENSE").read_text(encoding="utf-8")
    assert data_date() == "2026-05-13"
    assert (AUDIT / "clients.json").stat().st_size < 150_000


def test_every_verdict_of_the_data_names_a_client_and_a_version() -> None:
    known = json.loads((AUDIT / "clients.json").read_text(encoding="utf-8"))
    for slug, entry in known["features"].items():
        assert entry["finds"], slug
        for client, verdict in entry["lacks"].items():
            state, _, versions = verdict.partition(" ")
            assert client in known["clients"]
            assert state in {"n", "a"}
            assert versions


@pytest.mark.parametrize(
    ("client", "versions", "expected"),
    [
        ("gmail.ios", {"2019-02": "n", "2024-02": "y"}, None),
        ("gmail.ios", {"2019-02": "y", "2024-02": "a #1"}, "a 2024-02"),
        ("gmail.ios", {"2019-02": "n", "2024-02": "u"}, "n 2019-02"),
        ("outlook.windows", {"2003": "n", "2007": "y", "2019": "y"}, None),
        ("outlook.windows", {"2007": "y", "2016": "a", "2019": "n #2"}, "n 2016–2019"),
        ("outlook.macos", {"2019": "n", "16.80": "y"}, None),
        ("outlook.macos", {"2021-10": "y", "16.80": "n"}, "n 16.80"),
        ("outlook.macos", {"16.80": "n", "2024-02": "y"}, None),
        ("apple-mail.ios", {"9": "y", "10.3": "n"}, "n 10.3"),
        ("yahoo.android", {"6.37": "n", "2021-10": "y"}, "n 6.37"),
    ],
)
def test_the_newest_version_decides_but_each_outlook_for_windows_counts(
    client: str, versions: dict[str, str], expected: str | None
) -> None:
    assert lacking(client, versions) == expected
