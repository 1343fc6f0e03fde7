"""Which tier of an offence the facts fall under: by what they state, by their amounts, or unknown.

A tier is chosen from the words of the facts (数额特别巨大, 致人重伤), from sums and weights the
statute itself names (五千元以上不满五万元, 海洛因五十克以上) and from the thresholds of the
interpretations in force (`inforce.law.thresholds`). What the facts do not tell is taken not to be
there, and said: a sum alone says nothing of 其他严重情节. Where the sum is within the span that
provinces fill, or no threshold is known, more than one tier remains.

>>> from inforce.law.tiers import read_offences
>>> text = "盗窃公私财物，数额较大的，处三年以下有期徒刑；数额巨大的，处十年以下有期徒刑。"
>>> facts = read_facts("盗窃二万元")
>>> fitting = fit(read_offences(text)[0], facts, article=264, day=date(2015, 6, 1))
>>> [str(tier.range.highest) for tier in fitting.tiers]
['有期徒刑3年']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from inforce.law.amounts import DrugWeight, Money, find_drugs, find_money
from inforce.law.thresholds import Threshold, drug_figures, thresholds_at
from inforce.law.tiers import Offence, Tier


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What a description of a case says that a tier can turn on."""

    text: str = ""
    money: Money | None = None
    """The sum that counts; ``None`` where none is stated, or several and no total."""
    several_sums: bool = False
    drugs: tuple[DrugWeight, ...] = ()
    unit: bool = False
    """Whether a unit (单位) is charged."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """The tiers of an offence that the facts may fall under."""

    tiers: tuple[Tier, ...]
    """Candidates, the heaviest first; one where it is certain."""
    below: bool = False
    """Whether the facts may fall short of what makes the act a crime."""
    facts_decide: bool = True
    """Whether the facts say anything the tiers turn on; all tiers are candidates otherwise."""
    reasons: tuple[str, ...] = ()
    """What chose the tier: amounts with their thresholds and sources."""
    assumed: tuple[str, ...] = ()
    """Circumstances the facts do not tell, taken not to be there."""

    @property
    def certain(self) -> bool:
        """Whether the facts choose one tier, for certain a crime."""
        return self.facts_decide and len(self.tiers) == 1 and not self.below


_NOT_THE_SUM = re.compile(
    "(?:退|赔|罚|没收|追缴|缴纳|返还|归还|工资|谅解|押金|违法所得|获利|好处费|报酬|保证金)[^，。；]{0,8}$"
)
_TOTAL = re.compile("(?:共|合|总|累)计?[^，。；]{0,10}$")
_BY_UNIT = re.compile(
    "单位(?:犯|行贿|受贿|集资)|(?:公司|单位|企业)(?:以|为)单位|被告单位|以单位名义"
)


def read_facts(text: str) -> CaseFacts:
    """The sums, weights and circumstances of a description of a case."""
    sums = [
        one
        for one in find_money(text)
        if not _NOT_THE_SUM.search(text[max(0, one.start - 14) : one.start])
    ]
    totals = [one for one in sums if _TOTAL.search(text[max(0, one.start - 14) : one.start])]
    alike = len({(one.low, one.high) for one in sums}) == 1
    chosen = totals[-1] if totals else sums[0] if alike else None
    several = len(sums) > 1 and chosen is None
    return CaseFacts(text, chosen, several, find_drugs(text), bool(_BY_UNIT.search(text)))


def choose_offence(offences: Sequence[Offence], facts: CaseFacts) -> Offence | None:
    """The offence of an article the facts are about; ``None`` where they do not tell."""
    people = [one for one in offences if one.unit == facts.unit] or list(offences)
    scores = [_shared(one, facts.text) for one in people]
    best = [one for one, score in zip(people, scores, strict=True) if score == max(scores)]
    return best[0] if len(best) == 1 else None


def _shared(offence: Offence, text: str) -> int:
    """Neighbouring characters of the offence's elements in the facts; how it begins counts more."""
    words = {offence.elements[at : at + 2] for at in range(len(offence.elements) - 1)}
    shared = sum(word in text for word in words if re.fullmatch(r"[\u4e00-\u9fff]{2}", word))
    return shared + 3 * (offence.elements[:2] in text)


def fit(offence: Offence, facts: CaseFacts, *, article: int, day: date) -> Fitting:
    """The tiers the facts may fall under, by the interpretations in force on a day."""
    known = thresholds_at(article, day, facts=facts.text, unit=facts.unit)
    case = _Case(facts, known, day)
    candidates, below = case.candidates(offence)
    if not case.facts_decide and len(offence.tiers) > 1:
        return Fitting(tuple(_by_gravity(offence.tiers)), facts_decide=False)
    reasons, assumed = (tuple(dict.fromkeys(one)) for one in (case.reasons, case.assumed))
    return Fitting(tuple(candidates), below, True, reasons, assumed)


