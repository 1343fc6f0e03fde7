"""Finding the laws and articles that a text cites, in Chinese and in English."""

from inforce.law.citation.finding import (
    Citation,
    CitationKind,
    Cited,
    cited_in,
    find_citations,
)

__all__ = ["Citation", "CitationKind", "Cited", "cited_in", "find_citations"]
