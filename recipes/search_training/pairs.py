"""Pairs of a text and a provision that belong together, made without questions.

Headings and their articles, sentences and the articles they are from, facts of judgments and the
articles applied, interpretations and what they interpret, articles and those they refer to,
precedents and what they cite, lay words of the glossary and what they point at.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from inforce.errors import IdentifierError
from inforce.law.citation import find_citations
from inforce.law.numerals import ProvisionNumber
from inforce.law.work_kinds import kind_of
from inforce.retrieval.glossary import LayGlossary, short_title
from inforce.retrieval.provisions import ProvisionText
from inforce.scoring.cases import Case
from search_training.exclusion import EvaluatedTexts

PairKind = Literal[
    "heading", "sentence", "fact", "interpretation", "reference", "precedent", "glossary"
]

SHARES: Mapping[PairKind, float] = {
    "heading": 0.18,
    "sentence": 0.42,
    "fact": 0.10,
    "interpretation": 0.10,
    "reference": 0.04,
    "precedent": 0.06,
    "glossary": 0.10,
}
"""Share of each kind in a batch."""

CRIMINAL_LAW = "中华人民共和国刑法"
_FACTS_OF = date(2015, 6, 1)
"""The day by whose law the cases of CAIL2018 are read: about when they were tried."""

_LONGEST = 1_200
_LONGEST_QUERY = 400
_SENTENCES = 3
_FEW = 6
"""Most provisions that a pointer of the glossary may match to be used."""

_SENTENCE_END = re.compile(r"(?<=[。；])|\n")
_HEADING_NUMBER = re.compile(r"第[〇零一二三四五六七八九十百]+(?:分?编|[章节])\s*")
_OF_THIS_LAW = re.compile(
    r"本[法条规办](?:例|定|法)?(第[〇零一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)"
)
_CASE_FACTS = re.compile(r"(?:基本案情|案情)(.{50,600})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Passage:
    """A wording of a provision."""

    work: str
    path: str
    text: str

    @property
    def encoded(self) -> str:
        """The text the encoder reads, as in the index: title, headings, wording."""
        return f"{self.work} {self.path}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and the passage that belongs to it, by its index in `Passages.all`."""

    kind: PairKind
    query: str
    passage: int


class Passages:
    """All different wordings of national law, found by law, number and day."""

    def __init__(self, provisions: Iterable[ProvisionText]) -> None:
        self.all: list[Passage] = []
        self._numbered: dict[tuple[str, str], list[tuple[date, int]]] = defaultdict(list)
        self._of_law: dict[str, list[int]] = defaultdict(list)
        positions: dict[tuple[str, str], int] = {}
        for one in provisions:
            if kind_of(one.work) in ("local", "material") or len(one.text) < 8:
                continue
            text = one.text[:_LONGEST]
            place = positions.setdefault((one.work, text), len(self.all))
            if place == len(self.all):
                self.all.append(Passage(one.work, one.path, text))
                self._of_law[short_title(one.work)].append(place)
            start = one.window.start if one.window else date.min
            self._numbered[one.work, one.number.iri].append((start, place))
        self._positions = positions
        self.titles = frozenset(passage.work for passage in self.all)

    def place_of(self, provision: ProvisionText) -> int:
        """Return the index of a provision in `all`; -1 if it is left out, as local law is."""
        return self._positions.get((provision.work, provision.text[:_LONGEST]), -1)

    def find(self, work: str, number: str, on: date) -> int | None:
        """Find the wording of a provision on a day, or else its first wording."""
        wordings = sorted(self._numbered.get((work, number), ()))
        before = [place for start, place in wordings if start <= on]
        return before[-1] if before else wordings[0][1] if wordings else None

    def pointed(self, laws: Sequence[str], words: str) -> list[int]:
        """Find the passages of certain laws that contain certain words."""
        return [
            place
            for law in laws
            for place in self._of_law.get(law, ())
            if words in self.all[place].text.replace("\n", "")
        ]


def statute_pairs(passages: Passages, *, seed: int) -> Iterator[Pair]:
    """Yield pairs from the statutes alone: headings, sentences, references, interpretations."""
    drawn = random.Random(seed)
    for place, passage in enumerate(passages.all):
        heading = _HEADING_NUMBER.sub("", passage.path)
        yield Pair("heading", f"{short_title(passage.work)} {heading}".strip(), place)
        parts = (part.strip() for part in _SENTENCE_END.split(passage.text))
        sentences = [part for part in parts if len(part) >= 10]
        for sentence in drawn.sample(sentences, min(_SENTENCES, len(sentences))):
            yield Pair("sentence", sentence, place)
        yield from _references(passages, place, passage)


def _references(passages: Passages, place: int, passage: Passage) -> Iterator[Pair]:
    query = passage.text[:_LONGEST_QUERY]
    for number in _OF_THIS_LAW.findall(passage.text)[:3]:
        found = passages.find(passage.work, _iri(number), date.max)
        if found is not None and found != place:
            yield Pair("reference", query, found)
    if kind_of(passage.work) == "interpretation":
        for found in _cited(passages, passage.text, date.max):
            if passages.all[found].work != passage.work:
                yield Pair("interpretation", query, found)


def fact_pairs(passages: Passages, cases: Iterable[Case]) -> Iterator[Pair]:
    """Yield facts of judgments with the articles of 刑法 they applied."""
    for case in cases:
        for article in case.articles:
            place = passages.find(CRIMINAL_LAW, _iri(str(article)), _FACTS_OF)
            if place is not None:
                yield Pair("fact", case.fact[:_LONGEST_QUERY], place)


def precedent_pairs(passages: Passages, path: Path, evaluated: EvaluatedTexts) -> Iterator[Pair]:
    """Yield titles and facts of published precedents with the provisions their reasons cite."""
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        text = str(record["text"])
        if evaluated.covers(text):
            continue
        day = _day(record.get("date"))
        facts = _CASE_FACTS.search(text)
        for place in sorted(set(_cited(passages, text, day)))[:8]:
            yield Pair("precedent", str(record["title"]), place)
            if facts:
                yield Pair("precedent", facts[1][:_LONGEST_QUERY], place)


def glossary_pairs(passages: Passages, glossary: LayGlossary) -> Iterator[Pair]:
    """Yield lay words of the glossary with the provisions they point at."""
    for entry in glossary.entries:
        for pointer in entry.pointers:
            positions = passages.pointed(pointer.laws, pointer.words)
            if 0 < len(positions) <= _FEW:
                for words in entry.lay:
                    yield from (Pair("glossary", words.replace("*", ""), one) for one in positions)


def _cited(passages: Passages, text: str, on: date) -> Iterator[int]:
    for citation in find_citations(text, titles=passages.titles):
        if citation.work:
            for portion in citation.portions:
                found = passages.find(citation.work, portion.number.iri, on)
                if found is not None:
                    yield found


def _iri(number: str) -> str:
    try:
        return ProvisionNumber.parse(number).iri
    except IdentifierError:
        return ""


def _day(text: object) -> date:
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return date.max