def _by_gravity(tiers: Iterable[Tier]) -> list[Tier]:
    return sorted(tiers, key=lambda one: (one.range.highest, one.range.lowest), reverse=True)


class _Word(NamedTuple):
    """A word of degree: what it measures, and how grave it is (1 较大, 2 巨大, 3 特别巨大)."""

    of: str
    level: int


_DEGREE = re.compile(
    "(?P<of>数额|数量|金额|税额|情节|后果|损失|差额)(?P<very>特别)?(?P<how>巨大|严重|恶劣|较大|较重|重大)"
    "|(?P<very2>特别)?(?P<how2>严重|恶劣|重大|较重)的?(?P<of2>后果|损失|情节)"
)
_LEVELS = {"较大": 1, "较重": 1, "重大": 2, "巨大": 2, "严重": 2, "恶劣": 2}
_DENIED = re.compile("(?:未达到?|不属于?|没有|不构成|并非|尚未|未造成)[^，。；]{0,4}$")
_ORDINARY = re.compile(
    "情节一般|一般情节|普通情节|情节轻微|情节较轻|没有(?:其他)?(?:加重|严重|恶劣)情节|基本犯|最低一?档"
)
_LIGHT = re.compile("情节较轻|情节轻微")
_OTHER = re.compile("其他.{0,8}(?:情节|后果|情形|危害)")
_CONDUCT = re.compile("多次|入户|携带凶器|扒窃|一年内|二年内|两年内")
_KEYS = (
    *("死亡", "重伤", "严重残疾", "特别残忍手段", "逃逸", "杀害", "入户", "持枪", "轮奸", "当众"),
    *(
        "金融机构",
        "珍贵文物",
        "首要分子",
        "幼女",
        "未成年",
        "儿童",
        "多人",
        "多次",
        "聚众",
        "不退还",
    ),
    *("公共交通工具", "冒充军警", "军用物资", "抢险", "使用枪支", "管制刀具", "撞击"),
)
"""Circumstances that make a tier; each is looked for in the facts by its own word."""
_HARM = re.compile("死亡|重伤|轻伤|轻微伤|(?:没有|无)人受伤|未造成伤亡")
_HALVED = re.compile("曾因|一年内|未成年人|老人|残疾|病人|医院|救灾|抢险|扶贫|黑恶|冒充")
_GIVEN = "given"
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


