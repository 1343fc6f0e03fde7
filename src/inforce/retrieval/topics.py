"""Topics: what people ask again and again, and the rule that answers it.

``data/topics/*.tsv``, a file a branch, are written and reviewed by people and never learnt; their
README describes the form. Where the glossary of lay words says what a word may mean, a topic says
which rule a question asks for: by the title of a law and words that occur in the provision, so that
it holds whatever number the rule had, and finds the wording of the day in question. An English
question is on the topic of the Chinese one that asks the same (``data/english_questions/*.tsv``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from inforce.errors import InputError
from inforce.retrieval.glossary import (
    Pointer,
    beginnings,
    english_words,
    read_columns,
    read_pointers,
    without_ending,
)

T = TypeVar("T")

Classes = Mapping[str, tuple[str, ...]]
"""Words that mean the same in a question, by the name of their class (``@how_long``)."""

_NEARLY_AS_MUCH = 0.7
"""Share of the characters of the topic that fits best below which another is left out (measured on
known questions: a rule that answers is lost in 2 %, and the rules named are right more often)."""

_LITTLE = 3
_OF_LONG = 6
"""A topic that accounts for three characters at most, of six times as many or more, is a word that
was said in passing (measured: it is right in 3 of 10 known questions; other topics in 7)."""

_UNSAID = re.compile(
    r"(?<![0-9])(?:19|20)[0-9]{2}年(?:[0-9]{1,2}月(?:[0-9]{1,2}[日号])?)?"
    r"|没有?(?:撞到?人|撞着人|出事故?|伤到?人|伤着人|人受伤|造成(?:事故|伤亡|后果))"
)
"""Words a question is not about: a date (10年 of work does not occur in 2010年), and the harm that
is denied (没撞人 is about no accident)."""

_GROUPS = re.compile(r"\s*&\s*")


# --- patterns -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words by which a question is recognised."""

    required: tuple[tuple[str, ...], ...]
    """Groups of words; the question has at least one word of each."""
    excluded: tuple[str, ...] = ()
    """Words that the question does not have."""


class _WordSets(NamedTuple):
    """A pattern as sets, with the place of its entry."""

    entry: int
    required: tuple[frozenset[str], ...]
    excluded: frozenset[str]


class PatternIndex(Generic[T]):
    """Finds, among many entries with patterns, those that a question matches.

    The words that occur in a question are looked up once; patterns are then compared as sets.
    """

    def __init__(self, entries: Iterable[tuple[Sequence[Pattern], T]]) -> None:
        entries = tuple(entries)
        self.values = tuple(value for _, value in entries)
        self._patterns = [
            _WordSets(place, tuple(map(frozenset, one.required)), frozenset(one.excluded))
            for place, (patterns, _) in enumerate(entries)
            for one in patterns
        ]
        self._by_word: dict[str, list[int]] = defaultdict(list)
        """Patterns by each word of their smallest group; the other groups are checked after it."""
        words: set[str] = set()
        for place, pattern in enumerate(self._patterns):
            for word in min(pattern.required, key=len):
                self._by_word[word].append(place)
            words.update(*pattern.required, pattern.excluded)
        self._by_beginning: dict[str, list[str]] = defaultdict(list)
        """All words by their first two characters."""
        for word in words:
            self._by_beginning[word[:2]].append(word)

    def matching(self, question: str) -> list[tuple[T, int]]:
        """Return the entries a question matches, in order, with the characters they account for."""
        words = {
            word
            for beginning in self._by_beginning.keys() & beginnings(question)
            for word in self._by_beginning[beginning]
            if word in question
        }
        found: dict[int, int] = {}
        for place in {place for word in words for place in self._by_word.get(word, ())}:
            entry, required, excluded = self._patterns[place]
            if excluded.isdisjoint(words) and not any(map(words.isdisjoint, required)):
                characters = sum(max(map(len, group & words)) for group in required)
                found[entry] = max(found.get(entry, 0), characters)
        return [(self.values[entry], found[entry]) for entry in sorted(found)]


