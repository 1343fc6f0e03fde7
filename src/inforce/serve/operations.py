"""What the server can be asked: each operation with its parameters, its result and its route.

The routes of `inforce.serve.http` and the document of `inforce.serve.openapi` are made from
`OPERATIONS`; each calls the method of `inforce.library.Library` that the command line calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

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
    """Of an operation: from the path, the query and the body."""


class ListLaws(Parameters, frozen=True):
    """Which laws are held."""

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
    """Laws held, sorted by title."""

    total: int
    laws: tuple[WorkSummary, ...]


@dataclass(frozen=True, slots=True)
class Law:
    """What is held of one law."""

    title: str
    versions: tuple[Version, ...]
    numbers: tuple[ProvisionNumber, ...]
    snapshot: str


class Operation(NamedTuple):
    """One thing that can be asked over HTTP."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    parameters: type[Parameters]
    result: type
    """What `call` returns; `inforce.wire.as_wire` makes it JSON."""
    call: Callable[[Library, Any], object]
    answer: Callable[[Any], Answer] | None = None
    """Which of the four answers a result is, where it is one."""
    reads: Callable[[Any], tuple[str, ...]] | None = None
    """What the corpus is asked for, where to answer is nearly nothing once that was read."""


def laws(library: Library, asked: ListLaws) -> Laws:
    """The laws held, sorted by title."""
    held = [one for one in library.corpus.works() if asked.q in one.title]
    return Laws(len(held), tuple(held[asked.offset : asked.offset + asked.limit]))


def law(library: Library, asked: OneLaw) -> Law:
    """Every version record of a law, and the numbers of its provisions."""
    corpus = library.corpus
    title = corpus.resolve(asked.law)
    return Law(title, corpus.versions(title), corpus.numbers(title), corpus.snapshot())


def at(library: Library, asked: ArticleAt) -> ProvisionAt:
    """What an article said on a day, or during a month or year."""
    return library.at(asked.law, asked.number, on=asked.on)


def timeline_of(asked: ArticleAt) -> tuple[str, str]:
    """Whose timeline an article on a day is read in: the same one on every day."""
    return asked.law, asked.number


def history(library: Library, asked: OneArticle) -> History:
    """Every wording an article ever had, with what changed it, and where the rule went."""
    return library.history(asked.law, asked.number)


def diff(library: Library, asked: ArticleDiff) -> ProvisionDiff:
    """How an article differs between two dates, word by word."""
    return library.diff(asked.law, asked.number, earlier=asked.earlier, later=asked.later)


def search(library: Library, asked: Search) -> SearchResult:
    """The provisions that answer a question, under the law of a date."""
    return library.search(asked.q, as_of=asked.as_of, k=asked.k, when=asked.when)


def ask(library: Library, asked: Ask) -> DatedAnswer:
    """The provisions that governed, verbatim, the rule that selected them, and today's law."""
    return library.ask(asked.question, as_of=asked.as_of, trial=asked.trial)


def verify(library: Library, asked: VerifyText) -> Verified:
    """Whether what a text cites and quotes was the law on the days it is about."""
    return library.verify(asked.text, on=asked.on, trial=asked.trial)


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


OPERATIONS: Final = (
    Operation("laws", "GET", "/v1/laws", ListLaws, Laws, laws),
    Operation("law", "GET", "/v1/laws/{law}", OneLaw, Law, law),
    Operation(
        "at",
        "GET",
        "/v1/laws/{law}/articles/{number}",
        ArticleAt,
        ProvisionAt,
        at,
        answer_at,
        timeline_of,
    ),
    Operation(
        "history",
        "GET",
        "/v1/laws/{law}/articles/{number}/history",
        OneArticle,
        History,
        history,
        answer_of_history,
    ),
    Operation(
        "diff",
        "GET",
        "/v1/laws/{law}/articles/{number}/diff",
        ArticleDiff,
        ProvisionDiff,
        diff,
        answer_of_diff,
    ),
    Operation("search", "GET", "/v1/search", Search, SearchResult, search),
    Operation("ask", "POST", "/v1/ask", Ask, DatedAnswer, ask),
    Operation("verify", "POST", "/v1/verify", VerifyText, Verified, verify),
)
