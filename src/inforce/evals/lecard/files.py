"""The files of LeCaRDv2: queries, relevance judgements, pools, rankings and candidates.

Queries and pools are JSON lines, whatever their suffix; judgements and rankings have TREC's forms
(``query 0 document level`` and ``query Q0 document rank score name``).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.documents.files import numbered_lines, open_file, raise_problem
from inforce.documents.json_records import json_lines, json_value
from inforce.errors import InputError

MOST_BYTES = 2**33
"""Of a file of candidates: LeCaRDv2 has 55,192 whole judgments."""

_WHAT = "of LeCaRDv2"


class Query(msgspec.Struct, frozen=True):
    """A judgment for which similar ones are searched."""

    id: int | str
    query: str
    """Its head and the facts."""
    fact: str = ""
    """The facts alone."""


class _Pool(msgspec.Struct, frozen=True):
    qid: int | str
    rank_doc_id: tuple[int | str, ...]


class _Candidate(msgspec.Struct, frozen=True):
    """A candidate in the file; published collections have different names for the same fields."""

    pid: int | str | None = None
    docid: int | str | None = None
    id: int | str | None = None
    qw: str = ""
    text: str = ""
    contents: str = ""
    fact: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judgment that may be similar."""

    id: str
    text: str


def read_queries(path: Path) -> list[Query]:
    """Read the queries of a file, in its order.

    Raises:
        InputError: if the file cannot be read, holds none, or a line is none.
    """
    queries = [line.value for line in json_lines(path, Query, what=_WHAT)]
    if not queries:
        raise InputError("holds no query of LeCaRDv2", path=path)
    return queries


def read_judgements(path: Path) -> dict[str, dict[str, int]]:
    """Read the relevance of documents to queries, 0 to 3: by query, by document.

    Raises:
        InputError: if the file cannot be read, or a line is no judgement.
    """
    levels: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for number, (query, _, document, level) in _rows(path, 4, "judgement"):
        if document in levels[query]:
            reason = f"judges document {document} of query {query} twice"
            raise InputError(reason, path=path, line=number)
        levels[query][document] = int(_number(level, path, number))
    return dict(levels)


def read_pools(path: Path) -> dict[str, list[str]]:
    """Read the candidates of each query.

    Raises:
        InputError: if the file cannot be read, or a line is no pool.
    """
    pools = (line.value for line in json_lines(path, _Pool, what=_WHAT))
    return {str(one.qid): list(map(str, one.rank_doc_id)) for one in pools}


def read_rankings(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the ranking of each query: by score, of equal scores by rank.

    Raises:
        InputError: if the file cannot be read, or a line is none of a ranking.
    """
    found: defaultdict[str, list[tuple[float, float, str]]] = defaultdict(list)
    for number, (query, _, document, rank, score, _) in _rows(path, 6, "line of a ranking"):
        place = _number(rank, path, number)
        found[query].append((-_number(score, path, number), place, document))
    return {query: tuple(document for *_, document in sorted(of)) for query, of in found.items()}


def read_candidates(path: Path) -> Iterator[Candidate]:
    """Read candidates: a file of JSON lines, or a folder with a JSON file for each.

    An id is called ``pid``, ``docid`` or ``id``; a text ``qw``, ``text``, ``contents`` or ``fact``.

    Raises:
        InputError: if a file cannot be read, there is none, or a judgment has no id or no text.
    """
    is_empty = True
    for file, line, one in _candidates(path):
        id = next((str(each) for each in (one.pid, one.docid, one.id) if each is not None), "")
        text = one.qw or one.text or one.contents or one.fact
        if not id or not text.strip():
            raise InputError("a candidate without an id or a text", path=file, line=line)
        is_empty = False
        yield Candidate(id, text)
    if is_empty:
        raise InputError("holds no candidate", path=path)


def _candidates(path: Path) -> Iterator[tuple[Path, int, _Candidate]]:
    if not path.is_dir():
        for line, one in json_lines(path, _Candidate, what=_WHAT, limit=MOST_BYTES):
            yield path, line, one
        return
    for file in sorted(path.rglob("*.json")):
        yield file, 1, json_value(file, _Candidate, what=_WHAT)


def _rows(path: Path, columns: int, what: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a file as lists of columns, with their numbers."""
    with open_file(path) as stream:
        for line in numbered_lines(stream, path=path, on_problem=raise_problem):
            row = line.data.decode("utf-8", "replace").split()
            if len(row) != columns:
                reason = f"no {what}: {columns} columns wanted"
                raise InputError(reason, path=path, line=line.number)
            yield line.number, row


def _number(text: str, path: Path, line: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"no number: {text!r}", path=path, line=line)
    return number
