"""Topics: what people ask again and again, and the rule that answers it.

``data/topics/*.tsv``, a file a branch, are written and reviewed by people and never learnt; their
README describes the form. Where the glossary of lay words says what a word may mean, a topic says
which rule a question asks for: by the title of a law and words that occur in the provision, so that
it holds whatever number the rule had, and finds the wording of the day asked about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from inforce.errors import InputError
from inforce.retrieval.glossary import Pointer, read_columns, read_pointers


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


@dataclass(frozen=True, slots=True)
class Topic:
    """One line of the table."""

    patterns: tuple[Pattern, ...]
    rules: tuple[Pointer, ...]


class Topics:
    """Finds the rules a question asks for.

    >>> [rule.words for rule in shipped_topics().rules_for("打印的遗嘱有效吗")]
    ['打印遗嘱应当有两个以上见证人']
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        self.topics = tuple(topics)

    @property
    def rules(self) -> tuple[Pointer, ...]:
        """All rules of the table."""
        return tuple(dict.fromkeys(rule for topic in self.topics for rule in topic.rules))

    def rules_for(self, question: str) -> tuple[Pointer, ...]:
        """The rules that answer a question, in the order of the table."""
        question = question.replace(" ", "")
        found = (
            topic.rules
            for topic in self.topics
            if any(pattern.matches(question) for pattern in topic.patterns)
        )
        return tuple(dict.fromkeys(rule for rules in found for rule in rules))


def read_topics(path: Path) -> Topics:
    """Read a table of topics.

    Raises:
        InputError: if a line is not of the form described in the file; names the line.
    """
    topics: list[Topic] = []
    for number, columns in read_columns(path):
        if len(columns) != 2 or not all(columns):
            raise InputError("two columns are needed: question, rules", path=path, line=number)
        patterns = tuple(_pattern(one) for one in columns[0].split("/"))
        if not all(pattern.having for pattern in patterns):
            raise InputError("a question needs a word to know it by", path=path, line=number)
        topics.append(Topic(patterns, read_pointers(columns[1], path, number)))
    return Topics(topics)


@cache
def shipped_topics() -> Topics:
    """The topics of this release."""
    topics: list[Topic] = []
    for file in topic_files():
        with resources.as_file(file) as path:
            topics += read_topics(path).topics
    return Topics(topics)


def topic_files() -> list[Traversable]:
    """The files of this release, by name."""
    files = resources.files("inforce.retrieval.data").joinpath("topics").iterdir()
    return sorted((one for one in files if one.name.endswith(".tsv")), key=lambda one: one.name)


def _pattern(text: str) -> Pattern:
    groups = [group.strip() for group in text.split("&")]
    having = (group.split("|") for group in groups if group and not group.startswith("!"))
    lacking = (word for group in groups if group.startswith("!") for word in group[1:].split("|"))
    return Pattern(
        tuple(tuple(filter(None, map(str.strip, one))) for one in having), tuple(lacking)
    )
