"""Topics: what people ask again and again, and the rule that answers it.

``data/topics/*.tsv``, a file a branch, are written and reviewed by people and never learnt; their
README describes the form. Where the glossary of lay words says what a word may mean, a topic says
which rule a question asks for: by the title of a law and words that occur in the provision, so that
it holds whatever number the rule had, and finds the wording of the day asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from inforce.errors import InputError
from inforce.retrieval.glossary import Pointer, read_columns, read_pointers

_NEARLY_AS_MUCH = 0.7
"""Share of the characters of the topic that fits best below which another is left out (measured on
known questions: a rule that answers is lost in 2 %, and the rules named are right more often)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words that a question has, and words that it has not."""

    having: tuple[tuple[str, ...], ...]
    """Of each group one word at least."""
    lacking: tuple[str, ...] = ()

    def matches(self, question: str) -> bool:
        """Whether a question is on the topic."""
        return all(any(word in question for word in group) for group in self.having) and not any(
            word in question for word in self.lacking
        )

    def said_by(self, question: str) -> int:
        """How many characters of a question are the pattern's: of two topics, more say more."""
        return sum(
            max((len(word) for word in group if word in question), default=0)
            for group in self.having
        )


@dataclass(frozen=True, slots=True)
class Topic:
    """One line of the table."""

    patterns: tuple[Pattern, ...]
    rules: tuple[Pointer, ...]


class Rules(NamedTuple):
    """The rules that topics name for a question."""

    foremost: tuple[Pointer, ...]
    others: tuple[Pointer, ...]
    """Of topics that say less of the question: they answer where the foremost did not exist yet."""


class Topics:
    """Finds the rules a question asks for.

    >>> [rule.words for rule in shipped_topics().rules_for("打印的遗嘱有效吗").foremost]
    ['打印遗嘱应当有两个以上见证人']
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        self.topics = tuple(topics)
        self._patterns = [
            (at, one) for at, topic in enumerate(self.topics) for one in topic.patterns
        ]
        self._first: dict[str, list[int]] = defaultdict(list)
        """The patterns whose group of fewest words has a word; the others are looked at then."""
        for place, (_, pattern) in enumerate(self._patterns):
            for word in min(pattern.having, key=len):
                self._first[word].append(place)
        self._beginning: dict[str, list[str]] = defaultdict(list)
        """These words by their first two characters."""
        for word in self._first:
            self._beginning[word[:2]].append(word)

    @property
    def rules(self) -> tuple[Pointer, ...]:
        """All rules of the table."""
        return tuple(dict.fromkeys(rule for topic in self.topics for rule in topic.rules))

    def rules_for(self, question: str) -> Rules:
        """The rules that answer a question, in the order of the tables."""
        question = question.replace(" ", "")
        found: dict[int, int] = {}
        for place in self._possible(question):
            at, pattern = self._patterns[place]
            if pattern.matches(question):
                found[at] = max(found.get(at, 0), pattern.said_by(question))
        least = _NEARLY_AS_MUCH * max(found.values(), default=0)
        foremost = [at for at in sorted(found) if found[at] >= least]
        others = [at for at in sorted(found) if found[at] < least]
        return Rules(self._rules_of(foremost), self._rules_of(others))

    def _rules_of(self, places: Iterable[int]) -> tuple[Pointer, ...]:
        return tuple(dict.fromkeys(rule for at in places for rule in self.topics[at].rules))

    def _possible(self, question: str) -> set[int]:
        """The patterns of which a word occurs that no other group can stand for."""
        words = {
            word
            for start in range(len(question))
            for size in (1, 2)
            for word in self._beginning.get(question[start : start + size], ())
            if question.startswith(word, start)
        }
        return {place for word in words for place in self._first[word]}


def read_topics(path: Path, classes: Mapping[str, tuple[str, ...]] | None = None) -> Topics:
    """Read a table of topics.

    Args:
        path: of the table.
        classes: words that mean the same in a question, by the name of their class (``@how_long``).

    Raises:
        InputError: if a line is not of the form described in the file; names the line.
    """
    topics: list[Topic] = []
    for number, columns in read_columns(path):
        if len(columns) != 2 or not all(columns):
            raise InputError("two columns are needed: question, rules", path=path, line=number)
        try:
            patterns = tuple(_pattern(one, classes or {}) for one in columns[0].split("/"))
        except KeyError as error:
            raise InputError(f"no class of words {error}", path=path, line=number) from error
        if not all(pattern.having for pattern in patterns):
            raise InputError("a question needs a word to know it by", path=path, line=number)
        topics.append(Topic(patterns, read_pointers(columns[1], path, number)))
    return Topics(topics)


@cache
def shipped_topics() -> Topics:
    """The topics of this release."""
    topics: list[Topic] = []
    first, *files = topic_files()
    with resources.as_file(first) as path:
        classes = {columns[0]: _words(columns[1]) for _, columns in read_columns(path)}
    for file in files:
        with resources.as_file(file) as path:
            topics += read_topics(path, classes).topics
    return Topics(topics)


def topic_files() -> list[Traversable]:
    """The files of this release: the classes of words (``_classes.tsv``), then the tables."""
    files = resources.files("inforce.retrieval.data").joinpath("topics").iterdir()
    return sorted((one for one in files if one.name.endswith(".tsv")), key=lambda one: one.name)


def _pattern(text: str, classes: Mapping[str, tuple[str, ...]]) -> Pattern:
    groups = [group.strip() for group in text.split("&") if group.strip()]
    having = (_group(group, classes) for group in groups if not group.startswith("!"))
    lacking = (_group(group[1:], classes) for group in groups if group.startswith("!"))
    return Pattern(tuple(having), tuple(word for group in lacking for word in group))


def _group(text: str, classes: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    words = (classes[word] if word.startswith("@") else (word,) for word in _words(text))
    return tuple(dict.fromkeys(word for one in words for word in one))


def _words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split("|"))))