def fold_english(text: str) -> str:
    """Return an English question as patterns are compared with it: singulars, ``_`` around words.

    Once as they are, and once without the endings of verbs, in other signs that no word has.

    >>> fold_english("Refused a visa")
    '_refused_a_visa_ =refus=a=visa='
    """
    return " ".join(english_forms(text))


def english_forms(text: str) -> tuple[str, ...]:
    """Return the forms by which words of a pattern are found in what `fold_english` returns.

    A word that ends in ``*`` is compared by its beginning.

    >>> english_forms("refuse"), english_forms("terminat*")
    (('_refuse_', '=refus='), ('_terminat',))
    """
    words = english_words(text)
    if text.endswith("*"):
        return (f"_{'_'.join(words)}",)
    return f"_{'_'.join(words)}_", f"={'='.join(map(without_ending, words))}="


# --- topics ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Topic:
    """One line of the table."""

    patterns: tuple[Pattern, ...]
    rules: tuple[Pointer, ...]


class Rules(NamedTuple):
    """The rules that topics name for a question."""

    primary: tuple[Pointer, ...]
    secondary: tuple[Pointer, ...]
    """Of topics that fit the question less: they answer where the primary did not exist yet."""


class Rephrasings:
    """Other words for a question, found by its pattern."""

    def __init__(self, phrases: Iterable[tuple[tuple[Pattern, ...], tuple[str, ...]]]) -> None:
        self._index = PatternIndex(phrases)

    @property
    def texts(self) -> tuple[str, ...]:
        """All the words there are."""
        return tuple(dict.fromkeys(text for texts in self._index.values for text in texts))

    def find(self, question: str, *, best_only: bool = False) -> tuple[str, ...]:
        """Return the words of every entry that a question matches, or of those that fit best."""
        found = self._index.matching(question)
        longest = max((characters for _, characters in found), default=0)
        least = _NEARLY_AS_MUCH * longest if best_only else 0
        return tuple(
            dict.fromkeys(text for texts, size in found if size >= least for text in texts)
        )


class Topics:
    """Finds the rules a question asks for.

    >>> [rule.words for rule in shipped_topics().rules_for("打印的遗嘱有效吗").primary]
    ['打印遗嘱应当有两个以上见证人']
    """

    def __init__(self, topics: Iterable[Topic], sayings: Rephrasings | None = None) -> None:
        self.topics = tuple(topics)
        self._index = PatternIndex((topic.patterns, topic) for topic in self.topics)
        self._sayings = sayings or Rephrasings(())

    @property
    def rules(self) -> tuple[Pointer, ...]:
        """All rules of the table."""
        return _rules_of(self.topics)

    def topics_for(self, question: str) -> list[tuple[Topic, int]]:
        """Return the topics of a question, with the characters of it they account for."""
        question = _UNSAID.sub("", question.replace(" ", ""))
        return self._index.matching("，".join((question, *self._sayings.find(question))))

    def rules_for(self, question: str) -> Rules:
        """Return the rules that answer a question, in the order of the tables."""
        found = self.topics_for(question)
        most = max((size for _, size in found), default=0)
        in_passing = most <= _LITTLE and most * _OF_LONG <= len(question)
        least = most + 1 if in_passing else _NEARLY_AS_MUCH * most
        return Rules(
            _rules_of(topic for topic, size in found if size >= least),
            _rules_of(topic for topic, size in found if size < least),
        )


def _rules_of(topics: Iterable[Topic]) -> tuple[Pointer, ...]:
    return tuple(dict.fromkeys(rule for topic in topics for rule in topic.rules))


@lru_cache(maxsize=256)  # the analysis asks, and the query again
def chinese_questions(question: str) -> tuple[str, ...]:
    """Return Chinese questions that ask the same as an English one, as far as the table has any.

    >>> chinese_questions("How long can a probation period be?")
    ('试用期最长几个月',)
    """
    return shipped_english_questions().find(fold_english(question), best_only=True)


