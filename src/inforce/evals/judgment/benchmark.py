"""Legal judgment prediction as a benchmark: from the facts of a case to its prison term.

MSR2, section 4: accuracy and macro precision, recall and F1 over the ten classes of PLJP, on a test
set of CAIL2018 and on CJO22. Article and charge are scored too, the eleven classes of TopJudge, and
what classes hide: by how many months a prediction is off.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from inforce.agents.runtime.research import Researcher
from inforce.corpus.home import home
from inforce.errors import UserError
from inforce.evals import systems
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    Scored,
    ScoreItem,
    Setup,
    System,
)
from inforce.evals.judgment.dataset import OPTIONS, dataset_of, options_of
from inforce.evals.judgment.predictors import PREDICTORS, form, predicting_agents
from inforce.evals.judgment.tables import summarise, tables
from inforce.llm.chat import ChatModel
from inforce.retrieval.sources.exclusion import is_excluded
from inforce.retrieval.sources.stored import open_sources
from inforce.scoring.answers import UNREAD, JudgmentAnswer, read_judgment
from inforce.scoring.cases import Case
from inforce.scoring.run_folder import replace_file
from inforce.scoring.term_classes import TEN, eleven, ten
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

_SEARCHED = 300
"""Characters of a fact precedents are searched for: its own judgment has all of them."""
_HITS = 5


def read_items(setup: Setup) -> Sequence[Item]:
    """The cases that are asked, CJO22's first where both sets are."""
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
    """A trained predictor, or an agent with its tools and without the judgments it is asked for."""
    if setup.agent in PREDICTORS:
        setup.require_only()
        agent = predicting_agents(setup)
        yield lambda item: Researcher(agent(item), model, Toolbox([]), setup.clock)
        return
    if setup.agent not in ("direct", "direct-cot"):
        require_unseen(dataset_of(setup).evaluated)
    async with systems.open_system(setup, model) as system:
        yield system


def about_data(setup: Setup) -> str:
    """How many cases the filter removed, and why."""
    found = dataset_of(setup)
    reasons = {why: count for why, count in found.removed.items() if count}
    removed = sum(reasons.values())
    if not removed:
        return f"All {found.read:,} cases are used."
    parts = ", ".join(f"{why} {count:,}" for why, count in reasons.items())
    name = options_of(setup).filter
    return f"The filter {name} removed {removed:,} of {found.read:,} cases ({parts})."


def require_unseen(cases: Sequence[Case]) -> None:
    """Require that the person's precedents hold none of these cases.

    The published sets share cases with every pool of precedents, and whoever is shown the judgment
    of the case that is asked predicts nothing.

    Raises:
        UserError: if they do; names the command that makes the source again without them, and the
            file of fingerprints it needs, which was written.
    """
    source = open_sources(home()).get("precedent")
    if source is None:
        return

    def is_held(case: Case) -> bool:
        hits = source.search(case.fact[:_SEARCHED], k=_HITS)
        return is_excluded([hit.document.text for hit in hits], {case.fingerprint})

    known = sum(map(is_held, cases))
    if not known:
        return
    lines = "".join(f"{one}\n" for one in sorted({case.fingerprint for case in cases}))
    name = hashlib.sha256(lines.encode()).hexdigest()[:16]
    path = home() / "evals" / "ljp" / f"{name}.txt"
    replace_file(path, lines.encode())
    raise UserError(
        f"the precedents hold {known} of the cases that are asked, their judgments included: make "
        f"the source again without them: "
        f"inforce sources add precedent FILE... --rebuild --exclude {path}"
    )


def scorer(setup: Setup) -> ScoreItem:
    """Scores what an agent is asked for: of MSR2 the term alone."""
    charges = dataset_of(setup).charges
    targets = _TARGETS[:2] if setup.agent in TERM_ONLY else _TARGETS

    async def score(item: Item, attempt: Attempt, judge: ChatModel | None) -> Scored:
        return score_answer(item, read_judgment(attempt.text, charges), targets=targets)

    return score


def score_answer(
    item: Item, answer: JudgmentAnswer, *, targets: Sequence[str] = _TARGETS
) -> Scored:
    """What an answer is worth, and the labels macro figures are computed from.

    A target the file does not state is not measured. An answer no term can be read in is wrong in
    its class and its month; by how many months it is off cannot be said.
    """
    gold, given = gold_labels(item), answer_labels(answer)
    labelled = [name for name in targets if name in gold]
    values = {f"{name}_correct": float(gold[name] == given[name]) for name in labelled}
    labels = {f"{name}_gold": gold[name] for name in labelled} | {
        name: given[name] for name in labelled
    }
    return Scored({**values, **_in_months(item, answer)}, "；".join(given.values()), labels)


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


def answer_labels(answer: JudgmentAnswer) -> dict[str, str]:
    """The classes of an answer, by target."""
    term = answer.term
    return {
        "term": TEN[term.ten] if term else UNREAD,
        "term11": str(term.eleven) if term else UNREAD,
        "article": str(answer.article) if answer.article else UNREAD,
        "charge": answer.charge,
    }


def _in_months(item: Item, answer: JudgmentAnswer) -> dict[str, float | None]:
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
    about_data=about_data,
    without_model=PREDICTORS,
)
