"""Resolving references when laws are stored: which article each means, on which days.

A reference means the article that had its number on the first day of the words that cite it (or at
the end of the year they name). Where the law cited was renumbered, the article is followed through
its editions (`inforce.law.lineage`), and the reference is stored under each number it has had. A
reader then only looks it up. After a change the references of the laws that changed and those to
them are resolved anew.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from inforce.corpus import queries
from inforce.corpus.dated import DatedWork, dated_work
from inforce.corpus.records import number_from
from inforce.corpus.references import title_of_key
from inforce.corpus.states import work_states
from inforce.dates import ALWAYS, DateRange
from inforce.law.lineage import Texts
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline

if TYPE_CHECKING:
    from inforce.corpus.store import Corpus

RESOLVING = 1
"""Which manner of resolving this is: higher after every change."""

_TEXTS_CACHED = 128
"""Laws of which all texts are in memory at a time."""
_NUMBERS_CACHED = 8192

_YEAR = re.compile(r"(?:19|20)\d\d")

_CHANGED = "SELECT value FROM json_each(:changed)"
_TO_RESOLVE = f"""
    SELECT reference.work_id, work.title, number, text_id, body.text, position, target_key, target,
        hint
    FROM reference JOIN work ON work.id = reference.work_id JOIN text AS body ON body.id = text_id
    WHERE reference.work_id IN ({_CHANGED})
        OR target_key IN (SELECT key FROM work WHERE id IN ({_CHANGED}))
    ORDER BY reference.work_id, number, text_id, position
"""
_FORGET = "DELETE FROM citation WHERE work_id = ? AND number = ? AND text_id = ? AND position = ?"
_INSERT = "INSERT INTO citation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class _Reference(NamedTuple):
    """A row of the table of references, and what is needed to resolve it."""

    work_id: int
    work: str
    number: str
    text_id: int
    text: str
    position: int
    key: str
    target: str
    hint: str


class _Days(NamedTuple):
    """The number an article has on some days."""

    number: ProvisionNumber
    window: DateRange


_Row = tuple[int, str, int, int, str, str | None, int, str, str, str, str | None]


def resolve_references(db: sqlite3.Connection) -> None:
    """Resolve the references of the laws that changed since this was last done, and those to them.

    To be called by who writes, inside of the transaction.
    """
    states = {title: f"{RESOLVING} {state}" for title, state in work_states(db).items()}
    ids = dict(db.execute("SELECT title, id FROM work").fetchall())
    before = dict(db.execute("SELECT work_id, state FROM resolved").fetchall())
    changed = {ids[work]: state for work, state in states.items() if before.get(ids[work]) != state}
    if not changed:
        return
    cells = {"changed": json.dumps(sorted(changed))}
    references = [_Reference(*row) for row in db.execute(_TO_RESOLVE, cells)]
    db.executemany(_FORGET, ((r.work_id, r.number, r.text_id, r.position) for r in references))
    db.executemany(_INSERT, _Resolver(db).rows(references))
    db.executemany("INSERT OR REPLACE INTO resolved VALUES (?, ?)", changed.items())


class _Resolver:
    """Resolves references from one state of the corpus."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._law_of = lru_cache(None)(self._law_of_key)
        self._dated = lru_cache(None)(self._dated_work)
        self._editions = lru_cache(None)(self._editions_of)
        self._timeline = lru_cache(_NUMBERS_CACHED)(self._timeline_of)
        self._texts = lru_cache(_TEXTS_CACHED)(self._texts_of)
        self._numbers = lru_cache(_NUMBERS_CACHED)(self._numbers_of)

    def rows(self, references: Iterable[_Reference]) -> Iterator[_Row]:
        """The rows of what is cited, sorted as the references are."""
        for (work, iri), cited in groupby(references, key=lambda one: (one.work, one.number)):
            spans: dict[str, list[Span]] = {}
            for span in self._timeline(work, number_from(iri)).spans:
                if span.provision is not None:
                    spans.setdefault(span.provision.text, []).append(span)
            for reference in cited:
                for span in spans.get(reference.text, ()):
                    yield from self._resolved(reference, span)

    def _resolved(self, reference: _Reference, span: Span) -> Iterator[_Row]:
        law = self._law_of(reference.key)
        if law is None:
            return
        target_id, title = law
        answer, numbers = "", [_Days(ProvisionNumber("whole"), ALWAYS)]
        if reference.target:
            number, made = number_from(reference.target), _made(span, reference.hint)
            answer = self._timeline(title, number).version_at(made).answer
            if answer in ("found", "not_covered"):
                numbers = self._numbers(title, number, self._edition_on(title, made))
        for days in numbers:
            yield (
                reference.work_id,
                reference.number,
                reference.text_id,
                reference.position,
                span.window.start.isoformat(),
                _iso(span.window.end),
                target_id,
                answer,
                days.number.iri if answer in ("found", "not_covered") else "",
                days.window.start.isoformat(),
                _iso(days.window.end),
            )

    def _edition_on(self, title: str, day: date) -> int | None:
        editions = self._editions(title)
        return next((i for i, span in enumerate(editions) if day in span.window), None)

    def _numbers_of(
        self, title: str, number: ProvisionNumber, place: int | None
    ) -> Sequence[_Days]:
        """The numbers an article of one edition of its law has on the days of all of them.

        Where its text of then is not held the number alone says what is meant, on every day.
        """
        editions = self._editions(title)
        if place is None or len(editions) == 1 or not self._texts(title).has(number, place):
            return [_Days(number, ALWAYS)]
        found = followed(self._texts(title), number, place, len(editions))
        return list(_joined(found, [span.window for span in editions]))

    def _law_of_key(self, key: str) -> tuple[int, str] | None:
        title = title_of_key(self._db, key)
        row_id = None if title is None else queries.work_id(self._db, title)
        return None if title is None or row_id is None else (row_id, title)

    def _dated_work(self, title: str) -> DatedWork:
        row_id = queries.work_id(self._db, title)
        assert row_id is not None
        return dated_work(self._db, title, row_id)

    def _editions_of(self, title: str) -> tuple[Span, ...]:
        return self._dated(title).editions

    def _timeline_of(self, title: str, number: ProvisionNumber) -> Timeline:
        row_id = queries.work_id(self._db, title)
        assert row_id is not None
        provisions = queries.provisions_of_number(self._db, row_id, number)
        return self._dated(title).timeline(number, provisions)

    def _texts_of(self, title: str) -> Texts:
        keys = [span.version.key for span in self._editions(title) if span.version]
        return Texts([queries.provisions_of_version(self._db, key) or () for key in keys])


