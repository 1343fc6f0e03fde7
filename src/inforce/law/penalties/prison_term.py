"""Sentences as a judgment pronounces them: 有期徒刑三年六个月 is 42 months.

A judgment names many lengths of time: how long somebody fled, earlier sentences, what the
prosecution proposes, the range of the law, probation. The sentence is what is *pronounced*: of
several crimes what is to be executed (决定执行), after an appeal what replaces the first judgment
(改判), of several defendants that of the first. Every text is read once from left to right.

>>> pronounced("潜逃2年后归案，判处有期徒刑五年六个月").months
66
>>> pronounced("犯甲罪判处三年，犯乙罪判处五年，数罪并罚，决定执行有期徒刑七年").months
84
>>> pronounced("判处有期徒刑三年，缓刑五年").suspended
60
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral

TermKind = Literal["none", "control", "detention", "imprisonment", "life", "death"]
"""Main penalties of 刑法 art. 33, lightest first; ``none``: exempt from punishment, or a fine."""

_NAMES: Mapping[TermKind, str] = {
    "none": "免予刑事处罚",
    "control": "管制",
    "detention": "拘役",
    "imprisonment": "有期徒刑",
    "life": "无期徒刑",
    "death": "死刑",
}
_KINDS: Mapping[str, TermKind] = {
    **{name: kind for kind, name in _NAMES.items()},
    "免于刑事处罚": "none",
    "免除处罚": "none",
    "免除刑罚": "none",
    "单处罚金": "none",
    "life imprisonment": "life",
    "imprisonment for life": "life",
    "death penalty": "death",
    "sentenced to death": "death",
}

_MOST_DIGITS = 6
"""Digits a number of years or months may have; what has more is no sentence."""

_HAN = "〇零一二两三四五六七八九十百"
# Bounded, and never begun inside a longer number: a run of a hundred thousand 一 is one look each.
_N = (
    rf"(?:(?<![\d.])\d{{1,{_MOST_DIGITS}}}(?:\.\d{{1,2}})?(?![\d.])"
    rf"|(?<![{_HAN}])[{_HAN}]{{1,6}}(?![{_HAN}]))"
)
_S = r"\s{0,3}"
_CHINESE = rf"(?:{_N}{_S}年半?(?:{_S}[零又]?{_S}{_N}{_S}个?月)?|{_N}{_S}个?月|半年)"
_ENGLISH = (
    rf"(?:{_N}[\s-]{{0,3}}years?(?:,?\s{{1,3}}(?:and\s{{1,3}})?{_N}\s{{0,3}}months?)?"
    rf"|{_N}[\s-]{{0,3}}months?)"
)
_TIMED = "有期徒刑|拘役|管制"
_UNTIMED = "|".join(re.escape(name) for name in _KINDS if name not in _TIMED)
_VERB = (
    r"决定执行|合并执行|判处|改判|处以|判|处|执行|量刑为?|刑期[为是]?|sentenced to|a sentence of"
)
_CANDIDATE = re.compile(
    rf"(?P<kind>{_TIMED})罚?{_S}[为:：]?{_S}(?P<after>{_CHINESE})"
    rf"|(?P<before>{_CHINESE})[的之]?{_S}(?P<named>{_TIMED})"
    rf"|(?P<untimed>{_UNTIMED})"
    rf"|(?:{_VERB})(?:其|他|她|被告人?)?{_S}[:：]?{_S}(?P<bare>{_CHINESE}|{_ENGLISH})"
    rf"|(?P<english>{_ENGLISH})(?=\s(?:of\s|in\s|')?\s?(?:imprison|prison|jail))",
    re.IGNORECASE,
)
_KIND_AND_TERM = re.compile(rf"(?P<kind>{_TIMED})罚?{_S}[为:：]?{_S}(?P<after>{_CHINESE})")
_LEADING = re.compile(
    rf"[^\w]{{0,20}}(?:(?:预测)?刑期|量刑|答案|sentence)?{_S}[为是:：]?{_S}"
    rf"(?:约|大约|about\s)?(?P<bare>{_CHINESE}|{_ENGLISH})",
    re.IGNORECASE,
)
_TERM = re.compile(
    rf"(?:(?P<years>{_N})[\s-]{{0,3}}(?:年|years?)(?P<half>半)?)?[\s,]{{0,3}}(?:and\s{{1,3}}|[零又])?"
    rf"{_S}(?:(?P<months>{_N})[\s-]{{0,3}}(?:个?月|months?))?|(?P<half_year>半年)",
    re.IGNORECASE,
)

_RANGE_AFTER = re.compile(
    r"\s?(?:以[上下内]|[至到~～—–-]\s?[\d〇零一二两三四五六七八九十有]|(?:to|or more|or less)\s)"
)
_RANGE_BEFORE = re.compile(r"(?:以上|[年月\d][至到~～—–-]|\sto\s|between\s|not more than )\s?$")
_OR_BEFORE = re.compile("(?:[、或]|或者|可以|可|减轻|从轻|应当|不适用)$")
_OR_AFTER = re.compile("[、或]|的(?!规定|判决)")
_DENIED = re.compile(
    r"(?:缓期|不应?|不宜|不得|不予|不能|未|没有|并非|而非|而不是|无须|not )[^，。；]{0,8}$"
)
_PRIOR = re.compile("曾[因被经]|前科|刑满|释放|假释|先后因|此前|前罪")
_PERHAPS_PRIOR = re.compile("[年月日]因(?:犯)?[^，。；]{1,24}，?被[^，。；]{0,24}$")
_PROPOSED = re.compile("建议|请求|提请|公诉|指控|检察|辩护|意见|起诉书|原判(?!决如下)|一审|原审判")
_OWN = re.compile("本院|改判|现(?=因|以|判|犯)|又犯|本次")
"""What follows are the court's own words, whatever was proposed or judged before."""
_EXECUTED = re.compile("(?:决定|合并|并罚后?|总和刑期[^。；]{0,20})执行[^，。；]{0,12}$")
_RULED = re.compile("判处|改判|判决|宣判|处|判|量刑|sentenced", re.IGNORECASE)
_ANEW = re.compile("判决如下|改判|裁定如下|重新判决|判决主文")
_NEXT_DEFENDANT = re.compile(
    r"(?:[。；;\n]|[一二三四五六七八九十\d]{1,3}[、.．])\s{0,3}(?:以|对|判处|上诉人|原审)?被告(?:人|单位)?"
    r"[^，。；罪刑]{1,24}(?=犯|判处|无罪)|[。；;]\s{0,3}[^，。；被罪刑\s]{1,4}(?=犯[^，。；]{1,20}罪，)"
)
_SUSPENDED = re.compile(rf"缓刑(?:考验期(?:限)?为?)?{_S}(?P<term>{_CHINESE})")
_REPRIEVED = re.compile(r"缓期\s?(?:二|两|2)\s?年")
_SENTENCE_END = re.compile(r"[。；;\n]")
_CONTEXT = 80
"""Characters of the sentence before a term that tell whose and which it is."""


