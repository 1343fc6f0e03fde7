"""The two benchmarks of L-MARS: LegalSearchQA and the bar exam."""

from __future__ import annotations

from typing import Final

from inforce.evals.benchmark import Benchmark, Record
from inforce.evals.conditions import CONDITIONS
from inforce.evals.legalsearchqa.items import read_barexam, read_legalsearchqa
from inforce.evals.legalsearchqa.options import OPTIONS
from inforce.evals.legalsearchqa.scoring import MEASURES, scorer
from inforce.evals.legalsearchqa.systems import open_system
from inforce.evals.legalsearchqa.tables import barexam_tables, legalsearchqa_tables
from inforce.evals.summary import summary_of_means

AGENTS: Final = ("lmars", "lmars-multi", "r1", *CONDITIONS, "always-b")
"""Most answers of LegalSearchQA are B: whoever always says so has 58 % of the published 50."""


def _group(record: Record) -> str:
    return record.group


LEGALSEARCHQA: Final = Benchmark(
    name="legalsearchqa",
    title="LegalSearchQA: current US law, four choices (L-MARS, section 4)",
    agents=AGENTS,
    primary=MEASURES[0],
    read=read_legalsearchqa,
    open_system=open_system,
    scorer=scorer,
    summarise=summary_of_means(MEASURES, by=_group),
    tables=legalsearchqa_tables,
    options=OPTIONS,
    is_judged=True,
    without_model=("always-b",),
)

BAREXAM: Final = Benchmark(
    name="barexam",
    title="Bar Exam QA: the multistate bar exam, four choices (evaluation of L-MARS)",
    agents=AGENTS,
    primary=MEASURES[0],
    read=read_barexam,
    open_system=open_system,
    scorer=scorer,
    summarise=summary_of_means(MEASURES, by=_group),
    tables=barexam_tables,
    options=OPTIONS,
    is_judged=True,
    without_model=("always-b",),
)

BENCHMARKS: Final = (LEGALSEARCHQA, BAREXAM)
