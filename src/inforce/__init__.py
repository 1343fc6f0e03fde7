"""Legal research under the law in force at the time of the facts.

>>> import inforce
>>> with inforce.open_library() as library:
...     print(library.at("刑法", "74", on="2010-06-01").lookup.found[0].provision.text)
对于累犯，不适用缓刑。

The names below are loaded when first used: ``import inforce`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inforce.agents.runtime.answer import ResearchAnswer, Sentence
    from inforce.agents.runtime.trace_view import Step
    from inforce.agents.settings import ResearchSettings
    from inforce.answering.answer import Absence, Answer, Quotation
    from inforce.answering.today import Today
    from inforce.corpus.store import Corpus
    from inforce.dates import DateRange, LegalDate, find_dates, parse_when
    from inforce.errors import (
        BudgetError,
        CorpusError,
        DateError,
        IdentifierError,
        InforceError,
        InputError,
        InternalError,
        MissingCorpusError,
        MissingExtraError,
        ModelError,
        NetworkForbiddenError,
        SearchIndexError,
        UnknownWorkError,
        UserError,
    )
    from inforce.law.alignment import align
    from inforce.law.applicability import Applicability, governing
    from inforce.law.citation import Citation, find_citations
    from inforce.law.diff import diff
    from inforce.law.lineage import Lineage, lineage_of
    from inforce.law.model import Caption, Provision, Version
    from inforce.law.numerals import ProvisionNumber
    from inforce.law.timeline import Lookup, Span, Timeline
    from inforce.lawbook import Descent, History, LawBook, ProvisionAt, ProvisionDiff
    from inforce.library import Library, open_library
    from inforce.retrieval.statutes import Coverage, Hit, SearchResult
    from inforce.tools.evidence import Evidence
    from inforce.wire import as_wire

__version__ = "0.1.0"

__all__ = [
    "Absence",
    "Answer",
    "Applicability",
    "BudgetError",
    "Caption",
    "Citation",
    "Corpus",
    "CorpusError",
    "Coverage",
    "DateError",
    "DateRange",
    "Descent",
    "Evidence",
    "History",
    "Hit",
    "IdentifierError",
    "InforceError",
    "InputError",
    "InternalError",
    "LawBook",
    "LegalDate",
    "Library",
    "Lineage",
    "Lookup",
    "MissingCorpusError",
    "MissingExtraError",
    "ModelError",
    "NetworkForbiddenError",
    "Provision",
    "ProvisionAt",
    "ProvisionDiff",
    "ProvisionNumber",
    "Quotation",
    "ResearchAnswer",
    "ResearchSettings",
    "SearchIndexError",
    "SearchResult",
    "Sentence",
    "Span",
    "Step",
    "Timeline",
    "Today",
    "UnknownWorkError",
    "UserError",
    "Version",
    "align",
    "as_wire",
    "diff",
    "find_citations",
    "find_dates",
    "governing",
    "lineage_of",
    "open_library",
    "parse_when",
]

_NAMES = {
    "inforce.agents.runtime.answer": "ResearchAnswer Sentence",
    "inforce.agents.runtime.trace_view": "Step",
    "inforce.agents.settings": "ResearchSettings",
    "inforce.answering.answer": "Absence Answer Quotation",
    "inforce.answering.today": "Today",
    "inforce.corpus.store": "Corpus",
    "inforce.dates": "DateRange LegalDate find_dates parse_when",
    "inforce.law.applicability": "Applicability governing",
    "inforce.law.citation": "Citation find_citations",
    "inforce.law.diff": "diff",
    "inforce.law.alignment": "align",
    "inforce.law.lineage": "Lineage lineage_of",
    "inforce.law.model": "Caption Provision Version",
    "inforce.law.numerals": "ProvisionNumber",
    "inforce.law.timeline": "Lookup Span Timeline",
    "inforce.lawbook": "Descent History LawBook ProvisionAt ProvisionDiff",
    "inforce.library": "Library open_library",
    "inforce.retrieval.statutes": "Coverage Hit SearchResult",
    "inforce.tools.evidence": "Evidence",
    "inforce.wire": "as_wire",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'inforce' has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "inforce.errors")), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
