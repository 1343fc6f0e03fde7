"""A sentence by rule: within the tier of the law that fits the facts, near what similar cases got.

This policy walks the protocol of `inforce.agents.msr2.agent` without a model. It sees what a model
would see, and nothing else: the facts and what its searches returned. Its answer is an estimate
with its arithmetic shown, and never leaves the tier; where the sources do not show which tier of
which wording the facts fall under, it says that it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from inforce.agents.msr2.estimate import (
    ApplicableText,
    FittingTier,
    estimate,
    fitting_tier,
    in_tier,
)
from inforce.agents.runtime.prompts import read_given_facts
from inforce.dates import DateRange, read_case_dates
from inforce.errors import IdentifierError
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import read_facts
from inforce.law.penalties.offences import article_of, likely_offences, penal_article
from inforce.law.penalties.prison_term import PrisonTerm, pronounced
from inforce.law.penalties.ranges import find_ranges
from inforce.law.penalties.sentencing import SentencingFactor, find_factors
from inforce.llm.chat import Message
from inforce.tools.statute_answers import says_not_applicable

_INFORMATION = re.compile(
    r'<information source="(?P<source>\w+)" status="\w+">\n(?P<text>.*?)\n</information>', re.DOTALL
)
_ACCUSED = re.compile("被告|嫌疑人")
_QUERY_LENGTH = 300
_APPLIES = re.compile(r"^(?:适用：|Applies: )(?P<said>.*)$", re.MULTILINE)
_TIME = re.compile(r"^(?:时间：|Time: )[^\n\d]*(?P<day>\d{4}-\d{2}-\d{2})", re.MULTILINE)
_CUT = re.compile(r"此处只引前|\(the first \d+ of \d+ characters\)")
_HEAD = re.compile(
    r"\[\d+\][^\n]*?刑法》?\s?(?P<number>第[^条\n]{1,8}条(?:之[一二三四五六七八九])?)"
)
_QUOTED_LINE = re.compile(r"^> ?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts of a case as the rules read them."""

    text: str
    offence: str
    """The likeliest; empty where the words point to none."""
    factors: tuple[SentencingFactor, ...]
    act: DateRange | None
    """The days of the act; ``None`` where nothing names them."""
    trial: date | None

    @property
    def article(self) -> ProvisionNumber | None:
        """The article that states the ranges of punishment."""
        return penal_article(self.offence) if self.offence else None

    @classmethod
    def read(cls, instructions: str, text: str) -> _Facts:
        given = read_given_facts(instructions)
        dates = read_case_dates(text, clock=lambda: date.max, as_of=given)
        act = None if dates.origin == "today" else dates.facts[-1]
        offences = likely_offences(text)
        trial = dates.trial.start if dates.trial else None
        offence = offences[0] if offences else ""
        return cls(text, offence, tuple(find_factors(text)), act, trial)

    def days_for(self, since: date | None) -> tuple[date, ...]:
        """The days whose interpretations count for a wording that began on a day."""
        if self.act is None:
            return (self.trial or date.max,)
        act = self.act.last or self.act.start
        if since is not None and since > act:
            return (max(since, self.trial or since),)
        return (act, self.trial) if self.trial and self.trial > act else (act,)


def policy(messages: Sequence[Message]) -> str:
    """The next turn of the conversation."""
    facts = _Facts.read(messages[0].content, messages[1].content)
    if not (facts.offence or _ACCUSED.search(facts.text)):
        return _cannot_tell(facts, "所给文字未写明被告人，也看不出罪名：不是可以量刑的案件事实")
    found = [match for message in messages[2:] for match in _INFORMATION.finditer(message.content)]
    if not found:
        return _first_turn(facts)
    texts = {
        source: "\n".join(match["text"] for match in found if match["source"] == source)
        for source in ("statute", "precedent")
    }
    if facts.article is None:
        return _cannot_tell(facts, "看不出罪名")
    wordings = _wordings(texts["statute"], facts, facts.article)
    tier = fitting_tier(wordings, facts.article, read_facts(facts.text))
    return _last_turn(facts, tier, _similar(texts["precedent"], facts.offence))


