"""Which tier of an offence the facts fall under: by what they state, by their amounts, or unknown.

A tier is chosen from the words of the facts (数额特别巨大, 致人重伤), from sums and weights the
statute itself names (五千元以上不满五万元, 海洛因五十克以上) and from the thresholds of the
interpretations in force (`inforce.law.penalties.thresholds`). A circumstance that the facts do not
state is assumed to be absent, and the assumption is reported: a sum alone says nothing of
其他严重情节. Where the sum is within the span that provinces fill, or no threshold is known, more
than one tier remains.

>>> from inforce.law.penalties.amounts import read_facts
>>> from inforce.law.penalties.tiers import read_offences
>>> text = "盗窃公私财物，数额较大的，处三年以下有期徒刑；数额巨大的，处十年以下有期徒刑。"
>>> facts = read_facts("盗窃二万元")
>>> selected = select_tiers(read_offences(text)[0], facts, article=264, day=date(2015, 6, 1))
>>> [str(tier.range.highest) for tier in selected.tiers]
['有期徒刑3年']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from inforce.law.penalties.amounts import CaseFacts, Money, find_drugs, find_money
from inforce.law.penalties.thresholds import Threshold, drug_figures, thresholds_at
from inforce.law.penalties.tiers import Offence, Tier


@dataclass(frozen=True, slots=True)
class TierSelection:
    """The tiers of an offence that the facts may fall under."""

    tiers: tuple[Tier, ...]
    """Candidates, the heaviest first; one where it is certain."""
    below: bool = False
    """Whether the facts may fall short of what makes the act a crime."""
    facts_decide: bool = True
    """Whether the facts say anything the tiers depend on; all tiers are candidates otherwise."""
    reasons: tuple[str, ...] = ()
    """What chose the tier: amounts with their thresholds and sources."""
    assumed: tuple[str, ...] = ()
    """Circumstances the facts do not state, assumed to be absent."""

    @property
    def certain(self) -> bool:
        """Whether the facts choose a single tier and are certainly a crime."""
        return self.facts_decide and len(self.tiers) == 1 and not self.below


def choose_offence(offences: Sequence[Offence], facts: CaseFacts) -> Offence | None:
    """The offence of an article the facts are about; ``None`` where that is not clear."""
    people = [offence for offence in offences if offence.unit == facts.unit] or list(offences)
    scores = [_shared(offence, facts.text) for offence in people]
    best = [offence for offence, score in zip(people, scores, strict=True) if score == max(scores)]
    return best[0] if len(best) == 1 else None


def _shared(offence: Offence, text: str) -> int:
    """Neighbouring characters of the offence's elements in the facts; its beginning counts more."""
    words = {offence.elements[at : at + 2] for at in range(len(offence.elements) - 1)}
    shared = sum(word in text for word in words if re.fullmatch(r"[\u4e00-\u9fff]{2}", word))
    return shared + 3 * (offence.elements[:2] in text)


def select_tiers(offence: Offence, facts: CaseFacts, *, article: int, day: date) -> TierSelection:
    """The tiers the facts may fall under, by the interpretations in force on a day."""
    known = thresholds_at(article, day, facts=facts.text, unit=facts.unit)
    case = _Case(facts, known, day)
    ordered = sorted(
        offence.tiers, key=lambda tier: (tier.range.highest, tier.range.lowest), reverse=True
    )
    candidates, below = case.candidates(ordered, basic=offence.tiers[0])
    if not case.facts_decide and len(offence.tiers) > 1:
        return TierSelection(tuple(ordered), facts_decide=False)
    reasons, assumed = (tuple(dict.fromkeys(texts)) for texts in (case.reasons, case.assumed))
    return TierSelection(tuple(candidates), below, True, reasons, assumed)


class _Word(NamedTuple):
    """A word of degree: what it measures, and how grave it is (1 较大, 2 巨大, 3 特别巨大)."""

    of: str
    level: int


