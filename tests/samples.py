"""An issue with one of every block and inline kind, in Chinese and in English, and the edition made of it."""

from __future__ import annotations

import hashlib
import io
from typing import Any

from exporter.assets import Asset
from exporter.edition import Edition, make_edition
from exporter.model import Issue
from exporter.theme import load_theme

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120" viewBox="0 0 320 120">'
    '<rect width="320" height="120" fill="#f6f8fa"/><rect x="20" y="30" width="200" height="24" fill="#b3261e"/>'
    '<rect x="20" y="70" width="120" height="24" fill="#1f5f8b"/>'
    '<text x="230" y="48" font-size="14" font-family="Noto Sans CJK SC">基线 78.4</text></svg>'
)

WORDS: dict[str, dict[str, str]] = {
    "zh": {
        "title": "样刊：每种元素各一",
        "subtitle": "给排版看的一期",
        "summary": "这一期把每种块与行内元素各用一次，用来检查Markdown之外的写作方式。",
        "section": "第一部分",
        "entry": "条目：把“记忆”与经验分开",
        "prose": "研究者在2026年8月报告了一种方法，它把工作记忆与经验记忆分开；长轨迹任务的成功率提高了12.5%——但代价仍不清楚……",
        "more": "后续工作应当给出等量调用的对照，",
        "strong": "真实的加粗。",
        "emphasis": "着重说明",
        "struck": "旧的说法",
        "link": "论文页面",
        "quote": "先把问题说清楚，再谈方法。",
        "attribution": "编辑部",
        "caption": "两种设置的得分",
        "alt": "条形图：第一种设置明显更高",
        "table": "逐项得分",
        "term": "经验记忆",
        "definition": "跨任务复用的技能集合。",
        "note": "脚注的正文，含一个公式与English words。",
        "code": "匹配两条学习率曲线",
        "admonition": "读者须知：数字来自论文，未经复核。",
        "task": "核对数字",
        "item": "列表项，含嵌套",
        "cell": "设置",
        "only": "只在纸上出现的一段。",
        "english": "a foreign run of words",
    },
    "en": {
        "title": "Specimen: one of every element",
        "subtitle": "An issue for the typesetter",
        "summary": "This issue uses every block and inline once, to see how it is set.",
        "section": "Part One",
        "entry": "Entry: separating “memory” from experience",
        "prose": "Researchers reported in August 2026 a method that keeps working memory apart from experience; success on "
        "long tasks rose by 12.5%—but at what cost isn’t clear yet…",
        "more": "Follow-up work should give a matched-call baseline, ",
        "strong": "in real bold.",
        "emphasis": "stressed",
        "struck": "an older claim",
        "link": "the paper’s page",
        "quote": "State the question first, then the method.",
        "attribution": "The editors",
        "caption": "Scores of two settings",
        "alt": "Bar chart: the first setting is clearly higher",
        "table": "Scores, item by item",
        "term": "Experiential memory",
        "definition": "A set of skills reused across tasks.",
        "note": "The text of a footnote, with a formula.",
        "code": "Matching two learning-rate curves",
        "admonition": "Numbers are the papers’ own and were not checked again.",
        "task": "Check the numbers",
        "item": "A list item, with a list inside",
        "cell": "Setting",
        "only": "A paragraph that appears on paper alone.",
        "english": "汉字一串",
    },
}


def text(value: str) -> dict[str, Any]:
    return {"kind": "text", "text": value}


def paragraph(*children: dict[str, Any] | str) -> dict[str, Any]:
    nodes = [text(child) if isinstance(child, str) else child for child in children]
    return {"kind": "paragraph", "children": nodes}


def row(*cells: str) -> list[dict[str, Any]]:
    return [{"children": [text(cell)]} for cell in cells]


def inline_paragraph(words: dict[str, str], language: str) -> dict[str, Any]:
    return paragraph(
        words["prose"],
        {"kind": "emphasis", "children": [text(words["emphasis"])]},
        {"kind": "strong", "children": [text(words["strong"])]},
        words["more"],
        {"kind": "strikethrough", "children": [text(words["struck"])]},
        {"kind": "code", "text": "skill_memories/<id> & x"},
        {"kind": "link", "target": "https://arxiv.org/abs/2608.24876", "children": [text(words["link"])]},
        {"kind": "reference", "target": "fig-scores"},
        {"kind": "note-reference", "note": "n1"},
        {"kind": "math", "tex": r"\eta(t)/\lVert W\rVert"},
        {"kind": "image", "path": "badge.png", "alt": "OK"},
        {"kind": "line-break"},
        {
            "kind": "span",
            "language": "en" if language == "zh" else "zh",
            "children": [text(words["english"])],
            "id": "span-1",
            "classes": ["aside"],
        },
    )


