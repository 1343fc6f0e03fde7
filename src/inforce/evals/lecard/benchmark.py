"""LeCaRDv2 as a benchmark: similar judgments, ranked by BM25 or in a ranking file of any system.

The texts of the 55,192 candidates are not published with the queries: BM25 ranks those at hand.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import Run
from inforce.errors import InputError, MissingExtraError, ModelError, UserError
from inforce.evals.baselines import FunctionAgent
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    ItemScore,
    Record,
    ScoreItem,
    Setup,
    System,
    read_options,
)
from inforce.evals.lecard.bm25 import Bm25
from inforce.evals.lecard.files import (
    Query,
    read_candidates,
    read_judgements,
    read_pools,
    read_queries,
    read_rankings,
)
from inforce.evals.summary import means, summary_of_means
from inforce.evals.table import Table, one_row
from inforce.llm.chat import ChatModel
from inforce.tools.toolbox import Toolbox

QUERIES = "test_query.json"
JUDGEMENTS = "relevence.trec"
"""The judgements of all 800 queries, in the data set's spelling."""

DEPTH = 1_000
"""The length of a ranking."""

AGENTS = ("bm25", "run")

MEASURES = ("ndcg@10", "ndcg@20", "ndcg@30", "p@5", "p@10", "map")

T = TypeVar("T")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The files, and the measures of rankings."""

    qrels: str = ""
    candidates: str = ""
    run: str = ""
    pool: str = ""
    text: Literal["query", "fact"] = "query"
    level: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2


OPTIONS = {
    "qrels": f"relevance judgements in TREC's form; {JUDGEMENTS} beside the queries without it",
    "candidates": "for bm25: the judgments to rank, JSON lines or a folder of JSON files",
    "run": "for run: a ranking in TREC's form",
    "pool": "JSON lines with the candidates of each query: only these are ranked",
    "text": "what is asked with: query (the default) or fact",
    "level": "from which level (1, 2 or 3) a judgment is relevant for P and MAP; 2 without it",
}


def read(setup: Setup) -> list[Item]:
    """Read the queries with their judgements and, if there is a pool, the candidates to rank.

    Raises:
        UserError: if an option is wrong.
        InputError: if a file cannot be read, or a query has no judgement or no pool.
    """
    options = read_options(setup, Options, OPTIONS)
    file = setup.data / QUERIES if setup.data.is_dir() else setup.data
    qrels = Path(options.qrels) if options.qrels else file.with_name(JUDGEMENTS)
    levels = read_judgements(qrels)
    pools = read_pools(Path(options.pool)) if options.pool else None
    task = file.stem.removesuffix("_query")

    def item(query: Query) -> Item:
        id = str(query.id)
        pool = _of(pools, id, Path(options.pool)) if pools is not None else None
        text = query.fact if options.text == "fact" else query.query
        return Item(id, task, text, "", facts={"levels": _of(levels, id, qrels), "pool": pool})

    return [item(query) for query in read_queries(file)]


def _of(by_query: Mapping[str, T], query: str, path: Path) -> T:
    if query not in by_query:
        raise InputError(f"says nothing of query {query}", path=path)
    return by_query[query]


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """Open the ranking of each query: an answer is the ids it found, best first, one a line.

    Raises:
        UserError: if its file is not named, or an option is wrong.
        InputError: if its file cannot be read.
    """
    options = read_options(setup, Options, OPTIONS)
    setup.require_only()
    match setup.agent:
        case "bm25":
            index = Bm25(read_candidates(_path("candidates", options.candidates)))

            def rank(item: Item) -> Sequence[str]:
                return index.rank(item.question, k=DEPTH, among=item.facts["pool"])

        case "run":
            path = _path("run", options.run)
            rankings = read_rankings(path)

            def rank(item: Item) -> Sequence[str]:
                if item.id not in rankings:
                    raise ModelError(f"{path.name} ranks nothing for query {item.id}")
                pool: Sequence[str] | None = item.facts["pool"]
                return [id for id in rankings[item.id] if pool is None or id in pool][:DEPTH]

        case _:
            raise UserError(f"LeCaRDv2 has no agent {setup.agent!r}: use {', '.join(AGENTS)}")

    def system(item: Item) -> Researcher:
        async def ranking(run: Run) -> Draft:
            return Draft("\n".join(rank(item)))

        return Researcher(FunctionAgent(setup.agent, ranking), model, Toolbox([]), setup.clock)

    yield system


def _path(option: str, value: str) -> Path:
    if not value:
        raise UserError(f"say where it is: --option {option}=PATH ({OPTIONS[option]})")
    return Path(value)


def scorer(setup: Setup) -> ScoreItem:
    """Scores rankings by the judgements of their query."""
    relevant = read_options(setup, Options, OPTIONS).level

    async def score(item: Item, attempt: Attempt, judge: ChatModel | None) -> ItemScore:
        ids = (line.strip() for line in attempt.text.splitlines())
        ranking = tuple(dict.fromkeys(id for id in ids if id))
        return ItemScore(measured(ranking, item.facts["levels"], relevant=relevant), attempt.text)

    return score


def measured(
    ranking: Sequence[str], levels: Mapping[str, int], *, relevant: int = 2
) -> dict[str, float | None]:
    """All measures of a ranking for one query; unjudged documents are not relevant.

    The gain of NDCG is the level itself. MAP is the mean of this average precision over queries.
    ``None`` if nothing is relevant: no ranking could have done better.

    Raises:
        MissingExtraError: if the extra ``eval`` is not installed.
    """
    try:
        import ir_measures
        from ir_measures import AP, P, nDCG
    except ImportError as error:
        raise MissingExtraError("measuring rankings", "eval") from error
    graded = {nDCG @ k: f"ndcg@{k}" for k in (10, 20, 30)}
    binary = {P(rel=relevant) @ 5: "p@5", P(rel=relevant) @ 10: "p@10", AP(rel=relevant): "map"}
    highest = max(levels.values(), default=0)
    if highest <= 0:
        return dict.fromkeys(MEASURES)
    wanted = {**graded, **(binary if highest >= relevant else {})}
    scores = {id: float(len(ranking) - place) for place, id in enumerate(ranking)}
    found = ir_measures.iter_calc(list(wanted), {"q": dict(levels)}, {"q": scores})
    values = {wanted[one.measure]: float(one.value) for one in found}
    return {name: values.get(name) for name in MEASURES}


_NOTE = (
    "NDCG by levels 0 to 3; P and MAP count a judgment as relevant from level 2, or from the "
    "option level."
)


def tables(records: Sequence[Record], name: str) -> tuple[Table, ...]:
    """A table with one row for the ranking."""
    cells = {measure.upper(): value for measure, value in means(records, MEASURES).items()}
    return (one_row("Similar judgments (LeCaRDv2)", name, cells, note=_NOTE),)


BENCHMARK = Benchmark(
    name="lecard",
    title="Similar criminal judgments, ranked (LeCaRDv2)",
    agents=AGENTS,
    primary="ndcg@10",
    read=read,
    open_system=open_system,
    scorer=scorer,
    summarise=summary_of_means(MEASURES),
    tables=tables,
    options=OPTIONS,
    without_model=AGENTS,
)