_DEGREE = re.compile(
    "(?P<of>数额|数量|金额|税额|情节|后果|损失|差额)(?P<very>特别)?(?P<how>巨大|严重|恶劣|较大|较重|重大|(?<=特别)大)"
    "|(?P<very2>特别)?(?P<how2>严重|恶劣|重大|较重)的?(?P<of2>后果|损失|情节)"
)
_CIRCUMSTANCES = ("情节", "后果", "损失")
"""What makes the circumstances (情节) of an act grave: its consequences are among them."""
_LEVELS = {"大": 2, "较大": 1, "较重": 1, "重大": 2, "巨大": 2, "严重": 2, "恶劣": 2}
_DENIED = re.compile("(?:未达到?|不属于?|没有|不构成|并非|尚未|未造成)[^，。；]{0,4}$")
_ORDINARY = re.compile(
    "情节一般|一般情节|普通情节|情节轻微|情节较轻|没有(?:其他)?(?:加重|严重|恶劣)情节|基本犯|最低一?档"
)
_LIGHT = re.compile("情节较轻|情节轻微")
_OTHER = re.compile("其他.{0,8}(?:情节|后果|情形|危害)")
_CONDUCT = re.compile("多次|入户|携带凶器|扒窃|一年内|二年内|两年内")
_KEYS = (
    *("死亡", "重伤", "严重残疾", "特别残忍手段", "逃逸", "杀害", "入户", "持枪", "轮奸", "当众"),
    *("金融机构", "珍贵文物", "首要分子", "幼女", "未成年", "儿童", "多人", "多次", "聚众"),
    *("不退还", "公共交通工具", "冒充军警", "军用物资", "抢险", "使用枪支", "管制刀具", "撞击"),
)
"""Circumstances that make a tier; each is looked for in the facts by its own word."""
_HARM = re.compile("死亡|重伤|轻伤|轻微伤|(?:没有|无)人受伤|未造成伤亡")
_HALVED = re.compile("曾因|一年内|未成年人|老人|残疾|病人|医院|救灾|抢险|扶贫|黑恶|冒充")
_NEUTRAL: Final = "neutral"
_NAMED_DRUGS = ("鸦片", "海洛因", "甲基苯丙胺")
_NONE, _NO_END = Decimal(0), Decimal("Infinity")


def _degrees(text: str) -> list[_Word]:
    return [
        _Word(
            match["of"] or match["of2"],
            3 if match["very"] or match["very2"] else _LEVELS[match["how"] or match["how2"]],
        )
        for match in _DEGREE.finditer(text)
        if not _DENIED.search(text[max(0, match.start() - 8) : match.start()])
    ]


_Finding = bool | None
"""Whether the facts fulfil a condition; ``None`` where that is not clear."""
_Alternative = _Finding | Literal["neutral"]
"""The same of one alternative; ``neutral`` where it only names the offence."""


