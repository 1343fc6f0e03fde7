"""The statutes as a source an agent can be routed to: provisions in force on given days.

Unlike other sources, this one leaves out what has no known days: a wording nobody can date never
answers for a day. Without days it searches under those the query names, or else under today's law.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from inforce.dates import Clock, DateRange, hull, system_clock
from inforce.law.ids import ExpressionId, Portion, ProvisionId, WorkId
from inforce.retrieval.sources.source import DEFAULT_K, SourceDocument, SourceHit, SourceName

Origin = Literal["as_of", "question", "today", "any"]

if TYPE_CHECKING:
    from inforce.retrieval.provisions import ProvisionText
    from inforce.retrieval.statutes import Hit, SearchResult, StatuteSearch

StateToday = Literal["in force", "no longer in force", "not yet in force", "unknown"]
"""The state of a wording today; ``unknown`` where its days are not known."""


@dataclass(frozen=True, slots=True)
class StatuteAnswer:
    """The result of a search of the statutes, with the days it searched under."""

    hits: tuple[SourceHit, ...]
    days: DateRange
    """From the first to the last day searched under."""
    origin: Origin
    """The origin of the days."""
    other_days: tuple[SourceHit, ...] = ()
    """Where nothing was in force on these days: wordings that speak to the query on others."""
    not_held: tuple[str, ...] = ()
    """Laws the query names that are not held: nothing can be said about them."""
    conflict: str = ""
    """Set where the days given and those the query names contradict each other."""


class StatuteSource:
    """The provisions of a corpus as a source.

    Args:
        opened: gives the statute search, up to date: ``lambda: library.statutes``.
        clock: what "today" means.
    """

    def __init__(self, opened: Callable[[], StatuteSearch], *, clock: Clock = system_clock) -> None:
        self._opened = opened
        self._clock = clock

    @property
    def name(self) -> SourceName:
        """The name agents use."""
        return "statute"

    def __len__(self) -> int:
        """The number of wordings of provisions that can be searched."""
        return len(self._opened())

    def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> Sequence[SourceHit]:
        """Return the ``k`` best provisions of these days (or those of the query, or today)."""
        return self.look(query, k=k, during=during).hits

    def look(
        self,
        query: str,
        *,
        k: int = DEFAULT_K,
        during: DateRange | None = None,
        given: DateRange | None = None,
        today: date | None = None,
    ) -> StatuteAnswer:
        """Return the same, with the days searched under and the laws that are missing.

        Without ``during`` a query that names no time is searched under ``given``, else ``today``.
        Provisions that share no word with the query are not given: nothing says they speak to it.
        Nor is anything if every law the query names is missing.
        """
        statutes, day = self._opened(), today or self._clock()
        result = statutes.search(query, as_of=during, k=k)
        origin = result.time.origin
        default = given or DateRange.day(day)
        if origin == "today" and default != hull(result.time.during):
            result = statutes.search(result.analysis, as_of=default, k=k)
            origin = "as_of" if given else origin
        days, missing = hull(result.time.during), result.coverage.not_held
        if missing and not set(result.analysis.works) - set(missing):
            return StatuteAnswer((), days, origin, (), missing, result.time.conflict)
        hits, others = _speaking(statutes, result, day), ()
        if not hits:
            others = _speaking(statutes, statutes.search(result.analysis, k=k, when="any"), day)
        return StatuteAnswer(hits, days, origin, others, missing, result.time.conflict)


def _speaking(statutes: StatuteSearch, result: SearchResult, day: date) -> tuple[SourceHit, ...]:
    return tuple(
        SourceHit("statute", provision_document(hit.provision, today=day), hit.score)
        for hit in result.hits
        if _speaks(statutes, result, hit)
    )


def _speaks(statutes: StatuteSearch, result: SearchResult, hit: Hit) -> bool:
    one = hit.provision
    read = " ".join((one.work, one.number.chinese, *one.captions, one.text))
    return statutes.support(result.analysis, read) > 0


def provision_document(provision: ProvisionText, *, today: date) -> SourceDocument:
    """Return a wording as a document; its identifier names law, first day and article."""
    details = {
        "work": provision.work,
        "number": provision.number.chinese,
        "label": provision.label,
        "instrument": provision.instrument,
        "dates": provision.date_status,
        "today": state_today(provision, today),
        "known as": "、".join(provision.captions),
    }
    return SourceDocument(
        _identifier(provision),
        f"{provision.work} {provision.number.chinese}",
        provision.text,
        valid=provision.window,
        section=provision.path,
        details={name: value for name, value in details.items() if value},
    )


def state_today(provision: ProvisionText, today: date) -> StateToday:
    """Return the state of a wording today; another wording may be in force where this is not."""
    window = provision.window
    if window is None:
        return "unknown"
    if today in window:
        return "in force"
    return "not yet in force" if today < window.start else "no longer in force"


def _identifier(provision: ProvisionText) -> str:
    work = WorkId(provision.work.replace("/", "／").replace("%", "％"))
    start = provision.window.start if provision.window else None
    law = ExpressionId(work, start, "in_force") if start else work
    return str(ProvisionId(law, Portion(provision.number)))
