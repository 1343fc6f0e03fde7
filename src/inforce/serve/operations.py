"""The operations of the server, each described once: parameters with limits, result, route.

From `OPERATIONS` are made the routes (`inforce.serve.service`), the OpenAPI document
(`inforce.serve.openapi`) and the tools of assistants (`inforce.serve.mcp.tools`); pages call the
same functions. Each calls the method of `inforce.library.Library` that the command line calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple, get_type_hints

import msgspec
from msgspec import Meta

from inforce.answering.answer import Answer as DatedAnswer
from inforce.corpus.store import WorkSummary
from inforce.dates import ALWAYS
from inforce.law.model import Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Answer
from inforce.lawbook import History, ProvisionAt, ProvisionDiff
from inforce.library import Library
from inforce.retrieval.statutes import SearchResult, When
from inforce.verification.findings import Verified

Name = Annotated[
    str, Meta(min_length=1, max_length=200, description="A title, short name or English name.")
]
Number = Annotated[
    str,
    Meta(min_length=1, max_length=100, description="In any form: 74, 133-1, 第一百三十三条之一."),
]
Date = Annotated[
    str,
    Meta(min_length=1, max_length=60, description="A day, month, year or range; today."),
]
Question = Annotated[
    str, Meta(min_length=1, max_length=10_000, description="In Chinese or English.")
]


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of an operation: from the path, the query or the body."""


class ListLaws(Parameters, frozen=True):
    """The laws of the corpus, by a part of their titles."""

    q: Annotated[str, Meta(max_length=200, description="Part of a title.")] = ""
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class OneLaw(Parameters, frozen=True):
    """One law."""

    law: Name


class OneArticle(Parameters, frozen=True):
    """An article of a law."""

    law: Name
    number: Number


class ArticleAt(OneArticle, frozen=True):
    """An article at a date."""

    on: Date = "today"


class ArticleDiff(OneArticle, frozen=True):
    """An article at two dates."""

    earlier: Date = msgspec.field(name="from")
    later: Date = msgspec.field(name="to", default="today")


class Search(Parameters, frozen=True):
    """A search under a date."""

    q: Question
    as_of: Date | None = None
    k: Annotated[int, Meta(ge=1, le=100, description="How many results.")] = 5
    when: Annotated[
        When, Meta(description="`any`: every wording there ever was, whatever the date.")
    ] = "in_force"


class Ask(Parameters, frozen=True):
    """A question about the law of a time."""

    question: Question
    as_of: Annotated[Date | None, Meta(description="The days of the facts.")] = None
    trial: Annotated[Date | None, Meta(description="The day of the trial.")] = None


class VerifyText(Parameters, frozen=True):
    """A text whose citations and quotations are checked."""

    text: Annotated[str, Meta(min_length=1, max_length=200_000, description="Plain or Markdown.")]
    on: Annotated[Date | None, Meta(description="The days of the facts; else read in it.")] = None
    trial: Annotated[Date | None, Meta(description="The day of the trial.")] = None


@dataclass(frozen=True, slots=True)
class Laws:
    """Laws of the corpus, sorted by title."""

    total: int
    laws: tuple[WorkSummary, ...]


@dataclass(frozen=True, slots=True)
class Law:
    """A law of the corpus with its versions."""

    title: str
    versions: tuple[Version, ...]
    numbers: tuple[ProvisionNumber, ...]
    snapshot: str


def laws(library: Library, query: ListLaws) -> Laws:
    """The laws held, sorted by title."""
    found = [one for one in library.corpus.works() if query.q in one.title]
    return Laws(len(found), tuple(found[query.offset : query.offset + query.limit]))


def law(library: Library, query: OneLaw) -> Law:
    """Every version record of a law, and the numbers of its provisions."""
    corpus = library.corpus
    title = corpus.resolve(query.law)
    return Law(title, corpus.versions(title), corpus.numbers(title), corpus.snapshot())


def at(library: Library, query: ArticleAt) -> ProvisionAt:
    """What an article said on a day, or during a month or year."""
    return library.at(query.law, query.number, on=query.on)


def history(library: Library, query: OneArticle) -> History:
    """Every wording an article ever had, with what changed it, and where the rule went."""
    return library.history(query.law, query.number)


def diff(library: Library, query: ArticleDiff) -> ProvisionDiff:
    """How an article differs between two dates, word by word."""
    return library.diff(query.law, query.number, earlier=query.earlier, later=query.later)


def search(library: Library, query: Search) -> SearchResult:
    """The provisions that answer a question, under the law of a date."""
    return library.search(query.q, as_of=query.as_of, k=query.k, when=query.when)


def ask(library: Library, query: Ask) -> DatedAnswer:
    """The provisions that governed, verbatim, the rule that selected them, and today's law."""
    return library.ask(query.question, as_of=query.as_of, trial=query.trial)


def verify(library: Library, query: VerifyText) -> Verified:
    """Whether what a text cites and quotes was the law on the days it is about."""
    return library.verify(query.text, on=query.on, trial=query.trial)


def timeline_key(query: ArticleAt) -> tuple[str, str]:
    """The article: it has the same timeline on every day."""
    return query.law, query.number


def answer_at(result: ProvisionAt) -> Answer:
    """Which of the four answers it is."""
    return result.lookup.answer


def answer_of_history(result: History) -> Answer:
    """``found`` if there ever was a wording."""
    return result.timeline.versions_in(ALWAYS).answer


def answer_of_diff(result: ProvisionDiff) -> Answer:
    """That of the earlier date, unless it is ``found``: then that of the later one."""
    earlier, later = result.earlier.answer, result.later.answer
    return later if earlier == "found" else earlier


class Operation(NamedTuple):
    """An operation of the server; its name, parameters and result are those of ``call``."""

    method: Literal["GET", "POST"]
    path: str
    call: Callable[[Library, Any], object]
    answer: Callable[[Any], Answer] | None = None
    """Which of the four answers a result is, where it is one."""
    timeline_key: Callable[[Any], tuple[str, ...]] | None = None
    """Identifies the timeline that is read, where answering takes no time once it is cached."""
    takes_document: bool = False
    """Whether a form with a file is accepted too (`inforce.serve.documents`)."""

    @property
    def name(self) -> str:
        """The name of the operation, in metrics and in the OpenAPI document."""
        return self.call.__name__

    @property
    def parameters(self) -> type[Parameters]:
        """The type of the parameters."""
        return get_type_hints(self.call)["query"]

    @property
    def result(self) -> type:
        """The type of the result; `inforce.wire.as_wire` makes it JSON."""
        return get_type_hints(self.call)["return"]


_ARTICLE: Final = "/v1/laws/{law}/articles/{number}"

AT: Final = Operation("GET", _ARTICLE, at, answer_at, timeline_key)
HISTORY: Final = Operation("GET", f"{_ARTICLE}/history", history, answer_of_history)
DIFF: Final = Operation("GET", f"{_ARTICLE}/diff", diff, answer_of_diff)
SEARCH: Final = Operation("GET", "/v1/search", search)
ASK: Final = Operation("POST", "/v1/ask", ask)
VERIFY: Final = Operation("POST", "/v1/verify", verify, takes_document=True)

OPERATIONS: Final = (
    Operation("GET", "/v1/laws", laws),
    Operation("GET", "/v1/laws/{law}", law),
    AT,
    HISTORY,
    DIFF,
    SEARCH,
    ASK,
    VERIFY,
)
