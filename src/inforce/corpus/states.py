"""A name for what each law's documents depend on: equal names, the same dated texts.

A law is dated from its own records, from the texts that repeal it, from the decisions its history
names where they are held, and from how far its sources are known. Whoever keeps something made of
the laws (a search index) makes anew only those whose name changed.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from inforce.corpus.ingest import DATING
from inforce.law.registry import title_key

_NEWEST = """
    SELECT source_name, source_revision, max(promulgated) FROM version
    WHERE source_revision != '' GROUP BY 1, 2
"""
_RECORDS = """
    SELECT work_id, digest, source_name, source_revision, as_of FROM version
    ORDER BY work_id, digest
"""
_CAPTIONS = "SELECT * FROM caption ORDER BY work_id, number, name, starts, authority"
_REPEALS = """
    SELECT repeal.key, version.work_id, version.key, repeal.made FROM repeal
    JOIN version ON version.id = version_id ORDER BY 1, 3, 4
"""
_DECISIONS = """
    SELECT DISTINCT work_id, decision FROM act JOIN version ON version.id = version_id
    WHERE decision != '' ORDER BY 1, 2
"""


def work_states(db: sqlite3.Connection) -> Mapping[str, str]:
    """The name of the state of each law held, by its title."""
    works = db.execute("SELECT id, title, key FROM work ORDER BY id").fetchall()
    own = _own_states(db)
    said: dict[int, list[str]] = defaultdict(list)
    for work_id, *cells in db.execute(_CAPTIONS):
        said[work_id].append("\x1f".join(map(str, cells)))
    by_key: dict[str, list[int]] = defaultdict(list)
    for work_id, _, key in works:
        by_key[key].append(work_id)
    for key, repealing, *cells in db.execute(_REPEALS):
        for work_id in by_key.get(key, ()):
            said[work_id].append("\x1f".join(map(str, (own.get(repealing, ""), *cells))))
    keys: dict[str, str] = {}
    for work_id, decision in db.execute(_DECISIONS):
        key = keys.get(decision) or keys.setdefault(decision, title_key(decision))
        said[work_id] += (own.get(one, "") for one in by_key.get(key, ()) if one != work_id)
    manner = f"dating {DATING}"
    return {
        title: _hash((manner, own.get(work_id, ""), *said[work_id])) for work_id, title, _ in works
    }


def _own_states(db: sqlite3.Connection) -> dict[int, str]:
    """What the records of each law say, and how far sources that give no day are known."""
    newest = {(name, revision): day for name, revision, day in db.execute(_NEWEST)}
    records: dict[int, list[str]] = defaultdict(list)
    for work_id, digest, name, revision, as_of in db.execute(_RECORDS):
        known = as_of or newest.get((name, revision), "")
        records[work_id].append(f"{digest} {known}")
    return {work_id: _hash(rows) for work_id, rows in records.items()}


def _hash(rows: Iterable[str]) -> str:
    return blake2b("\x1e".join(rows).encode(), digest_size=12).hexdigest()
