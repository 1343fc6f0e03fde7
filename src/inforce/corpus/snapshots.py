"""Hashes of what a corpus holds: of the whole, of each law, of each record.

What is derived from the laws (a search index, stored answers, resolved references) is made anew
where the hash changed. The hashes also show whether the file was damaged.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping

from inforce.corpus import rows
from inforce.law.model import Provision, Version, provisions_hash
from inforce.law.registry import title_key

DATING = 4
"""The number of the rules by which laws are dated (`inforce.corpus.dating`): one higher after every
change of them, so that what is derived from the dates is made anew."""

EMPTY_SNAPSHOT = hashlib.sha256().hexdigest()
"""The snapshot of a corpus that holds nothing."""

_CAPTIONS = """
    SELECT title, number, name, starts, ends, authority FROM caption
    JOIN work ON work.id = work_id ORDER BY 1, 2, 3, 4, 6
"""
_NEWEST_OF_SOURCE = """
    SELECT source_name, source_revision, max(promulgated) FROM version
    WHERE source_revision != '' GROUP BY 1, 2
"""
_RECORDS = """
    SELECT work_id, digest, source_name, source_revision, as_of FROM version
    ORDER BY work_id, digest
"""
_CAPTIONS_OF_WORKS = "SELECT * FROM caption ORDER BY work_id, number, name, starts, authority"
_REPEALS = """
    SELECT repeal.key, version.work_id, version.key, repeal.made FROM repeal
    JOIN version ON version.id = version_id ORDER BY 1, 3, 4
"""
_DECISIONS = """
    SELECT DISTINCT work_id, decision FROM act JOIN version ON version.id = version_id
    WHERE decision != '' ORDER BY 1, 2
"""


def record_digest(version: Version, provisions: Iterable[Provision]) -> str:
    """Hash everything a record says: equal digests are the same record."""
    *row, as_of, text_as_of = rows.version_row(version)
    digest = hashlib.sha256(json.dumps([version.work, *row]).encode())
    if as_of or text_as_of or version.history:
        more = [as_of, text_as_of, *map(rows.act_row, version.history)]
        digest.update(json.dumps(more).encode())
    for provision in provisions:
        digest.update(
            f"{provision.number.iri}\x1f{provision.path}\x1f{provision.hash}\x1e".encode()
        )
    return digest.hexdigest()


def compute_snapshot(db: sqlite3.Connection) -> str:
    """Hash every record and caption of the file, whatever the order they came in."""
    digest = hashlib.sha256()
    records = db.execute("SELECT digest FROM version ORDER BY digest").fetchall()
    if records:
        digest.update(f"dating {DATING}\x1e".encode())
    for (record,) in records:
        digest.update(f"{record}\x1e".encode())
    for caption in db.execute(_CAPTIONS):
        digest.update("\x1f".join(map(str, caption)).encode() + b"\x1e")
    return digest.hexdigest()


def work_snapshots(db: sqlite3.Connection) -> Mapping[str, str]:
    """Hash what the dated texts of each law depend on, by its title.

    A law is dated from its own records, from the texts that repeal it, from the decisions its
    history names where they are held, and from the day up to which its sources are known.
    """
    works = db.execute("SELECT id, title, key FROM work ORDER BY id").fetchall()
    records = _record_hashes(db)
    others: dict[int, list[str]] = defaultdict(list)
    for work_id, *cells in db.execute(_CAPTIONS_OF_WORKS):
        others[work_id].append("\x1f".join(map(str, cells)))
    by_key: dict[str, list[int]] = defaultdict(list)
    for work_id, _, key in works:
        by_key[key].append(work_id)
    for key, repealing, *cells in db.execute(_REPEALS):
        for work_id in by_key.get(key, ()):
            others[work_id].append("\x1f".join(map(str, (records.get(repealing, ""), *cells))))
    keys: dict[str, str] = {}
    for work_id, decision in db.execute(_DECISIONS):
        key = keys.get(decision) or keys.setdefault(decision, title_key(decision))
        others[work_id] += (records.get(one, "") for one in by_key.get(key, ()) if one != work_id)
    return {
        title: _hash((f"dating {DATING}", records.get(work_id, ""), *others[work_id]))
        for work_id, title, _ in works
    }


def _record_hashes(db: sqlite3.Connection) -> dict[int, str]:
    """Hash the records of each law, with the day up to which each source is known."""
    newest = {(name, revision): day for name, revision, day in db.execute(_NEWEST_OF_SOURCE)}
    records: dict[int, list[str]] = defaultdict(list)
    for work_id, digest, name, revision, as_of in db.execute(_RECORDS):
        known = as_of or newest.get((name, revision), "")
        records[work_id].append(f"{digest} {known}")
    return {work_id: _hash(lines) for work_id, lines in records.items()}


def _hash(lines: Iterable[str]) -> str:
    return hashlib.blake2b("\x1e".join(lines).encode(), digest_size=12).hexdigest()


def find_damage(db: sqlite3.Connection, *, snapshot: str) -> tuple[str, ...]:
    """Compute every hash again; return a sentence about each that does not match, sorted."""
    digests: dict[str, str] = dict(db.execute("SELECT key, digest FROM version").fetchall())
    damage = [
        sentence
        for row_id, title in db.execute("SELECT id, title FROM work")
        for stored in rows.versions_of_work(db, title, row_id)
        if (sentence := _damage_of(db, stored.version, digests))
    ]
    if compute_snapshot(db) != snapshot:
        damage.append("the snapshot does not match the records: another program changed the file")
    return tuple(sorted(damage))


def _damage_of(db: sqlite3.Connection, version: Version, digests: Mapping[str, str]) -> str:
    name = f"{version.work}（{version.label}）"
    digest = digests.get(version.key)
    if digest is None:
        return f"the dates, source or text hash of {name} do not match its key"
    provisions = rows.provisions_of_version(db, version.key) or ()
    if provisions_hash(provisions) != version.text_hash:
        return f"the text of {name} does not match its hash"
    if record_digest(version, provisions) != digest:
        return f"the record of {name} does not match its hash"
    return ""
