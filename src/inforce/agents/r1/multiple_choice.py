"""Answering multiple-choice questions from retrieved provisions: two general rules and no model.

1. *Precedence*: a sentence that puts one thing before another (``X 不得撤销、变更 Y``,
   ``Y 优先于 X``) decides between options that are X and Y, where the question mentions both.
2. *The last in time*: ``以最后的…为准`` decides for the option the question dates last. A rule of
   precedence is the more special one and goes before it.

Where none decides, or the question asks for what is wrong, the result is `None`: no guess. That an
option shares its words with a provision does not make it true, so words alone decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from inforce.dates import scan_dates
from inforce.retrieval.tokens import tokenize
from inforce.tools.statute_text import Wording

_OPTION = re.compile(r"(?:^|\s)([A-H])\s?[:：.．、]\s?(?=\S)", re.MULTILINE)
_SENTENCE = re.compile(r"[。；;\n]")
_ITEMS = re.compile(r"[、,，]|以及|或者|和|或|与|及")

_PUT_BEFORE = (
    re.compile(
        r"(?P<lesser>[^，。；]{2,40})，?不得"
        r"(?:撤销|变更|对抗|改变|排除|优先于)(?:(?:、|或者|和)(?:撤销|变更|对抗|改变))*"
        r"(?P<greater>[^，。；]{2,30})"
    ),
    re.compile(
        r"(?P<greater>[^，。；]{2,30}?)(?:的效力)?(?:优先于|高于)(?P<lesser>[^，。；]{2,30})"
    ),
)
_LAST_PREVAILS = re.compile(r"以最后(?:所?立)?的?(?P<kind>[^，。；]{1,10})为准")

_NEGATIVE_STEM = re.compile(
    r"(?:不正确|错误|不属于|不包括|不符合|不成立|不能|不应|不是|有误|除外|\bnot\b|\bexcept\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """A multiple-choice question."""

    stem: str
    options: Mapping[str, str]
    """By letter."""

    @property
    def is_negative(self) -> bool:
        """Whether it asks which option is wrong."""
        return _NEGATIVE_STEM.search(self.stem) is not None

    def distinctive_words(self, letter: str) -> tuple[str, ...]:
        """The words that distinguish an option from the others: ``录音`` of ``录音遗嘱``."""
        words = [word for word in tokenize(self.options[letter]) if len(word) > 1]
        others = [text for key, text in self.options.items() if key != letter]
        own = [word for word in words if not any(word in text for text in others)]
        return tuple(own) or (self.options[letter],)

    def mentions(self, letter: str) -> bool:
        """Whether the stem mentions an option."""
        return all(word in self.stem for word in self.distinctive_words(letter))


@dataclass(frozen=True, slots=True)
class Choice:
    """The letters chosen, the rule, and the sentence it was applied to."""

    letters: str
    rule: str
    """``precedence`` or ``last in time``."""
    wording: Wording
    sentence: str


def read_options(question: str) -> Question | None:
    """Read a multiple-choice question; ``None`` if it has fewer than two options."""
    marks: list[re.Match[str]] = []
    for match in _OPTION.finditer(question):
        if match[1] == chr(ord("A") + len(marks)):
            marks.append(match)
    if len(marks) < 2:
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(question)]
    options = {
        mark[1]: question[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)
    }
    return Question(question[: marks[0].start()].strip(), options)


def choose(question: Question, wordings: Sequence[Wording]) -> Choice | None:
    """Choose the options that the wordings support; ``None`` where no rule decides."""
    if question.is_negative:
        return None
    return _by_precedence(question, wordings) or _by_last(question, wordings)


def _by_precedence(question: Question, wordings: Sequence[Wording]) -> Choice | None:
    for wording, sentence in _sentences(wordings):
        for pattern in _PUT_BEFORE:
            match = pattern.search(sentence)
            if match is None:
                continue
            mentioned = {k: v for k, v in question.options.items() if question.mentions(k)}
            before = _named(mentioned, match["greater"])
            behind = _named(mentioned, match["lesser"])
            winners = before - behind
            if len(winners) == 1 and behind - before:
                return Choice(winners.pop(), "precedence", wording, sentence)
    return None


def _by_last(question: Question, wordings: Sequence[Wording]) -> Choice | None:
    for wording, sentence in _sentences(wordings):
        match = _LAST_PREVAILS.search(sentence)
        if match is None:
            continue
        kind = match["kind"]
        dated = {
            letter: day
            for letter, option in question.options.items()
            if kind in option and (day := _dated(question, letter)) is not None
        }
        latest = [letter for letter, day in dated.items() if day == max(dated.values())]
        if len(dated) > 1 and len(latest) == 1:
            return Choice(latest[0], "last in time", wording, sentence)
    return None


def _sentences(wordings: Iterable[Wording]) -> Iterable[tuple[Wording, str]]:
    for wording in wordings:
        for sentence in _SENTENCE.split(wording.text):
            if sentence.strip():
                yield wording, sentence.strip()


def _named(options: Mapping[str, str], phrase: str) -> set[str]:
    """The options that name something in a phrase: ``录音遗嘱`` in ``自书、录音、口头遗嘱``."""
    items = [item.strip() for item in _ITEMS.split(phrase) if len(item.strip()) > 1]
    return {
        letter
        for letter, option in options.items()
        if option in phrase or any(item in option for item in items)
    }


def _dated(question: Question, letter: str) -> date | None:
    """The date the question gives with an option: the last before it names what the option is."""
    mentions = scan_dates(question.stem, clock=lambda: date.max).mentions
    found: list[date] = []
    for sign in question.distinctive_words(letter):
        for match in re.finditer(re.escape(sign), question.stem):
            before = [one for one in mentions if one.start < match.start()]
            found += [before[-1].range.start] if before else []
    return max(found, default=None)
