"""A request goes where its tag, a gate or a model says; what cannot answer is told apart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from gate_queries import QUERIES
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import DateRange
from inforce.errors import BudgetError, InputError, ModelError, SearchIndexError, UserError
from inforce.retrieval.sources.gate import (
    LabelledQuery,
    LightGate,
    accuracy,
    built_in_gate,
    train_gate,
)
from inforce.retrieval.sources.gate_examples import examples
from inforce.retrieval.sources.routing import (
    ActionSpaceRouter,
    AgentRouter,
    Ask,
    GateRouter,
    RoutedSources,
    SourceRequest,
)
from inforce.retrieval.sources.source import (
    SOURCE_NAMES,
    Language,
    SourceDocument,
    SourceHit,
    SourceName,
    read_tag,
    tags,
)

HELD_OUT = [
    LabelledQuery(query, source)
    for source, written in QUERIES.items()
    for query in written.strip().splitlines()
]


@dataclass
class Shelf:
    """A source that holds texts, or breaks."""

    name: SourceName
    texts: Sequence[str] = ()
    problem: Exception | None = None
    asked: list[tuple[str, int, DateRange | None]] = field(
        default_factory=list[tuple[str, int, DateRange | None]]
    )

    def __len__(self) -> int:
        return len(self.texts)

    def search(
        self, query: str, *, k: int = 3, during: DateRange | None = None
    ) -> Sequence[SourceHit]:
        self.asked.append((query, k, during))
        if self.problem:
            raise self.problem
        return [SourceHit(self.name, SourceDocument(t, t, t), 1.0) for t in self.texts[:k]]


def saying(reply: str | Exception) -> tuple[Ask, list[str]]:
    prompts: list[str] = []

    async def ask(prompt: str) -> str:
        prompts.append(prompt)
        if isinstance(reply, Exception):
            raise reply
        return reply

    return ask, prompts


@pytest.mark.parametrize(
    ("tag", "source"),
    [
        ("statute", "statute"),
        ("Statutes", "statute"),
        ("法条", "statute"),
        ("<guideline>", "guideline"),
        ("量刑指导意见", "guideline"),
        ("ｇｕｉｄｅｌｉｎｅ", "guideline"),
        ("judicial-interpretation", "interpretation"),
        ("司法解释", "interpretation"),
        ("类案", "precedent"),
        ("case law", "precedent"),
        ("《法律知识》", "book"),
        ("本地文档", "document"),
        ("newspaper", None),
        ("", None),
        (None, None),
    ],
)
async def test_a_tag_is_read_in_chinese_and_english(tag: str | None, source: str | None) -> None:
    assert read_tag(tag) == source
    route = await ActionSpaceRouter().route("x", tag=tag)
    assert route.sources == ((source,) if source else ())


@given(st.text(max_size=80))
def test_any_tag_is_a_source_or_none(tag: str) -> None:
    assert read_tag(tag) in (*SOURCE_NAMES, None)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_refused_request_names_the_tags(language: Language) -> None:
    router = ActionSpaceRouter(language=language)
    for tag in ("newspaper", None, "  "):
        route = await router.route("x", tag=tag)
        assert route.is_refused
        assert tags(language) in route.why


def test_the_built_in_gate_finds_the_source_of_queries_it_never_saw() -> None:
    trained = {one.query for one in examples()}
    assert not trained & {one.query for one in HELD_OUT}
    assert accuracy(built_in_gate(), HELD_OUT) >= 0.88
    assert accuracy(built_in_gate(), HELD_OUT, top=2) >= 0.95


def test_scores_add_up_to_one() -> None:
    scores = built_in_gate().scores("盗窃罪的量刑起点")
    assert set(scores) == set(SOURCE_NAMES)
    assert sum(scores.values()) == pytest.approx(1.0, abs=1e-5)
    assert max(scores, key=lambda name: scores[name]) == "guideline"


async def test_the_gate_gives_its_first_choices_with_their_scores() -> None:
    one = await GateRouter().route("最高人民法院关于民间借贷的司法解释", tag="book")
    two = await GateRouter(top=2).route("最高人民法院关于民间借贷的司法解释")
    assert (one.sources, one.by) == (("interpretation",), "gate")
    assert two.sources[0] == "interpretation"
    assert len(two.sources) == 2
    assert two.scores[two.sources[0]] >= two.scores[two.sources[1]]


@pytest.mark.parametrize("query", ["", "？！", "的"])
async def test_a_query_without_features_is_not_routed_by_chance(query: str) -> None:
    assert built_in_gate().scores(query) == {}
    assert (await GateRouter().route(query)).is_refused


def test_a_gate_of_ones_own_is_the_same_after_saving(tmp_path: Path) -> None:
    gate = train_gate([LabelledQuery("甲 条文", "statute"), LabelledQuery("乙 案例", "precedent")])
    gate.save(tmp_path)
    again = LightGate.load(tmp_path)
    assert again.scores("甲 条文") == gate.scores("甲 条文")
    assert gate.best("甲 条文") == "statute"
    assert gate.best("乙 案例") == "precedent"
    assert {path.suffix for path in tmp_path.iterdir()} == {".npy", ".json"}


def test_training_twice_gives_the_same_gate() -> None:
    some = examples()[::20]
    assert train_gate(some).scores("盗窃罪") == train_gate(some).scores("盗窃罪")


def damage(folder: Path, kind: str) -> None:
    match kind:
        case "missing":
            (folder / "gate.json").unlink()
        case "cut":
            (folder / "gate.json").write_text("[")
        case "old":
            (folder / "gate.json").write_text('{"form": 0, "dimension": 1, "sources": []}')
        case "noise":
            (folder / "weights.npy").write_bytes(b"x")
        case "shape":
            np.save(folder / "bias.npy", np.zeros(7, dtype=np.float32))
        case _:
            np.save(folder / "bias.npy", np.array([{}, {}]), allow_pickle=True)


@pytest.mark.parametrize("kind", ["missing", "cut", "old", "noise", "shape", "pickle"])
def test_a_damaged_gate_is_refused(tmp_path: Path, kind: str) -> None:
    train_gate([LabelledQuery("甲", "statute"), LabelledQuery("乙", "book")]).save(tmp_path)
    damage(tmp_path, kind)
    with pytest.raises(InputError, match="train it anew"):
        LightGate.load(tmp_path)


def test_a_gate_needs_two_sources_and_a_measurement_needs_queries() -> None:
    with pytest.raises(UserError, match="two sources"):
        train_gate([LabelledQuery("甲", "statute")])
    with pytest.raises(UserError, match="no queries"):
        accuracy(built_in_gate(), [])
    with pytest.raises(UserError, match="at least one"):
        GateRouter(top=0)


GOOD = json.dumps({"sources": ["guideline", "司法解释"], "why": "问起点"}, ensure_ascii=False)


@pytest.mark.parametrize(
    "reply", [GOOD, f"```json\n{GOOD}\n```", f"<think>\nhm {{}}\n</think>\n{GOOD}"]
)
async def test_a_model_is_asked_once_with_the_reasoning(reply: str) -> None:
    ask, prompts = saying(reply)
    route = await AgentRouter(ask).route("起点", tag="x", context="被告人盗窃三千元")
    assert (route.sources, route.by) == (("guideline", "interpretation"), "agent")
    assert "问起点" in route.why
    assert len(prompts) == 1
    assert "被告人盗窃三千元" in prompts[0]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "guideline",
        f"I choose: {GOOD}",
        f"{GOOD} {GOOD}",
        "[]",
        "null",
        '{"sources": [], "why": ""}',
        '{"sources": "guideline", "why": ""}',
        '{"sources": ["newspaper"], "why": ""}',
        '{"sources": ["book", "newspaper"], "why": ""}',
        '{"sources": ["book", "books"], "why": ""}',
        '{"sources": ["book", "statute", "document"], "why": ""}',
        '{"sources": [1], "why": ""}',
        '{"sources": ["book"], "why": 1}',
        '{"sources": ["book"]}',
        '{"sources": ["book"], "why": "", "more": 1}',
        "[" * 100_000,
        ModelError("down"),
    ],
    ids=lambda reply: str(reply)[:30],
)
async def test_garbage_from_the_model_falls_back_and_says_so(reply: str | Exception) -> None:
    ask, _ = saying(reply)
    route = await AgentRouter(ask).route("起点", tag="guideline")
    assert (route.sources, route.by) == (("guideline",), "action")
    assert "路由模型" in route.why
    ask, _ = saying(reply)
    gated = await AgentRouter(ask, otherwise=GateRouter()).route("盗窃的量刑起点")
    assert (gated.sources, gated.by) == (("guideline",), "gate")


async def test_a_source_that_is_not_offered_is_not_chosen() -> None:
    ask, prompts = saying('{"sources": ["book"], "why": ""}')
    router = AgentRouter(ask, offered=("statute",))
    assert (await router.route("x", tag="statute")).sources == ("statute",)
    assert "法律知识" not in prompts[0].split("\n")[0]


async def test_a_spent_budget_ends_the_run_and_is_no_garbage() -> None:
    ask, _ = saying(BudgetError("spent"))
    with pytest.raises(BudgetError):
        await AgentRouter(ask).route("x", tag="statute")


async def test_each_source_asked_has_its_own_answer() -> None:
    shelves: dict[SourceName, Shelf] = {
        "statute": Shelf("statute", ["甲", "乙"]),
        "book": Shelf("book"),
        "precedent": Shelf("precedent", problem=SearchIndexError("damaged")),
    }
    gate = GateRouter(train_gate(examples()[::10]), top=6)
    days = DateRange.day(date(2010, 1, 1))
    answer = await RoutedSources(shelves, gate).search(SourceRequest("盗窃罪", k=1, during=days))
    assert [hit.document.id for hit in answer.found["statute"]] == ["甲"]
    assert answer.found["book"] == ()
    assert answer.failed == {"precedent": "damaged"}
    assert set(answer.not_covered) == {"guideline", "interpretation", "document"}
    assert shelves["statute"].asked == [("盗窃罪", 1, days)]


async def test_a_refused_request_asks_nobody() -> None:
    shelf = Shelf("statute", ["甲"])
    answer = await RoutedSources({"statute": shelf}).search(SourceRequest("x"))
    assert answer.route.is_refused
    assert (answer.found, answer.not_covered, shelf.asked) == ({}, (), [])