class _Case:
    """The facts of a case compared with conditions of the statute; reasons are collected."""

    def __init__(self, facts: CaseFacts, known: Sequence[Threshold], day: date) -> None:
        self.facts = facts
        self.known = known
        self.day = day
        self.facts_decide = False
        self.reasons: list[str] = []
        self.assumed: list[str] = []

    def candidates(self, ordered: Sequence[Tier], *, basic: Tier) -> tuple[Sequence[Tier], bool]:
        """The tiers the facts may fulfil, the heaviest first; whether they may be too little."""
        for tier in ordered:
            if _LIGHT.search(tier.condition) and _LIGHT.search(self.facts.text):
                self.facts_decide = True
                return [tier], False
        found: list[Tier] = []
        for tier in ordered:
            fulfilled = self._fulfils(tier, ordered, basic=tier is basic)
            if fulfilled is not False:
                found.append(tier)
            if fulfilled:
                return found, self._may_be_below_the_crime()
        return found or ordered[-1:], self.facts_decide

    def _may_be_below_the_crime(self) -> bool:
        """Whether the sum may fall short of the figure that makes the act a crime (``*``)."""
        money = self.facts.money
        return any(
            not threshold.word and money and money.low < threshold.high for threshold in self.known
        )

    def _because(self, reason: str) -> None:
        self.facts_decide = True
        self.reasons.append(reason)

    def _assume_absent(self, circumstance: str) -> bool:
        self.assumed.append(
            f"not stated, and taken not to be there: {circumstance.strip('，的有')}"
        )
        return False

    def _fulfils(self, tier: Tier, ordered: Sequence[Tier], *, basic: bool) -> _Finding:
        if tier.items and (not basic or (tier is ordered[0] and len(ordered) > 1)):
            found = _any([self._item(item) for item in tier.items])
        else:
            found = self._condition(tier.condition, basic=basic)
        if tier.within and found is not False:
            found = _all([found, self._condition(tier.within, basic=True)])
        return found

    def _condition(self, condition: str, *, basic: bool) -> _Finding:
        alternatives = re.split("，?或者|(?<=的)，", _one_drug(condition))
        found = [
            self._alternative(alternative, basic=basic)
            for alternative in alternatives
            if alternative.strip("，的")
        ]
        decided = [finding for finding in found if not isinstance(finding, str)]
        return _any(decided) if decided else True

    def _alternative(self, text: str, *, basic: bool) -> _Alternative:
        """All parts of one alternative: 数额特别巨大，并使…遭受特别重大损失; 数额巨大不退还."""
        parts = re.split("，?并(?=使|造成|给|致)", text)
        found: list[_Alternative] = [self._part(part, basic=basic) for part in parts]
        if len(found) > 1:
            return _all([finding for finding in found if not isinstance(finding, str)])
        keys = [key for key in _KEYS if key in text and key not in self.facts.text]
        if found[0] is True and keys and not basic:
            return self._assume_absent(text)
        return found[0]

    def _part(self, part: str, *, basic: bool) -> _Alternative:
        if spans := _money_spans(part):
            return self._in_spans(part, spans)
        if find_drugs(part):
            return self._weighs(part)
        if "毒品" in part and self.facts.drugs and not basic:
            return self._other_drug(part)
        words = _degrees(part)
        stated = self._stated_degree(words[-1]) if words else None
        if stated is not None:
            return stated
        if words and not _OTHER.search(part):
            return self._reaches(part, words[-1])
        if basic:
            return self._other_conduct(part)
        return self._assume_absent(part) if _OTHER.search(part) else self._circumstance(part)

    def _stated_degree(self, word: _Word) -> _Finding:
        """What the facts say in the statute's own words: 数额特别巨大, 情节一般."""
        measured = _CIRCUMSTANCES if word.of == "情节" else (word.of,)
        stated = [degree.level for degree in _degrees(self.facts.text) if degree.of in measured]
        if stated:
            self._because(f"the facts state how grave the {word.of} is")
            return max(stated) >= word.level
        if word.of == "情节" and _ORDINARY.search(self.facts.text):
            self._because("the facts call the circumstances ordinary")
            return False
        return None

    def _reaches(self, part: str, word: _Word) -> _Finding:
        """Whether the sum reaches the threshold of a word."""
        figures = [
            threshold for threshold in self.known if threshold.word and threshold.word in part
        ]
        if not figures and word.of not in ("数额", "数量", "金额", "税额"):
            return self._assume_absent(part)
        money = self.facts.money
        if money is None:
            return None
        if figures:
            return self._compare(money, figures[-1])
        lower = [
            threshold
            for threshold in self.known
            if any(degree.level < word.level for degree in _degrees(threshold.word))
        ]
        if lower and money.high < max(threshold.high for threshold in lower):
            return False
        self.reasons.append(f"no figure is known for “{part.strip('，的')}”")
        return None

    def _compare(self, money: Money, figure: Threshold) -> _Finding:
        span = f"{figure.low:f}" + (f" to {figure.high:f}" if figure.by_province else "")
        self._because(f"{figure.word} begins at {span} yuan ({figure.source})")
        if money.low >= figure.high:
            return True
        halved = _HALVED.search(self.facts.text) and money.high * 2 >= figure.low
        if money.high < figure.low and not halved:
            return False
        self.reasons.append(f"whether {money} is enough depends on the province's own figure")
        return None

    def _in_spans(self, part: str, spans: Sequence[_Amounts]) -> _Finding:
        money = self.facts.money
        if money is None:
            return None
        self.facts_decide = True
        if any(span.low <= money.low and money.high < span.high for span in spans):
            self.reasons.append(f"{money} fulfils “{part.strip('，的')}”")
            return True
        return None if any(s.low <= money.high and money.low < s.high for s in spans) else False

    def _weighs(self, part: str) -> _Finding:
        """Whether a drug weighs as much as the statute says: 海洛因十克以上不满五十克."""
        limits = _drug_limits(part)
        found: list[_Finding] = []
        for weight in self.facts.drugs:
            limit = limits.get(weight.drug)
            found.append(limit.low <= weight.grams < limit.high if limit else False)
            self.facts_decide = self.facts_decide or limit is not None
            if found[-1]:
                what = part.strip("，的")
                self.reasons.append(f"{weight.drug} {weight.grams:f} g fulfils “{what}”")
        return _any(found) if found else None

    def _other_drug(self, part: str) -> _Finding:
        """其他毒品数量大, 数量较大, 少量: by the figures for a drug the statute does not name."""
        found: list[_Finding] = []
        for weight in self.facts.drugs:
            if weight.drug in _NAMED_DRUGS:
                found.append(False)
                continue
            figures = drug_figures(weight.drug, self.day)
            if figures is None:
                found.append(None)
                continue
            if "较大" in part:
                low, high = figures.large, figures.very_large
            elif "少量" in part:
                low, high = _NONE, figures.large
            else:
                low, high = figures.very_large, _NO_END
            found.append(low <= weight.grams < high)
            self._because(
                f"{weight.drug} is 数量较大 from {figures.large} g and 数量大 from "
                f"{figures.very_large} g on ({figures.source})"
            )
        return _any(found)

    def _other_conduct(self, part: str) -> _Alternative:
        """Alternatives to the amount that make the offence: 多次盗窃、入户盗窃."""
        phrases = [
            phrase for phrase in re.split("[、，]", part.rstrip("的")) if _CONDUCT.match(phrase)
        ]
        if not phrases:
            return _NEUTRAL
        stated = any(phrase in self.facts.text for phrase in phrases)
        self.facts_decide = self.facts_decide or stated
        return stated

    def _circumstance(self, part: str) -> bool:
        """A consequence or another circumstance, found in the facts by its words."""
        text = self.facts.text
        self.facts_decide = self.facts_decide or bool("重伤" in part and _HARM.search(text))
        for piece in part.split("、"):
            keys = [key for key in _KEYS if key in piece]
            words = piece.strip("，的有")
            if (keys and all(key in text for key in keys)) or (len(words) > 2 and words in text):
                self._because(f"the facts state {'、'.join(keys) or words}")
                return True
        return self._assume_absent(part)

    def _item(self, item: str) -> _Finding:
        """An item of a list: fulfilled where the facts have all its clauses in its words."""
        if spans := _money_spans(item):
            return self._in_spans(item, spans)
        if find_drugs(item):
            return _any(
                [
                    self._other_drug(alternative)
                    if "毒品" in alternative
                    else self._weighs(alternative)
                    for alternative in _one_drug(item).split("或者")
                ]
            )
        if all(self._states(clause.strip("的")) for clause in item.split("，") if clause):
            self._because(f"the facts state {item}")
            return True
        return self._assume_absent(item)

    def _states(self, clause: str) -> bool:
        """Whether the facts state a clause: its degree, its words, or all its circumstances."""
        text = self.facts.text
        if words := _degrees(clause):
            stated = [degree.level for degree in _degrees(text) if degree.of == words[-1].of]
            return bool(stated) and max(stated) >= words[-1].level
        keys = [key for key in _KEYS if key in clause]
        return clause in text or (bool(keys) and all(key in text for key in keys))