@dataclass(frozen=True, slots=True)
class PrisonTerm:
    """A sentence: its kind, and its length where the kind has one."""

    kind: TermKind
    months: int | None = None
    """``None`` for death, life and no term at all."""
    suspended: int | None = None
    """Months of probation (缓刑), or of the reprieve of a death sentence (缓期执行)."""

    def __str__(self) -> str:
        name = _NAMES[self.kind]
        return name if self.months is None else f"{name}{self.months}个月"


def pronounced(text: str) -> PrisonTerm:
    """The sentence a text pronounces.

    A text that begins with a bare term (``12个月``, ``3 years 6 months``, ``42``) means
    imprisonment. A range (三年以上十年以下), a denial (不应判处三年) and an earlier conviction
    (曾因盗窃被判处一年) are no sentence.

    Raises:
        IdentifierError: if there is none, or there are several for one person and none that is to
            be executed.
    """
    if text.strip().isdecimal() and len(text.strip()) <= _MOST_DIGITS:
        return PrisonTerm("imprisonment", int(text))
    anew = [match.end() for match in _ANEW.finditer(text)]
    for part in (text[anew[-1] :] if anew else "", text):
        found = _first_defendant(part)
        if found:
            return _chosen(found, text)
    leading = _LEADING.match(text)
    if leading and not _RANGE_AFTER.match(text, leading.end("bare")):
        return PrisonTerm("imprisonment", _months(leading["bare"]))
    raise IdentifierError(text[:80], "no sentence in it: write for example 36个月")


