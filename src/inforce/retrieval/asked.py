"""What people ask about: words of questions, gathered by the article, chapter and law that answer.

`data/asked.tsv` is written by `recipes/finding.sh` from public questions whose answers are known
(`docs/search.md` names them and their licences); it holds counts of words, no sentence. Articles
are known by their wording (`fingerprint`), not by their number: the wording of an earlier law that
says the same is known as well, and a number that came to mean another article is not.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from inforce.errors import InputError
from inforce.retrieval.glossary import short_title

Level = Literal["article", "chapter", "law"]
_LEVELS: dict[str, Level] = {level: level for level in get_args(Level)}

_K1 = 1.2
_B = 0.5
_FAMILIAR = 3

_SAID = re.compile(r"[0-9a-z\u4e00-\u9fff]+")
_HEADING_NUMBER = re.compile(r"^第[〇零一二三四五六七八九十百]+(?:分?编|[章节])")

_CODE = "民法典"
_PARTS_OF_THE_CODE = frozenset(
    (
        "民法总则",
        "民法通则",
        "合同法",
        "物权法",
        "担保法",
        "婚姻法",
        "继承法",
        "收养法",
        "侵权责任法",
    )
)
"""Laws that 民法典 art. 1260 repealed: what is asked about the code was asked about them."""


def fingerprint(text: str) -> str:
    """Names a wording, white space and punctuation aside.

    >>> fingerprint("第一条 为了……") == fingerprint("第一条为了")
    True
    """
    said = "".join(_SAID.findall(unicodedata.normalize("NFKC", text).lower()))
    return blake2b(said.encode(), digest_size=5).hexdigest()


def law_group(work: str) -> str:
    """The law under which questions about a work are counted.

    >>> law_group("中华人民共和国婚姻法"), law_group("工伤保险条例")
    ('民法典', '工伤保险条例')
    """
    title = short_title(work)
    return _CODE if title in _PARTS_OF_THE_CODE else title


def chapter_group(work: str, path: str) -> str:
    """The chapter under which questions are counted: its last heading, whatever its number.

    >>> chapter_group("中华人民共和国婚姻法", "第四章 离婚")
    '民法典/离婚'
    """
    heading = path.rpartition(" / ")[2]
    return f"{law_group(work)}/{_HEADING_NUMBER.sub('', heading).strip()}"


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions on one article, chapter or law."""

    level: Level
    names: tuple[str, ...]
    """Fingerprints of the wordings of an article; one `chapter_group`, one `law_group`."""
    questions: int
    words: Mapping[str, int]


class AskedScores:
    """BM25 of all articles, chapters or laws; 0 for those that were not asked about so."""

    def __init__(
        self, total: NDArray[np.float32], names: Sequence[tuple[str, ...]], rows: Mapping[str, int]
    ) -> None:
        self._total = total
        self._names = names
        self._rows = rows
        self.highest = float(total.max()) if len(total) else 0.0

    def of(self, names: Iterable[str]) -> list[float]:
        """The scores of some of them."""
        return [
            float(self._total[row]) if (row := self._rows.get(name)) is not None else 0.0
            for name in names
        ]

    def best(self, k: int) -> dict[str, float]:
        """The names of the k best records, with their scores."""
        best: dict[str, float] = {}
        for row in np.argsort(-self._total, kind="stable")[:k]:
            if (score := float(self._total[row])) > 0:
                best.update((name, score) for name in self._names[int(row)])
        return best


class AskedIndex:
    """BM25 over what was asked, for each level."""

    def __init__(self, records: Iterable[Asked]) -> None:
        by_level: dict[Level, list[Asked]] = {level: [] for level in _LEVELS.values()}
        for record in records:
            by_level[record.level].append(record)
        self._levels = {level: _LevelIndex(of) for level, of in by_level.items()}

    def scores(self, level: Level, words: Mapping[str, float]) -> AskedScores:
        """BM25 of each article, chapter or law that was asked about in some of these words."""
        return self._levels[level].scores(words)

    def familiar(self, terms: Iterable[str]) -> float:
        """The share of different terms that questions on three laws or more had, 0 to 1.

        Near 0 for what is not about law at all; 0 without terms.
        """
        known = [self._levels["law"].spread(term) >= _FAMILIAR for term in dict.fromkeys(terms)]
        return sum(known) / len(known) if known else 0.0

    def questions(self, level: Level, name: str) -> int:
        """How many questions an article, chapter or law answered."""
        return self._levels[level].counts.get(name, 0)


class _LevelIndex:
    def __init__(self, records: Sequence[Asked]) -> None:
        self.names = [record.names for record in records]
        self._rows = {name: row for row, record in enumerate(records) for name in record.names}
        self.counts = {name: record.questions for record in records for name in record.names}
        lengths = [sum(record.words.values()) for record in records]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        found: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, record in enumerate(records):
            norm = _K1 * (1 - _B + _B * lengths[row] / mean)
            for word, n in record.words.items():
                found[word].append((row, n * (_K1 + 1) / (n + norm)))
        self._postings = {
            word: _weighted(rows, len(records)) for word, rows in sorted(found.items())
        }

    def spread(self, word: str) -> int:
        """How many records have a word."""
        posting = self._postings.get(word)
        return len(posting[0]) if posting else 0

    def scores(self, words: Mapping[str, float]) -> AskedScores:
        total = np.zeros(len(self.names), dtype=np.float32)
        for word, weight in words.items():
            if posting := self._postings.get(word):
                total[posting[0]] += weight * posting[1]
        return AskedScores(total, self.names, self._rows)


def _weighted(
    rows: Sequence[tuple[int, float]], records: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    idf = math.log(1 + (records - len(rows) + 0.5) / (len(rows) + 0.5))
    return (
        np.asarray([row for row, _ in rows], dtype=np.int64),
        np.asarray([idf * weight for _, weight in rows], dtype=np.float32),
    )


def read_asked(path: Path) -> AskedIndex:
    """Read a file of the form `asked_lines` writes.

    Raises:
        InputError: if a line has not that form; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    return AskedIndex(
        _record(line, path, number)
        for number, line in enumerate(lines, 1)
        if line and not line.startswith("#")
    )


def asked_lines(records: Iterable[Asked]) -> list[str]:
    """The lines of the file: level, names, questions, words with their counts; tabs between."""
    return [
        "\t".join(
            (
                record.level,
                ",".join(record.names),
                str(record.questions),
                " ".join(f"{word}:{n}" for word, n in sorted(record.words.items())),
            )
        )
        for record in records
    ]


@cache
def shipped_asked() -> AskedIndex:
    """What was asked, as of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "asked.tsv") as path:
        return read_asked(path)


def _record(line: str, path: Path, number: int) -> Asked:
    columns = line.split("\t")
    level = _LEVELS.get(columns[0])
    if len(columns) != 4 or level is None:
        raise InputError(
            "level, names, questions and words are needed, with tabs between",
            path=path,
            line=number,
        )
    names, questions, words = columns[1:]
    try:
        counted = {word: int(n) for word, _, n in (w.rpartition(":") for w in words.split())}
        return Asked(level, tuple(names.split(",")), int(questions), counted)
    except ValueError as error:
        raise InputError(f"a count is no number ({error})", path=path, line=number) from error
