"""What statute tools answer: wordings as evidence, and in words why there is none.

The four answers of `inforce.law.timeline.Lookup` reach the model as such: ``found``, ``not in force
then``, ``not found`` and ``not covered`` are four different sentences, and none of them is an
empty result.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from inforce.law.applicability import Applicability
from inforce.law.caveats import days_of
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.lawbook import provision_id
from inforce.tools.evidence import Evidence
from inforce.tools.governing import applies
from inforce.tools.statute_text import Wording, show_days, show_wording
from inforce.tools.tool import Language, ToolStatus

STATES: dict[Language, dict[ToolStatus, str]] = {
    "zh": {
        "found": "有",
        "not_in_force": "当时无效：这一条当时没有施行或已经失效",
        "not_found": "没有：本库收录的这部法律各版本都没有这一条",
        "not_covered": "本库未收录：不能据此判断当时有没有这一条",
        "invalid": "未能检索",
    },
    "en": {
        "found": "found",
        "not_in_force": "not in force then",
        "not_found": "not found: no version held of this law has such an article",
        "not_covered": "not covered: this library cannot know whether there was one",
        "invalid": "nothing was looked up",
    },
}

_AFTER: dict[Language, dict[str, str]] = {
    "zh": {
        "now": "截至 {today} 未修改",
        "known": "就截至 {as_of} 所知未修改，其后至 {today} 的情况本库不知",
        "held": "，更早的文本未收录",
        "amended": "自 {day} 起已修改{by}",
        "absent": "自 {day} 起不再有效",
        "uncovered": "{day} 之后的情况本库未收录",
        "presumed": "（起止日期系推定）",
    },
    "en": {
        "now": "unchanged as of {today}",
        "known": "unchanged as far as known on {as_of}; what came until {today} is not known here",
        "held": ", earlier texts are not held",
        "amended": "amended from {day}{by}",
        "absent": "no longer in force from {day}",
        "uncovered": "what follows {day} is not covered here",
        "presumed": " (dates presumed)",
    },
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A wording, with what became of it."""

    wording: Wording
    changed: bool
    """Whether the law says something else today, or that is not known."""
    days: str
    """The days in force, with how sure they are."""


def shown(
    timeline: Timeline,
    span: Span,
    *,
    today: date,
    language: Language,
    decision: Applicability | None = None,
) -> Shown:
    """A span in force, as tools show it, with what was decided of it for the case asked about."""
    assert span.provision is not None
    version = span.version
    label = " · ".join(filter(None, (version.label, version.instrument))) if version else ""
    wording = Wording(
        timeline.work,
        timeline.number.chinese,
        span.window,
        span.provision.text,
        provision_id(timeline, span),
        version.source.name if version else "",
        label,
        _afterwards(timeline, span, today, language),
        applies(decision, span, language) if decision else "",
    )
    days = days_of(span.window, span.begins, None, span.date_status)
    return Shown(wording, today not in span.window, days)


def evidence_of(one: Shown) -> Evidence:
    """What an answer cites."""
    wording = one.wording
    return Evidence(
        wording.id,
        "statute",
        f"{wording.law} {wording.article}",
        wording.text,
        date=f"in force {one.days}",
        status="; ".join(filter(None, (wording.afterwards, wording.applies))),
        origin="statutes",
    )


def absence(lookup: Lookup, language: Language) -> str:
    """Why there is nothing to quote, and what a model may do about it."""
    words = STATES[language][lookup.answer]
    lines = [f"{words}（{lookup.answer}）" if language == "zh" else f"{words} ({lookup.answer})"]
    if lookup.reason:
        lines.append(f"原因：{lookup.reason}" if language == "zh" else f"because {lookup.reason}")
    for claim in lookup.candidates:
        name = f"{claim.version.label} · {claim.version.source.name}"
        lines.append(
            f"本库另有日期不明的文本，不能引用为当时的法律：{name}"
            if language == "zh"
            else f"a text whose dates are not known is held; it may not be quoted: {name}"
        )
    return "\n".join(lines)


def heading(lookup: Lookup, language: Language) -> str:
    """What was asked: law, article and days."""
    days = show_days(lookup.as_of, language)
    return f"《{lookup.work}》{lookup.number.chinese} · {days}"


def blocks(found: list[Shown], language: Language, *, first: int = 1) -> list[str]:
    """Wordings as text, numbered."""
    return [show_wording(one.wording, place, language) for place, one in enumerate(found, first)]


def _afterwards(timeline: Timeline, span: Span, today: date, language: Language) -> str:
    """What follows a wording, in a sentence."""
    words = _AFTER[language]
    doubt = words["presumed"] if span.date_status == "presumed" else ""
    if span.begins == "held":
        doubt += words["held"]
    day = span.window.end
    if day is None and span.as_of is not None and span.as_of < today:
        return words["known"].format(as_of=span.as_of, today=today) + doubt
    if day is None or day > today:
        return words["now"].format(today=today) + doubt
    following = next((one for one in timeline.spans if one.window.start == day), None)
    if following is None or following.state == "uncovered":
        return words["uncovered"].format(day=day) + doubt
    if following.state == "absent":
        return words["absent"].format(day=day) + doubt
    return words["amended"].format(day=day, by=_made_by(following, language)) + doubt


def _made_by(span: Span, language: Language) -> str:
    instrument = span.version.instrument if span.version else ""
    if not instrument:
        return ""
    return f"（{instrument}）" if language == "zh" else f" ({instrument})"
