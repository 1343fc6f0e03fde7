"""Public questions of laypeople, with the provisions that answer them.

Three collections (`../shared/data/questions/README.md` of the research data says where they come
from): LeCoQA (the questions of STARD; MIT), LawBench 3-8 (consultations; Apache-2.0) and LawBench
3-2 (scenes; Apache-2.0). Items that an evaluation asks are refused (`exclusion`).
`written_questions` has a fourth.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from inforce.errors import InputError
from inforce.law.citation import Citation, find_citations
from inforce.retrieval.glossary import short_title
from inforce.retrieval.known_questions import fingerprint

CollectionName = Literal["lecoqa", "consultations", "scenes", "written"]

FILES: Mapping[CollectionName, str] = {
    "lecoqa": "lecoqa_train.jsonl.gz",
    "consultations": "lawbench_3-8_rest.jsonl.gz",
    "scenes": "lawbench_3-2_even.jsonl.gz",
}

_BASIS = re.compile(r"法律依据(.*?)(?:律师解答|$)", re.DOTALL)
_ARTICLE_NAME = re.compile(
    r"(?P<law>.+?)(?P<number>第[〇零一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A provision as held: what a gold answer is looked up among."""

    work: str
    number: str
    """As printed: 第一百二十条之一."""
    text: str


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """A question and the provisions that answer it."""

    collection: CollectionName
    number: int
    """Within its collection; neighbours are often on the same matter."""
    text: str
    gold: tuple[frozenset[str], ...]
    """For each provision the fingerprints that count as it: wordings equal but for punctuation."""
    answer: str = ""
    """What was answered; empty where the answer only recites the provision."""
    keywords: str = ""

    @property
    def relevant(self) -> frozenset[str]:
        """The fingerprints of all provisions that answer it."""
        return frozenset[str]().union(*self.gold)


class GoldIndex:
    """Finds the provisions that gold answers name, among the wordings in force on a day."""

    def __init__(self, wordings: Sequence[Wording]) -> None:
        self._texts = {fingerprint(one.text) for one in wordings}
        self._named: dict[tuple[str, str], set[str]] = defaultdict(set)
        for one in wordings:
            self._named[short_title(one.work), one.number].add(fingerprint(one.text))
        self.titles = frozenset(one.work for one in wordings)

    def by_text(self, name: str, text: str) -> frozenset[str]:
        """The provision with this wording, or else with this name; empty for none."""
        if (known := fingerprint(text)) in self._texts:
            return frozenset((known,))
        match = _ARTICLE_NAME.match(name)
        return self.by_name(match["law"], match["number"]) if match else frozenset()

    def by_name(self, work: str, number: str) -> frozenset[str]:
        """The provision with this law and number; empty for none."""
        return frozenset(self._named.get((short_title(work), number), ()))


def read_questions(folder: Path, gold: GoldIndex) -> list[KnownQuestion]:
    """All questions whose answers are among the wordings held, in the order of the files.

    Raises:
        InputError: if a file is missing or a line is not of the form expected.
    """
    return [
        question
        for collection, name in FILES.items()
        for record in _records(folder / name)
        if (question := _question(collection, record, gold)).gold
    ]


def _question(
    collection: CollectionName, record: Mapping[str, Any], gold: GoldIndex
) -> KnownQuestion:
    number, text = int(record["id"]), str(record["question"])
    if collection == "lecoqa":
        named = (gold.by_text(one["name"], one["text"]) for one in record["articles"])
        answer, keywords = _text(record.get("answer")), _text(record.get("keywords"))
        return KnownQuestion(collection, number, text, _present(named), answer, keywords)
    answer = str(record["answer"])
    if collection == "scenes":
        return KnownQuestion(collection, number, text, _cited(answer, gold)[:1])
    basis = _BASIS.search(answer)
    return KnownQuestion(collection, number, text, _cited(basis[1] if basis else "", gold), answer)


def _cited(answer: str, gold: GoldIndex) -> tuple[frozenset[str], ...]:
    """The provisions an answer cites itself; those that a quoted text refers to are left out."""
    citations = find_citations(answer, titles=gold.titles)
    return _present(_provisions(citations, gold))


def _provisions(citations: Sequence[Citation], gold: GoldIndex) -> Iterator[frozenset[str]]:
    law: str | None = None
    for citation in citations:
        if citation.kind != "reference" and (law := citation.work or law):
            for portion in citation.portions:
                yield gold.by_name(law, portion.number.chinese)


def _present(provisions: Iterator[frozenset[str]]) -> tuple[frozenset[str], ...]:
    return tuple(dict.fromkeys(provision for provision in provisions if provision))


def _text(value: object) -> str:
    """Some answers and keywords are missing, as a number that is none (NaN)."""
    return value if isinstance(value, str) else ""


def _records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    for number, line in enumerate(lines, 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON object: {error}", path=path, line=number) from error
