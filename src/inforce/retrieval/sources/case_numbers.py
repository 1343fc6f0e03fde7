"""Cases by their number: （2019）京01民终1234号, 指导案例24号, 检例第24号."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from inforce.retrieval.sources.source import SourceDocument
from inforce.retrieval.sources.stored import StoredName, open_source, source_store
from inforce.retrieval.text_reuse import fold

CASES: Final[StoredName] = "precedent"
"""The stored source that has cases."""
_MOST_LIKELY = 20
_HEAD = 300
"""Characters of a text in which a case has its own number; further on it may cite another's."""
_GUIDING = re.compile(
    r"指导性?案例\s?第?\s?(?P<after>\d{1,4})\s?号|第?\s?(?P<before>\d{1,4})\s?号指导性?案例"
)


def holds_cases(home: Path) -> bool:
    """Whether a data folder has a source of cases."""
    return bool(source_store(home, CASES).current(CASES))


def find_case(home: Path, number: str) -> SourceDocument | None:
    """The case that has a number; ``None`` if the source does not hold it.

    Raises:
        SearchIndexError: if the source is damaged, or of another release.
    """
    sought = _plain(number)
    source = open_source(home, CASES)
    hits = source.search(number, k=min(_MOST_LIKELY, max(1, len(source))))
    return next((hit.document for hit in hits if sought in _number_of(hit.document)), None)


def _number_of(document: SourceDocument) -> str:
    return _plain(" ".join((document.title, *document.details.values(), document.text[:_HEAD])))


def _plain(number: str) -> str:
    """A number as it is compared: those of guiding cases, too, which are written in many ways."""
    same = _GUIDING.sub(lambda found: f"指导案例{found['after'] or found['before']}号", number)
    return fold(same).text
