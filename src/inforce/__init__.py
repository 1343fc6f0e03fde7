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
    from inforce.answering.answer import Answer
    from inforce.corpus.store import Corpus
    from inforce.dates import DateRange, LegalDate, find_dates, parse_when
    from inforce.errors import InforceError, UserError
    from inforce.law.applicability import Applicability, governing
    from inforce.law.citation import Citation, find_citations
    from inforce.law.diff import diff
    from inforce.law.lineage import align, trace
    from inforce.law.model import Caption, Provision, Version
    from inforce.law.numerals import ProvisionNumber
    from inforce.law.timeline import Lookup, Span, Timeline
    from inforce.library import Library, open_library
    from inforce.retrieval.statutes import SearchResult
    from inforce.wire import as_wire

__version__ = "0.1.0"

_HOMES = {
    "Answer": "inforce.answering.answer",
    "Applicability": "inforce.law.applicability",
    "Caption": "inforce.law.model",
    "Citation": "inforce.law.citation",
    "Corpus": "inforce.corpus.store",
    "DateRange": "inforce.dates",
    "InforceError": "inforce.errors",
    "LegalDate": "inforce.dates",
    "Library": "inforce.library",
    "Lookup": "inforce.law.timeline",
    "Provision": "inforce.law.model",
    "ProvisionNumber": "inforce.law.numerals",
    "SearchResult": "inforce.retrieval.statutes",
    "Span": "inforce.law.timeline",
    "Timeline": "inforce.law.timeline",
    "UserError": "inforce.errors",
    "Version": "inforce.law.model",
    "align": "inforce.law.lineage",
    "as_wire": "inforce.wire",
    "diff": "inforce.law.diff",
    "find_citations": "inforce.law.citation",
    "find_dates": "inforce.dates",
    "governing": "inforce.law.applicability",
    "open_library": "inforce.library",
    "parse_when": "inforce.dates",
    "trace": "inforce.law.lineage",
}

__all__ = [
    "Answer",
    "Applicability",
    "Caption",
    "Citation",
    "Corpus",
    "DateRange",
    "InforceError",
    "LegalDate",
    "Library",
    "Lookup",
    "Provision",
    "ProvisionNumber",
    "SearchResult",
    "Span",
    "Timeline",
    "UserError",
    "Version",
    "align",
    "as_wire",
    "diff",
    "find_citations",
    "find_dates",
    "governing",
    "open_library",
    "parse_when",
    "trace",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'inforce' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
