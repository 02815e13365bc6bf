"""Splits tags that were copied without the space between them: ``dailyAILLMAgentCode Intelligence``.

Case changes are boundaries, a run of capitals is split into known abbreviations, and known names with capitals
inside (``OpenAI``) stay whole. No character is dropped.
"""

from __future__ import annotations

import re
from functools import cache

_ABBREVIATIONS = frozenset(
    str.split(
        """
        AI LLM LLMS VLM VLMS VLA MLLM MLLMS SLM SLMS LMM ML DL RL RLHF RLVR RLAIF SFT DPO PPO
        GRPO NLP NLU NLG CV RAG AGI ASI MCP API GPU CPU TPU NPU MOE LORA PEFT QA SE PL OS DB HPC
        IR KG GNN CNN RNN GAN VAE SSM ASR TTS OCR SLAM AR VR XR HCI UI UX IOT IT CS EE EDA SWE
        CI CD QEC ICL COT TOT WAM OOD SOTA
        """
    )
)
_NAMES = str.split(
    """
        OpenAI DeepMind DeepSeek PyTorch TensorFlow GitHub GitLab HuggingFace LangChain
        LlamaIndex arXiv ArXiv LoRA QLoRA MoE iOS macOS MacOS JavaScript TypeScript LaTeX
        YouTube LinkedIn DevOps MLOps LLMOps AIOps NeRF RoPE ChatGPT CoT ToT IoT GenAI LLMs VLMs
        MLLMs SLMs APIs GPUs CodeGen AutoML BioML PhD eBPF vLLM SGLang WebAssembly GraphRAG
        NeurIPS
        """
)
_HAN_WORDS = frozenset(
    str.split(
        """
        日报 周报 月报 每日 每周 论文 调研 简报 大模型 大语言模型 语言模型 智能体 强化学习
        机器学习 深度学习 多模态 推理 预训练 后训练 代码 代码智能 世界模型 数据 基准 评测
        对齐 安全 机器人 具身智能 计算机视觉 自然语言处理 检索增强 开源 工具 训练 记忆
        持续学习 综述 研究 新闻 技术 人工智能 科学 生物 医疗 金融 教育
        """
    )
)
_SEPARATORS = re.compile(r"\s*[,，、;；|｜·•/]\s*|\s+#|(?<=\s)#|^#|\t+")
_WORD = re.compile(
    rf"{'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))}"
    r"|[A-Z]+(?![a-z])|[A-Z]?[a-z][a-z'’]*|[0-9][0-9.]*[A-Za-z]*|[^\x00-\x7f]+|\s+|."
)


def split_tags(text: str) -> tuple[str, ...]:
    """Return the tags of a line, split at separators where it has any and at word boundaries otherwise."""
    parts = [part.strip() for part in _SEPARATORS.split(text.strip()) if part.strip()]
    if len(parts) > 1:
        return tuple(parts)
    return tuple(_split_run(parts[0])) if parts else ()


def _split_run(text: str) -> list[str]:
    tags: list[str] = []
    joined = False
    for found in _WORD.finditer(text):
        word = found[0]
        if not word.strip():
            joined = True
        elif joined or not word[0].isalnum() or (tags and tags[-1][-1:] in "-+.&_/"):
            tags[-1:] = [(tags[-1] + (" " if joined else "") if tags else "") + word]
            joined = False
        else:
            tags.extend(_known_parts(word))
    return tags


def _known_parts(word: str) -> list[str]:
    """Split a run of capitals or of Chinese characters if known words fill it without a rest."""
    if word.isascii() and not word.isupper():
        return [word]
    vocabulary = _ABBREVIATIONS if word.isascii() else _HAN_WORDS
    return list(_segment(word, vocabulary) or (word,))


def _segment(word: str, vocabulary: frozenset[str]) -> tuple[str, ...] | None:
    """Return the split of a word into the fewest known words, or None."""

    @cache
    def rest(start: int) -> tuple[str, ...] | None:
        if start == len(word):
            return ()
        splits = [
            (word[start:end], *tail)
            for end in range(len(word), start, -1)
            if word[start:end] in vocabulary and (tail := rest(end)) is not None
        ]
        return min(splits, key=len, default=None)

    return rest(0) if len(word) <= 64 else None
