"""Legal judgment prediction as a benchmark: the prison term of a case from its facts.

MSR2, section 4: accuracy and macro precision, recall and F1 over the ten classes of PLJP, on a test
set of CAIL2018 and on CJO22. Article and charge are scored too, the eleven classes of TopJudge, and
the error in months, which classes hide.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from inforce.agents.runtime.research import Researcher
from inforce.corpus.home import home
from inforce.errors import UserError
from inforce.evals import systems
from inforce.evals.baselines import BASELINES, uses_no_tool
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    ItemScore,
    ScoreItem,
    Setup,
    System,
)
from inforce.evals.judgment.dataset import OPTIONS, dataset_of, options_of
from inforce.evals.judgment.predictors import PREDICTORS, form, predicting_agents
from inforce.evals.judgment.tables import summarise, tables
from inforce.files import write_file
from inforce.llm.chat import ChatModel
from inforce.retrieval.sources.exclusion import is_excluded
from inforce.retrieval.sources.stored import open_sources
from inforce.scoring.answers import UNREAD, JudgmentAnswer, read_judgment
from inforce.scoring.cases import Case
from inforce.scoring.term_classes import TEN, eleven, ten
from inforce.tools.toolbox import Toolbox

TERM_ONLY = ("msr2",)
"""Agents that predict the term alone."""

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

_SEARCHED = 300
"""Characters of a fact that are searched for among precedents: its own judgment has all of them."""
_HITS = 5


def read_items(setup: Setup) -> Sequence[Item]:
    """The test cases, those of CJO22 first if both sets are used."""
    tests = dataset_of(setup).tests
    return [_item(case, name) for name, cases in tests.items() for case in cases]


def _item(case: Case, group: str) -> Item:
    term = "死刑" if case.death else "无期徒刑" if case.life else f"{case.months}个月"
    return Item(
        case.id,
        "ljp",
        _ASKED + case.fact,
        form(case.article, case.charge, term if case.months is not None else UNREAD),
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


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """Open a trained predictor, or an agent without the judgments of the test cases."""
    if setup.agent in PREDICTORS:
        setup.require_only()
        agent_for = predicting_agents(setup)
        yield lambda item: Researcher(agent_for(item), model, Toolbox([]), setup.clock)
        return
    if not uses_no_tool(setup.agent):
        require_unseen(dataset_of(setup).evaluated)
    async with systems.open_system(setup, model) as system:
        yield system


def about_data(setup: Setup) -> str:
    """A sentence on the number of cases the filter removed, with the reasons."""
    data = dataset_of(setup)
    reasons = {why: count for why, count in data.removed.items() if count}
    removed = sum(reasons.values())
    if not removed:
        return f"All {data.read:,} cases are used."
    parts = ", ".join(f"{why} {count:,}" for why, count in reasons.items())
    name = options_of(setup).filter
    return f"The filter {name} removed {removed:,} of {data.read:,} cases ({parts})."


def require_unseen(cases: Sequence[Case]) -> None:
    """Require that the user's precedents hold none of these cases.

    The published sets share cases with every pool of precedents, and an agent that sees the
    judgment of a test case predicts nothing.

    Raises:
        UserError: if they do; names the command that makes the source again without them, and the
            file of fingerprints it needs, which was written.
    """
    source = open_sources(home()).get("precedent")
    if source is None:
        return

    def is_in_source(case: Case) -> bool:
        hits = source.search(case.fact[:_SEARCHED], k=_HITS)
        return is_excluded([hit.document.text for hit in hits], {case.fingerprint})

    known = sum(map(is_in_source, cases))
    if not known:
        return
    lines = "".join(f"{one}\n" for one in sorted({case.fingerprint for case in cases}))
    name = hashlib.sha256(lines.encode()).hexdigest()[:16]
    path = home() / "evals" / "ljp" / f"{name}.txt"
    write_file(path, lines.encode(), private=True)
    raise UserError(
        f"the precedents hold {known} of the cases that are asked, their judgments included: make "
        f"the source again without them: "
        f"inforce sources add precedent FILE... --rebuild --exclude {path}"
    )


def scorer(setup: Setup) -> ScoreItem:
    """Scores all targets; of MSR2 the term alone."""
    charges = dataset_of(setup).charges
    targets = _TARGETS[:2] if setup.agent in TERM_ONLY else _TARGETS

    async def score(item: Item, attempt: Attempt, judge: ChatModel | None) -> ItemScore:
        return score_answer(item, read_judgment(attempt.text, charges), targets=targets)

    return score


def score_answer(
    item: Item, answer: JudgmentAnswer, *, targets: Sequence[str] = _TARGETS
) -> ItemScore:
    """Score an answer, and label it with the classes that macro figures are computed from.

    A target the file does not state is not measured. An answer without a readable term is wrong in
    its class and its month; its distance in months is unknown.
    """
    gold, predicted = gold_labels(item), answer_labels(answer)
    labelled = [name for name in targets if name in gold]
    values = {f"{name}_correct": float(gold[name] == predicted[name]) for name in labelled}
    labels = {f"{name}_gold": gold[name] for name in labelled}
    labels |= {name: predicted[name] for name in labelled}
    values |= _month_values(item, answer)
    return ItemScore(values, "；".join(predicted.values()), labels)


def gold_labels(item: Item) -> dict[str, str]:
    """The classes of an item, by target; targets the file does not state are missing."""
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


def answer_labels(answer: JudgmentAnswer) -> dict[str, str]:
    """The classes of an answer, by target."""
    term = answer.term
    return {
        "term": TEN[term.ten] if term else UNREAD,
        "term11": str(term.eleven) if term else UNREAD,
        "article": str(answer.article) if answer.article else UNREAD,
        "charge": answer.charge,
    }


def _month_values(item: Item, answer: JudgmentAnswer) -> dict[str, float | None]:
    """The distance of an answer from a fixed term; empty if the judgment has none."""
    months = item.facts["months"]
    if not months or item.facts["life_or_death"]:
        return {}
    term = answer.term
    if term is None or term.months is None:
        is_class = term is not None and term.ten > 0
        return {"exact_month": None if is_class else 0.0, "months_error": None}
    return {
        "exact_month": float(term.months == months),
        "months_error": float(abs(term.months - int(months))),
    }


BENCHMARK = Benchmark(
    name="ljp",
    title="Legal judgment prediction: article, charge and prison term (MSR2, section 4)",
    agents=("msr2", *BASELINES, *PREDICTORS),
    primary="term_correct",
    read=read_items,
    open_system=open_system,
    scorer=scorer,
    summarise=summarise,
    tables=tables,
    options=OPTIONS,
    about_data=about_data,
    without_model=PREDICTORS,
)