# --- tables ---------------------------------------------------------------------------------------


def read_topics(path: Path, classes: Classes | None = None) -> Topics:
    """Read a table of topics.

    Raises:
        InputError: if a line is not of the form described in the README; names the line.
    """
    return Topics(
        Topic(patterns, read_pointers(rules, path, number))
        for number, patterns, rules in _lines(path, classes)
    )


def read_rephrasings(
    *paths: Path, classes: Classes | None = None, english: bool = False
) -> Rephrasings:
    """Read tables of ways to say things: the pattern of a question, the words for it.

    Raises:
        InputError: if a line is not of the form described in the README; names the line.
    """
    forms = english_forms if english else _as_it_is
    lines = (line for path in paths for line in _lines(path, classes, forms=forms))
    return Rephrasings((patterns, _alternatives(words)) for _, patterns, words in lines)


@cache
def shipped_topics() -> Topics:
    """Return the topics of this release."""
    with resources.as_file(_data("topics") / "_classes.tsv") as path:
        classes = {columns[0]: _alternatives(columns[1]) for _, columns in read_columns(path)}
    topics: list[Topic] = []
    for file in topic_files():
        with resources.as_file(file) as path:
            topics += read_topics(path, classes).topics
    with resources.as_file(_data("topics") / "_sayings.tsv") as path:
        return Topics(topics, read_rephrasings(path, classes=classes))


@cache
def shipped_english_questions() -> Rephrasings:
    """Return the Chinese questions of this release that stand for English ones."""
    with ExitStack() as opened:
        paths = [
            opened.enter_context(resources.as_file(file)) for file in _tables("english_questions")
        ]
        return read_rephrasings(*paths, english=True)


def topic_files() -> list[Traversable]:
    """Return the tables of this release, without the classes of words and the sayings."""
    return [one for one in _tables("topics") if not one.name.startswith("_")]


def _tables(folder: str) -> list[Traversable]:
    files = (one for one in _data(folder).iterdir() if one.name.endswith(".tsv"))
    return sorted(files, key=lambda one: one.name)


def _data(name: str) -> Traversable:
    return resources.files("inforce.retrieval.data").joinpath(name)


Forms = Callable[[str], tuple[str, ...]]
"""The forms by which a word of a pattern is found in a question."""


def _as_it_is(word: str) -> tuple[str, ...]:
    return (word,)


def _lines(
    path: Path, classes: Classes | None, *, forms: Forms = _as_it_is
) -> Iterator[tuple[int, tuple[Pattern, ...], str]]:
    """Yield the number of each line, the patterns of its first column, and its second column."""
    for number, columns in read_columns(path):
        if len(columns) != 2 or not all(columns):
            raise InputError("two columns are needed: question, rules", path=path, line=number)
        try:
            patterns = tuple(_pattern(one, classes or {}, forms) for one in columns[0].split("/"))
        except KeyError as error:
            raise InputError(f"no class of words {error}", path=path, line=number) from error
        if not all(pattern.required for pattern in patterns):
            raise InputError("a question needs a word to know it by", path=path, line=number)
        yield number, patterns, columns[1]


def _pattern(text: str, classes: Classes, forms: Forms) -> Pattern:
    """Read groups of words with ``&`` between them; a group after ``!`` is excluded."""

    def words(group: str) -> tuple[str, ...]:
        written = (
            classes[word] if word.startswith("@") else (word,) for word in _alternatives(group)
        )
        return tuple(
            dict.fromkeys(form for some in written for word in some for form in forms(word))
        )

    groups = [group for group in _GROUPS.split(text.strip()) if group]
    excluded = (words(group[1:]) for group in groups if group.startswith("!"))
    return Pattern(
        tuple(words(group) for group in groups if not group.startswith("!")),
        tuple(word for group in excluded for word in group),
    )


def _alternatives(text: str) -> tuple[str, ...]:
    """Return the words of a group, which have ``|`` between them."""
    return tuple(filter(None, map(str.strip, text.split("|"))))
