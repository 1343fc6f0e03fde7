"""The provisions that stated a rule at an earlier date: under another number, or in another law.

A question about 2018 may find its rule by today's wording (民法典 1079). What governed then is the
same rule in the text of the time (婚姻法 32); where that law is not held, it is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from inforce.answering.governing_law import former_offences
from inforce.law.alignment import align, similarity
from inforce.law.former_law import former_rules, predecessors
from inforce.law.lineage import counterparts, is_renumbered
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import GENERAL_PART
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook

_SAME_RULE = 0.5
"""From this similarity on, the same number of a renumbered law holds the same rule."""

_SUCCEEDED = 0.4
"""Least similarity of a rule and its predecessor in another law (`inforce.law.lineage`)."""

_SAME_SENTENCE, _SHORTEST = 0.75, 16
"""Least similarity of two sentences that state the same, and their least length in characters."""

_SENTENCE_END = re.compile(r"(?<=。)|\n")


@dataclass(frozen=True, slots=True)
class Predecessors:
    """The provisions of other laws that stated a rule on a day."""

    timelines: tuple[Timeline, ...] = ()
    """The closest first."""
    not_held: tuple[str, ...] = ()
    """Laws that governed the matter then, of which no text of the day is held."""
    is_recorded: bool = False
    """Whether a reviewed table says so, and not the likeness of texts."""


def counterpart_then(book: LawBook, timeline: Timeline, found: Span, day: date) -> Timeline | None:
    """The provision of the same law that stated on a day the rule that was found.

    In a law that was not renumbered since, and where the number stated the same rule, it is the
    provision itself; ``None`` where the text of the day has no such rule.
    """
    assert found.provision is not None
    then = timeline.version_at(day).found
    if found.version is None or day in found.window:
        return timeline
    if then and then[0].text and similarity(then[0].text, found.provision.text) >= _SAME_RULE:
        return timeline
    for former in former_rules(timeline.work, timeline.number) or ():
        if former.work == timeline.work and former.in_force(day) and day < found.window.start:
            return book.corpus.timeline(timeline.work, former.numbers[0])
    later, earlier = book.corpus.provisions(found.version), book.text_on(timeline.work, day)
    if not earlier or not is_renumbered(earlier, later):
        return timeline
    links = counterparts(timeline.number, later, earlier)
    number = links[0].new if links else sentence_holder(found.provision, earlier)
    return book.corpus.timeline(timeline.work, number) if number else None


def sentence_holder(found: Provision, text: Sequence[Provision]) -> ProvisionNumber | None:
    """The only provision of a text with a sentence of a later provision: its rule was taken apart.

    行政处罚法 33 para. 1 (2021), on minor violations, was art. 27 para. 2 among other matters. A
    sentence that several provisions have (构成犯罪的，依法追究刑事责任) points to none of them.
    """
    best: tuple[float, ProvisionNumber | None] = (_SAME_SENTENCE, None)
    for sentence in _sentences(found):
        alike = [
            (max(similarity(sentence, other) for other in others), provision.number)
            for provision in text
            if (others := _sentences(provision))
        ]
        having = [pair for pair in alike if pair[0] >= _SAME_SENTENCE]
        if len(having) == 1:
            best = max(best, having[0], key=lambda pair: pair[0])
    return best[1]


def _sentences(provision: Provision) -> list[str]:
    return [
        sentence for sentence in _SENTENCE_END.split(provision.text) if len(sentence) >= _SHORTEST
    ]


def find_predecessors(book: LawBook, timeline: Timeline, found: Span, day: date) -> Predecessors:
    """The provisions that stated a rule on a day on which its own law did not have it."""
    assert found.provision is not None
    former = tuple(
        offence for offence in former_offences(book, timeline) if offence.version_at(day).found
    )
    if former:
        return Predecessors(former)
    titles = predecessors(timeline.work, timeline.number, day)
    recorded = _recorded(timeline, day)
    if recorded is not None:  # in the general part of 2017 it had today's words
        titles = (*(title for title in titles[:1] if title == GENERAL_PART), *recorded)
    for title in titles:
        text = book.text_on(title, day)
        if not text:
            return Predecessors(not_held=(title,))
        if recorded and title in recorded:
            return _held(book, title, text, recorded[title])
        links = align([found.provision], text, order="free", threshold=_SUCCEEDED)
        if links:
            best = max(links, key=lambda link: link.score)
            return Predecessors((book.corpus.timeline(title, best.new),))
        if hole := _hole(book, timeline, found, title, day):
            return Predecessors(not_held=(f"{title} art. {hole}",))
    return Predecessors()


def _recorded(timeline: Timeline, day: date) -> Mapping[str, Sequence[ProvisionNumber]] | None:
    """Provisions of other laws in force on a day recorded to have stated a rule, by law.

    ``None`` where nothing is recorded of it.
    """
    rules = former_rules(timeline.work, timeline.number)
    if rules is None:
        return None
    others = (rule for rule in rules if rule.work != timeline.work and rule.in_force(day))
    return {rule.work: rule.numbers for rule in others}


def _held(
    book: LawBook, title: str, text: Sequence[Provision], numbers: Sequence[ProvisionNumber]
) -> Predecessors:
    """The provisions that stated a rule, and which of them the text of their law does not have."""
    held = {provision.number for provision in text}
    missing = [number.main for number in numbers if number not in held]
    if missing or not numbers:
        named = f"{title} art. {_runs(missing)}" if missing else title
        return Predecessors(not_held=(named,), is_recorded=True)
    found = tuple(book.corpus.timeline(title, number) for number in numbers)
    return Predecessors(found, is_recorded=True)


def _hole(book: LawBook, timeline: Timeline, found: Span, title: str, day: date) -> str:
    """The articles missing in a text that may have stated the rule; empty where none may.

    They may have where the rules beside the one found have counterparts next to them.
    """
    edition = next((span for span in book.editions(title) if day in span.window), None)
    text = book.text_on(title, day)
    holes = edition.version.holes if edition and edition.version else ()
    missing = {hole.main for hole in holes} - {provision.number.main for provision in text}
    if not missing or found.version is None:
        return ""
    main = timeline.number.main
    beside = [
        provision
        for provision in book.corpus.provisions(found.version)
        if 0 < abs(provision.number.main - main) <= 2
    ]
    links = align(beside, text, order="free", threshold=_SUCCEEDED)
    near = {link.new.main + step for link in links for step in (-2, -1, 1, 2)}
    return _runs(sorted(missing)) if near & missing else ""


def _runs(numbers: Sequence[int]) -> str:
    """``1-3, 9-10``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if run[1:] else str(run[0]) for run in runs)