def _any(found: Iterable[_Finding]) -> _Finding:
    results = list(found)
    return True if True in results else None if None in results else False


def _all(found: Iterable[_Finding]) -> _Finding:
    results = list(found)
    return False if False in results else None if None in results else True


class _Amounts(NamedTuple):
    """The sum or weight from which, and up to which (excluded), a condition is fulfilled."""

    low: Decimal
    high: Decimal


_FROM = re.compile(
    r"(?P<low>[^以不、或]{1,14}(?:元|克))以上(?:不满(?P<high>[^的，、或]{1,12}(?:元|克)))?"
    r"|不满(?P<below>[^的，、或]{1,12}(?:元|克))"
)


def _money_spans(text: str) -> list[_Amounts]:
    """The sums a condition of the statute itself names: 五千元以上不满五万元."""
    spans: list[_Amounts] = []
    for match in _FROM.finditer(text):
        low, high = (_yuan(match[name]) for name in ("low", "high"))
        below = _yuan(match["below"])
        if low is not None:
            spans.append(_Amounts(low, _NO_END if high is None else high))
        elif below is not None:
            spans.append(_Amounts(_NONE, below))
    return spans


def _yuan(text: str | None) -> Decimal | None:
    found = find_money(text) if text else ()
    return found[-1].low if found else None


def _one_drug(text: str) -> str:
    """A condition in which 海洛因或者甲基苯丙胺, which share a weight, are no alternatives."""
    return text.replace("海洛因或者甲基苯丙胺", "海洛因、甲基苯丙胺")


def _drug_limits(text: str) -> dict[str, _Amounts]:
    """The weights between which each drug fulfils a condition."""
    limits: dict[str, _Amounts] = {}
    for piece in re.split("、(?=海洛因)", text):
        match = _FROM.search(piece)
        names = re.findall("鸦片|海洛因|甲基苯丙胺", piece)
        if match is None or not names:
            continue
        low, end = (_grams(match[name]) for name in ("low", "high"))
        below = _grams(match["below"])
        span = _Amounts(low or _NONE, end or below or _NO_END)
        limits |= dict.fromkeys(names, span)
    return limits


def _grams(text: str | None) -> Decimal | None:
    bare = re.sub("^.*(?:鸦片|海洛因|甲基苯丙胺)", "", text) if text else ""
    found = find_drugs(f"海洛因{bare}") if bare else ()
    return found[0].grams if found else None
