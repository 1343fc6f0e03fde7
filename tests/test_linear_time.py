"""No string of one repeated token holds the interpreter: every public parser there is."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import random
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import cast

import pytest

import inforce
from inforce.agents.legalagentbench.action import read_action
from inforce.agents.legalagentbench.planning import read_plan
from inforce.agents.msr2.agent import read_move
from inforce.agents.r1.protocol import read_round
from inforce.documents.safe_yaml import read_yaml
from inforce.errors import InforceError, MissingExtraError
from inforce.law.penalties.prison_term import pronounced
from inforce.law.penalties.tiers import read_offences
from inforce.retrieval.cleaning import clean_question
from inforce.scoring.factors import stated
from inforce.scoring.overlap import without_headings
from inforce.tools.disclosure import DisclosureGuard
from inforce.web.addresses import AddressRefused
from repeated_tokens import TOKENS, slow_tokens

LEFT_OUT = ("inforce.cli", "inforce.serve", "inforce.train", "inforce.testing")
"""Packages whose functions of one text start programs, or read what their own makers wrote."""


def sent(text: str) -> None:
    guard = DisclosureGuard("合同")
    guard.tool_returned("search_documents", "private", text[:20_000], {})
    guard.disclosure({"query": [text]})


def calls(text: str) -> None:
    """Ten tool calls of one round."""
    read_round(f"<tool_call>{text[: len(text) // 10]}" * 10)


FELL: dict[str, Callable[[str], object]] = {
    "calls": calls,
    "content": clean_question,
    "factors": stated,
    "headings": without_headings,
    "move": read_move,
    "offences": read_offences,
    "plan": read_plan,
    "react": read_action,
    "round": read_round,
    "sentence": pronounced,
    "yaml": read_yaml,
}
"""Those that took seconds once, and what every model's reply goes through."""


FELL_AT = (
    "\n",
    " \n",
    "，",
    ".",
    "1",
    "1.",
    "一",
    "急",
    "想",
    "【",
    "*",
    "{",
    "<tool_call>{",
    "[a]: b\n",
)


@pytest.mark.parametrize("parser", FELL)
def test_what_once_hung_is_read_in_linear_time(parser: str) -> None:
    assert slow_tokens(read_whole(FELL[parser]), size=20_000, tokens=FELL_AT) == {}


@pytest.mark.slow
def test_comparing_with_private_text_takes_linear_time() -> None:
    assert slow_tokens(sent, size=50_000) == {}


# --- every public function of one text, found by its signature ------------------------------------


NO_FOREIGN_TEXT = {
    "agents.legalagentbench.agent.user_message",  # the name of a prompt
    "corpus.compile.quotations.index_of",  # one mask character
    "corpus.rows.final_provisions_from",  # what a corpus stores
    "evals.published.published",  # the name of a file that ships
}
"""They take a name or a mark of our own."""


@cache
def parsers() -> dict[str, Callable[[str], object]]:
    """Public functions whose only argument without a default is a text."""
    found: dict[str, Callable[[str], object]] = {}
    for info in pkgutil.walk_packages(inforce.__path__, "inforce."):
        if info.name.startswith(LEFT_OUT) or info.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(info.name)
        except (ImportError, MissingExtraError):  # torch is tested elsewhere
            continue
        for name, value in vars(module).items():
            full = f"{module.__name__.removeprefix('inforce.')}.{name}"
            if full not in NO_FOREIGN_TEXT and _reads_a_text(module, value):
                found[full] = value
    return found


def _reads_a_text(module: ModuleType, value: object) -> bool:
    if not inspect.isroutine(value) or getattr(value, "__module__", "") != module.__name__:
        return False
    if value.__name__.startswith("_"):
        return False
    given = inspect.signature(value).parameters.values()
    named = [one for one in given if one.kind is one.POSITIONAL_OR_KEYWORD]
    needed = [one for one in given if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    return len(needed) == 1 and needed[0] in named and str(needed[0].annotation) == "str"


def read_whole(parser: Callable[[str], object]) -> Callable[[str], None]:
    """The parser, its result read to the end; what it refuses is read too."""

    def read(text: str) -> None:
        with suppress(InforceError, ValueError, LookupError, AddressRefused):
            result = parser(text)
            if isinstance(result, Iterator):
                deque(cast("Iterator[object]", result), maxlen=0)

    return read


@cache
def own_tokens(module: str) -> tuple[str, ...]:
    """The characters and words that the texts and patterns of a module are made of."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) < 3_000
    ]
    words = [word for text in texts for word in re.findall("[\u4e00-\u9fff]{2,8}", text)]
    return tuple(dict.fromkeys([*"".join(texts), *words]))[:600]


@pytest.mark.parametrize("name", sorted(NO_FOREIGN_TEXT))
def test_what_is_left_out_is_a_function(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(f"inforce.{module}"), function))


def test_the_parsers_are_found() -> None:
    assert len(parsers()) > 120
    known = {"law.penalties.prison_term.pronounced", "agents.r1.protocol.read_round"}
    assert known <= parsers().keys()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_parser_reads_200_000_characters_of_one_token_in_linear_time() -> None:
    slow = {
        name: found
        for name, parser in parsers().items()
        if (found := slow_tokens(read_whole(parser), size=200_000))
    }
    assert slow == {}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_parser_reads_its_own_words_repeated_in_linear_time() -> None:
    slow = {
        name: found
        for name, parser in parsers().items()
        if (
            found := slow_tokens(
                read_whole(parser), size=20_000, tokens=own_tokens(parser.__module__)
            )
        )
    }
    assert slow == {}


# --- and whatever they are fed, they refuse it in their own words ---------------------------------


def unexpected(parser: Callable[[str], object], texts: Iterator[str]) -> list[str]:
    """Inputs at which a parser breaks, with what it raises."""
    found: list[str] = []
    for text in texts:
        try:
            read_whole(parser)(text)
        except Exception as error:
            found.append(f"{text[:80]!r}: {error!r:.200}")
    return found


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_100_000_mixtures_of_tokens_break_no_parser() -> None:
    drawn, broken = random.Random(16), dict[str, list[str]]()
    for name, parser in parsers().items():
        tokens = [*TOKENS, *own_tokens(parser.__module__), "\ud800", "\U0010ffff"]
        texts = (
            "".join(drawn.choices(tokens, k=drawn.randrange(1, 80)))
            for _ in range(1 + 100_000 // len(parsers()))
        )
        if found := unexpected(parser, texts):
            broken[name] = found[:3]
    assert broken == {}
