"""Check the topics of `inforce.retrieval.topics` against the statutes and questions at hand.

::

    python recipes/topics.py [--data ../shared/data] [--questions FILE] [--uncovered]

Prints the rules that no law held has, those in too many provisions of one text, and of the
questions of ``questions/`` (or of FILE: lines of JSON with ``question`` and ``gold``, as an exam
has them) how many are on a topic, how many of these a named rule answers, and the topics that are
wrong more often than right. ``--uncovered`` also lists the questions that are on no topic.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from inforce.law.numerals import ProvisionNumber
from inforce.retrieval.glossary import Pointer, short_title
from inforce.retrieval.topics import Topic, shipped_topics

ROOT = Path(__file__).resolve().parents[1]
MOST = 6
_NAMED = re.compile(r"^(.*?)(第[零〇一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)$")


class Law(NamedTuple):
    """The texts of a law that are held: of each, the articles by number."""

    texts: list[Mapping[str, str]]

    def wordings(self, number: str) -> list[str]:
        """What an article said in any text."""
        return [text[number] for text in self.texts if number in text]


class Question(NamedTuple):
    """A question, and the provisions that answer it."""

    text: str
    gold: list[tuple[str, str]]
    """Short title and number (``133-1``)."""


def main() -> int:
    """Check, print, end."""
    options = _options()
    laws = _laws(options.data / "statutes")
    for rule in shipped_topics().rules:
        _check(rule, laws)
    questions = _exam(options.questions) if options.questions else _known(options.data)
    on_topic = answered = 0
    right: Counter[Topic] = Counter()
    wrong: Counter[Topic] = Counter()
    for question in questions:
        topics = [topic for topic, _ in shipped_topics().topics_for(question.text)]
        if not topics:
            if options.uncovered:
                print(f"no topic: {question.text} → {question.gold}")
            continue
        on_topic += 1
        good = [topic for topic in topics if any(_answers(r, question, laws) for r in topic.rules)]
        answered += bool(good)
        right.update(good)
        wrong.update(topic for topic in topics if topic not in good)
    for topic, count in wrong.most_common():
        if count > right[topic]:
            print(f"wrong {count}, right {right[topic]}: {topic.rules[0].laws[0]} {_words(topic)}")
    print(f"{len(questions)} questions, {on_topic} on a topic, {answered} of these answered by it")
    return 0


def _words(topic: Topic) -> str:
    """The beginning of the first way to ask."""
    groups = ("|".join(group) for group in topic.patterns[0].required)
    return f"{'&'.join(groups)[:60]} → {topic.rules[0].words}"


def _check(rule: Pointer, laws: Mapping[str, Law]) -> None:
    for title in rule.laws:
        if title not in laws:
            print(f"not held: {title}: {rule.words}")
            continue
        found = [[n for n, words in t.items() if rule.words in words] for t in laws[title].texts]
        most = max(found, key=len)
        if not most:
            print(f"in no provision: {title}: {rule.words}")
        elif len(most) > MOST:
            print(f"in {len(most)} provisions: {title}: {rule.words}: {most}")


def _answers(rule: Pointer, question: Question, laws: Mapping[str, Law]) -> bool:
    return any(
        title in rule.laws and any(rule.words in text for text in laws[title].wordings(number))
        for title, number in question.gold
        if title in laws
    )


def _laws(statutes: Path) -> dict[str, Law]:
    found: dict[str, Law] = defaultdict(lambda: Law([]))
    for record in _lines(statutes / "versions.jsonl.gz", statutes / "laws_current.jsonl.gz"):
        articles: list[dict[str, str]] = record["articles"]
        texts = {_short(one["no"]): one["text"].replace("\n", "") for one in articles}
        found[short_title(record["law"])].texts.append(texts)
    return found


def _known(data: Path) -> list[Question]:
    found: list[Question] = []
    for record in _lines(data / "questions" / "lecoqa_train.jsonl.gz"):
        named = (_NAMED.match(article["name"]) for article in record["articles"])
        gold = [(short_title(one[1]), _short(one[2])) for one in named if one]
        found.append(Question(record["question"], gold))
    return found


def _exam(path: Path) -> list[Question]:
    return [
        Question(
            record["question"],
            [
                (short_title(one["law"]), _short(one["article"]))
                for g in record["gold"]
                for one in g
            ],
        )
        for record in _lines(path)
        if record["gold"]
    ]


def _lines(*paths: Path) -> Iterator[dict[str, Any]]:
    for path in paths:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def _short(number: str) -> str:
    try:
        return ProvisionNumber.parse(number).short
    except ValueError:
        return number


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check the topics.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--uncovered", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