def _cannot_tell(facts: _Facts, why: str) -> str:
    reasoning = f"<reasoning>{why}，无从确定量刑起点。</reasoning>"
    return f"{reasoning}\n{_listed(facts.factors)}\n<answer>无法判断</answer>"


def _listed(factors: Sequence[SentencingFactor]) -> str:
    return f"<factors>{'、'.join(one.name for one in factors) or '无'}</factors>"


def _first_turn(facts: _Facts) -> str:
    summary = " ".join(facts.text.split())[:_QUERY_LENGTH].replace("<", "〈")
    crime = f"{facts.offence}罪" if facts.offence else ""
    names = " ".join(one.name for one in facts.factors)
    queries = [
        *(("statute", query) for query in _statute_queries(facts, crime)),
        ("precedent", f"{crime} {summary}".strip()),
        ("guideline", f"{crime} {names}".strip() or summary),
    ]
    searches = "\n".join(f'<search source="{source}">{query}</search>' for source, query in queries)
    listed = "\n".join(one.name for one in facts.factors) or "未见法定或酌定量刑情节"
    reasoning = "按案件事实检索法定刑、类案与量刑指导意见；量刑情节由规则从事实中识别。"
    return f"<reasoning>{reasoning}</reasoning>\n<factors>{listed}</factors>\n{searches}"


def _statute_queries(facts: _Facts, crime: str) -> list[str]:
    """The articles on the offence, under the law of the act."""
    days = facts.act
    time = f"{days.start}至{days.last or date.max} " if days else ""
    articles = dict.fromkeys((article_of(facts.offence), facts.article)) if facts.offence else {}
    named = [f"{time}刑法{one.chinese}" for one in articles if one]
    return named or [f"{time}刑法 {crime}".strip()]


def _last_turn(facts: _Facts, tier: FittingTier, similar: Sequence[PrisonTerm]) -> str:
    if tier.range is None:
        return _cannot_tell(facts, "；".join(tier.why))
    term = estimate(tier.range, similar, facts.factors)
    if term is None:
        return _cannot_tell(facts, f"法定刑为“{tier.range.text}”，没有可以计算的刑期")
    within = in_tier(tier.range, similar)
    basis = "；".join((f"法定刑为“{tier.range.text}”", *tier.why))
    if within:
        listed = "、".join(f"{one.months}个月" for one in within)
        reasoning = f"{basis}；幅度内的类案为{listed}，取其中位数。"
    else:
        shares = "，".join(f"{one.name}{one.share:+.0%}" for one in facts.factors) or "无调节情节"
        reasoning = f"{basis}；未检得幅度内的类案，以幅度下三分之一处为基准刑，{shares}。"
    return f"<reasoning>{reasoning}</reasoning>\n{_listed(facts.factors)}\n<answer>{term}</answer>"


def _wordings(text: str, facts: _Facts, article: ProvisionNumber) -> list[ApplicableText]:
    """The whole wordings of an article of 刑法 that apply, as far as the sources say."""
    found: dict[str, ApplicableText] = {}
    for entry in _entries(text):
        head, applies = _HEAD.match(entry), _APPLIES.search(entry)
        if head is None or head["number"] != article.chinese or _CUT.search(entry):
            continue
        if applies is not None and says_not_applicable(applies["said"]):
            continue
        quoted = _QUOTED_LINE.findall(entry)
        wording = "\n".join(quoted) if quoted else entry.partition("条")[2].strip()
        if find_ranges(wording):
            time = _TIME.search(entry)
            since = date.fromisoformat(time["day"]) if time else None
            found[wording] = ApplicableText(wording, facts.days_for(since))
    return list(found.values())


def _similar(text: str, offence: str) -> list[PrisonTerm]:
    """The sentence that each precedent on the offence pronounces."""
    found: list[PrisonTerm] = []
    for case in _entries(text):
        if f"{offence}罪" in case:
            with suppress(IdentifierError):  # no sentence is pronounced in it, or only a range
                found.append(pronounced(case))
    return found


def _entries(text: str) -> list[str]:
    """The numbered documents of a source's answer."""
    return re.split(r"(?m)^(?=\[\d+\])", text)
