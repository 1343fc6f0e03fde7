"""Legal judgment prediction as a benchmark: from the facts of a case to its prison term.

MSR2, section 4: accuracy and macro precision, recall and F1 over the ten classes of PLJP, on a test
set of CAIL2018 and on CJO22. Article and charge are scored too, the eleven classes of TopJudge, and
what classes hide: by how many months a prediction is off.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from inforce.agents.runtime.research import Researcher
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    Scored,
    ScoreItem,
    Setup,
    System,
)
from inforce.evals.judgment.answers import UNREAD, Answer, read_answer
from inforce.evals.judgment.cases import Case
from inforce.evals.judgment.dataset import OPTIONS, chosen, dataset
from inforce.evals.judgment.forecast import PREDICTORS, form, open_forecasts
from inforce.evals.judgment.precedents import require_unseen
from inforce.evals.judgment.tables import summarise, tables
from inforce.evals.judgment.terms import TEN, eleven, ten
from inforce.llm.chat import ChatModel
from inforce.tools.toolbox import Toolbox

CONDITIONS = ("direct", "direct-cot", "naive-rag")

TERM_ONLY = ("msr2",)
"""Who is asked for nothing but the term."""

_ASKED = "请根据下列案件事实，预测法院对被告人判处的刑期。\n\n案件事实：\n"
_FORM = (
    "最后一行按下列格式给出结论（刑期以月计，罪名不带“罪”字）：\n法条：第×条；罪名：×；刑期：×个月"
)
_AT_ONCE = (
    "你是一名刑事法官。根据案件事实，直接给出应当适用的刑法条文、罪名和刑期，不作分析。\n" + _FORM
)
_REASONED = (
    "你是一名刑事法官。根据案件事实，预测应当适用的刑法条文、罪名和刑期。先以法律规定为大前提、"
    "案件事实为小前提作三段论分析，再依次确定量刑起点、基准刑和宣告刑。\n" + _FORM
)
_TARGETS = ("term", "term11", "article", "charge")


def read_items(setup: Setup) -> Sequence[Item]:
    """The cases that are asked, CJO22's first where both sets are."""
    tests = dataset(chosen(setup)).tests
    return [_item(case, name) for name, cases in tests.items() for case in cases]


def _item(case: Case, group: str) -> Item:
    return Item(
        case.id,
        "ljp",
        _ASKED + case.fact,
        _target(case),
        group,
        {
            "articles": list(case.articles),
            "charges": list(case.charges),
            "months": case.months,
            "life_or_death": case.is_life_or_death,
            "plain_question": f"案件事实：\n{case.fact}",
            "system_prompt": _AT_ONCE,
            "system_prompt_cot": _REASONED,
            "search_query": case.fact,
        },
    )


def _target(case: Case) -> str:
    term = "死刑" if case.death else "无期徒刑" if case.life else f"{case.months}个月"
    return form(case.article, case.charge, term if case.months is not None else UNREAD)


def open_system(setup: Setup, model: ChatModel) -> AbstractAsyncContextManager[System]:
    """A trained predictor, or an agent with its tools and without the judgments it is asked for."""
    return _forecasting(setup, model) if setup.agent in PREDICTORS else _researching(setup, model)


@asynccontextmanager
async def _forecasting(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    setup.require_only()
    forecaster = open_forecasts(setup)
    yield lambda item: Researcher(forecaster(item), model, Toolbox([]), setup.clock)


@asynccontextmanager
async def _researching(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    from inforce.evals import systems

    if setup.agent not in ("direct", "direct-cot"):
        require_unseen(dataset(chosen(setup)).asked)
    async with systems.open_system(setup, model) as system:
        yield system


def scorer(setup: Setup) -> ScoreItem:
    """Scores what an agent is asked for: of MSR2 the term alone."""
    charges = dataset(chosen(setup)).charges
    targets = _TARGETS[:2] if setup.agent in TERM_ONLY else _TARGETS

    async def score(item: Item, attempt: Attempt, judge: ChatModel | None) -> Scored:
        return score_answer(item, read_answer(attempt.text, charges), targets=targets)

    return score


def score_answer(item: Item, answer: Answer, *, targets: Sequence[str] = _TARGETS) -> Scored:
    """What an answer is worth, and the labels macro figures are computed from.

    A target the file does not state is not measured. An answer no term can be read in is wrong in
    its class and its month; by how many months it is off cannot be said.
    """
    gold, told = gold_labels(item), answer_labels(answer)
    asked = [name for name in targets if name in gold]
    values = {f"{name}_correct": float(gold[name] == told[name]) for name in asked}
    labels = {f"{name}_gold": gold[name] for name in asked} | {name: told[name] for name in asked}
    return Scored({**values, **_in_months(item, answer)}, "；".join(told.values()), labels)


def gold_labels(item: Item) -> dict[str, str]:
    """The classes of an item, by target; what the file does not state is missing."""
    facts = item.facts
    gold: dict[str, str] = {}
    if facts["months"] is not None:
        term = 0 if facts["life_or_death"] else int(facts["months"])
        gold["term"] = TEN[ten(term)]
        gold["term11"] = str(eleven(term, life_or_death=bool(facts["life_or_death"])))
    if facts["articles"]:
        gold["article"] = str(max(facts["articles"]))
    if facts["charges"]:
        gold["charge"] = str(facts["charges"][0])
    return gold


def answer_labels(answer: Answer) -> dict[str, str]:
    """The classes of an answer, by target."""
    term = answer.term
    return {
        "term": TEN[term.ten] if term else UNREAD,
        "term11": str(term.eleven) if term else UNREAD,
        "article": str(answer.article) if answer.article else UNREAD,
        "charge": answer.charge,
    }


def _in_months(item: Item, answer: Answer) -> dict[str, float | None]:
    """How near an answer is to a fixed term."""
    months = item.facts["months"]
    if not months or item.facts["life_or_death"]:
        return {}
    term = answer.term
    if term is None or term.months is None:
        only_a_class = term is not None and term.ten > 0
        return {"exact_month": None if only_a_class else 0.0, "months_error": None}
    return {
        "exact_month": float(term.months == months),
        "months_error": float(abs(term.months - int(months))),
    }


BENCHMARK = Benchmark(
    name="ljp",
    title="Legal judgment prediction: article, charge and prison term (MSR2, section 4)",
    agents=("msr2", *CONDITIONS, *PREDICTORS),
    primary="term_correct",
    read=read_items,
    open_system=open_system,
    scorer=scorer,
    summarise=summarise,
    tables=tables,
    options=OPTIONS,
)
