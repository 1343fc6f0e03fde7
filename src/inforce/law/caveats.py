"""What must be said with an answer: how far it is known, and on what evidence.

A span says when a text was in force; whoever shows it says these sentences too, or a reader takes
the day on which held texts begin for the commencement of the law, or a text that nobody has seen
superseded for one that is in force today.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Literal

from inforce.dates import DateRange
from inforce.errors import IdentifierError
from inforce.law.ids import Portion
from inforce.law.model import LAST_ARTICLES, SOURCE_CURRENT, DateStatus
from inforce.law.portions import excerpt
from inforce.law.timeline import Begin, Lookup, Span

Language = Literal["en", "zh"]

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "held": "held from {start}: in force since at least then; an earlier text is not held",
        "law_since": " (the law dates from {since})",
        "presumed_start": "when this text came into force is not known; counted from {start}, "
        "the day it was made",
        "clause_start": "when this text came into force is not known; counted from {start}, "
        "the day its last article names",
        "current_start": "when this text came into force is not known; counted from {start}, "
        "the day its source was current",
        "at_least": "in force until {last} at least; {why}",
        "presumed_end": "its last day, {last}, is presumed: {why}",
        "bridged": "of the text from {days} nothing is held; the words before and after it agree",
        "known": "in force as far as known on {as_of}: what came later is not known here",
        "contradicted": "another text of these days says otherwise and is not shown, being less "
        "well dated: {label} ({source})",
        "as_well_dated": "another text of these days says otherwise and is as well dated; which of "
        "them is right cannot be known here: {label} ({source})",
        "still_shown": "an earlier text says otherwise, and a source current on {as_of} still "
        "shows it: {label} ({source})",
        "ahead": "{day} lies ahead: today is {today}",
    },
    "zh": {
        "held": "本库所收文本自 {start} 起：至少自该日起施行，更早的文本未收录",
        "law_since": "（本法始于 {since}）",
        "presumed_start": "施行日期不明，自通过或公布之日 {start} 起推定",
        "clause_start": "本文本施行日期不明，自其末条所载之日 {start} 起推定",
        "current_start": "施行日期不明，自其来源所反映之日 {start} 起推定",
        "at_least": "至少施行至 {last}",
        "presumed_end": "截止日期 {last} 系推定",
        "bridged": "{days} 的文本未收录，前后文字相同",
        "known": "就截至 {as_of} 所知现行有效，其后的情况本库不知",
        "contradicted": "另有同期文本与此不同，因时间依据较弱而未采：{label}（{source}）",
        "as_well_dated": "另有同期文本与此不同，时间依据相当，孰是无从判断：{label}（{source}）",
        "still_shown": "较早的文本与此不同，而截至 {as_of} 的来源仍载该文本：{label}（{source}）",
        "ahead": "{day} 尚未到来：今天是 {today}",
    },
}


_COUNTED_FROM = {SOURCE_CURRENT: "current_start", LAST_ARTICLES: "clause_start"}


def caveats(
    lookup: Lookup, *, today: date | None = None, language: Language = "en"
) -> tuple[str, ...]:
    """Everything that must be said with the answer to a look-up, a sentence each."""
    words = _WORDS[language]
    said = [
        sentence
        for span in lookup.found
        for sentence in (
            *span_caveats(span, language=language),
            *_bridges(lookup, span, words),
        )
    ]
    if (as_of := lookup.as_far_as_known) is not None:
        said.append(known_sentence(as_of, language=language))
    if lookup.found:
        for aside in lookup.contradicted:
            version = aside.claim.version
            kind = "as_well_dated" if aside.is_as_well_dated else "contradicted"
            kind = "still_shown" if aside.reason == "still shown" else kind
            said.append(
                words[kind].format(
                    label=version.label,
                    source=version.source.name,
                    as_of=aside.days.last if aside.days else None,
                )
            )
    if today is not None and (day := days_ahead(lookup, today)) is not None:
        said.append(words["ahead"].format(day=day, today=today))
    return tuple(dict.fromkeys(said))


def part_asked(lookup: Lookup, portion: Portion) -> Iterator[str]:
    """What the paragraph or item asked for says in each wording, or why there is none."""
    if portion.paragraph is None and portion.item is None:
        return
    for provision in filter(None, (span.provision for span in lookup.found)):
        try:
            note = f"{portion.chinese} reads: {excerpt(provision, portion).text}"
        except IdentifierError as error:
            note = f"there is no {portion.chinese}: {error.reason}"
        yield note


def span_caveats(span: Span, *, language: Language = "en") -> tuple[str, ...]:
    """What must be said of the first and the last day of a span in force, a sentence each."""
    words, window = _WORDS[language], span.window
    said: list[str] = []
    if span.begins == "held":
        since = words["law_since"].format(since=span.law_since) if span.law_since else ""
        said.append(words["held"].format(start=window.start) + since)
    elif span.begins == "presumed":
        kind = _COUNTED_FROM.get(span.begins_by, "presumed_start")
        said.append(words[kind].format(start=window.start))
    if window.end is not None and span.date_status == "at_least":
        said.append(words["at_least"].format(last=window.last, why=span.ends_by))
    elif window.end is not None and span.end_presumed:
        said.append(words["presumed_end"].format(last=window.last, why=span.ends_by))
    return tuple(said)


def days_ahead(lookup: Lookup, today: date) -> date | None:
    """The last day asked for, if it has not come yet."""
    last = lookup.as_of.last
    if last is None or last <= today:
        return None
    return max(lookup.as_of.start, last) if lookup.as_of.start > today else last


def known_sentence(as_of: date, *, language: Language = "en") -> str:
    """How far a text is known that is in force as far as anybody here knows."""
    return _WORDS[language]["known"].format(as_of=as_of)


def said_of_days_ahead(
    during: Iterable[DateRange], today: date, *, language: Language = "en"
) -> str:
    """A sentence where some of the days asked for have not come yet; empty where all have."""
    lasts = [one.last or one.start for one in during]
    day = max((last for last in lasts if last > today), default=None)
    return _WORDS[language]["ahead"].format(day=day, today=today) if day else ""


def _bridges(lookup: Lookup, span: Span, words: dict[str, str]) -> list[str]:
    return [
        words["bridged"].format(days=days) for days in span.bridged if days.overlaps(lookup.as_of)
    ]


def days_in_force(span: Span) -> str:
    """The days of a span as a lawyer says them, with how sure they are.

    ``since at least 2014-03-15`` where the texts held begin there and the words may be older.
    """
    return days_of(span.window, span.begins, span.as_of, span.date_status)


def days_of(window: DateRange, begins: Begin, as_of: date | None, status: DateStatus) -> str:
    """As `days_in_force`, of what a span says of its days."""
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
