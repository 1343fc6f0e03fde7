"""The shape of the corpus file, one numbered step at a time.

Each step is applied once, in order, and recorded in the file. A step that has been released is
never edited: a new shape is a new step at the end of `MIGRATIONS`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Literal

Migration = Callable[[sqlite3.Connection], None]

Age = Literal["new", "older", "readable", "current", "newer", "foreign"]
"""The age of a file by its schema: ``new`` has none yet, ``foreign`` is of another program, and
one that is ``readable`` lacks only what is derived from the rest."""

APPLICATION_ID = 0x696E6663
"""``infc``, in the header of every corpus file, so that no other SQLite file is taken for one."""

_INITIAL = (
    "CREATE TABLE work (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE)",
    # Wordings and heading paths, each stored once however many versions share it.
    "CREATE TABLE text (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, text TEXT NOT NULL)",
    # `starts` is the first day in force, `ends` the first day no longer in force, as ISO dates.
    """
    CREATE TABLE version (
        id INTEGER PRIMARY KEY,
        work_id INTEGER NOT NULL REFERENCES work (id),
        key TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL,
        kinds TEXT NOT NULL,
        label TEXT NOT NULL,
        starts TEXT,
        ends TEXT,
        status TEXT NOT NULL,
        evidence TEXT NOT NULL,
        promulgated TEXT,
        instrument TEXT NOT NULL,
        scope TEXT,
        holes TEXT NOT NULL,
        source_name TEXT NOT NULL,
        source_path TEXT NOT NULL,
        source_revision TEXT NOT NULL,
        source_licence TEXT NOT NULL,
        category TEXT NOT NULL,
        note TEXT NOT NULL,
        text_hash TEXT NOT NULL
    )
    """,
    "CREATE INDEX version_of_work ON version (work_id, text_hash)",
    """
    CREATE TABLE provision (
        version_id INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
        number TEXT NOT NULL,
        position INTEGER NOT NULL,
        text_id INTEGER NOT NULL REFERENCES text (id),
        path_id INTEGER NOT NULL REFERENCES text (id),
        PRIMARY KEY (version_id, number)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE caption (
        work_id INTEGER NOT NULL REFERENCES work (id),
        number TEXT NOT NULL,
        name TEXT NOT NULL,
        starts TEXT NOT NULL,
        ends TEXT,
        authority TEXT NOT NULL,
        PRIMARY KEY (work_id, number, name, starts, authority)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX caption_by_name ON caption (name)",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


def m001_initial(connection: sqlite3.Connection) -> None:
    """Works, versions, provisions, shared texts and captions."""
    for statement in _INITIAL:
        connection.execute(statement)


_DATING = (
    # `key` is the title as other texts call the law: see `inforce.law.registry.title_key`.
    "ALTER TABLE work ADD COLUMN key TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX work_by_key ON work (key)",
    "ALTER TABLE version ADD COLUMN as_of TEXT",
    "ALTER TABLE version ADD COLUMN text_as_of TEXT",
    # What the last articles say of commencement (JSON; see `inforce.corpus.rows`).
    "ALTER TABLE version ADD COLUMN closing TEXT NOT NULL DEFAULT '{}'",
    "CREATE INDEX version_by_source ON version (source_name, source_revision, promulgated)",
    # The dated lines above a text, in their order.
    """
    CREATE TABLE act (
        version_id INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        day TEXT NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        decision TEXT NOT NULL,
        PRIMARY KEY (version_id, position)
    ) WITHOUT ROWID
    """,
    # The laws a text puts an end to.
    """
    CREATE TABLE repeal (
        version_id INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        title TEXT NOT NULL,
        made TEXT,
        PRIMARY KEY (version_id, key, title)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX repeal_by_key ON repeal (key)",
)


def m002_dating(connection: sqlite3.Connection) -> None:
    """Histories, the clauses of the last articles, and the day each source was current."""
    from inforce.corpus.adding import read_last_articles_again

    for statement in _DATING:
        connection.execute(statement)
    read_last_articles_again(connection)


_REFERENCES = (
    # What each wording of a provision cites. `target_key` is as `work.key`, so that a law is found
    # that is added later; `target` is empty where a law is cited without an article.
    """
    CREATE TABLE reference (
        work_id INTEGER NOT NULL REFERENCES work (id),
        number TEXT NOT NULL,
        text_id INTEGER NOT NULL REFERENCES text (id),
        position INTEGER NOT NULL,
        target_key TEXT NOT NULL,
        target TEXT NOT NULL,
        paragraph INTEGER,
        item INTEGER,
        title TEXT NOT NULL,
        hint TEXT NOT NULL,
        PRIMARY KEY (work_id, number, text_id, position)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX reference_by_target ON reference (target_key, target)",
    "CREATE INDEX provision_by_text ON provision (text_id)",
)


def m003_references(connection: sqlite3.Connection) -> None:
    """The table of references: every citation in every wording held."""
    from inforce.corpus.citations import read_references_again

    for statement in _REFERENCES:
        connection.execute(statement)
    read_references_again(connection)


_CITATIONS = (
    # Each reference on the days its words are in force, resolved (`inforce.corpus.citations`):
    # `target` is the number that the article cited has on the days from `target_starts` on.
    """
    CREATE TABLE citation (
        work_id INTEGER NOT NULL REFERENCES work (id),
        number TEXT NOT NULL,
        text_id INTEGER NOT NULL REFERENCES text (id),
        position INTEGER NOT NULL,
        starts TEXT NOT NULL,
        ends TEXT,
        target_id INTEGER NOT NULL REFERENCES work (id),
        answer TEXT NOT NULL,
        target TEXT NOT NULL,
        target_starts TEXT NOT NULL,
        target_ends TEXT,
        PRIMARY KEY (work_id, number, text_id, position, starts, target_starts)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX citation_by_target ON citation (target_id, target)",
    # The state of each law from which its references were resolved.
    "CREATE TABLE resolved (work_id INTEGER PRIMARY KEY REFERENCES work (id), state TEXT NOT NULL)",
)


def m004_citations(connection: sqlite3.Connection) -> None:
    """The references resolved: which article each means, on which days."""
    from inforce.corpus.citations import resolve

    for statement in _CITATIONS:
        connection.execute(statement)
    resolve(connection)


_DERIVED = {m003_references.__name__, m004_citations.__name__}
"""Steps that add what is derived: readers can do without, and say so."""

MIGRATIONS: tuple[Migration, ...] = (
    m001_initial,
    m002_dating,
    m003_references,
    m004_citations,
)


def age(connection: sqlite3.Connection) -> Age:
    """Say whether this code can read the file as it is."""
    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        return "new"
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return "foreign"
    applied = _applied(connection)
    if applied - {step.__name__ for step in MIGRATIONS}:
        return "newer"
    missing = {step.__name__ for step in MIGRATIONS} - applied
    if not missing:
        return "current"
    return "readable" if missing <= _DERIVED else "older"


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the steps the file still lacks, all or none; a second process doing so waits."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY) WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        applied = _applied(connection)
        for step in MIGRATIONS:
            if step.__name__ not in applied:
                step(connection)
                connection.execute("INSERT INTO migration VALUES (?)", (step.__name__,))


def _applied(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM migration")}