def blocks_for(words: dict[str, str], language: str) -> list[dict[str, Any]]:
    return [
        inline_paragraph(words, language),
        {"kind": "heading", "level": 3, "label": "why", "id": "why-1"},
        {
            "kind": "list",
            "items": [
                {
                    "children": [
                        paragraph(words["item"]),
                        {"kind": "list", "ordered": True, "start": 3, "items": [{"children": [paragraph("A")]}]},
                    ]
                },
                {"children": [paragraph(words["task"])], "checked": True},
                {"children": [paragraph(words["task"])], "checked": False},
            ],
        },
        {
            "kind": "definition-list",
            "items": [{"term": [text(words["term"])], "definitions": [[paragraph(words["definition"])]]}],
        },
        {
            "kind": "figure",
            "path": "scores.svg",
            "alt": words["alt"],
            "caption": [text(words["caption"])],
            "id": "fig-scores",
            "credit": [text(words["attribution"])],
            "source": [text("arXiv:2608.24876")],
            "width": "80%",
            "align": "center",
        },
        {"kind": "figure", "path": "badge.png", "alt": ""},
        {
            "kind": "table",
            "id": "tab-scores",
            "caption": [text(words["table"])],
            "columns": [{"align": "left"}, {"align": "decimal"}, {"align": "right", "format": "percent"}],
            "head": [row(words["cell"], "EM", "%")],
            "rows": [row("1.10", "12.5", "0.176"), row("00123", "-7", "0.126"), row("20200407_2", "1e3", "")],
            "stub_columns": 1,
            "notes": [text(words["note"])],
            "source": [text("arXiv:2608.24794")],
        },
        {"kind": "admonition", "variant": "warning", "children": [paragraph(words["admonition"])]},
        {
            "kind": "quote",
            "children": [paragraph(words["quote"])],
            "attribution": [text(words["attribution"])],
            "source": [text("2026")],
        },
        {
            "kind": "code-block",
            "language": "python",
            "text": "def elr(lr, norm):\n    return lr / norm  # <&>",
            "caption": [text(words["code"])],
            "id": "code-elr",
            "lines": True,
        },
        {"kind": "math-block", "tex": r"\mathrm{ELR}(t)=\frac{\eta(t)}{\lVert W(t)\rVert}", "id": "eq-elr"},
        {"kind": "only", "formats": ["pdf"], "children": [paragraph(words["only"])]},
        {"kind": "thematic-break"},
        {"kind": "page-break"},
        paragraph(
            {"kind": "reference", "target": "tab-scores"},
            {"kind": "reference", "target": "eq-elr"},
            {"kind": "reference", "target": "code-elr"},
            {"kind": "reference", "target": "recuris"},
            {"kind": "reference", "target": "part-1", "children": [text(words["section"])]},
            {"kind": "note-reference", "note": "n1"},
        ),
    ]


def version(language: str) -> dict[str, Any]:
    words = WORDS[language]
    return {
        "title": words["title"],
        "subtitle": [text(words["subtitle"])],
        "date": "2026-08-27",
        "language": language,
        "number": "239",
        "volume": "3",
        "kind": "daily",
        "rating": 4,
        "tags": ["AI", "LLM", "Agent"],
        "authors": [{"name": words["attribution"], "affiliation": "Shushu"}],
        "coverage": {"from": "2026-08-25", "to": "2026-08-26", "note": [text("UTC+8")]},
        "method": [paragraph(words["summary"])],
        "summary": [paragraph(words["summary"])],
        "lead": [paragraph(words["quote"])],
        "sections": [
            {
                "id": "part-1",
                "title": [text(words["section"])],
                "body": [
                    {"kind": "heading", "level": 2, "children": [text(words["term"])], "id": "sub-1"},
                    paragraph(words["prose"]),
                    {
                        "kind": "entry",
                        "id": "recuris",
                        "title": [text(words["entry"])],
                        "fields": [
                            {"name": "title", "value": [text("Recursive Experiential–Working Memory Evolution")]},
                            {
                                "name": "source",
                                "value": [
                                    {
                                        "kind": "link",
                                        "target": "https://arxiv.org/abs/2608.24876",
                                        "children": [text("arXiv:2608.24876")],
                                    }
                                ],
                            },
                            {"name": "自定 custom", "value": [text(words["task"])]},
                        ],
                        "body": blocks_for(words, language),
                    },
                ],
            }
        ],
        "notes": [{"id": "n1", "children": [paragraph(words["note"])]}],
    }


PUBLICATION: dict[str, Any] = {
    "name": {"zh": "鼠鼠研究站", "en": "Shushu Research Station"},
    "publisher": {"zh": "鼠鼠研究站", "en": "Shushu Research Station"},
    "url": "https://shushu.example",
    "license": "CC BY 4.0",
    "issn": "2049-3630",
    "email": {
        "from": {"name": {"zh": "鼠鼠研究站", "en": "Shushu Research Station"}, "address": "daily@shushu.example"},
        "to": "readers@shushu.example",
        "list_id": "daily.shushu.example",
        "list_unsubscribe": ["https://shushu.example/leave", "mailto:leave@shushu.example"],
        "base_url": "https://shushu.example/archive",
    },
}


def all_blocks(*languages: str) -> Issue:
    """Return the issue in the languages, the first one the original; both by default."""
    versions = [version(language) for language in languages or ("zh", "en")]
    return Issue.model_validate({"id": "specimen", "publication": PUBLICATION, "versions": versions})


def asset(path: str, content: bytes, media_type: str, width: int, height: int) -> Asset:
    return Asset(path, content, media_type, width, height, hashlib.sha256(content).hexdigest())


def sample_assets() -> dict[str, Asset]:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (32, 16), "#1f5f8b").save(buffer, "PNG")
    return {
        "scores.svg": asset("scores.svg", SVG.encode(), "image/svg+xml", 320, 120),
        "badge.png": asset("badge.png", buffer.getvalue(), "image/png", 32, 16),
    }


def edition_of(issue: Issue, language: str = "zh", *, theme: str = "base") -> Edition:
    return make_edition(issue, sample_assets(), language=language, theme=load_theme(theme))
