"""The three retrievers of LegalAgentBench as tools: legal knowledge, provisions, cases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeGuard

from inforce.tools.evidence import Evidence, EvidenceKind
from inforce.tools.legalagentbench.documents import CollectionName
from inforce.tools.legalagentbench.texts import NO_DOCUMENT, RETRIEVAL_ERROR, printed
from inforce.tools.legalagentbench.world import World
from inforce.tools.tool import Arguments, FunctionTool, Language, Tool, ToolResult, ToolSpec

MOST_DOCUMENTS = 100
LONGEST_QUERY = 10_000

_STATUS = {
    "recorded": "ranked by the benchmark's retriever",
    "computed": "ranked by a search over the documents at hand",
}
_PARAMETERS: dict[Language, tuple[str, str]] = {
    "zh": ("字符串：检索内容", "整数：返回的文档数，默认{k}"),
    "en": ("string: what to search for", "integer: how many documents to return, {k} if not given"),
}


@dataclass(frozen=True, slots=True)
class _Kind:
    """Settings of a retriever."""

    collection: CollectionName
    k: int
    evidence: EvidenceKind
    zh: str
    en: str


KINDS = (
    _Kind("knowledge", 5, "book", "检索法律知识", "legal knowledge from textbooks"),
    _Kind("article", 5, "statute", "检索法律条文", "provisions of laws"),
    _Kind("case", 1, "precedent", "检索案例", "published cases"),
)


def retriever_tools(world: World, *, language: Language = "zh") -> Iterator[Tool]:
    """The three tools: a query, and how many documents."""
    query, number = _PARAMETERS[language]
    for kind in KINDS:
        parameters: dict[str, Any] = {
            "identifier": {"description": query},
            "k": {"description": number.format(k=kind.k)},
        }
        said = kind.zh if language == "zh" else kind.en
        spec = ToolSpec(f"legal_{kind.collection}_retriever", said, parameters, required=())
        yield FunctionTool(spec, "private", partial(_retrieve, kind, world, language))


async def _retrieve(
    kind: _Kind, world: World, language: Language, arguments: Arguments
) -> ToolResult:
    query, k = arguments.get("identifier"), _count(arguments.get("k"), kind.k)
    if not _is_query(query) or k is None:
        return ToolResult(RETRIEVAL_ERROR, "invalid")
    found = await asyncio.to_thread(lambda: world.collections[kind.collection].best(query, k))
    if not found:
        return ToolResult(NO_DOCUMENT[language], "unknown")
    texts = [one.text for one in found]
    evidence = tuple(
        Evidence(
            f"legalagentbench:{one.document.id}",
            kind.evidence,
            one.document.title,
            one.document.text,
            status=_STATUS[one.ranker],
            origin="legalagentbench",
        )
        for one in found
    )
    return ToolResult(printed(texts), "found", evidence, texts)


def _is_query(given: Any) -> TypeGuard[str]:
    """Whether it is text that can be searched for; half of a surrogate pair is none."""
    if not isinstance(given, str) or not 0 < len(given.strip()) <= LONGEST_QUERY:
        return False
    return not any("\ud800" <= sign <= "\udfff" for sign in given)


def _count(given: Any, usual: int) -> int | None:
    """The number of documents to return; ``None`` where the argument is none."""
    if given is None:
        return usual
    text = str(given).strip()
    if isinstance(given, bool) or not text.isdecimal() or len(text) > 9:
        return None
    return min(int(text), MOST_DOCUMENTS) or None
