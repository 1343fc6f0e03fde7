"""Questions about charges, terms and articles of real cases.

Cases that the judgment benchmark asks about, or that belong to a collection of other evaluations,
are marked as held out, and so is every copy of their facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from inforce.law.numerals import ProvisionNumber
from inforce.scoring.cases import Case, read_cases
from inforce.scoring.split import EVALUATIONS, side_of
from inforce.train.data.examples import Example
from inforce.train.episodes import Question

OPTIONS = "ABCD"

SENTENCING = "sentencing"
"""The task of MSR2's questions."""


def examples_of_cases(path: Path) -> tuple[Example, ...]:
    """Make up to three questions of each case, as far as it has the data for them."""
    cases = read_cases(path)
    articles = sorted({article for case in cases for article in case.articles})
    barred = frozenset(one.fingerprint for one in cases if EVALUATIONS & set(one.sources))
    return tuple(
        replace(example, held_out=_held_out(case, barred))
        for case in cases
        for example in _questions(case, articles)
    )


def sentencing_questions(cases: Iterable[Case]) -> tuple[Question, ...]:
    """Make MSR2's questions of the cases with a fixed term."""
    return tuple(
        Question(case.id, case.fact, f"{case.months}个月", {"task": SENTENCING, "fact": case.fact})
        for case in cases
        if case.months and not case.is_life_or_death
    )


def _held_out(case: Case, barred: Collection[str]) -> str:
    """Say why a case must not be trained on; empty where it may be.

    Barred is every copy of facts that other evaluations use.
    """
    if case.fingerprint in barred:
        return "of a collection others examine with"
    if side_of(case.fingerprint) != "train":
        return "of the validation or test side of the judgment benchmark"
    return ""


def _questions(case: Case, articles: Sequence[int]) -> Iterator[Example]:
    fact = f"案件事实: {case.fact}"
    if case.charges:
        yield Example(f"ccp_{case.id}", "ccp", fact, ";".join(case.charges), "cases")
    if case.months and not case.is_life_or_death:
        known = fact + relevant_articles(case.articles)
        yield Example(f"ptp_{case.id}", "ptp", known, f"{case.months}个月", "cases")
    others = [one for one in articles if one not in case.articles]
    if 0 < len(case.articles) <= len(OPTIONS) <= len(case.articles) + len(others):
        yield _which_articles(case, others)


def relevant_articles(numbers: Iterable[object]) -> str:
    """Return the articles by number, as the benchmark adds them to questions about a term."""
    named = "、".join(f"刑法第{number}条" for number in numbers)
    return f"\n相关法条: {named}" if named else ""


def _which_articles(case: Case, others: Sequence[int]) -> Example:
    """Ask which articles apply, among others in a random order that depends on the fact alone."""
    chance = Random(case.fingerprint)
    drawn = chance.sample(others, len(OPTIONS) - len(case.articles))
    offered = [*case.articles, *drawn]
    chance.shuffle(offered)
    options = "\n".join(
        f"{letter}: 中华人民共和国刑法{ProvisionNumber.parse(str(article)).chinese}"
        for letter, article in zip(OPTIONS, offered, strict=True)
    )
    question = f"案件事实: {case.fact}\n选项:\n{options}"
    lettered = zip(OPTIONS, offered, strict=True)
    answer = "".join(letter for letter, article in lettered if article in case.articles)
    return Example(f"lap_{case.id}", "lap", question, answer, "cases")
