"""The tools: operations, with descriptions for a model and short results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec

from inforce.errors import UnknownWorkError
from inforce.library import Library
from inforce.serve import operations
from inforce.serve.mcp import results
from inforce.serve.mcp.values import OfProvision, Result
from inforce.serve.operations import Operation


class Tool(NamedTuple):
    """A tool that a model can call: an operation with a short result."""

    name: str
    title: str
    description: str
    operation: Operation
    shorten: Callable[[Any], Result]

    @property
    def result(self) -> type[Result]:
        """The type of the short result."""
        return get_type_hints(self.shorten)["return"]

    def call(self, library: Library, query: Any) -> Result:
        """The short result; a law that is not in the corpus is `not_covered`, and no error."""
        try:
            return self.shorten(self.operation.call(library, query))
        except UnknownWorkError as error:
            if issubclass(self.result, OfProvision):
                return results.not_held(self.result, error, query.law, query.number)
            raise


TOOLS: Final = (
    Tool(
        "law_at_date",
        "What a provision said at a date",
        "The verbatim text of an article of Chinese law on a day (or during a month or year), "
        "with its days in force and the instrument that made it. Use it whenever an article is to "
        "be quoted: memory of a law is usually of another version. The answer is one of four: "
        "found, not_in_force, not_found, not_covered; not_covered says nothing about the law.",
        operations.AT,
        results.law_at_date,
    ),
    Tool(
        "provision_history",
        "Every wording of a provision",
        "Every wording an article ever had, with its days and what changed it, the days without "
        "one, and where the same rule is under other numbers.",
        operations.HISTORY,
        results.provision_history,
    ),
    Tool(
        "compare_dates",
        "What changed between two dates",
        "How an article differs between two dates, word by word: [-deleted-], {+inserted+}.",
        operations.DIFF,
        results.compared,
    ),
    Tool(
        "search_law",
        "Search the law of a time",
        "Provisions in force at a date that answer a question in words, Chinese or English. "
        "Without as_of, dates in the question count, else today. Laws in not_held were not "
        "searched.",
        operations.SEARCH,
        results.searched_law,
    ),
    Tool(
        "ask",
        "Which law governs a case",
        "The provisions that governed facts of a time, verbatim, with the transitional rule that "
        "selects the version (such as 从旧兼从轻), what is left for a person to establish, and "
        "what today's law says instead. Extractive: no conclusion is drawn.",
        operations.ASK,
        results.answered,
    ),
    Tool(
        "verify_text",
        "Check citations and quotations",
        "Checks each citation and quotation of a text against the law of the days it is about: "
        "wrong version, wrong number, misquoted, not in force then, not checked. Use it on a "
        "draft before it is shown.",
        operations.VERIFY,
        results.verified_text,
    ),
)
"""All tools; each only reads."""


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of the parameters of a tool."""
    kind = tool.operation.parameters
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    return {key: value for key, value in schema.items() if key != "title"}


def output_schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of the result of a tool, in one piece."""
    schema = msgspec.json.schema(tool.result)
    root = schema["$defs"].pop(tool.result.__name__)
    return {**root, "$defs": schema["$defs"]} if schema["$defs"] else root
