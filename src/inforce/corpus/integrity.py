"""Is what the file holds still what was put into it? Every hash is computed again and compared."""

from __future__ import annotations

import sqlite3

from inforce.corpus import queries
from inforce.corpus.ingest import compute_snapshot
from inforce.corpus.records import record_digest
from inforce.law.model import Version, provisions_hash


def find_damage(db: sqlite3.Connection, *, snapshot: str) -> tuple[str, ...]:
    """Sentences about whatever does not match its hash, sorted; none in a sound file."""
    rows = db.execute(
        "SELECT version.id, title, version.key, digest FROM version JOIN work ON work.id = work_id"
    )
    stored = {key: digest for _, _, key, digest in rows}
    damage = [
        sentence
        for row_id, title in db.execute("SELECT id, title FROM work")
        for held in queries.held_versions(db, title, row_id)
        for sentence in _damage_of(db, held.version, stored)
    ]
    if compute_snapshot(db) != snapshot:
        damage.append("the snapshot does not match the records: another program changed the file")
    return tuple(sorted(damage))


def _damage_of(db: sqlite3.Connection, version: Version, stored: dict[str, str]) -> list[str]:
    name = f"{version.work}（{version.label}）"
    digest = stored.get(version.key)
    if digest is None:
        return [f"the dates, source or text hash of {name} do not match its key"]
    provisions = queries.provisions_of_version(db, version.key) or ()
    if provisions_hash(provisions) != version.text_hash:
        return [f"the text of {name} does not match its hash"]
    if record_digest(version, provisions) != digest:
        return [f"the record of {name} does not match its hash"]
    return []
