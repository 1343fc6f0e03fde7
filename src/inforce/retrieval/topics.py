"""Topics: what people ask again and again, and the rule that answers it.

``data/topics/*.tsv``, a file a branch, are written and reviewed by people and never learnt; their
README describes the form. Where the glossary of lay words says what a word may mean, a topic says
which rule a question asks for: by the title of a law and words that occur in the provision, so that
it holds whatever number the rule had, and finds the wording of the day asked about. An English
question is on the topic of the Chinese one that asks the same (``data/english_questions.tsv``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from inforce.errors import InputError
from inforce.retrieval.glossary import Pointer, read_columns, read_pointers
from inforce.retrieval.patterns import (
    Classes,
    Pattern,
    PatternIndex,
    alternatives,
    fold_english,
    read_patterns,
)

_NEARLY_AS_MUCH = 0.7
"""Share of the characters of the topic that fits best below which another is left out (measured on
known questions: a rule that answers is lost in 2 %, and the rules named are right more often)."""

_LITTLE = 3
_OF_LONG = 6
"""A topic that accounts for three characters at most, of six times as many or more, is a word that
was said in passing (measured: it is right in 3 of 10 known questions; other topics in 7)."""


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


class Phrases:
    """Says a question in other words: those of the tables."""

    def __init__(self, phrases: Iterable[tuple[tuple[Pattern, ...], tuple[str, ...]]]) -> None:
        self._index = PatternIndex(phrases)

    @property
    def texts(self) -> tuple[str, ...]:
        """All that may be said."""
        return tuple(dict.fromkeys(text for texts in self._index.values for text in texts))

    def all_for(self, question: str) -> tuple[str, ...]:
        """The words of every entry that a question matches."""
        found = self._index.matching(question)
        return tuple(dict.fromkeys(text for texts, _ in found for text in texts))

    def best_for(self, question: str) -> tuple[str, ...]:
        """The words of the entries that account for most of a question."""
        found = self._index.matching(question)
        least = _NEARLY_AS_MUCH * max((much for _, much in found), default=0)
        return tuple(
            dict.fromkeys(text for texts, much in found if much >= least for text in texts)
        )


class Topics:
    """Finds the rules a question asks for.

    >>> [rule.words for rule in shipped_topics().rules_for("打印的遗嘱有效吗").foremost]
    ['打印遗嘱应当有两个以上见证人']
    """

    def __init__(self, topics: Iterable[Topic], sayings: Phrases | None = None) -> None:
        self.topics = tuple(topics)
        self._index = PatternIndex((topic.patterns, topic) for topic in self.topics)
        self._sayings = sayings or Phrases(())

    @property
    def rules(self) -> tuple[Pointer, ...]:
        """All rules of the table."""
        return tuple(dict.fromkeys(rule for topic in self.topics for rule in topic.rules))

    def topics_for(self, question: str) -> list[tuple[Topic, int]]:
        """The topics a question is on, with the characters of it they account for."""
        question = _UNSAID.sub("", question.replace(" ", ""))
        return self._index.matching("，".join((question, *self._sayings.all_for(question))))

    def rules_for(self, question: str) -> Rules:
        """The rules that answer a question, in the order of the tables."""
        found = self.topics_for(question)
        most = max((much for _, much in found), default=0)
        in_passing = most <= _LITTLE and most * _OF_LONG <= len(question)
        least = most + 1 if in_passing else _NEARLY_AS_MUCH * most
        return Rules(
            _rules_of(topic for topic, much in found if much >= least),
            _rules_of(topic for topic, much in found if much < least),
        )


_UNSAID = re.compile(
    r"(?<![0-9])(?:19|20)[0-9]{2}年(?:[0-9]{1,2}月(?:[0-9]{1,2}[日号])?)?"
    r"|没有?(?:撞到?人|撞着人|出事故?|伤到?人|伤着人|人受伤|造成(?:事故|伤亡|后果))"
)
"""What a question is not about: a date (10年 of work does not occur in 2010年), and the harm that
is denied (没撞人 is about no accident)."""


def read_topics(path: Path, classes: Classes | None = None) -> Topics:
    """Read a table of topics.

    Raises:
        InputError: if a line is not of the form described in the README; names the line.
    """
    return Topics(
        Topic(patterns, read_pointers(rules, path, number))
        for number, patterns, rules in _lines(path, classes)
    )


def read_phrases(path: Path, classes: Classes | None = None, *, english: bool = False) -> Phrases:
    """Read a table of ways to say things: the pattern of a question, the words for it.

    Raises:
        InputError: if a line is not of the form described in the README; names the line.
    """
    lines = _lines(path, classes, english=english)
    return Phrases((patterns, alternatives(words)) for _, patterns, words in lines)


def chinese_questions(question: str) -> tuple[str, ...]:
    """Chinese questions that ask the same as an English one; none where the table has none.

    >>> chinese_questions("How long can a probation period be?")
    ('试用期最长几个月',)
    """
    return _shipped_english_questions().best_for(fold_english(question))


def english_questions() -> tuple[str, ...]:
    """The Chinese questions that stand for English ones."""
    return _shipped_english_questions().texts


@cache
def shipped_topics() -> Topics:
    """The topics of this release."""
    with resources.as_file(_data("topics") / "_classes.tsv") as path:
        classes = {columns[0]: alternatives(columns[1]) for _, columns in read_columns(path)}
    topics: list[Topic] = []
    for file in topic_files():
        with resources.as_file(file) as path:
            topics += read_topics(path, classes).topics
    with resources.as_file(_data("topics") / "_sayings.tsv") as path:
        return Topics(topics, read_phrases(path, classes))


@cache
def _shipped_english_questions() -> Phrases:
    with resources.as_file(_data("english_questions.tsv")) as path:
        return read_phrases(path, english=True)


def topic_files() -> list[Traversable]:
    """The tables of this release: all but the classes of words and the sayings."""
    files = [one for one in _data("topics").iterdir() if one.name.endswith(".tsv")]
    return sorted((one for one in files if not one.name.startswith("_")), key=lambda one: one.name)


def _data(name: str) -> Traversable:
    return resources.files("inforce.retrieval.data").joinpath(name)


def _lines(
    path: Path, classes: Classes | None, *, english: bool = False
) -> Iterable[tuple[int, tuple[Pattern, ...], str]]:
    for number, columns in read_columns(path):
        if len(columns) != 2 or not all(columns):
            raise InputError("two columns are needed: question, rules", path=path, line=number)
        try:
            fold = fold_english if english else str
            yield number, read_patterns(columns[0], classes, fold=fold), columns[1]
        except KeyError as error:
            raise InputError(f"no class of words {error}", path=path, line=number) from error
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from error


def _rules_of(topics: Iterable[Topic]) -> tuple[Pointer, ...]:
    return tuple(dict.fromkeys(rule for topic in topics for rule in topic.rules))