@dataclass(slots=True)
class _Case:
    """Facts, the thresholds of a day, and what came of holding them against conditions."""

    facts: CaseFacts
    known: Sequence[Threshold]
    day: date
    reasons: list[str] = field(default_factory=list[str])
    assumed: list[str] = field(default_factory=list[str])
    facts_decide: bool = False

    def candidates(self, offence: Offence) -> tuple[list[Tier], bool]:
        """The tiers the facts may fulfil, the heaviest first; whether they may be too little."""
        ordered = _by_gravity(offence.tiers)
        for tier in ordered:
            if _LIGHT.search(tier.condition) and _LIGHT.search(self.facts.text):
                self.facts_decide = True
                return [tier], False
        found: list[Tier] = []
        for tier in ordered:
            holds = self._holds(tier, ordered, basic=tier is offence.tiers[0])
            if holds is not False:
                found.append(tier)
            if holds:
                return found, self._below_the_crime()
        return found or ordered[-1:], self.facts_decide

    def _holds(self, tier: Tier, ordered: Sequence[Tier], *, basic: bool) -> bool | None:
        """Whether the facts fulfil the condition of a tier; ``None``: they do not tell."""
        decisive = tier.items and (not basic or (tier is ordered[0] and len(ordered) > 1))
        if decisive:
            found = _any([self._item(item) for item in tier.items])
        else:
            found = self._condition(tier.condition, basic=basic)
        if tier.within and found is not False:
            found = _all([found, self._condition(tier.within, basic=True)])
        return found

    def _below_the_crime(self) -> bool:
        """Whether the sum may fall short of the figure that makes the act a crime (``*``)."""
        money = self.facts.money
        return any(not one.word and money and money.low < one.high for one in self.known)

    def _condition(self, condition: str, *, basic: bool) -> bool | None:
        parts = re.split("，?或者|(?<=的)，", _one_drug(condition))
        found = [self._together(part, basic=basic) for part in parts if part.strip("，的")]
        decided = [one for one in found if not isinstance(one, str)]
        return _any(decided) if decided else True

    def _together(self, part: str, *, basic: bool) -> bool | None | str:
        """One alternative, all its parts: 数额特别巨大，并使…遭受特别重大损失; 数额巨大不退还."""
        pieces = re.split("，?并(?=使|造成|给|致)", part)
        found = [self._alternative(piece, basic=basic) for piece in pieces]
        if len(found) > 1:
            return _all([one for one in found if not isinstance(one, str)])
        keys = [key for key in _KEYS if key in part and key not in self.facts.text]
        if found[0] is True and keys and not basic:
            return self._absent(part)
        return found[0]

    def _alternative(self, part: str, *, basic: bool) -> bool | None | str:
        """One alternative of a condition; ``given`` where it only names the offence."""
        spans = _money_spans(part)
        if spans:
            return self._in_spans(part, spans)
        if find_drugs(part):
            return self._weighs(part)
        if "毒品" in part and self.facts.drugs and not basic:
            return self._other_drug(part)
        words = _degrees(part)
        stated = self._says(words)
        if stated is not None:
            return stated
        if words and not _OTHER.search(part):
            return self._reaches(part, words[-1])
        if basic:
            return self._other_conduct(part)
        return self._absent(part) if _OTHER.search(part) else self._circumstance(part)

    def _says(self, words: Sequence[_Word]) -> bool | None:
        """What the facts say in the statute's own words: 数额特别巨大, 情节一般."""
        if not words:
            return None
        word = words[-1]
        stated = [one.level for one in _degrees(self.facts.text) if one.of == word.of]
        if stated:
            self.facts_decide = True
            self.reasons.append(f"the facts state how grave the {word.of} is")
            return max(stated) >= word.level
        if word.of == "情节" and _ORDINARY.search(self.facts.text):
            self.facts_decide = True
            self.reasons.append("the facts call the circumstances ordinary")
            return False
        return None

    def _reaches(self, part: str, word: _Word) -> bool | None:
        """Whether the sum reaches the threshold of a word."""
        figures = [one for one in self.known if one.word and one.word in part]
        if not figures and word.of not in ("数额", "数量", "金额", "税额"):
            return self._absent(part)
        money = self.facts.money
        if money is None:
            return None
        if not figures:
            lower = [
                one for one in self.known if any(w.level < word.level for w in _degrees(one.word))
            ]
            if lower and money.high < max(one.high for one in lower):
                return False
            self.reasons.append(f"no figure is known for “{part.strip('，的')}”")
            return None
        self.facts_decide = True
        return self._compares(money, figures[-1])

    def _compares(self, money: Money, figure: Threshold) -> bool | None:
        span = f"{figure.low:f}" + (f" to {figure.high:f}" if figure.by_province else "")
        self.reasons.append(f"{figure.word} begins at {span} yuan ({figure.source})")
        if money.low >= figure.high:
            return True
        halved = _HALVED.search(self.facts.text) and money.high * 2 >= figure.low
        if money.high < figure.low and not halved:
            return False
        self.reasons.append(f"whether {money} is enough depends on the province's own figure")
        return None

    def _in_spans(self, part: str, spans: Iterable[_Span]) -> bool | None:
        money = self.facts.money
        if money is None:
            return None
        self.facts_decide = True
        if any(span.low <= money.low and money.high < span.high for span in spans):
            self.reasons.append(f"{money} fulfils “{part.strip('，的')}”")
            return True
        return None if any(s.low <= money.high and money.low < s.high for s in spans) else False

    def _weighs(self, part: str) -> bool | None:
        """Whether a drug weighs as much as the statute says: 海洛因十克以上不满五十克."""
        limits = _drug_limits(part)
        found: list[bool | None] = []
        for weight in self.facts.drugs:
            limit = limits.get(weight.drug)
            found.append(limit.low <= weight.grams < limit.high if limit else False)
            self.facts_decide = self.facts_decide or limit is not None
            if found[-1]:
                self.reasons.append(
                    f"{weight.drug} {weight.grams:f} g fulfils “{part.strip('，的')}”"
                )
        return _any(found) if found else None

    def _other_drug(self, part: str) -> bool | None:
        """其他毒品数量大, 数量较大, 少量: by the figures for a drug the statute does not name."""
        found: list[bool | None] = []
        for weight in self.facts.drugs:
            if weight.drug in _NAMED_DRUGS:
                found.append(False)
                continue
            figures = drug_figures(weight.drug, self.day)
            if figures is None:
                found.append(None)
                continue
            self.facts_decide = True
            low, high = _NONE, figures.large
            if "较大" in part:
                low, high = figures.large, figures.very_large
            elif "少量" not in part:
                low, high = figures.very_large, _NO_END
            found.append(low <= weight.grams < high)
            self.reasons.append(
                f"{weight.drug} is 数量较大 from {figures.large} g and 数量大 from "
                f"{figures.very_large} g on ({figures.source})"
            )
        return _any(found)

    def _absent(self, part: str) -> bool:
        self.assumed.append(f"not stated, and taken not to be there: {part.strip('，的有')}")
        return False

    def _other_conduct(self, part: str) -> bool | str:
        """Alternatives to the amount that make the offence: 多次盗窃、入户盗窃."""
        phrases = [one for one in re.split("[、，]", part.rstrip("的")) if _CONDUCT.match(one)]
        if not phrases:
            return _GIVEN
        self.facts_decide = self.facts_decide or any(one in self.facts.text for one in phrases)
        return any(one in self.facts.text for one in phrases)

    def _circumstance(self, part: str) -> bool:
        """A consequence or another circumstance, found in the facts by its words."""
        text = self.facts.text
        self.facts_decide = self.facts_decide or bool("重伤" in part and _HARM.search(text))
        for piece in part.split("、"):
            keys = [key for key in _KEYS if key in piece]
            words = piece.strip("，的有")
            if (keys and all(key in text for key in keys)) or (len(words) > 2 and words in text):
                self.facts_decide = True
                self.reasons.append(f"the facts state {'、'.join(keys) or words}")
                return True
        return self._absent(part)

    def _item(self, item: str) -> bool | None:
        """An item of a list: fulfilled where the facts have all its clauses in its words."""
        spans = _money_spans(item)
        if spans:
            return self._in_spans(item, spans)
        if find_drugs(item):
            alternatives = re.split("或者", _one_drug(item))
            return _any(
                [
                    self._other_drug(one) if "毒品" in one else self._weighs(one)
                    for one in alternatives
                ]
            )
        if all(self._clause(clause.strip("的")) for clause in item.split("，") if clause):
            self.facts_decide = True
            self.reasons.append(f"the facts state {item}")
            return True
        return self._absent(item)

    def _clause(self, clause: str) -> bool:
        text = self.facts.text
        words = _degrees(clause)
        if words:
            stated = [one.level for one in _degrees(text) if one.of == words[-1].of]
            return bool(stated) and max(stated) >= words[-1].level
        keys = [key for key in _KEYS if key in clause]
        return clause in text or (bool(keys) and all(key in text for key in keys))


