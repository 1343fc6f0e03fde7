"""Several texts of one law side by side: the earlier ends where the later begins.

A file that is one law does not say until when it was in force. If a later text of the same law lies
in the same folder, the earlier is closed on the day the later came into force, as ``presumed`` (a
text in between cannot be excluded), or is marked ``unknown`` where that day is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from inforce.corpus.loaders.single_law import OPEN_NOTE
from inforce.law.model import Validity, Version, VersionText


def close_by_successors(texts: Sequence[VersionText]) -> tuple[VersionText, ...]:
    """The same texts in the same order, each closed by the next later one of its law."""
    by_work: dict[str, list[Version]] = {}
    for text in texts:
        by_work.setdefault(text.version.work, []).append(text.version)
    return tuple(_closed(text, by_work[text.version.work]) for text in texts)


def _closed(text: VersionText, siblings: Iterable[Version]) -> VersionText:
    version = text.version
    made = _made(version)
    later = [other for other in siblings if made and (_made(other) or made) > made]
    if not later or version.validity.status != "open":
        return text
    successor = min(later, key=lambda other: (_made(other) or date.max, other.key))
    closed = replace(
        version,
        validity=_validity(version.validity, successor.validity.start),
        note=version.note.replace(
            OPEN_NOTE, f"superseded by the text of {_made(successor)} beside it"
        ),
    )
    return replace(text, version=closed)


def _made(version: Version) -> date | None:
    return version.promulgated or version.validity.start


def _validity(validity: Validity, end: date | None) -> Validity:
    known = end is not None and (validity.start is None or validity.start < end)
    return Validity(
        validity.start,
        end if known else None,
        "presumed" if known else "unknown",
        validity.evidence,
    )
