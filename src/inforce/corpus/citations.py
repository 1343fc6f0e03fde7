"""The references between provisions, stored with the laws: what each wording cites, on which days.

They are read from the texts while laws are added. A reference means the article that had its number
on the first day of the words that cite it (or at the end of the year they name). Where the law
cited was renumbered, the article is followed through its editions (`inforce.law.lineage`), and the
reference is stored under each number it has had. A reader (`inforce.corpus.links`) then only looks
it up. After a change the references of the laws that changed, and those to them, are resolved anew.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from inforce.corpus import rows
from inforce.corpus.dated_work import DatedWork, dated_work
from inforce.corpus.snapshots import work_snapshots
from inforce.dates import ALWAYS, DateRange
from inforce.law.citation import cited_in
from inforce.law.lineage import LineageTracer
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key
from inforce.law.timeline import Span, Timeline

if TYPE_CHECKING:
    from inforce.corpus.store import Corpus

RESOLVING = 1
"""The number of the rules by which references are resolved: one higher after every change."""

ReferenceRow = tuple[str, int, str, str, int | None, int | None, str, str, bytes]
"""Number, position, key and number cited, paragraph, item, title, hint, and the wording's hash."""

INSERT_REFERENCE = """
    INSERT OR IGNORE INTO reference (work_id, number, position, target_key, target, paragraph, item,
        title, hint, text_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM text WHERE hash = ?))
"""

_TEXTS_CACHED = 128
"""Laws of which all texts are in memory at a time."""
_NUMBERS_CACHED = 8192

_YEAR = re.compile(r"(?:19|20)\d\d")

_WORDINGS = """
    SELECT DISTINCT work.id, work.title, provision.number, text.text FROM provision
    JOIN version ON version.id = provision.version_id JOIN work ON work.id = version.work_id
    JOIN text ON text.id = provision.text_id
"""
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


# -- reading references from texts -----------------------------------------------------------------


def reference_rows(work: str, provision: Provision, text_digest: bytes) -> Iterator[ReferenceRow]:
    """Read what a provision cites as rows of the table of references."""
    for position, cited in enumerate(cited_in(work, provision)):
        portion = cited.portion
        yield (
            provision.number.iri,
            position,
            cited.key,
            portion.number.iri if portion else "",
            portion.paragraph if portion else None,
            portion.item if portion else None,
            cited.title,
            cited.hint,
            text_digest,
        )


def read_references_again(db: sqlite3.Connection) -> None:
    """Fill the table from every wording held: for a file made before there was one."""
    for work_id, work, number, text in db.execute(_WORDINGS).fetchall():
        provision = Provision(rows.number_from(number), text)
        found = reference_rows(work, provision, rows.text_digest(text))
        db.executemany(INSERT_REFERENCE, ((work_id, *row) for row in found))


# -- resolving them --------------------------------------------------------------------------------


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


class _Law(NamedTuple):
    """A law that is cited."""

    id: int
    title: str


class _Numbered(NamedTuple):
    """The number an article has on some days."""

    number: ProvisionNumber
    window: DateRange


