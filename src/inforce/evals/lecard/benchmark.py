"""LeCaRDv2 as a benchmark: similar judgments are ranked, by BM25 or by any system's own run.

The texts of the 55,192 candidates are not public with the queries: BM25 ranks those it is given.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from inforce.agents.runtime.research import Researcher
from inforce.errors import InputError, ModelError, UserError
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    Record,
    Scored,
    ScoreItem,
    Setup,
    System,
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
from inforce.evals.lecard.measures import MEASURES, RELEVANT, measured
from inforce.evals.lecard.ranker import Ranker, ranked_ids
from inforce.evals.summary import means, summary_of_means
from inforce.evals.table import Row, Table
from inforce.llm.chat import ChatModel
from inforce.tools.toolbox import Toolbox

QUERIES = "test_query.json"
JUDGEMENTS = "relevence.trec"
"""As the data set spells it: the judgements of all 800 queries."""

DEPTH = 1_000
"""Documents a ranking goes down to."""

_T = TypeVar("_T")

Rank = Callable[[Item], Sequence[str]]


def read(setup: Setup) -> list[Item]:
    """The queries with their judgements and, where they are given, the candidates to rank.

    Raises:
        InputError: if a file cannot be read, or a query has no judgement or no pool.
    """
    file = setup.data / QUERIES if setup.data.is_dir() else setup.data
    text, levels = _text(setup), _levels(setup, file)
    pool_of = _pools(setup)
    task = file.stem.removesuffix("_query")

    def item(query: Query) -> Item:
        id = str(query.id)
        return Item(id, task, text(query), "", facts={"levels": levels(id), "pool": pool_of(id)})

    return [item(query) for query in read_queries(file)]


def _levels(setup: Setup, queries: Path) -> Callable[[str], dict[str, int]]:
    """How relevant documents are to a query."""
    path = Path(setup.options.get("qrels") or queries.with_name(JUDGEMENTS))
    return partial(_of, read_judgements(path), path)


def _pools(setup: Setup) -> Callable[[str], list[str] | None]:
    """The candidates of a query; ``None`` where all are."""
    given = setup.options.get("pool")
    if not given:
        return lambda query: None
    path = Path(given)
    return partial(_of, read_pools(path), path)


def _of(by_query: Mapping[str, _T], path: Path, query: str) -> _T:
    if query not in by_query:
        raise InputError(f"says nothing of query {query}", path=path)
    return by_query[query]


def _text(setup: Setup) -> Callable[[Query], str]:
    asked = setup.options.get("text", "query")
    if asked not in ("query", "fact"):
        raise UserError(f"LeCaRDv2 has no option text={asked!r}: use query or fact")
    return lambda query: query.fact if asked == "fact" else query.query


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """The ranking asked for, of each query.

    Raises:
        UserError: if its file is not named.
        InputError: if its file cannot be read.
    """
    ranks = {"bm25": _by_bm25, "run": _by_run}
    if setup.agent not in ranks:
        raise UserError(f"LeCaRDv2 has no agent {setup.agent!r}: use {', '.join(ranks)}")
    setup.require_only()
    rank = ranks[setup.agent](setup)

    def system(item: Item) -> Researcher:
        return Researcher(Ranker(setup.agent, partial(rank, item)), model, Toolbox([]), setup.clock)

    yield system


def _by_bm25(setup: Setup) -> Rank:
    index = Bm25(read_candidates(_path(setup, "candidates")))
    return lambda item: index.rank(item.question, k=DEPTH, among=item.facts["pool"])


def _by_run(setup: Setup) -> Rank:
    path = _path(setup, "run")
    rankings = read_rankings(path)

    def rank(item: Item) -> Sequence[str]:
        if item.id not in rankings:
            raise ModelError(f"{path.name} ranks nothing for query {item.id}")
        pool: Sequence[str] | None = item.facts["pool"]
        return [id for id in rankings[item.id] if pool is None or id in pool][:DEPTH]

    return rank


def _path(setup: Setup, option: str) -> Path:
    given = setup.options.get(option)
    if not given:
        raise UserError(f"say where it is: --option {option}=PATH ({OPTIONS[option]})")
    return Path(given)


def scorer(setup: Setup) -> ScoreItem:
    """Measures rankings against the judgements of their query."""
    relevant = _level(setup)

    async def score(item: Item, attempt: Attempt, judge: ChatModel | None) -> Scored:
        ranking = ranked_ids(attempt.text)
        return Scored(measured(ranking, item.facts["levels"], relevant=relevant), attempt.text)

    return score


def _level(setup: Setup) -> int:
    given = setup.options.get("level", str(RELEVANT))
    if given not in ("1", "2", "3"):
        raise UserError(f"LeCaRDv2 has no level {given!r}: use 1, 2 or 3")
    return int(given)


def tables(records: Sequence[Record], name: str) -> tuple[Table, ...]:
    """One row: what the ranking comes to."""
    values = means(records, MEASURES)
    row = Row(name, tuple(values[measure] for measure in MEASURES))
    heads = tuple(measure.upper() for measure in MEASURES)
    return (Table("Similar judgments (LeCaRDv2)", heads, (row,), note=_NOTE),)


_NOTE = (
    "NDCG by levels 0 to 3; P and MAP count a judgment as relevant from level 2, or from the "
    "option level."
)

OPTIONS = {
    "qrels": f"relevance judgements in TREC's form; {JUDGEMENTS} beside the queries without it",
    "candidates": "for bm25: the judgments to rank, JSON lines or a folder of JSON files",
    "run": "for run: a ranking in TREC's form",
    "pool": "JSON lines with the candidates of each query: only these are ranked",
    "text": "what is asked with: query (the default) or fact",
    "level": f"from which level a judgment is relevant for P and MAP; {RELEVANT} without it",
}

BENCHMARK = Benchmark(
    name="lecard",
    title="Similar criminal judgments, ranked (LeCaRDv2)",
    agents=("bm25", "run"),
    primary="ndcg@10",
    read=read,
    open_system=open_system,
    scorer=scorer,
    summarise=summary_of_means(MEASURES),
    tables=tables,
    options=OPTIONS,
)