def followed(
    texts: Texts, number: ProvisionNumber, place: int, count: int
) -> Mapping[int, ProvisionNumber]:
    """The number an article of one text has in each of ``count`` texts that it is found in."""
    found = {place: number}
    for order in (range(place, -1, -1), range(place, count)):
        reached = texts.follow(number, order).numbers
        found.update(zip(order[1:], reached[1:], strict=False))
    return found


def numbers_by_edition(
    corpus: Corpus, work: str, number: ProvisionNumber, day: date
) -> Mapping[DateRange, ProvisionNumber]:
    """The number an article of one day has in each edition of its law that it is found in."""
    editions = corpus.editions(work)
    place = next((i for i, span in enumerate(editions) if day in span.window), None)
    if place is None:
        return {}
    texts = Texts([corpus.provisions(span.version) for span in editions if span.version])
    found = followed(texts, number, place, len(editions))
    return {editions[at].window: one for at, one in found.items()}


def _joined(found: Mapping[int, ProvisionNumber], windows: Sequence[DateRange]) -> Iterator[_Days]:
    """The days on which an article has each number; days between two texts go with the earlier.

    The first text held speaks for what was before it.
    """
    starts = [date.min, *(window.start for window in windows[1:])]
    ends = [after for _, after in pairwise([*starts, None])]
    for number, places in groupby(sorted(found), key=found.__getitem__):
        run = list(places)
        yield _Days(number, DateRange(starts[run[0]], ends[run[-1]]))


def _made(span: Span, hint: str) -> date:
    """The day whose law the words mean: their first, or the end of the year they name."""
    year = _YEAR.match(hint)
    first = span.window.start
    return date(int(year[0]), 12, 31) if year and int(year[0]) < first.year else first


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
