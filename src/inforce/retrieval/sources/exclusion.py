"""Facts of an evaluation that must not be found among the precedents, known by fingerprint.

The published judgment-prediction sets share cases with each other and with every precedent pool,
and a model that is shown the judgment of the case it is asked about predicts nothing. A fact is
known by the MD5 of its text without white space, as the sets themselves remove duplicates.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from pathlib import Path

from inforce.documents.files import numbered_lines, open_file, raise_problem
from inforce.documents.json_records import parse_object
from inforce.errors import InputError

_HASH = re.compile(r"[0-9a-f]{32}")


def fact_hash(fact: str) -> str:
    r"""Return the fingerprint of a fact: MD5 of its text without white space, in hexadecimal.

    >>> fact_hash("被告人 盗窃\n") == fact_hash("被告人盗窃")
    True
    """
    return hashlib.md5("".join(fact.split()).encode(), usedforsecurity=False).hexdigest()


def is_excluded(texts: Collection[str], excluded: Collection[str]) -> bool:
    """Return whether one of these texts, or one paragraph of them, is an excluded fact."""
    if not excluded:
        return False
    paragraphs = (line for text in texts for line in text.splitlines() if line.strip())
    return any(fact_hash(one) in excluded for one in (*texts, *paragraphs))


def read_exclusions(path: Path) -> frozenset[str]:
    """Read the fingerprints of a file: one a line, or JSON lines whose ``fact`` is excluded.

    Raises:
        InputError: if a line is neither; nothing is passed over, as that would leak an answer.
    """
    found: set[str] = set()
    with open_file(path) as stream:
        for line in numbered_lines(stream, path=path, on_problem=raise_problem):
            text, fact = line.text(path).strip(), ""
            if text.startswith("{"):
                fact = parse_object(text, path=path, line=line.number).text("fact")
            if not (fact or _HASH.fullmatch(text.lower())):
                reason = "neither 32 hexadecimal digits nor a JSON object with a 'fact'"
                raise InputError(reason, path=path, line=line.number)
            found.add(fact_hash(fact) if fact else text.lower())
    return frozenset(found)
