"""Field bullets of an entry: which words at a line's start name which field."""

from __future__ import annotations

import re

_WORDS = {
    "category": "类别 分类 领域 类型 研究方向 所属领域 category categories area topic topics field type",
    "title": "标题 题目 题名 论文 原题 英文标题 title paper",
    "source": "来源 出处 链接 原文 论文链接 论文地址 原文链接 source sources link url arxiv",
    "date": "日期 时间 发布日期 发布时间 提交日期 发表日期 date published submitted",
    "venue": "会议 期刊 发表于 venue conference journal",
    "authors": "作者 作者单位 author authors",
    "code": "代码 仓库 代码库 代码仓库 源码 github code repo repository implementation",
    "model": "模型 权重 model models weights checkpoint",
    "dataset": "数据集 dataset datasets",
    "project": "项目 项目页 项目主页 主页 project homepage website demo",
    "contribution": "贡献 核心贡献 主要贡献 一句话贡献 一句话核心贡献 一句话总结 一句话概括 "
    "contribution contributions tl;dr tldr",
    "rating": "评分 评级 推荐度 推荐指数 rating score stars",
    "license": "许可 许可证 许可协议 协议 license licence",
}
_NAMES = {word: name for name, words in _WORDS.items() for word in words.split()}
_MANY_WORDS = {
    "main contribution": "contribution",
    "key contribution": "contribution",
    "core contribution": "contribution",
    "one-line contribution": "contribution",
    "one-sentence contribution": "contribution",
    "in one sentence": "contribution",
    "project page": "project",
    "published in": "venue",
    "release date": "date",
    "paper title": "title",
    "data set": "dataset",
}
_AFFIXES = re.compile(
    r"^(?:论文|原文|文章|官方|开源|the )"
    r"|(?:[与和及/、]?(?:日期|时间|机构)|链接|地址|页面| link| page| and date| & date| url)$"
)
_LABEL = re.compile(
    r"([^\s：:。，,；;！？!?()（）][^：:。，,；;！？!?\n]{0,39}?)\s*(?:：|:(?=\s|$|[^\x00-\x7f]))\s*"
)
CANONICAL = {
    "category": "类别 category",
    "title": "标题 title",
    "source": "来源 source",
    "date": "日期 date",
    "venue": "发表于 venue",
    "authors": "作者 authors",
    "code": "代码 code",
    "model": "模型 model",
    "dataset": "数据集 dataset",
    "project": "项目主页 project",
    "contribution": "核心贡献 contribution",
    "rating": "评分 rating",
    "license": "许可协议 license",
}
"""The words that the label catalogues print for each field: a source's other words are reported."""


def split_label(line: str) -> tuple[str, str] | None:
    """Split ``label：value`` and return both, or None where a line has no label of at most 40 characters."""
    found = _LABEL.match(line)
    return (found[1], line[found.end() :]) if found else None


def known_field(label: str) -> str | None:
    """Return the field that a label names, such as ``source`` for 来源与日期, or None."""
    word = " ".join(label.lower().split())
    for form in (word, _AFFIXES.sub("", word)):
        if name := _NAMES.get(form) or _MANY_WORDS.get(form):
            return name
    return None


def short_label(label: str) -> bool:
    """Say whether an unknown label is short enough to be a field's own name."""
    han = len(re.findall(r"[^\x00-\x7f]", label))
    return han <= 10 and len(label.split()) <= 4 and len(label) <= 30
