"""Evidence for an answer: a text, its source, and its dates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EvidenceKind = Literal[
    "statute",
    "interpretation",
    "guideline",
    "precedent",
    "case_law",
    "book",
    "document",
    "web",
    "table",
    "calculation",
]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A text that a tool found; answers cite it by its id."""

    id: str
    """Stable across runs: a provision's IRI with its version, a URL, a document id, a row id."""
    kind: EvidenceKind
    title: str
    text: str
    """Verbatim, as far as it was read; may be quoted."""
    url: str = ""
    date: str = ""
    """Its date, in words: "in force 1997-10-01 to 2011-04-30", "published 2021-03-01"."""
    status: str = ""
    """Its standing: "in force then", "since amended", "status not checked"."""
    origin: str = ""
    """The source or provider that returned it: ``statutes``, ``serper``, ``courtlistener``."""
