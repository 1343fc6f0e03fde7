"""Recitations scored: right, wrong, or right at another time."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest
from changing_law import FIRST, LAW, SECOND, SECOND_DAY, THIRD, THIRD_DAY

from inforce.agents.runtime.answer import Outcome, ResearchAnswer
from inforce.agents.runtime.trace import Observed
from inforce.dates import DateRange
from inforce.evals.benchmark import Attempt, Item, ItemScore
from inforce.evals.dated.questions import Dated, OtherWording
from inforce.evals.dated.scoring import MEASURES, is_verbatim, mistaken_for, score
from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence

BEFORE = OtherWording(id="first", valid_from=date(2000, 1, 1), valid_to=SECOND_DAY, text=FIRST)
AFTER = OtherWording(id="third", valid_from=THIRD_DAY, valid_to=None, text=THIRD)
MIDDLE = Dated(
    kind="plain",
    law=LAW,
    number="1",
    as_of=DateRange(date(2012, 3, 1), date(2012, 4, 1)),
    version="second",
    valid_from=SECOND_DAY,
    valid_to=THIRD_DAY,
    others=(BEFORE, AFTER),
)
ITEM = Item("a", "dated", "?", SECOND, "plain", msgspec.to_builtins(MIDDLE))


def _attempt(text: str, *evidence: Evidence, outcome: Outcome = "answered") -> Attempt:
    at = datetime(2026, 11, 20, tzinfo=UTC)
    answer = ResearchAnswer("?", "r1", "m", text, outcome, (), evidence, Usage())
    seen = Observed("k", "law_at", {}, "…", "found", evidence, (), 0.0, at)
    return Attempt(answer, (seen,))


def _scored(text: str, *evidence: Evidence) -> ItemScore:
    return asyncio.run(score(ITEM, _attempt(text, *evidence)))


def _values(text: str) -> dict[str, Any]:
    return dict(_scored(text).values)


@pytest.mark.parametrize(
    ("said", "correct"),
    [
        (SECOND, 1),
        (f"<answer>\n{SECOND}\n</answer>", 1),
        (f"【试验罪】{SECOND}", 1),  # an editorial heading
        (SECOND.replace("，", ", "), 1),  # width and blanks
        (f"答：{SECOND}", 0),
        (SECOND[:-1], 0),
        (SECOND.replace("五", "六"), 0),
        (FIRST, 0),
        ("", 0),
    ],
)
def test_only_the_exact_wording_is_correct(said: str, correct: int) -> None:
    assert _values(said)["correct"] == correct
    assert is_verbatim(said, SECOND) == (correct == 1 and "<" not in said)


@pytest.mark.parametrize(
    ("said", "answer", "past", "future"),
    [
        (SECOND, 0, 0, 0),
        (FIRST, 1, 1, 0),  # 25 of 26 characters are those of the right wording: a leak all the same
        (THIRD, 1, 0, 1),
        (f"{THIRD[:-1]}！", 1, 0, 1),  # one of 32 characters differs: 0.969
        (SECOND.replace("五", "六"), 0, 0, 0),  # a slip, as near to the right as to the old text
        (SECOND[:-1], 0, 0, 0),
        ("一派胡言", 0, 0, 0),
        ("", 0, 0, 0),
    ],
)
def test_the_wording_of_another_time_is_a_leak(
    said: str, answer: int, past: int, future: int
) -> None:
    values = _values(said)
    found = (values["leak_answer"], values["leak_past"], values["leak_future"])
    assert found == (answer, past, future)


def test_a_leak_says_which_wording_was_given() -> None:
    scored = _scored(THIRD)
    assert scored.labels == {"given": "third"}
    assert (
        scored.note
        == "the wording in force since 2015-11-01 was given for 2012-03-01 to 2012-03-31"
    )
    assert not _scored(SECOND).labels


def test_without_other_wordings_nothing_is_mistaken() -> None:
    assert mistaken_for(FIRST, SECOND, ()) is None
    assert mistaken_for(FIRST, SECOND, (BEFORE, AFTER)) == BEFORE


def test_rouge_is_that_of_the_paper() -> None:
    # 25 of 26 characters in the same order: R = P = 25/26
    assert _values(FIRST)["rouge_l"] == pytest.approx(25 / 26)
    assert _values(SECOND)["rouge_l"] == 1
    assert _values("")["rouge_l"] == 0


def test_shown_and_quoted_law_of_another_time_is_counted() -> None:
    old = Evidence("first", "statute", "", FIRST, date="in force 2000-01-01 to 2011-04-30")
    new = Evidence("second", "statute", "", SECOND, date="in force 2011-05-01 to 2015-10-31")
    values = _scored(f"{SECOND}{THIRD}", old, new).values
    assert (values["shown_leak"], values["shown_future"]) == (0.5, 0)
    assert (values["quoted_leak"], values["quoted_future"]) == (0.5, 0.5)


def test_what_cannot_be_measured_is_missing_not_zero() -> None:
    empty = Attempt(_attempt("一派胡言").answer, ())
    unmeasured = asyncio.run(score(ITEM, empty)).values
    assert unmeasured["shown_leak"] is None
    assert unmeasured["quoted_leak"] is None


@pytest.mark.parametrize("outcome", ["failed", "budget"])
def test_a_run_that_broke_off_has_no_score(outcome: Outcome) -> None:
    scored = asyncio.run(score(ITEM, _attempt(SECOND, outcome=outcome)))
    assert dict(scored.values) == dict.fromkeys(MEASURES)
