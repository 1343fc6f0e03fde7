"""The sources of law and knowledge: their names, documents and the protocol of a search."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol, get_args

from inforce.dates import DateRange
from inforce.language import Language

SourceName = Literal["statute", "guideline", "precedent", "book", "interpretation", "document"]
"""The closed set of sources an agent can name; ``book`` holds books and other legal knowledge,
``document`` the person's own files."""

SOURCE_NAMES: tuple[SourceName, ...] = (
    "statute",
    "guideline",
    "precedent",
    "book",
    "interpretation",
    "document",
)

StoredName = Literal["guideline", "precedent", "book", "interpretation"]
"""The sources that are made from files."""

STORED_NAMES: tuple[StoredName, ...] = get_args(StoredName)

PASSAGE_MARK = "#"
"""Parts a document's id from the number of a passage of it: ``guide-0000#3``."""

WRITTEN_DATE = "date"
"""The field of the details for a date of which only the year or the month is known."""

DEFAULT_K = 3
"""Documents that a search of a source returns by default."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One document, or one passage of it."""

    id: str
    title: str
    text: str
    date: date | None = None
    """The day it was decided, issued or published."""
    valid: DateRange | None = None
    """The days it was in force, for guidelines and interpretations; ``None``: not known."""
    issuer: str = ""
    region: str = ""
    """Where it applies, for local guidelines; empty for the whole country."""
    section: str = ""
    """The heading a passage is under."""
    url: str = ""
    details: dict[str, str] = field(default_factory=dict[str, str])
    """Further facts: court, charge, case number, validity status."""


@dataclass(frozen=True, slots=True)
class SourceHit:
    """A document found, with its source and its score."""

    source: SourceName
    document: SourceDocument
    score: float
    """Higher fits better; comparable within one answer only."""


class Source(Protocol):
    """A source that can be searched."""

    @property
    def name(self) -> SourceName:
        """The name agents use."""
        ...

    def __len__(self) -> int:
        """The number of documents in it."""
        ...

    def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> Sequence[SourceHit]:
        """Return the ``k`` best documents, best first; of these days only, where given.

        For precedents the days are those of the decision; for guidelines, interpretations and
        statutes those in force. A document whose days are not known is never left out for them.
        """
        ...


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
"""The name people use for each source."""

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
    """Return the source a tag names, in Chinese or English; ``None`` if it names none.

    >>> read_tag("量刑指导意见"), read_tag("<Judicial Interpretation>"), read_tag("newspaper")
    ('guideline', 'interpretation', None)
    """
    if tag is None:
        return None
    plain = unicodedata.normalize("NFKC", tag).casefold().strip(_EDGES)
    return _TAGS.get(_BREAKS.sub("_", plain))


def tags(language: Language, sources: Sequence[SourceName] = SOURCE_NAMES) -> str:
    """Return the tags with what they stand for, for a prompt.

    >>> tags("en", ("statute", "book"))
    'statute (statutes), book (legal knowledge)'
    """
    titles = TITLES[language]
    if language == "zh":
        return "、".join(f"{source}（{titles[source]}）" for source in sources)
    return ", ".join(f"{source} ({titles[source]})" for source in sources)
