"""Caveats of an answer: how far it is known, and on what evidence.

A span says when a text was in force; whoever shows it says these sentences too, or a reader takes
the day on which held texts begin for the commencement of the law, or a text that nobody has seen
superseded for one that is in force today.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from inforce.dates import DateRange
from inforce.errors import IdentifierError
from inforce.law.ids import Portion
from inforce.law.model import LAST_ARTICLES, SOURCE_CURRENT, DateStatus
from inforce.law.portions import excerpt
from inforce.law.timeline import Begin, Lookup, SetAside, Span


def caveats(lookup: Lookup, *, today: date | None = None) -> tuple[str, ...]:
    """The caveats of the answer to a look-up, a sentence each."""
    return tuple(dict.fromkeys(_caveats(lookup, today)))


def _caveats(lookup: Lookup, today: date | None) -> Iterator[str]:
    for span in lookup.found:
        yield from span_caveats(span)
        for days in span.bridged:
            if days.overlaps(lookup.as_of):
                yield (
                    f"of the text from {days} nothing is held; the words before and after it agree"
                )
    if (as_of := lookup.as_far_as_known) is not None:
        yield known_sentence(as_of)
    if lookup.found:
        yield from map(_contradiction, lookup.contradicted)
    if today is not None and (ahead := said_of_days_ahead([lookup.as_of], today)):
        yield ahead


def _contradiction(aside: SetAside) -> str:
    version = aside.claim.version
    label, source = version.label, version.source.name
    if aside.reason == "still shown":
        as_of = aside.days.last if aside.days else None
        return (
            f"an earlier text says otherwise, and a source current on {as_of} still shows it: "
            f"{label} ({source})"
        )
    if aside.is_as_well_dated:
        return (
            "another text of these days says otherwise and is as well dated; which of them is "
            f"right cannot be known here: {label} ({source})"
        )
    return (
        "another text of these days says otherwise and is not shown, being less well dated: "
        f"{label} ({source})"
    )


def part_asked(lookup: Lookup, portion: Portion) -> Iterator[str]:
    """The paragraph or item asked for as each wording has it, or why there is none."""
    if portion.paragraph is None and portion.item is None:
        return
    for provision in filter(None, (span.provision for span in lookup.found)):
        try:
            note = f"{portion.chinese} reads: {excerpt(provision, portion).text}"
        except IdentifierError as error:
            note = f"there is no {portion.chinese}: {error.reason}"
        yield note


def span_caveats(span: Span) -> tuple[str, ...]:
    """The caveats on the first and the last day of a span in force, a sentence each."""
    return tuple(_of_the_first_day(span)) + tuple(_of_the_last_day(span))


def _of_the_first_day(span: Span) -> Iterator[str]:
    start = span.window.start
    if span.begins == "held" and span.law_since:
        yield (
            f"held from {start}: in force since at least then; an earlier text is not held "
            f"(the law dates from {span.law_since})"
        )
    elif span.begins == "held":
        yield f"held from {start}: in force since at least then; an earlier text is not held"
    elif span.begins == "presumed" and span.begins_by == SOURCE_CURRENT:
        yield (
            f"when this text came into force is not known; counted from {start}, "
            "the day its source was current"
        )
    elif span.begins == "presumed" and span.begins_by == LAST_ARTICLES:
        yield (
            f"when this text came into force is not known; counted from {start}, "
            "the day its last article names"
        )
    elif span.begins == "presumed":
        yield (
            f"when this text came into force is not known; counted from {start}, "
            "the day it was made"
        )


def _of_the_last_day(span: Span) -> Iterator[str]:
    last = span.window.last
    if last is not None and span.date_status == "at_least":
        yield f"in force until {last} at least; {span.ends_by}"
    elif last is not None and span.end_presumed:
        yield f"its last day, {last}, is presumed: {span.ends_by}"


def known_sentence(as_of: date) -> str:
    """The caveat of a text that is in force as far as the corpus knows."""
    return f"in force as far as known on {as_of}: what came later is not known here"


def said_of_days_ahead(during: Iterable[DateRange], today: date) -> str:
    """The caveat of days that lie in the future; empty where none does."""
    lasts = (days.last or days.start for days in during)
    day = max((last for last in lasts if last > today), default=None)
    return f"{day} lies ahead: today is {today}" if day else ""


def days_in_force(span: Span) -> str:
    """The days of a span as a lawyer states them, with how sure they are.

    ``since at least 2014-03-15`` where the texts held begin there and the words may be older.
    """
    return days_of(span.window, span.begins, span.as_of, span.date_status)


def days_of(window: DateRange, begins: Begin, as_of: date | None, status: DateStatus) -> str:
    """The same from the values of a span."""
    at_least = " at least" if begins == "held" else ""
    if window.end is None:
        known = f" (as far as known on {as_of})" if as_of else ""
        return f"since{at_least} {window.start}{known}"
    if window.is_single_day and not at_least:
        return str(window)
    upper = "at least " if status == "at_least" else ""
    if not at_least:
        return f"{window.start} to {upper}{window.last}"
    return f"since at least {window.start}, to {upper}{window.last}"
