"""The tools: the operations of HTTP, with what they are for and their short results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from inforce.errors import UnknownWorkError
from inforce.library import Library
from inforce.serve import operations
from inforce.serve.mcp import results
from inforce.serve.mcp.values import (
    Asked,
    Compared,
    LawAtDate,
    ProvisionHistory,
    Result,
    SearchedLaw,
    VerifiedText,
)
from inforce.serve.operations import (
    ArticleAt,
    ArticleDiff,
    Ask,
    OneArticle,
    Parameters,
    Search,
    VerifyText,
)


class Tool(NamedTuple):
    """One thing a model can call."""

    name: str
    title: str
    description: str
    parameters: type[Parameters]
    result: type[Result]
    call: Callable[[Library, Any], Result]


def _law_at_date(library: Library, asked: ArticleAt) -> Result:
    try:
        return results.law_at_date(operations.at(library, asked))
    except UnknownWorkError as error:
        return results.not_held(LawAtDate, error, asked.law, asked.number)


def _provision_history(library: Library, asked: OneArticle) -> Result:
    try:
        return results.provision_history(operations.history(library, asked))
    except UnknownWorkError as error:
        return results.not_held(ProvisionHistory, error, asked.law, asked.number)


def _compare_dates(library: Library, asked: ArticleDiff) -> Result:
    try:
        found = operations.diff(library, asked)
    except UnknownWorkError as error:
        return results.not_held(Compared, error, asked.law, asked.number)
    return results.compared(found, operations.answer_of_diff(found))


def _search_law(library: Library, asked: Search) -> Result:
    return results.searched_law(operations.search(library, asked))


def _ask(library: Library, asked: Ask) -> Result:
    return results.asked(operations.ask(library, asked))


def _verify_text(library: Library, asked: VerifyText) -> Result:
    return results.verified_text(operations.verify(library, asked))


TOOLS: Final = (
    Tool(
        "law_at_date",
        "What a provision said at a date",
        "The verbatim text of an article of Chinese law on a day (or during a month or year), "
        "with its days in force and the instrument that made it. Use it whenever an article is to "
        "be quoted: memory of a law is usually of another version. The answer is one of four: "
        "found, not_in_force, not_found, not_covered; not_covered says nothing about the law.",
        ArticleAt,
        LawAtDate,
        _law_at_date,
    ),
    Tool(
        "provision_history",
        "Every wording of a provision",
        "Every wording an article ever had, with its days and what changed it, the days without "
        "one, and where the same rule is under other numbers.",
        OneArticle,
        ProvisionHistory,
        _provision_history,
    ),
    Tool(
        "compare_dates",
        "What changed between two dates",
        "How an article differs between two dates, word by word: [-deleted-], {+inserted+}.",
        ArticleDiff,
        Compared,
        _compare_dates,
    ),
    Tool(
        "search_law",
        "Search the law of a time",
        "Provisions in force at a date that answer a question in words, Chinese or English. "
        "Without as_of, dates in the question count, else today. Laws in not_held were not "
        "searched.",
        Search,
        SearchedLaw,
        _search_law,
    ),
    Tool(
        "ask",
        "Which law governs a case",
        "The provisions that governed facts of a time, verbatim, with the transitional rule that "
        "selects the version (such as 从旧兼从轻), what is left for a person to establish, and "
        "what today's law says instead. Extractive: no conclusion is drawn.",
        Ask,
        Asked,
        _ask,
    ),
    Tool(
        "verify_text",
        "Check citations and quotations",
        "Checks each citation and quotation of a text against the law of the days it is about: "
        "wrong version, wrong number, misquoted, not in force then, not checked. Use it on a "
        "draft before it is shown.",
        VerifyText,
        VerifiedText,
        _verify_text,
    ),
)
"""All tools; each only reads."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of what a tool takes."""
    schema = msgspec.json.schema(tool.parameters)["$defs"][tool.parameters.__name__]
    return {key: value for key, value in schema.items() if key != "title"}


def output_schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of what a tool returns, in one piece."""
    schema = msgspec.json.schema(tool.result)
    root = schema["$defs"].pop(tool.result.__name__)
    return {**root, "$defs": schema["$defs"]} if schema["$defs"] else root
