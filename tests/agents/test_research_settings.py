"""Settings of a run: read in one place, and refused there where an agent would ignore them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from inforce.agents.registry import METHODS
from inforce.agents.runtime.method import SOURCE_KINDS
from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.dates import DateRange
from inforce.errors import DateError, UserError
from inforce.llm.budget import Budget


def settings(**options: object) -> ResearchSettings:
    return ResearchSettings().with_options(
        ResearchOptions(**options),  # pyright: ignore[reportArgumentType]
        clock=lambda: date(2026, 11, 20),
    )


def test_options_are_read_as_people_write_them() -> None:
    read = settings(
        agent="msr2",
        as_of="2010年6月",
        trial="today",
        sources=" precedents, statutes ",
        trace="run.jsonl",
        max_calls=3,
        max_dollars="0.50",
    )
    assert read == ResearchSettings(
        agent="msr2",
        as_of=DateRange(date(2010, 6, 1), date(2010, 7, 1)),
        trial=date(2026, 11, 20),
        sources=("statutes", "precedents"),
        trace=Path("run.jsonl"),
        budget=Budget(calls=3, money=Decimal("0.50")),
    )


def test_what_is_not_given_stays_as_it_was() -> None:
    base = ResearchSettings(agent="lmars", web="ddgs", budget=Budget(calls=1))
    assert base.with_options({}) == base
    assert base.with_options({"documents": None, "web": "tavily"}).budget == base.budget


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"agent": "r2"}, "no agent is called 'r2': use extractive, r1, msr2"),
        ({"sources": "moon"}, "no source is called moon"),
        ({"colour": "red"}, "there is no option --colour"),
        ({"max_dollars": "ten"}, "no amount of dollars"),
        ({"allow_outward": True}, "--allow-outward is not used"),
        ({"allow_outward": True, "documents": "d", "sources": "documents"}, "is not used"),
        ({"allow_outward": "yes"}, "--allow-outward cannot be 'yes'"),
        ({"max_turns": 0}, "--max-turns is at least 1"),
        ({"max_turns": "3"}, "--max-turns cannot be '3'"),
        ({"max_calls": True}, "--max-calls cannot be True"),
        ({"replay": "no"}, "--replay cannot be 'no'"),
        ({"agent": 1}, "--agent cannot be 1"),
        ({"language": "fr"}, "--language is one of zh, en"),
        ({"routing": "dice"}, "--routing is one of tag, gate, agent"),
    ],
)
def test_what_cannot_be_is_named(options: dict[str, object], why: str) -> None:
    with pytest.raises(UserError, match=why):
        settings(**options).check()


IGNORED: list[tuple[dict[str, object], str]] = [
    (
        {"agent": "extractive", "trace": "t", "max_calls": 0, "sources": "precedents"},
        "extractive does not use --sources, --trace, --max-calls: leave them out",
    ),
    ({"agent": "extractive", "language": "en"}, "does not use --language: leave it out"),
    ({"agent": "extractive", "max_seconds": 1}, "does not use --max-seconds"),
    ({"agent": "lmars", "max_turns": 2, "web": "ddgs"}, "lmars does not use --max-turns"),
    ({"agent": "lmars", "sources": "statutes,web"}, "lmars cannot search statutes"),
    ({"agent": "msr2", "sources": "statutes,web"}, "msr2 cannot search web"),
    ({"documents": "mine"}, "--documents is not used"),
    ({"world": "tables"}, "--world is not used"),
    ({"web": "ddgs", "sources": "statutes"}, "--web is not used"),
    ({"routing": "gate"}, "--routing is not used"),
    ({"cache": "c.db"}, "--cache is not used: the model offline"),
    ({"cache": "c.db", "model": "recorded:r.jsonl"}, "--cache is not used"),
    ({"replay": True}, "--cache FILE"),
]


@pytest.mark.parametrize(("options", "why"), IGNORED)
def test_an_option_the_agent_would_ignore_is_refused(options: dict[str, object], why: str) -> None:
    with pytest.raises(UserError, match=why):
        settings(**options).check()


def test_options_the_agent_uses_are_accepted() -> None:
    for options in (
        {"agent": "extractive", "as_of": "2010", "trial": "2012-01-01", "model": "openai:x"},
        {"documents": "mine", "sources": "statutes,documents"},
        {"routing": "gate", "sources": "statutes,precedents"},
        {"agent": "msr2", "routing": "gate", "sources": "statutes"},
        {"cache": "c.db", "replay": True, "model": "openai:x"},
        {"agent": "lmars", "documents": "mine"},
    ):
        settings(**options).check()


@pytest.mark.parametrize("trial", ["2010-05-31", "2009-01-01"])
def test_a_trial_does_not_come_before_the_facts(trial: str) -> None:
    with pytest.raises(DateError, match="cannot come before the facts 2010-06-01"):
        settings(as_of="2010-06-01", trial=trial).check()
    with pytest.raises(DateError, match="not a longer time"):
        settings(as_of="2010-06-01", trial="2011")


@pytest.mark.parametrize(
    ("given", "searched"),
    [
        ({}, ("statutes",)),
        ({"model": "openai:x"}, ("statutes", "web")),
        ({"model": "openai:x", "network": False}, ("statutes",)),
        ({"web": "ddgs", "network": False}, ("statutes", "web")),
        ({"agent": "lmars", "model": "openai:x"}, ("web", "case-law")),
        ({"agent": "lmars", "web": "recorded:w.jsonl"}, ("web",)),
        ({"agent": "lmars", "documents": "mine"}, ("documents",)),
        ({"sources": "books,web"}, ("books", "web")),
    ],
)
def test_what_is_searched_is_what_the_agent_usually_has_as_far_as_it_is_there(
    given: dict[str, object], searched: tuple[str, ...]
) -> None:
    assert settings(**given).chosen_sources == searched


def test_every_method_says_what_it_can_search_and_makes_an_agent_of_its_name() -> None:
    for name, method in METHODS.items():
        assert method.name == name
        assert set(method.usual) <= set(method.sources) <= set(SOURCE_KINDS)
        assert method.summary
        assert method.make("zh", None).name == name
        assert {f"--{one}" for one in method.ignores} <= {"--max_turns"}
