"""Write exporter/audit/clients.json from the data of npm caniemail: ``slim_clients.py caniemail.json VERSION``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent.parent / "exporter" / "audit" / "clients.json"

# Mail programs that the readers of a Chinese and English briefing use, as far as the source has tested them: it
# has no QQ Mail, no 163 and no WeChat Work. Windows Mail is gone since 2024.
CLIENTS = {
    "gmail.desktop-webmail": ("Gmail", "web"),
    "gmail.mobile-webmail": ("Gmail", "mobile web"),
    "gmail.ios": ("Gmail", "iOS"),
    "gmail.android": ("Gmail", "Android"),
    "outlook.windows": ("Outlook", "Windows"),
    "outlook.outlook-com": ("Outlook", "web"),
    "outlook.macos": ("Outlook", "macOS"),
    "outlook.ios": ("Outlook", "iOS"),
    "outlook.android": ("Outlook", "Android"),
    "apple-mail.macos": ("Apple Mail", "macOS"),
    "apple-mail.ios": ("Apple Mail", "iOS"),
    "yahoo.desktop-webmail": ("Yahoo", "web"),
    "yahoo.ios": ("Yahoo", "iOS"),
    "yahoo.android": ("Yahoo", "Android"),
    "samsung-email.android": ("Samsung Email", "Android"),
    "thunderbird.macos": ("Thunderbird", "desktop"),
    "protonmail.desktop-webmail": ("Proton Mail", "web"),
    "protonmail.ios": ("Proton Mail", "iOS"),
    "protonmail.android": ("Proton Mail", "Android"),
    "fastmail.desktop-webmail": ("Fastmail", "web"),
}
# Side by side on readers' desks for decades; every other program renews itself, and its newest state counts.
VERSIONED = {"outlook.windows": ("2007", "2010", "2013", "2016", "2019")}

# What a page is searched for. Most follow from the title; these do not.
FINDS: dict[str, list[str]] = {
    "amp": ["attribute amp4email", "attribute ⚡4email"],
    "css-at-media-device-pixel-ratio": ["media device-pixel-ratio"],
    "css-at-media-hover": ["media hover", "media any-hover"],
    "css-at-media-orientation": ["media orientation"],
    "css-at-media-prefers-color-scheme": ["media prefers-color-scheme"],
    "css-at-media-prefers-reduced-motion": ["media prefers-reduced-motion"],
    "css-at-media": ["at media"],
    "css-animation": [
        "property animation",
        *(
            f"property animation-{part}"
            for part in (
                "delay",
                "direction",
                "duration",
                "fill-mode",
                "iteration-count",
                "name",
                "play-state",
                "timing-function",
            )
        ),
    ],
    "css-background": ["property background"],
    "css-background-position": [
        "property background-position",
        "property background-position-x",
        "property background-position-y",
    ],
    "css-block-inline-size": ["property block-size", "property inline-size"],
    "css-inline-size": ["property inline-size"],
    "css-border": [
        "property border",
        *(f"property border-{side}" for side in ("top", "right", "bottom", "left")),
        *(f"property border-{part}" for part in ("color", "style", "width")),
        *(
            f"property border-{side}-{part}"
            for side in ("top", "right", "bottom", "left")
            for part in ("color", "style", "width")
        ),
    ],
    "css-border-image": [
        "property border-image",
        *(f"property border-image-{part}" for part in ("outset", "repeat", "slice", "source", "width")),
    ],
    "css-border-radius": [
        "property border-radius",
        *(f"property border-{y}-{x}-radius" for y in ("top", "bottom") for x in ("left", "right")),
    ],
    "css-border-radius-logical": [
        f"property border-{a}-{b}-radius" for a in ("start", "end") for b in ("start", "end")
    ],
    "css-border-inline-block": ["property border-inline", "property border-block"],
    "css-border-inline-block-longhand": [
        f"property border-{axis}-{part}" for axis in ("inline", "block") for part in ("color", "style", "width")
    ],
    "css-border-inline-block-individual": [
        f"property border-{axis}-{end}{part}"
        for axis in ("inline", "block")
        for end in ("start", "end")
        for part in ("", "-color", "-style", "-width")
    ],
    "css-color-scheme": ["property color-scheme"],
    "css-column-layout-properties": [
        "property columns",
        *(
            f"property column-{part}"
            for part in ("fill", "rule", "rule-color", "rule-style", "rule-width", "span", "width")
        ),
    ],
    "css-comments": ["css comment"],
    "css-flex-direction": ["declaration flex-direction column", "declaration flex-flow column"],
    "css-flex-wrap": ["declaration flex-wrap wrap", "declaration flex-flow wrap"],
    "css-font": ["property font"],
    "css-gap": ["property gap", "property column-gap", "property row-gap"],
    "css-grid-template": [
        "property grid-template",
        *(f"property grid-template-{part}" for part in ("areas", "columns", "rows")),
    ],
    "css-important": ["important"],
    "css-inert-attribute": ["attribute inert"],
    "css-intrinsic-size": ["ident fit-content", "ident min-content", "ident max-content", "function fit-content"],
    "css-left-right-top-bottom": ["property left", "property right", "property top", "property bottom"],
    "css-margin": ["property margin", *(f"property margin-{side}" for side in ("top", "right", "bottom", "left"))],
    "css-margin-block-start-end": ["property margin-block-start", "property margin-block-end"],
    "css-margin-inline-block": ["property margin-inline", "property margin-block"],
    "css-margin-inline-start-end": ["property margin-inline-start", "property margin-inline-end"],
    "css-mask-image": ["property mask-image", "property mask"],
    "css-modern-color": ["function lch", "function oklch", "function lab", "function oklab"],
    "css-nesting": ["css nesting"],
    "css-outline": ["property outline", *(f"property outline-{part}" for part in ("color", "style", "width"))],
    "css-overflow": ["property overflow", "property overflow-x", "property overflow-y"],
    "css-padding": [
        "property padding",
        *(f"property padding-{side}" for side in ("top", "right", "bottom", "left")),
    ],
    "css-padding-block-start-end": ["property padding-block-start", "property padding-block-end"],
    "css-padding-inline-block": ["property padding-inline", "property padding-block"],
    "css-padding-inline-start-end": ["property padding-inline-start", "property padding-inline-end"],
    "css-pseudo-class-lang": ["pseudo lang"],
    "css-scroll-snap": ["property scroll-snap-type", "property scroll-snap-align", "property scroll-snap-stop"],
    "css-selector-adjacent-sibling": ["selector adjacent"],
    "css-selector-attribute": ["selector attribute"],
    "css-selector-chaining": ["selector chaining"],
    "css-selector-child": ["selector child"],
    "css-selector-class": ["selector class"],
    "css-selector-descendant": ["selector descendant"],
    "css-selector-general-sibling": ["selector sibling"],
    "css-selector-grouping": ["selector grouping"],
    "css-selector-id": ["selector id"],
    "css-selector-type": ["selector type"],
    "css-selector-universal": ["selector universal"],
    "css-sytem-ui": [
        f"ident {name}" for name in ("system-ui", "ui-serif", "ui-sans-serif", "ui-rounded", "ui-monospace")
    ],
    "css-text-emphasis": ["property text-emphasis", "property text-emphasis-color", "property text-emphasis-style"],
    "css-transform": ["property transform"],
    "css-transition": [
        "property transition",
        *(f"property transition-{part}" for part in ("delay", "duration", "property", "timing-function")),
    ],
    "css-unit-calc": ["function calc"],
    "css-unit-initial": ["ident initial"],
    "css-unit-percent": ["unit %"],
    "css-variables": ["css variable", "function var"],
    "html-address": ["element address"],
    "html-anchor-links": ["link #"],
    "html-comments": ["comment"],
    "html-doctype": ["doctype"],
    "html-h1-h6": [f"element h{level}" for level in range(1, 7)],
    "html-image-maps": ["element map", "attribute usemap"],
    "html-lists": [f"element {name}" for name in ("ul", "ol", "dl")],
    "html-mailto-links": ["link mailto"],
    "html-meta-color-scheme": ["meta color-scheme"],
    "html-semantics": [
        f"element {name}"
        for name in (
            *("article", "aside", "details", "figcaption", "figure", "footer", "header"),
            *("main", "mark", "nav", "section", "summary", "time"),
        )
    ],
    "html-srcset": ["attribute srcset", "attribute sizes"],
    "html-svg": ["element svg"],
    "image-apng": ["image apng"],
    "image-base64": ["image data"],
    "image-heif": ["image heif", "image heic"],
    "image-jpg": ["image jpg", "image jpeg"],
    "image-tiff": ["image tiff", "image tif"],
    "image-mp4": ["image mp4"],
}
# Nothing of a page shows it: a logo in a record of the domain.
UNSEEN = {"bimi"}


def finds(slug: str, title: str) -> list[str]:
    """Return what shows that a page uses a feature."""
    if slug in FINDS:
        return FINDS[slug]
    name = title.strip().removesuffix(" property").removesuffix(" shorthand")
    patterns = [
        (r"@([a-z-]+)", "at {0}"),
        (r"::?([a-z-]+)(?:\(\))?", "pseudo {0}"),
        (r"([a-z-]+)\(\)", "function {0}"),
        (r"([a-z]+) unit", "unit {0}"),
        (r"<(\w+) type=\"(\w+)\"> element", "element {0} {1}"),
        (r"<(\w+)>(?: element)?", "element {0}"),
        (r"([a-z-]+) attribute", "attribute {0}"),
        (r"([a-z-]+): ?([a-z-]+)", "declaration {0} {1}"),
        (r"([a-z-]+)", "property {0}"),
    ]
    if slug.startswith("image-"):
        return [f"image {slug.removeprefix('image-')}"]
    for pattern, made in patterns:
        if found := re.fullmatch(pattern, name):
            return [made.format(*found.groups())]
    raise SystemExit(f"nothing shows that a page uses {slug} ({title}): add it to FINDS")


def lacking(client: str, versions: dict[str, str]) -> str | None:
    """Return ``n`` or ``a`` and the versions it is true of, or None when the feature is supported or untested."""
    states = {version: state.split()[0] for version, state in versions.items()}
    if kept := VERSIONED.get(client):
        named = [version for version in kept if states.get(version) in {"n", "a"}]
    else:
        named = [version for version in newest(client, states) if states[version] in {"n", "a"}]
    if not named:
        return None
    worst = "n" if any(states[version] == "n" for version in named) else "a"
    return f"{worst} {named[0]}" if len(named) == 1 else f"{worst} {named[0]}–{named[-1]}"


def newest(client: str, states: dict[str, str]) -> list[str]:
    """Return the version that was tested last; two where a date and a number cannot be put in order."""
    known = [version for version, state in states.items() if state != "u"]
    if client == "outlook.macos":
        return sorted(known, key=outlook_month)[-1:]
    dates = sorted((version for version in known if "-" in version), key=numbers)
    others = sorted((version for version in known if "-" not in version), key=numbers)
    both = [*dates[-1:], *others[-1:]]
    # The worse of the two counts, so that no gap is missed.
    return sorted(both, key=lambda version: "nay".index(states[version]))[:1]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def outlook_month(version: str) -> int:
    """Return the month of a version of Outlook for the Mac: 16.80 came in January 2024, then one each month."""
    parts = numbers(version)
    if parts[0] >= 2000:
        return parts[0] * 12 + (parts[1] if len(parts) > 1 else 1)
    return 2024 * 12 + 1 + parts[1] - 80 if parts[0] == 16 else 0


def main() -> None:
    source, package = sys.argv[1:3]
    known: dict[str, Any] = json.loads(Path(source).read_text(encoding="utf-8"))
    features = {}
    for feature in known["data"]:
        slug = feature["slug"]
        if slug in UNSEEN:
            continue
        support = {}
        for client in CLIENTS:
            family, platform = client.split(".")
            if state := lacking(client, feature["stats"].get(family, {}).get(platform, {})):
                support[client] = state
        features[slug] = {
            "title": feature["title"].strip(),
            "finds": finds(slug, feature["title"]),
            "lacks": support,
        }
    slim = {
        "source": "caniemail.com, by npm caniemail",
        "package": package,
        "date": known["last_update_date"][:10],
        "license": "MIT, see clients.LICENSE",
        "clients": CLIENTS,
        "features": features,
    }
    lines = json.dumps(slim, ensure_ascii=False, indent=0, separators=(",", ":"))
    TARGET.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