def _any(found: Iterable[bool | None]) -> bool | None:
    results = list(found)
    return True if True in results else None if None in results else False


def _all(found: Iterable[bool | None]) -> bool | None:
    results = list(found)
    return False if False in results else None if None in results else True


class _Span(NamedTuple):
    """From which sum or weight on, and up to which (excluded), a condition is fulfilled."""

    low: Decimal
    high: Decimal


_FROM = re.compile(
    r"(?P<low>[^以不、或]{1,14}(?:元|克))以上(?:不满(?P<high>[^的，、或]{1,12}(?:元|克)))?"
    r"|不满(?P<below>[^的，、或]{1,12}(?:元|克))"
)


def _money_spans(text: str) -> list[_Span]:
    """The sums a condition of the statute itself names: 五千元以上不满五万元."""
    spans: list[_Span] = []
    for match in _FROM.finditer(text):
        low, high = (_yuan(match[name]) for name in ("low", "high"))
        below = _yuan(match["below"])
        if low is not None:
            spans.append(_Span(low, _NO_END if high is None else high))
        elif below is not None:
            spans.append(_Span(Decimal(0), below))
    return spans


def _yuan(text: str | None) -> Decimal | None:
    found = find_money(text) if text else ()
    return found[-1].low if found else None


def _one_drug(text: str) -> str:
    """海洛因或者甲基苯丙胺 shares one weight: no alternative is to be split there."""
    return text.replace("海洛因或者甲基苯丙胺", "海洛因、甲基苯丙胺")


def _drug_limits(text: str) -> dict[str, _Span]:
    """From which weight on, and up to which, each drug fulfils a condition."""
    limits: dict[str, _Span] = {}
    for piece in re.split("、(?=海洛因)", text):
        match = _FROM.search(piece)
        names = re.findall("鸦片|海洛因|甲基苯丙胺", piece)
        if match is None or not names:
            continue
        low, end = (_grams(match[name]) for name in ("low", "high"))
        below = _grams(match["below"])
        span = _Span(low or Decimal(0), end or below or _NO_END)
        limits |= dict.fromkeys(names, span)
    return limits


def _grams(text: str | None) -> Decimal | None:
    bare = re.sub("^.*(?:鸦片|海洛因|甲基苯丙胺)", "", text) if text else ""
    found = find_drugs(f"海洛因{bare}") if bare else ()
    return found[0].grams if found else None
