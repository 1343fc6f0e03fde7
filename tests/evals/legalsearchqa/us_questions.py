"""Made-up questions in the form of the two benchmarks, and attempts at them."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from inforce.agents.runtime.answer import Outcome, ResearchAnswer, Sentence
from inforce.agents.runtime.trace import Noted
from inforce.agents.settings import ResearchSettings
from inforce.evals.benchmark import DRAFT, Attempt, Item, Setup
from inforce.evals.legalsearchqa.items import read_legalsearchqa
from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence

TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, tzinfo=UTC)

LAMPS: dict[str, Any] = {
    "id": "q1",
    "question": "By when must lamps be lit in the state of Examplia",
    "choices": ["At noon", "At dusk", "At midnight", "Never"],
    "gold": 1,
    "domain": "lamp_law",
    "category": "threshold",
    "difficulty": "hard",
    "source_url": "https://lamps.example.gov/",
    "rationale": "Section 1.",
    "date_verified": "2026-03-26",
}
DOORS: dict[str, Any] = {
    **LAMPS,
    "id": "q2",
    "question": "Who may open a door in Examplia",
    "choices": ["All", "None", "Owners", "Guests"],
    "gold": 2,
    "domain": "door_law",
}
PAGE = {
    "title": "Lamp Act",
    "url": "https://lamps.example.gov/act",
    "snippet": "Section 1 of the Lamp Act: lamps must be lit at dusk in Examplia.",
}

COLUMNS: str = (
    "idx dataset example_id prompt_id source subject question_number prompt question "
    "choice_a choice_b choice_c choice_d answer gold_passage gold_idx"
)


def legalsearchqa_file(folder: Path, *questions: dict[str, Any]) -> Path:
    path = folder / "legalsearchqa.json"
    path.write_text(json.dumps(list(questions or (LAMPS, DOORS))), encoding="utf-8")
    return path


def barexam_file(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "barexam_qa.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list[str](COLUMNS.split()), restval="-")
        writer.writeheader()
        writer.writerows(rows)
    return path


def bar_row(idx: str, **changed: str) -> dict[str, str]:
    choices = {f"choice_{letter}": f"choice {letter}" for letter in "abcd"}
    row = {"idx": idx, "subject": "TORTS", "prompt": "", "question": "Q?", "answer": "C"}
    return {**row, **choices, **changed}


def recording(folder: Path, *questions: str, page: dict[str, str] = PAGE) -> Path:
    path = folder / "searches.jsonl"
    lines = (
        {"query": f"US law: {one}", "fetched_at": NOW.isoformat(), "results": [page]}
        for one in questions
    )
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def setup_for(data: Path, *, agent: str = "lmars", web: str = "", **options: str) -> Setup:
    settings = ResearchSettings(agent=agent, web=web, network=False)
    return Setup(data=data, today=TODAY, settings=settings, options=options)


def lamps(folder: Path) -> Item:
    return read_legalsearchqa(setup_for(legalsearchqa_file(folder)))[0]


def attempt_at(
    text: str,
    *,
    outcome: Outcome = "answered",
    draft: str = "",
    bearing: Sequence[Evidence] = (),
    idle: Sequence[Evidence] = (),
) -> Attempt:
    sentences = (Sentence(text, tuple(one.id for one in bearing)),)
    found = (*bearing, *idle)
    answer = ResearchAnswer("q", "a", "m", text, outcome, sentences, found, Usage())
    return Attempt(answer, (Noted(DRAFT, draft, NOW),) if draft else ())
