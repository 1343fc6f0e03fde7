"""Charges, terms and articles of real cases, as questions.

What the judgment benchmark asks, and what belongs to a collection others examine with, is marked as
held out; a fact that is examined with anywhere is so in every copy.
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
    """Up to three questions of each case, as far as it says enough for them."""
    cases = read_cases(path)
    articles = sorted({article for case in cases for article in case.articles})
    barred = examined(cases)
    return tuple(
        replace(example, held_out=_held_out(case, barred))
        for case in cases
        for example in _questions(case, articles)
    )


def sentencing_questions(cases: Iterable[Case]) -> tuple[Question, ...]:
    """Cases with a fixed term, as MSR2 is asked about them and its reward knows them."""
    return tuple(
        Question(case.id, case.fact, f"{case.months}个月", {"task": SENTENCING, "fact": case.fact})
        for case in cases
        if case.months and not case.is_life_or_death
    )


def examined(cases: Iterable[Case]) -> frozenset[str]:
    """The fingerprints of facts some copy of which is in a collection others examine with."""
    return frozenset(one.fingerprint for one in cases if EVALUATIONS & set(one.sources))


def _held_out(case: Case, barred: Collection[str]) -> str:
    """Why nothing may be learnt from a case; empty where it may."""
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
        known = f"{fact}{_relevant(case)}"
        yield Example(f"ptp_{case.id}", "ptp", known, f"{case.months}个月", "cases")
    others = [one for one in articles if one not in case.articles]
    if 0 < len(case.articles) <= len(OPTIONS) <= len(case.articles) + len(others):
        yield _which_articles(case, others)


def _relevant(case: Case) -> str:
    """The articles, by number, as the benchmark tells them to whoever predicts a term."""
    named = "、".join(f"刑法第{number}条" for number in case.articles)
    return f"\n相关法条: {named}" if named else ""


def _which_articles(case: Case, others: Sequence[int]) -> Example:
    """Its articles among others, in an order of chance that the fact fixes."""
    chance = Random(case.fingerprint)
    drawn = chance.sample(others, len(OPTIONS) - len(case.articles))
    offered = [*case.articles, *drawn]
    chance.shuffle(offered)
    options = "\n".join(
        f"{letter}: 中华人民共和国刑法{ProvisionNumber.parse(str(article)).chinese}"
        for letter, article in zip(OPTIONS, offered, strict=True)
    )
    question = f"案件事实: {case.fact}\n选项:\n{options}"
    return Example(f"lap_{case.id}", "lap", question, _letters(offered, case.articles), "cases")


def _letters(offered: Sequence[int], right: Collection[int]) -> str:
    """The letters of the right options.

    >>> _letters([264, 67, 3, 1], (67, 264))
    'AB'
    """
    return "".join(letter for letter, one in zip(OPTIONS, offered, strict=True) if one in right)