def resolve(db: sqlite3.Connection) -> None:
    """Resolve the references of the laws that changed since this was last done, and those to them.

    To be called by a writer, inside of its transaction.
    """
    states = {title: f"{RESOLVING} {state}" for title, state in work_snapshots(db).items()}
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
        self._law = lru_cache(None)(self._find_law)
        self._dated = lru_cache(None)(self._date_law)
        self._timeline = lru_cache(_NUMBERS_CACHED)(self._build_timeline)
        self._texts = lru_cache(_TEXTS_CACHED)(self._read_texts)
        self._numbers = lru_cache(_NUMBERS_CACHED)(self._follow)

    def rows(self, references: Iterable[_Reference]) -> Iterator[tuple[object, ...]]:
        """Resolve references that are sorted by law and number; gives rows of citations."""
        for (work, iri), group in groupby(references, key=lambda one: (one.work, one.number)):
            spans: defaultdict[str, list[Span]] = defaultdict(list)
            for span in self._timeline(work, rows.number_from(iri)).spans:
                if span.provision is not None:
                    spans[span.provision.text].append(span)
            for reference in group:
                law = self._law(reference.key)
                if law is not None:
                    for span in spans.get(reference.text, ()):
                        yield from self._resolve(reference, span, law)

    def _resolve(
        self, reference: _Reference, span: Span, law: _Law
    ) -> Iterator[tuple[object, ...]]:
        answer, numbers = "", [_Numbered(ProvisionNumber("whole"), ALWAYS)]
        if reference.target:
            number, day = rows.number_from(reference.target), _day_meant(span, reference.hint)
            answer = self._timeline(law.title, number).version_at(day).answer
            if answer in ("found", "not_covered"):
                editions = self._dated(law.title).editions
                place = next((i for i, one in enumerate(editions) if day in one.window), None)
                numbers = self._numbers(law.title, number, place)
        for number, window in numbers:
            yield (
                reference.work_id,
                reference.number,
                reference.text_id,
                reference.position,
                span.window.start.isoformat(),
                rows.iso(span.window.end),
                law.id,
                answer,
                number.iri if answer in ("found", "not_covered") else "",
                window.start.isoformat(),
                rows.iso(window.end),
            )

    def _follow(
        self, title: str, number: ProvisionNumber, place: int | None
    ) -> Sequence[_Numbered]:
        """Follow an article of one edition of its law (by its place) through all of them.

        Where its text of then is not held, the number alone identifies it, on every day.
        """
        editions = self._dated(title).editions
        if place is None or len(editions) == 1 or not self._texts(title).has(number, place):
            return [_Numbered(number, ALWAYS)]
        found = _followed(self._texts(title), number, place, len(editions))
        return list(_by_days(found, [span.window for span in editions]))

    def _find_law(self, key: str) -> _Law | None:
        """The law held that other texts call so; ``None`` where none or several are."""
        found = self._db.execute("SELECT id, title FROM work WHERE key = ?", (key,))
        laws = [_Law(*row) for row in found if title_key(row[1]) == key]
        return laws[0] if len(laws) == 1 else None

    def _date_law(self, title: str) -> DatedWork:
        row_id = rows.work_id(self._db, title)
        assert row_id is not None
        return dated_work(self._db, row_id, title)

    def _build_timeline(self, title: str, number: ProvisionNumber) -> Timeline:
        dated = self._dated(title)
        return dated.timeline(number, rows.provisions_of_number(self._db, dated.id, number))

    def _read_texts(self, title: str) -> LineageTracer:
        editions = self._dated(title).editions
        keys = [span.version.key for span in editions if span.version]
        return LineageTracer([rows.provisions_of_version(self._db, key) or () for key in keys])


def numbers_by_edition(
    corpus: Corpus, work: str, number: ProvisionNumber, day: date
) -> Mapping[DateRange, ProvisionNumber]:
    """Return the number an article of one day has in each edition of its law that has it."""
    editions = corpus.editions(work)
    place = next((i for i, span in enumerate(editions) if day in span.window), None)
    if place is None:
        return {}
    texts = LineageTracer([corpus.provisions(span.version) for span in editions if span.version])
    found = _followed(texts, number, place, len(editions))
    return {editions[at].window: number for at, number in found.items()}


def _followed(
    texts: LineageTracer, number: ProvisionNumber, place: int, count: int
) -> Mapping[int, ProvisionNumber]:
    """The number an article of one text has in each of ``count`` texts that it is found in."""
    found = {place: number}
    for order in (range(place, -1, -1), range(place, count)):
        numbers = texts.follow(number, order).numbers
        found.update(zip(order[1:], numbers[1:], strict=False))
    return found


def _by_days(
    found: Mapping[int, ProvisionNumber], windows: Sequence[DateRange]
) -> Iterator[_Numbered]:
    """The days on which an article has each number; days between two texts go with the earlier.

    The first text held speaks for what was before it.
    """
    starts = [date.min, *(window.start for window in windows[1:])]
    ends = [after for _, after in pairwise([*starts, None])]
    for number, group in groupby(sorted(found), key=found.__getitem__):
        places = list(group)
        yield _Numbered(number, DateRange(starts[places[0]], ends[places[-1]]))


def _day_meant(span: Span, hint: str) -> date:
    """The day whose law the words mean: their first, or the end of the year they name."""
    year = _YEAR.match(hint)
    first = span.window.start
    return date(int(year[0]), 12, 31) if year and int(year[0]) < first.year else first
