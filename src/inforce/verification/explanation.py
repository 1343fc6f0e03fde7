"""Findings in words, Chinese or English: what is wrong, why, and what could be cited instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from inforce.dates import DateRange
from inforce.language import Language, cited
from inforce.language.messages import N_, NC_, messages
from inforce.verification.findings import (
    CheckedDays,
    DaysFrom,
    Evidence,
    Finding,
    FindingKind,
    Reason,
    Subject,
    Verified,
)

KINDS: Final[Mapping[FindingKind, str]] = {
    "right": NC_("finding", "right"),
    "amended_since": NC_("finding", "right then, amended since"),
    "other_time": NC_("finding", "law of another time"),
    "not_in_force": NC_("finding", "not in force then"),
    "renumbered": NC_("finding", "another number"),
    "no_such_provision": NC_("finding", "no such provision"),
    "no_such_law": NC_("finding", "no such law"),
    "misquoted": NC_("finding", "misquoted"),
    "wrong_source": NC_("finding", "words of another provision"),
    "unsupported_portion": NC_("finding", "not in that paragraph or item"),
    "wrong_name": NC_("finding", "not an official crime name then"),
    "wrong_case_number": NC_("finding", "impossible case number"),
    "not_checked": NC_("finding", "not checked"),
}
"""The kinds of findings, as messages of the context ``finding``."""

_REASONS: Mapping[Reason, str] = {
    "law_not_held": N_("no text of this law is held here"),
    "law_not_named": N_("which law is meant is not said"),
    "foreign_law": N_("law of another jurisdiction: none is held here"),
    "treaty": N_("a treaty: none is held here"),
    "no_date": N_("the document gives no day to check by (give one: --on)"),
    "not_covered": NC_("finding", "no text of the provision is held for these days"),
    "changed_within_days": N_("the provision changed within these days"),
    "cannot_decide": N_("which wording governs cannot be decided from what the document says"),
    "source_unknown": N_("whose words these are is not known"),
    "no_source_of_cases": N_("no source of cases is held: whether it exists is not checked"),
    "case_not_held": N_("the cases held do not have it: whether it exists is not checked"),
    "no_crime_names_held": N_("no crime names are held for days before 1997-12-16"),
    "not_yet": N_("it was not yet in force"),
    "no_longer": N_("it was no longer in force"),
    "no_such_paragraph": N_("the provision has no such paragraph or item"),
    "other_portion": N_("the words are in another part of the provision"),
    "invented_words": N_("no wording of any law or time held reads like this"),
    "year_after_document": N_("its year is after the document's"),
    "unknown_court": N_("no court has this code"),
    "unknown_case_type": N_("there is no such kind of case"),
    "code_before_2016": N_("courts have such codes in numbers since 2016 only"),
    "no_appeals_there": N_("that court is one of first instance: it decides no appeals"),
    "never_official": N_("it was never an official name since 1997"),
    "official_at_another_time": N_("it was an official name at another time"),
}

_ORIGINS: Mapping[DaysFrom, str] = {
    "option": NC_("finding", "given"),
    "sentence": NC_("finding", "from its sentence"),
    "paragraph": NC_("finding", "from its paragraph"),
    "document": NC_("finding", "from the document"),
    "date_of_document": NC_("finding", "the date of the document"),
    "version": NC_("finding", "the version it names"),
}

_UNREAD = (
    N_("pages without text (scanned): {}"),
    *(N_("only the first {} pages of {} were read"), N_("only the first {} page of {} were read")),
    N_("only the first {} paragraphs were read"),
    N_("only the first {} of {} characters were read"),
)
"""What `Document.omitted` and `inforce.verification.verifier` forms of parts that were not read."""
_LONGEST_TEXT = 300
"""Characters of a provision shown in a sentence; the whole is in the evidence."""


def headline(finding: Finding, language: Language) -> str:
    """A finding in one line: its kind and, where there is one, the reason."""
    kind = kinds(language)[finding.kind]
    reason = _REASONS.get(finding.reason, "")
    return _labelled(kind, _said(reason, language), language) if reason else kind


def kinds(language: Language) -> dict[FindingKind, str]:
    """The kinds of findings in words."""
    return {kind: _said(name, language) for kind, name in KINDS.items()}


def _said(message: str, language: Language) -> str:
    return messages(language).text(message, "finding")


def _labelled(label: str, text: str, language: Language) -> str:
    return f"{label}：{text}" if language == "zh" else f"{label}: {text}"


def explain(finding: Finding, language: Language) -> tuple[str, ...]:
    """The sentences that explain a finding, in the order in which a reader needs them."""
    return tuple(filter(None, _sentences(finding, language)))


def cited_name(finding: Finding, language: Language) -> str:
    """The law and provision a finding is about; empty if it is about none."""
    if not finding.work:
        return ""
    return cited(finding.work, finding.portion.chinese if finding.portion else "", language)


def _days_used(days: CheckedDays, language: Language) -> str:
    """The days that were used, and where they come from."""
    text = messages(language).text
    shown = ", ".join(_range(one, language) for one in days.facts)
    if len(days.facts) > 3:
        first, last = days.facts[0].start, max(one.last or one.start for one in days.facts)
        shown = text("{count} dates from {first} to {last}").format(
            count=len(days.facts), first=first, last=last
        )
    origin = _said(_ORIGINS[days.origin], language)
    used = text("checked for {days} ({origin})").format(days=shown, origin=origin)
    if days.trial and days.trial not in days.facts:
        trial = text("trial {trial}").format(trial=_range(days.trial, language))
        used += f"{text('; ')}{trial}"
    return used


def _sentences(finding: Finding, language: Language) -> Iterator[str]:
    text, sentence = messages(language).text, messages(language).sentence
    if finding.since:
        yield text(_changed(finding)).format(
            since=finding.since, by=_by(finding.instrument, language)
        )
    if finding.quoted:
        yield _source_of_words(finding, finding.quoted, language)
    yield from _suggestions(finding, language)
    if finding.names:
        yield text(_NAMES.get(finding.subject, _LIKE)).format(names="、".join(finding.names))
    if finding.subject == "crime_name" and finding.details:
        yield text("official {windows}").format(windows=_days(finding.details[0], language))
    elif finding.kind == "not_checked":
        yield from map(sentence, finding.details)
    if finding.rule and (finding.kind in _RULED or finding.reason == "cannot_decide"):
        statement, source = sentence(finding.rule.statement), sentence(finding.rule.source)
        yield text("rule: {statement} ({source})").format(statement=statement, source=source)
    if finding.days:
        yield _days_used(finding.days, language)


_LIKE = N_("laws held with a similar name: {names}")
_NAMES: Mapping[Subject, str] = {
    "crime_name": N_("the official name then: {names}"),
    "case_number": N_("held: {names}"),
}
_RULED = frozenset(("other_time", "not_in_force", "renumbered"))
"""Findings that depend on which version governed."""


def _changed(finding: Finding) -> str:
    """The message on what the day ``since`` is."""
    if finding.reason == "not_yet":
        return N_("it came into force on {since}{by}")
    if finding.reason == "no_longer" or not finding.today:
        return N_("it ceased to be in force on {since}{by}")
    return N_("it reads differently since {since}{by}")


def _source_of_words(finding: Finding, quoted: Evidence, language: Language) -> str:
    text = messages(language).text
    what = cited(quoted.work, quoted.number.chinese, language)
    window = _range(quoted.window, language)
    if finding.kind == "misquoted":
        return text("another version reads closer: in force {window}").format(window=window)
    if finding.kind == "wrong_source":
        return text("the words are those of {what}, in force {window}").format(
            what=what, window=window
        )
    return text("the words are those of {what} as in force {window}{by}").format(
        what=what, window=window, by=_by(quoted.instrument, language)
    )


_CITED = N_("cite {what} (matched by text, {score:.2f}, not stated by the law)")
_REPLACED = N_("what replaced it may be {what} (matched by text, {score:.2f})")


def _suggestions(finding: Finding, language: Language) -> Iterator[str]:
    """The provisions that could be cited instead, and what the law said on the days."""
    text = messages(language).text
    reads = text("the text as of {day} reads: {text}")
    for one in finding.suggestions:
        what = cited(one.work, one.portion.chinese, language)
        if finding.score is not None and finding.kind in ("renumbered", "not_in_force"):
            likely = _CITED if finding.kind == "renumbered" else _REPLACED
            yield text(likely).format(what=what, score=finding.score)
        else:
            yield text("cite {what}").format(what=what)
        if one.text and one.as_of and finding.kind != "wrong_source":
            yield reads.format(day=one.as_of.start, text=shorten(one.text))
    if finding.kind == "other_time":
        day = finding.days.facts[0].start if finding.days else ""
        for one in finding.governed:
            yield reads.format(day=day, text=shorten(one.text))


def _by(instrument: str, language: Language) -> str:
    if not instrument:
        return ""
    return messages(language).text(" ({instrument})").format(instrument=instrument)


def _range(days: DateRange, language: Language) -> str:
    return _days(str(days), language)


def _days(text: str, language: Language) -> str:
    if language == "en":
        return text
    return text.replace(" to ", " 至 ").replace("since ", "自 ").replace("until ", "至 ")


def explain_unread(reason: str, language: Language) -> str:
    """A part of a document that was not read, and so not checked."""
    not_checked = kinds(language)["not_checked"]
    return _labelled(not_checked, messages(language).sentence(reason), language)


def shorten(text: str) -> str:
    """A text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TEXT else f"{line[:_LONGEST_TEXT]}…"


def location(finding: Finding, language: Language) -> str:
    """The page, line or paragraph of a finding; empty where it has none."""
    if not finding.locations:
        return ""
    first = finding.locations[0]
    if first.page is not None:
        return f"p. {first.page}" if language == "en" else f"第{first.page}页"
    if first.line is not None:
        return f"line {first.line}" if language == "en" else f"第{first.line}行"
    return f"¶ {first.block + 1}" if language == "en" else f"第{first.block + 1}段"


def corpus_note(verified: Verified, language: Language) -> str:
    """The corpus that the document was checked against."""
    held = verified.held
    note = N_("checked against {laws} laws held, as of {today} (snapshot {snapshot})")
    return (
        messages(language)
        .text(note)
        .format(laws=held.laws, today=held.today, snapshot=held.snapshot[:12])
    )


def summary(verified: Verified, language: Language) -> str:
    """The number of findings of each kind."""
    text, counts = messages(language).text, verified.counts
    named = [
        text("{count} {kind}").format(count=counts[kind], kind=name)
        for kind, name in kinds(language).items()
        if counts.get(kind)
    ]
    return text(", ").join(named) or text("nothing found to check")
