"""Findings in words, Chinese or English: what is wrong, why, and what could be cited instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from inforce.dates import DateRange
from inforce.language import Language, cited
from inforce.language.messages import N_, messages
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

KINDS: Final[Mapping[Language, Mapping[FindingKind, str]]] = {
    "en": {
        "right": "right",
        "amended_since": "right then, amended since",
        "other_time": "law of another time",
        "not_in_force": "not in force then",
        "renumbered": "another number",
        "no_such_provision": "no such provision",
        "no_such_law": "no such law",
        "misquoted": "misquoted",
        "wrong_source": "words of another provision",
        "unsupported_portion": "not in that paragraph or item",
        "wrong_name": "not an official crime name then",
        "wrong_case_number": "impossible case number",
        "not_checked": "not checked",
    },
    "zh": {
        "right": "正确",
        "amended_since": "当时正确，现已修改",
        "other_time": "不是当时的法律",
        "not_in_force": "当时无效",
        "renumbered": "条号不对",
        "no_such_provision": "无此条文",
        "no_such_law": "无此法律",
        "misquoted": "引文有误",
        "wrong_source": "是另一条的文字",
        "unsupported_portion": "该款、项没有此内容",
        "wrong_name": "当时没有此罪名",
        "wrong_case_number": "案号不可能存在",
        "not_checked": "未核对",
    },
}

_REASONS: Mapping[Language, Mapping[Reason, str]] = {
    "en": {
        "law_not_held": "no text of this law is held here",
        "law_not_named": "which law is meant is not said",
        "foreign_law": "law of another jurisdiction: none is held here",
        "treaty": "a treaty: none is held here",
        "no_date": "the document gives no day to check by (give one: --on)",
        "not_covered": "no text of the provision is held for these days",
        "changed_within_days": "the provision changed within these days",
        "cannot_decide": "which wording governs cannot be decided from what the document says",
        "source_unknown": "whose words these are is not known",
        "no_source_of_cases": "no source of cases is held: whether it exists is not checked",
        "case_not_held": "the cases held do not have it: whether it exists is not checked",
        "no_crime_names_held": "no crime names are held for days before 1997-12-16",
        "not_yet": "it was not yet in force",
        "no_longer": "it was no longer in force",
        "no_such_paragraph": "the provision has no such paragraph or item",
        "other_portion": "the words are in another part of the provision",
        "invented_words": "no wording of any law or time held reads like this",
        "year_after_document": "its year is after the document's",
        "unknown_court": "no court has this code",
        "unknown_case_type": "there is no such kind of case",
        "code_before_2016": "courts have such codes in numbers since 2016 only",
        "no_appeals_there": "that court is one of first instance: it decides no appeals",
        "never_official": "it was never an official name since 1997",
        "official_at_another_time": "it was an official name at another time",
    },
    "zh": {
        "law_not_held": "本库未收录该法律的文本",
        "law_not_named": "未写明是哪部法律",
        "foreign_law": "属于其他法域的法律，本库未收录",
        "treaty": "属于条约，本库未收录",
        "no_date": "文中没有可据以核对的日期（可用 --on 指定）",
        "not_covered": "本库没有该条在这些日期的文本",
        "changed_within_days": "该条在这段日期内有修改",
        "cannot_decide": "根据文中所述不能确定适用哪一版本",
        "source_unknown": "不知这些文字出自何处",
        "no_source_of_cases": "没有可查的案例来源，案件是否存在未核对",
        "case_not_held": "已收录的案例中没有，案件是否存在未核对",
        "no_crime_names_held": "1997年12月16日以前的罪名未收录",
        "not_yet": "尚未施行",
        "no_longer": "已经失效",
        "no_such_paragraph": "该条没有这一款或这一项",
        "other_portion": "这些文字在该条的另一款或另一项",
        "invented_words": "所收录的任何法律、任何时期的文本都没有这样的文字",
        "year_after_document": "案号年份晚于文书日期",
        "unknown_court": "没有这样的法院代字",
        "unknown_case_type": "没有这样的案件类型代字",
        "code_before_2016": "2016年起的案号才有这样的法院代字",
        "no_appeals_there": "该代字是基层法院的，基层法院不审理上诉案件",
        "never_official": "1997年以来从未是正式罪名",
        "official_at_another_time": "只在其他时期是正式罪名",
    },
}

_ORIGINS: Mapping[Language, Mapping[DaysFrom, str]] = {
    "en": {
        "option": "given",
        "sentence": "from its sentence",
        "paragraph": "from its paragraph",
        "document": "from the document",
        "date_of_document": "the date of the document",
        "version": "the version it names",
    },
    "zh": {
        "option": "指定",
        "sentence": "取自本句",
        "paragraph": "取自本段",
        "document": "取自全文",
        "date_of_document": "文书落款日期",
        "version": "取自所写明的版本",
    },
}

_SENTENCES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "days": "checked for {days} ({origin})",
        "trial": "trial {trial}",
        "more_days": "{count} dates from {first} to {last}",
        "since_yet": "it came into force on {since}{by}",
        "since_longer": "it ceased to be in force on {since}{by}",
        "by": " ({instrument})",
        "other_time": "the words are those of {what} as in force {window}{by}",
        "source": "the words are those of {what}, in force {window}",
        "amended": "it reads differently since {since}{by}",
        "ended": "it ceased to be in force on {since}{by}",
        "cite": "cite {what}",
        "cite_score": "cite {what} (matched by text, {score:.2f}, not stated by the law)",
        "likely": "what replaced it may be {what} (matched by text, {score:.2f})",
        "reads": "the text as of {day} reads: {text}",
        "case": "held: {names}",
        "like": "laws held with a similar name: {names}",
        "names_then": "the official name then: {names}",
        "official": "official {windows}",
        "rule": "rule: {statement} ({source})",
        "also_elsewhere": "another version reads closer: in force {window}",
    },
    "zh": {
        "days": "按 {days} 核对（{origin}）",
        "trial": "审理 {trial}",
        "more_days": "{first} 至 {last} 间的 {count} 个日期",
        "since_yet": "自 {since} 起施行{by}",
        "since_longer": "自 {since} 起失效{by}",
        "by": "（{instrument}）",
        "other_time": "这些文字出自 {what} {window} 的文本{by}",
        "source": "这些文字出自 {what}，有效期 {window}",
        "amended": "自 {since} 起文字不同{by}",
        "ended": "自 {since} 起失效{by}",
        "cite": "宜引 {what}",
        "cite_score": "宜引 {what}（按文字比对，相似度 {score:.2f}，非法律明文）",
        "likely": "取代它的可能是 {what}（按文字比对，相似度 {score:.2f}）",
        "reads": "{day} 的条文为：{text}",
        "case": "已收录：{names}",
        "like": "名称相近、已收录的法律：{names}",
        "names_then": "当时的正式罪名：{names}",
        "official": "该罪名的有效期：{windows}",
        "rule": "规则：{statement}（{source}）",
        "also_elsewhere": "另一版本更接近：有效期 {window}",
    },
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
    kind = KINDS[language][finding.kind]
    reason = _REASONS[language].get(finding.reason, "")
    separator = "：" if language == "zh" else ": "
    return f"{kind}{separator}{reason}" if reason else kind


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
    forms = _SENTENCES[language]
    shown = ", ".join(_range(one, language) for one in days.facts)
    if len(days.facts) > 3:
        first, last = days.facts[0].start, max(one.last or one.start for one in days.facts)
        shown = forms["more_days"].format(count=len(days.facts), first=first, last=last)
    text = forms["days"].format(days=shown, origin=_ORIGINS[language][days.origin])
    if days.trial and days.trial not in days.facts:
        text += "; " if language == "en" else "；"
        text += forms["trial"].format(trial=_range(days.trial, language))
    return text


def _sentences(finding: Finding, language: Language) -> Iterator[str]:
    forms = _SENTENCES[language]
    if finding.since and finding.reason in ("not_yet", "no_longer"):
        key = "since_yet" if finding.reason == "not_yet" else "since_longer"
        yield forms[key].format(since=finding.since, by=_by(finding.instrument, language))
    elif finding.since:
        key = "amended" if finding.today else "ended"
        yield forms[key].format(since=finding.since, by=_by(finding.instrument, language))
    if finding.quoted:
        yield _source_of_words(finding, finding.quoted, language)
    yield from _suggestions(finding, language)
    if finding.names:
        key = _NAMES_FORM.get(finding.subject, "like")
        yield forms[key].format(names="、".join(finding.names))
    if finding.subject == "crime_name" and finding.details:
        yield forms["official"].format(windows=_days(finding.details[0], language))
    elif finding.kind == "not_checked":
        yield from map(messages(language).sentence, finding.details)
    if finding.rule and (finding.kind in _RULED or finding.reason == "cannot_decide"):
        translate = messages(language).sentence
        statement, source = translate(finding.rule.statement), translate(finding.rule.source)
        yield forms["rule"].format(statement=statement, source=source)
    if finding.days:
        yield _days_used(finding.days, language)


_NAMES_FORM: Mapping[Subject, str] = {"crime_name": "names_then", "case_number": "case"}
_RULED = frozenset(("other_time", "not_in_force", "renumbered"))
"""Findings that depend on which version governed."""


def _source_of_words(finding: Finding, quoted: Evidence, language: Language) -> str:
    forms = _SENTENCES[language]
    what = cited(quoted.work, quoted.number.chinese, language)
    window = _range(quoted.window, language)
    if finding.kind == "misquoted":
        return forms["also_elsewhere"].format(window=window)
    key = "source" if finding.kind == "wrong_source" else "other_time"
    by = _by(quoted.instrument, language) if key == "other_time" else ""
    return forms[key].format(what=what, window=window, by=by)


def _suggestions(finding: Finding, language: Language) -> Iterator[str]:
    """The provisions that could be cited instead, and what the law said on the days."""
    forms = _SENTENCES[language]
    for one in finding.suggestions:
        what = cited(one.work, one.portion.chinese, language)
        if finding.score is not None and finding.kind in ("renumbered", "not_in_force"):
            key = "cite_score" if finding.kind == "renumbered" else "likely"
            yield forms[key].format(what=what, score=finding.score)
        else:
            yield forms["cite"].format(what=what)
        if one.text and one.as_of and finding.kind != "wrong_source":
            yield forms["reads"].format(day=one.as_of.start, text=shorten(one.text))
    if finding.kind == "other_time":
        day = finding.days.facts[0].start if finding.days else ""
        for one in finding.governed:
            yield forms["reads"].format(day=day, text=shorten(one.text))


def _by(instrument: str, language: Language) -> str:
    return _SENTENCES[language]["by"].format(instrument=instrument) if instrument else ""


def _range(days: DateRange, language: Language) -> str:
    return _days(str(days), language)


def _days(text: str, language: Language) -> str:
    if language == "en":
        return text
    return text.replace(" to ", " 至 ").replace("since ", "自 ").replace("until ", "至 ")


def explain_unread(reason: str, language: Language) -> str:
    """A part of a document that was not read, and so not checked."""
    separator = "：" if language == "zh" else ": "
    return f"{KINDS[language]['not_checked']}{separator}{messages(language).sentence(reason)}"


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
    if language == "zh":
        return f"对照本库收录的 {held.laws} 部法律（截至 {held.today}，快照 {held.snapshot[:12]}）"
    return (
        f"checked against {held.laws} laws held, as of {held.today} (snapshot {held.snapshot[:12]})"
    )


def summary(verified: Verified, language: Language) -> str:
    """The number of findings of each kind."""
    counts = verified.counts
    named = [
        f"{counts[kind]} {name}" if language == "en" else f"{name} {counts[kind]}"
        for kind, name in KINDS[language].items()
        if counts.get(kind)
    ]
    nothing = "nothing found to check" if language == "en" else "没有可核对的引用或引文"
    return (", " if language == "en" else "，").join(named) or nothing
