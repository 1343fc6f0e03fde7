"""The benchmarks by name; a benchmark is loaded when it is opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from inforce.errors import UserError
from inforce.scoring.tasks import TASKS

if TYPE_CHECKING:
    from inforce.evals.benchmark import Benchmark

PRACTICE = "practice"
"""The examination of ``inforce ask``, which is no benchmark of agents."""

TITLES: Mapping[str, str] = {
    "legalsearch": "the 13 tasks of LegalSearch-R1",
    "kqa": "questions on legal knowledge",
    "ccp": "charges of a criminal case",
    "ptp": "prison terms in months",
    "lar": "recitation of articles as they stood",
    "lap": "articles that apply to a case",
    "lca": "analysis of cases",
    "lcs": "consultations, judged by a model",
    "cpa": "accountants' examination",
    "pae": "patent agents' examination",
    "nje": "judicial examination",
    "ungee": "graduate entrance examination",
    "lbk": "basic legal knowledge",
    "pfe": "professional fundamentals",
    "dated": "the same questions at other dates: future law, boundary days",
    "legalagentbench": "tasks of LegalAgentBench with tools over tables",
    "legalsearchqa": "dated questions on US law (L-MARS)",
    "barexam": "questions of the US bar examination",
    "ljp": "article, charge and prison term of a judgment (MSR2)",
    "lecard": "retrieval of similar cases (LeCaRDv2)",
    PRACTICE: "dated questions put to inforce ask",
}

_MODULES: Mapping[str, str] = {
    "legalsearch": "legalsearch.benchmark",
    **dict.fromkeys(TASKS, "legalsearch.benchmark"),
    "dated": "dated.benchmark",
    "legalagentbench": "legalagentbench.benchmark",
    "legalsearchqa": "legalsearchqa.benchmark",
    "barexam": "legalsearchqa.benchmark",
    "ljp": "judgment.benchmark",
    "lecard": "lecard.benchmark",
}

NAMES = tuple(_MODULES)
"""Every benchmark, in the order of the papers."""


@cache
def open_benchmark(name: str) -> Benchmark:
    """Return the benchmark of a name.

    Raises:
        UserError: if there is none.
    """
    if name not in _MODULES:
        raise UserError(f"no benchmark is called {name!r}: use {', '.join(TITLES)}")
    module = import_module(f"inforce.evals.{_MODULES[name]}")
    found: Iterable[Benchmark] = getattr(module, "BENCHMARKS", None) or (module.BENCHMARK,)
    return next(one for one in found if one.name == name)
