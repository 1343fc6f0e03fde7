"""The results of the library shortened for a model, never silently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from inforce.answering.answer import Absence, Quotation
from inforce.answering.answer import Answer as DatedAnswer
from inforce.answering.today import Today
from inforce.errors import UnknownWorkError
from inforce.law.caveats import caveats, days_in_force, days_of, span_caveats
from inforce.law.diff import Piece
from inforce.law.ids import ExpressionId, Portion, ProvisionId, WorkId
from inforce.law.limitation import Limitation
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import Rule
from inforce.law.timeline import Answer, Lookup, Span
from inforce.lawbook import History, ProvisionAt, ProvisionDiff
from inforce.retrieval.ranker import ABSTAIN
from inforce.retrieval.statutes import Hit, SearchResult, TimeContext
from inforce.serve.mcp.values import (
    Asked,
    Checked,
    Compared,
    Found,
    Governing,
    LawAtDate,
    NotQuoted,
    OfProvision,
    ProvisionHistory,
    SearchedLaw,
    Stretch,
    VerifiedText,
    Wording,
)
from inforce.serve.operations import answer_of_diff, answer_of_history
from inforce.verification.explanation import cited_name, explain, headline, location, shorten
from inforce.verification.findings import Finding, Verified

SCHEME: Final = "inforce://"
"""Before an identifier, it is the address of a resource."""

_CHARACTERS: Final = 8_000
"""Of statutory text in one result."""
_FEWEST: Final = 300
"""Characters of one text, however many there are."""
_HITS: Final = 20
_SPANS: Final = 40
_FINDINGS: Final = 40

_MEANING: Final[dict[Answer, str]] = {
    "found": "The text below is what the law said on these days.",
    "not_in_force": "The law had no such provision on these days: not yet, or no longer.",
    "not_found": "No version of this law held here ever had such a provision.",
    "not_covered": "This corpus cannot know: the law, or its text of these days, is not held. "
    "It does not follow that there was no such law.",
}


def law_at_date(found: ProvisionAt) -> LawAtDate:
    """The short form of `inforce.lawbook.LawBook.at`."""
    called = tuple(dict.fromkeys(one.name for one in found.captions))
    return _looked_up(found.lookup, called, found.next_change, found.caveats)


def not_held(
    kind: type[OfProvision], error: UnknownWorkError, law: str, number: str
) -> OfProvision:
    """The result for a law that is not in the corpus: not covered, never not found."""
    return kind(
        answer="not_covered",
        meaning=_MEANING["not_covered"],
        law=law,
        provision=number,
        reason=f"nothing of a law called {law} is held",
        suggestions=error.suggestions,
    )


def provision_history(found: History) -> ProvisionHistory:
    """The short form of `inforce.lawbook.LawBook.history`."""
    timeline = found.timeline
    answer = answer_of_history(found)
    shown = timeline.spans[-_SPANS:]
    limit = _share(shown)
    return ProvisionHistory(
        answer=answer,
        meaning=_MEANING[answer],
        law=timeline.work,
        provision=timeline.number.chinese,
        stretches=tuple(
            Stretch(
                state=span.state,
                days=days_in_force(span) if span.state == "in_force" else str(span.window),
                wording=_wording(timeline.work, timeline.number, span, limit),
                reason=span.reason,
            )
            for span in shown
        ),
        omitted_stretches=len(timeline.spans) - len(shown),
        other_numbers=tuple(
            " → ".join(
                f"{number.chinese} ({day})"
                for number, day in zip(one.lineage.numbers, one.days, strict=True)
            )
            + f", likeness {one.lineage.score:.2f}"
            for one in found.descent
        ),
    )


def compared(found: ProvisionDiff) -> Compared:
    """The short form of `inforce.lawbook.LawBook.diff`."""
    answer, lookup = answer_of_diff(found), found.earlier
    of_earlier = caveats(found.earlier)
    of_later = tuple(one for one in found.caveats if one not in of_earlier)
    difference, omitted = _cut(_marked(found.pieces), _CHARACTERS)
    return Compared(
        answer=answer,
        meaning=_MEANING[answer],
        law=lookup.work,
        provision=lookup.number.chinese,
        earlier=_looked_up(found.earlier, (), None, of_earlier),
        later=_looked_up(found.later, (), None, of_later),
        changed_share=round(found.changed_share, 4) if found.pieces else None,
        difference=f"{difference}… ({omitted} characters more)" if omitted else difference,
    )


def searched_law(found: SearchResult) -> SearchedLaw:
    """The short form of `inforce.lawbook.LawBook.search`."""
    shown = found.hits[:_HITS]
    limit = _share(shown)
    doubt = (
        "what is held here hardly answers this question: the hits may have nothing to do with it"
        if found.answerable < ABSTAIN
        else ""
    )
    return SearchedLaw(
        days=_days(found.time),
        days_from=found.time.origin,
        conflict=found.time.conflict,
        hits=tuple(_hit(hit, limit) for hit in shown),
        omitted_hits=len(found.hits) - len(shown),
        answerable=round(found.answerable, 3),
        not_held=found.coverage.not_held,
        searched=f"{found.coverage.documents} wordings of {found.coverage.works} laws",
        caveats=tuple(filter(None, (doubt, found.time.ahead, *found.analysis.notes))),
    )


def answered(found: DatedAnswer) -> Asked:
    """The short form of `inforce.library.Library.ask`."""
    spans = [span for one in found.quotations for span in one.wordings]
    limit = _share(spans)
    return Asked(
        days=_days(found.time),
        days_from=found.time.origin,
        conflict=found.time.conflict,
        governing=tuple(_governing(one, limit) for one in found.quotations),
        not_quoted=tuple(_not_quoted(one) for one in found.absences),
        limitation=_limitation(found.limitation),
        not_held=found.coverage.not_held,
        searched=f"{found.coverage.documents} wordings of {found.coverage.works} laws",
        caveats=tuple(filter(None, (found.time.ahead, *found.analysis.notes))),
    )


def verified_text(found: Verified) -> VerifiedText:
    """The short form of `inforce.library.Library.verify`."""
    ranked = sorted(found.findings, key=lambda one: (one.is_right, not one.is_wrong, one.start))
    return VerifiedText(
        outcome=found.outcome,
        counts=dict(sorted((str(kind), count) for kind, count in found.counts.items())),
        findings=tuple(_checked(one) for one in ranked[:_FINDINGS]),
        omitted_findings=max(0, len(ranked) - _FINDINGS),
        not_read=found.unread,
        checked_against=f"{found.held.laws} laws held, as of {found.held.today}",
    )


def resource(work: str, number: ProvisionNumber, day: date | None) -> str:
    """The resource of a provision on a day; without a day, of all its wordings."""
    law = WorkId(work.replace("/", "／").replace("%", "％"))
    of = law if day is None else ExpressionId(law, max(day, date(1000, 1, 1)), "in_force")
    return f"{SCHEME}{ProvisionId(of, Portion(number))}"


def _looked_up(
    lookup: Lookup, called: tuple[str, ...], following: Span | None, noted: tuple[str, ...]
) -> LawAtDate:
    limit = _share(lookup.found)
    wordings = (_wording(lookup.work, lookup.number, span, limit) for span in lookup.found)
    held = [
        f"a text of {one.version.label} is held whose dates do not allow an answer"
        for one in lookup.candidates
    ]
    return LawAtDate(
        answer=lookup.answer,
        meaning=_MEANING[lookup.answer],
        law=lookup.work,
        provision=lookup.number.chinese,
        as_of=str(lookup.as_of),
        wordings=tuple(one for one in wordings if one),
        called=called,
        reason=lookup.reason,
        afterwards=_described(following) if following else "",
        caveats=(*noted, *dict.fromkeys(held)),
    )


def _described(span: Span) -> str:
    if span.state == "in_force":
        by = f" ({span.version.instrument})" if span.version and span.version.instrument else ""
        return f"another wording {days_in_force(span)}{by}"
    state = "not in force" if span.state == "absent" else "not covered"
    return f"{state} {span.window}: {span.reason}"


def _wording(work: str, number: ProvisionNumber, span: Span, limit: int) -> Wording | None:
    if span.provision is None:
        return None
    text, omitted = _cut(span.provision.text, limit)
    return Wording(
        resource=resource(work, number, span.window.start),
        in_force=days_in_force(span),
        first_day=span.window.start,
        last_day=span.window.last,
        version=span.version.label if span.version else "",
        instrument=span.version.instrument if span.version else "",
        text=text,
        omitted_characters=omitted,
        caveats=span_caveats(span),
    )


def _hit(hit: Hit, limit: int) -> Found:
    found = hit.provision
    text, omitted = _cut(found.text, limit)
    window = found.window
    return Found(
        law=found.work,
        provision=found.number.chinese,
        chance=round(hit.score, 3),
        wording=Wording(
            resource=resource(found.work, found.number, window.start if window else None),
            in_force=days_of(window, found.begins, found.as_of, found.date_status)
            if window
            else "dates not known",
            first_day=window.start if window else None,
            last_day=window.last if window else None,
            version=found.label,
            instrument=found.instrument,
            text=text,
            omitted_characters=omitted,
            caveats=(),
        ),
    )


def _governing(quotation: Quotation, limit: int) -> Governing:
    ruled, number = quotation.applicability, quotation.number
    wordings = (_wording(quotation.work, number, span, limit) for span in quotation.wordings)
    return Governing(
        law=quotation.work,
        provision=number.chinese,
        verdict=ruled.verdict,
        wordings=tuple(one for one in wordings if one),
        rule=_rule(ruled.rule),
        reasons=(*ruled.reasons, *ruled.steps),
        to_establish=ruled.establish,
        see_also=tuple(map(_rule, ruled.caveats)),
        limitation=_limitation(quotation.limitation),
        today=quotation.today.since,
        today_provision=_today(quotation.today),
        today_difference=_cut(_marked(quotation.today.pieces), limit)[0],
    )


def _not_quoted(absence: Absence) -> NotQuoted:
    lookup, ruled = absence.lookup, absence.applicability
    return NotQuoted(
        answer=lookup.answer,
        law=lookup.work,
        provision=lookup.number.chinese,
        reason=lookup.reason or "; ".join(ruled.reasons),
        rule=_rule(ruled.rule),
        later=_described(absence.later) if absence.later else "",
    )


def _today(today: Today) -> str:
    numbers = today.numbers or ((today.number,) if today.number else ())
    where = f"{today.work} {'、'.join(one.chinese for one in numbers)}".strip()
    if today.since in ("moved", "replaced"):
        where += f" ({today.basis.format(score=f'{today.score:.2f}')})"
    return where


def _limitation(found: Limitation | None) -> tuple[str, ...]:
    if found is None:
        return ()
    period = f"{found.period}, " if found.period else ""
    until = f" (until {found.until})" if found.until else ""
    result = f"limitation of {found.of}: {period}{found.result}{until} ({found.rule.source})"
    return (result, *found.steps, *(f"to establish: {one}" for one in found.establish))


def _checked(finding: Finding) -> Checked:
    return Checked(
        kind=finding.kind,
        meaning=headline(finding, "en"),
        where=location(finding, "en"),
        text=shorten(finding.text),
        cites=cited_name(finding, "en"),
        explained=tuple(explain(finding, "en")),
    )


def _rule(rule: Rule) -> str:
    return f"{rule.statement} ({rule.source})"


def _days(time: TimeContext) -> str:
    return ", ".join(map(str, time.during)) or "any date"


def _marked(pieces: Iterable[Piece]) -> str:
    signs = {"deleted": "[-{}-]", "inserted": "{{+{}+}}", "equal": "{}"}
    return "".join(signs[one.kind].format(one.text) for one in pieces)


def _share(texts: Sequence[Any]) -> int:
    """Characters that each of some texts may have."""
    return max(_FEWEST, _CHARACTERS // max(1, len(texts)))


def _cut(text: str, limit: int) -> tuple[str, int]:
    """A text cut to a number of characters, and how many are left out."""
    return (text, 0) if len(text) <= limit else (text[:limit], len(text) - limit)
