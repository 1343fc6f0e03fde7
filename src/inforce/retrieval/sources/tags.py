"""What sources are called: the tags agents write and the names people use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from inforce.language import Language
from inforce.retrieval.sources.source import SOURCE_NAMES, SourceName

TITLES: dict[Language, dict[SourceName, str]] = {
    "zh": {
        "statute": "法律条文",
        "guideline": "量刑指导意见",
        "precedent": "裁判案例",
        "book": "法律知识",
        "interpretation": "司法解释",
        "document": "本地文档",
    },
    "en": {
        "statute": "statutes",
        "guideline": "sentencing guidelines",
        "precedent": "precedents",
        "book": "legal knowledge",
        "interpretation": "judicial interpretations",
        "document": "local documents",
    },
}
"""What people call each source."""

_ALIASES: dict[SourceName, str] = {
    "statute": "statutes law laws legislation article 法条 法律 法律条文 法律法规 法规 条文 成文法",
    "guideline": (
        "guidelines sentencing_guideline sentencing_guidelines sentencing 量刑指导意见 指导意见 "
        "量刑指导 量刑规范 量刑标准 量刑意见 实施细则 量刑"
    ),
    "precedent": (
        "precedents case cases case_law similar_case similar_cases judgment judgments 案例 判例 "
        "类案 裁判文书 裁判案例 典型案例 指导性案例 判决 判决书 先例"
    ),
    "book": "books knowledge legal_knowledge textbook 法律知识 知识 书籍 法律书籍 教材 学理",
    "interpretation": (
        "interpretations judicial_interpretation judicial_interpretations 司法解释 解释"
    ),
    "document": (
        "documents local_document local_documents file files local 本地文档 文档 文件 本地文件"
    ),
}

_TAGS: dict[str, SourceName] = {
    alias: source for source in SOURCE_NAMES for alias in (source, *_ALIASES[source].split())
}

_BREAKS = re.compile(r"[\s_\-]+")
_EDGES = " <>《》「」\"'`/:："


def read_tag(tag: str | None) -> SourceName | None:
    """The source a tag names, in Chinese or English; ``None`` if it names none.

    >>> read_tag("量刑指导意见"), read_tag("<Judicial Interpretation>"), read_tag("newspaper")
    ('guideline', 'interpretation', None)
    """
    if tag is None:
        return None
    plain = unicodedata.normalize("NFKC", tag).casefold().strip(_EDGES)
    return _TAGS.get(_BREAKS.sub("_", plain))


def tags(language: Language, sources: Sequence[SourceName] = SOURCE_NAMES) -> str:
    """The tags with what they stand for, as a model is told.

    >>> tags("en", ("statute", "book"))
    'statute (statutes), book (legal knowledge)'
    """
    titles = TITLES[language]
    if language == "zh":
        return "、".join(f"{source}（{titles[source]}）" for source in sources)
    return ", ".join(f"{source} ({titles[source]})" for source in sources)
