"""Facts of an evaluation that must not be found among the precedents, known by fingerprint.

The published judgment-prediction sets share cases with each other and with every precedent pool,
and a model that is shown the judgment of the case it is asked about predicts nothing. A fact is
known by the MD5 of its text without white space, as the sets themselves remove duplicates.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from inforce.documents.files import Line, numbered_lines, open_file, raise_problem
from inforce.documents.json_records import parse_object
from inforce.errors import InputError

_HASH = re.compile(r"[0-9a-f]{32}")


def fact_hash(fact: str) -> str:
    r"""The fingerprint of a fact: MD5 of its text without white space, 32 hexadecimal digits.

    >>> fact_hash("被告人 盗窃\n") == fact_hash("被告人盗窃")
    True
    """
    return hashlib.md5("".join(fact.split()).encode(), usedforsecurity=False).hexdigest()


def is_excluded(texts: Collection[str], excluded: Collection[str]) -> bool:
    """Whether one of these texts, or one paragraph of them, is a fact to be kept out."""
    if not excluded:
        return False
    paragraphs = (line for text in texts for line in text.splitlines() if line.strip())
    return any(fact_hash(one) in excluded for one in (*texts, *paragraphs))


def read_exclusions(path: Path) -> frozenset[str]:
    """The fingerprints in a file: one a line, or JSON lines whose ``fact`` is to be kept out.

    Raises:
        InputError: if a line is neither; nothing is passed over, as that would leak an answer.
    """
    return frozenset(_hashes(path))


def _hashes(path: Path) -> Iterator[str]:
    with open_file(path) as stream:
        for line in numbered_lines(stream, path=path, on_problem=raise_problem):
            yield _hash_of(line, path)


def _hash_of(line: Line, path: Path) -> str:
    text = line.text(path).strip()
    if _HASH.fullmatch(text.lower()):
        return text.lower()
    if text.startswith("{"):
        record = parse_object(text, path=path, line=line.number)
        if fact := record.text("fact"):
            return fact_hash(fact)
    raise InputError(
        "neither 32 hexadecimal digits nor a JSON object with a 'fact'", path=path, line=line.number
    )
