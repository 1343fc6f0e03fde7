"""Questions of laypeople with the provisions that answer them: public collections, and our own.

Three collections are public (`../shared/data/questions/README.md` of the research data names their
origin): LeCoQA (the questions of STARD; MIT), LawBench 3-8 (consultations; Apache-2.0) and LawBench
3-2 (scenes; Apache-2.0). They ask about a tenth of what people ask about. The tables in
``written/*.tsv`` (their README.md describes the form) name a rule by its words, as the topics of
statute search do, and below it questions that it answers, Chinese or English; they were written
from the statutes alone. Items of evaluations are refused (`exclusion`).
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from inforce.errors import InputError
from inforce.law.citation import find_citations
from inforce.retrieval.glossary import Pointer, read_pointers, short_title
from inforce.retrieval.known_questions import fingerprint
from inforce.retrieval.provisions import ProvisionText

CollectionName = Literal["lecoqa", "consultations", "scenes", "written"]

FILES: Mapping[CollectionName, str] = {
    "lecoqa": "lecoqa_train.jsonl.gz",
    "consultations": "lawbench_3-8_rest.jsonl.gz",
    "scenes": "lawbench_3-2_even.jsonl.gz",
}
"""The public collections."""

TABLES = sorted((Path(__file__).parent / "written").glob("*.tsv"))
"""The questions written for rules."""

_BASIS = re.compile(r"法律依据(.*?)(?:律师解答|$)", re.DOTALL)
_ARTICLE_NAME = re.compile(
    r"(?P<law>.+?)(?P<number>第[〇零一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)"
)


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """A question and the provisions that answer it."""

    collection: CollectionName
    number: int
    """Number in the collection; neighbours are often about the same matter."""
    text: str
    gold: tuple[frozenset[str], ...]
    """For each provision the fingerprints of its wordings."""

    @property
    def relevant(self) -> frozenset[str]:
        """The fingerprints of all provisions that answer it."""
        return frozenset[str]().union(*self.gold)


class GoldIndex:
    """Finds the provisions that gold answers name, among those in force on a day."""

    def __init__(self, provisions: Sequence[ProvisionText]) -> None:
        self._texts = {fingerprint(one.text) for one in provisions}
        self._named: dict[tuple[str, str], set[str]] = defaultdict(set)
        for one in provisions:
            name = short_title(one.work), one.number.chinese
            self._named[name].add(fingerprint(one.text))
        self.titles = frozenset(one.work for one in provisions)

    def by_text(self, name: str, text: str) -> frozenset[str]:
        """Find the provision with this wording, or else with this name; empty if there is none."""
        if (known := fingerprint(text)) in self._texts:
            return frozenset((known,))
        match = _ARTICLE_NAME.match(name)
        return self.by_name(match["law"], match["number"]) if match else frozenset()

    def by_name(self, work: str, number: str) -> frozenset[str]:
        """Find the provision with this law and number; empty if there is none."""
        return frozenset(self._named.get((short_title(work), number), ()))


def read_questions(folder: Path, gold: GoldIndex) -> list[KnownQuestion]:
    """Read the questions whose answers are among the provisions, in the order of the files.

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
        return KnownQuestion(collection, number, text, _distinct(named))
    answer = str(record["answer"])
    if collection == "scenes":
        return KnownQuestion(collection, number, text, _cited(answer, gold)[:1])
    basis = _BASIS.search(answer)
    return KnownQuestion(collection, number, text, _cited(basis[1] if basis else "", gold))


def _cited(answer: str, gold: GoldIndex) -> tuple[frozenset[str], ...]:
    """Return the provisions an answer cites itself, not those that a quoted text refers to."""
    law: str | None = None
    found: list[frozenset[str]] = []
    for citation in find_citations(answer, titles=gold.titles):
        if citation.kind != "reference" and (law := citation.work or law):
            found += [gold.by_name(law, portion.number.chinese) for portion in citation.portions]
    return _distinct(found)


def _distinct(provisions: Iterable[frozenset[str]]) -> tuple[frozenset[str], ...]:
    return tuple(dict.fromkeys(filter(None, provisions)))


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


# Questions written for rules


def written_questions(provisions: Sequence[ProvisionText]) -> list[KnownQuestion]:
    """Read the tables' questions whose rules are among the provisions."""
    return questions_on(provisions, (found for table in TABLES for found in read_written(table)))


def questions_on(
    provisions: Iterable[ProvisionText], found: Iterable[tuple[str, tuple[Pointer, ...]]]
) -> list[KnownQuestion]:
    """Return the questions whose rules are among the provisions, with all wordings of the rules."""
    by_law: dict[str, dict[str, str]] = defaultdict(dict)
    for one in provisions:
        by_law[short_title(one.work)].setdefault(one.text.replace("\n", ""), fingerprint(one.text))

    def wordings(rule: Pointer) -> frozenset[str]:
        return frozenset(
            name
            for law in rule.laws
            for text, name in by_law.get(law, {}).items()
            if rule.words in text
        )

    questions = (
        KnownQuestion("written", number, text, _distinct(map(wordings, rules)))
        for number, (text, rules) in enumerate(found)
    )
    return [question for question in questions if question.gold]


def read_written(path: Path) -> Iterator[tuple[str, tuple[Pointer, ...]]]:
    """Read the questions of one table, each with the rules that answer it.

    A line that begins with a tab is a question; any other line names the rules of those below it.

    Raises:
        InputError: if the file cannot be read, or a question comes before any rule.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    rules: tuple[Pointer, ...] = ()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith("\t"):
            rules = read_pointers(line, path, number)
        elif rules:
            yield line.strip(), rules
        else:
            raise InputError("a question before any rule", path=path, line=number)
