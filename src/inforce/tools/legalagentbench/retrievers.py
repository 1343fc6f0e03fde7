"""The three retrievers of LegalAgentBench as tools: legal knowledge, provisions, cases."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, TypeGuard

from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence, EvidenceKind
from inforce.tools.legalagentbench.documents import CollectionName, RankedDocument
from inforce.tools.legalagentbench.texts import NO_DOCUMENT, RETRIEVAL_ERROR, printed
from inforce.tools.legalagentbench.world import World
from inforce.tools.tool import Arguments, Language, Reach, ToolResult, ToolSpec

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


class Retriever:
    """A retriever of documents of one kind."""

    reach: Reach = "private"

    def __init__(self, kind: _Kind, world: World, *, language: Language = "zh") -> None:
        self._kind = kind
        self._world = world
        self._language: Language = language

    @property
    def spec(self) -> ToolSpec:
        """A query, and how many documents."""
        query, number = _PARAMETERS[self._language]
        parameters: dict[str, Any] = {
            "identifier": {"description": query},
            "k": {"description": number.format(k=self._kind.k)},
        }
        said = self._kind.zh if self._language == "zh" else self._kind.en
        return ToolSpec(f"legal_{self._kind.collection}_retriever", said, parameters, required=())

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Retrieve."""
        query, k = arguments.get("identifier"), _count(arguments.get("k"), self._kind.k)
        if not _is_query(query) or k is None:
            return ToolResult(RETRIEVAL_ERROR, "invalid")
        found = await asyncio.to_thread(self._best, query, k)
        if not found:
            return ToolResult(NO_DOCUMENT[self._language], "unknown")
        texts = [one.text for one in found]
        return ToolResult(printed(texts), "found", tuple(map(self._evidence, found)), texts)

    def _best(self, query: str, k: int) -> tuple[RankedDocument, ...]:
        return self._world.collections[self._kind.collection].best(query, k)

    def _evidence(self, found: RankedDocument) -> Evidence:
        return Evidence(
            f"legalagentbench:{found.document.id}",
            self._kind.evidence,
            found.document.title,
            found.document.text,
            status=_STATUS[found.ranker],
            origin="legalagentbench",
        )


def retriever_tools(world: World, *, language: Language = "zh") -> tuple[Retriever, ...]:
    """The three tools."""
    return tuple(Retriever(kind, world, language=language) for kind in KINDS)


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