def terms(text: str) -> tuple[PrisonTerm, ...]:
    """Every term a text names after the words 有期徒刑, 拘役 or 管制, in order; ranges are none."""
    return tuple(
        PrisonTerm(_KINDS[match["kind"]], _months(match["after"]))
        for match in _KIND_AND_TERM.finditer(text)
        if not _RANGE_AFTER.match(text, match.end())
    )


class _Candidate(NamedTuple):
    """A sentence a text names, with its rank."""

    start: int
    rank: int
    """3 to be executed, 2 pronounced, 1 named, 0 proposed or of another judgment."""
    term: PrisonTerm


def _first_defendant(text: str) -> list[_Candidate]:
    """The sentences a text names for the first person it sentences, in order."""
    breaks = [match.start() for match in _NEXT_DEFENDANT.finditer(text)]
    found = list(_candidates(text))
    for start, end in zip([0, *breaks], [*breaks, len(text)], strict=True):
        within = [candidate for candidate in found if start <= candidate.start < end]
        if any(candidate.rank for candidate in within):
            return within
    return found


def _chosen(found: Sequence[_Candidate], text: str) -> PrisonTerm:
    best = max(candidate.rank for candidate in found)
    ranked = [candidate.term for candidate in found if candidate.rank == best]
    plain = {(term.kind, term.months) for term in ranked}
    if best == 2 and len(plain) > 1 and "数罪并罚" in text:
        raise IdentifierError(text[:80], "several sentences and none that is to be executed")
    return ranked[0]


def _candidates(text: str) -> Iterator[_Candidate]:
    for match in _CANDIDATE.finditer(text):
        end = match.end("bare") if match["bare"] else match.end()
        before = _sentence_before(text, match.start())
        if _DENIED.search(before[-12:]) or _is_range(match, text, end):
            continue
        rank = _rank(match, before)
        if rank is not None:
            yield _Candidate(match.start(), rank, _with_probation(_read(match), text, end))


def _is_range(match: re.Match[str], text: str, end: int) -> bool:
    before = text[max(0, match.start() - 14) : match.start()]
    if _RANGE_AFTER.match(text, end) or _RANGE_BEFORE.search(before):
        return True
    if not match["untimed"]:
        return False
    return bool(_OR_BEFORE.search(before) or _OR_AFTER.match(text, end))


def _rank(match: re.Match[str], before: str) -> int | None:
    """The rank of a sentence by the words before it; ``None`` for an earlier conviction."""
    led = before + match[0][: match.start("bare") - match.start()] if match["bare"] else before
    if _EXECUTED.search(led):
        return 3
    own = _OWN.split(before)[-1]
    if _PRIOR.search(own):
        return None
    if _PERHAPS_PRIOR.search(own) or _PROPOSED.search(own):
        return 0
    return 2 if match["bare"] or _RULED.search(before[-40:]) else 1


def _read(match: re.Match[str]) -> PrisonTerm:
    if match["untimed"]:
        return PrisonTerm(_KINDS[match["untimed"].lower()])
    kind = _KINDS[match["kind"] or match["named"] or "有期徒刑"]
    words = match["after"] or match["before"] or match["bare"] or match["english"]
    return PrisonTerm(kind, _months(words))


def _with_probation(term: PrisonTerm, text: str, end: int) -> PrisonTerm:
    rest = _SENTENCE_END.split(text[end : end + _CONTEXT], maxsplit=1)[0]
    if term.kind == "death":
        return replace(term, suspended=24) if _REPRIEVED.search(rest) else term
    cut = re.split(_TIMED, rest, maxsplit=1)[0]
    probation = _SUSPENDED.search(cut)
    return replace(term, suspended=_months(probation["term"])) if probation else term


def _sentence_before(text: str, start: int) -> str:
    return _SENTENCE_END.split(text[max(0, start - _CONTEXT) : start])[-1]


def _months(words: str) -> int:
    match = _TERM.fullmatch(words.strip())
    assert match is not None, words
    if match["half_year"]:
        return 6
    half = 6 if match["half"] else 0
    return round(12 * _number(match["years"]) + _number(match["months"])) + half


def _number(text: str | None) -> float:
    if not text:
        return 0.0
    return float(text) if text[0].isdigit() else float(parse_numeral(text.replace("两", "二")))
