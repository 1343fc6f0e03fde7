"""A sentence by rule: what similar cases got, within the range of the law, moved by the factors.

This policy walks the protocol of `inforce.agents.msr2.agent` without a model. It sees what a model
would see, and nothing else: the facts and what its searches returned. Its answer is an estimate
with its arithmetic shown; where no source gives it a number it says that it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from statistics import median

from inforce.agents.runtime.prompts import read_given_facts
from inforce.law.offences import likely_offences
from inforce.law.penalties import PenaltyRange, find_ranges
from inforce.law.prison_term import terms
from inforce.law.sentencing import SentencingFactor, adjusted, find_factors
from inforce.llm.chat import Message

_INFORMATION = re.compile(
    r'<information source="(?P<source>\w+)" status="\w+">\n(?P<text>.*?)\n</information>', re.DOTALL
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})年")
_ACCUSED = re.compile("被告|嫌疑人")
_QUERY_LENGTH = 300
_FIXED_TERM = (3, 4)
"""Ranks of 有期徒刑 and 无期徒刑 on the scale of `inforce.law.penalties`."""


def policy(messages: Sequence[Message]) -> str:
    """The next turn of the conversation."""
    facts = messages[1].content
    factors = find_factors(facts)
    if not (likely_offences(facts) or _ACCUSED.search(facts)):
        return _no_facts(factors)
    found = [match for message in messages[2:] for match in _INFORMATION.finditer(message.content)]
    if not found:
        return _first_turn(facts, factors, _time(messages[0].content, facts))
    said = {
        source: "\n".join(match["text"] for match in found if match["source"] == source)
        for source in ("statute", "precedent")
    }
    offences = likely_offences(facts)[:1]
    similar = _similar(said["precedent"], offences)
    return _last_turn(factors, _tiers(said["statute"], offences), similar)


def _no_facts(factors: Sequence[SentencingFactor]) -> str:
    """A question, not a case: nothing has a sentence there."""
    reasoning = "所给文字未写明被告人，也看不出罪名：不是可以量刑的案件事实，无从确定量刑起点。"
    return f"<reasoning>{reasoning}</reasoning>\n{_listed(factors)}\n<answer>无法判断</answer>"


def _listed(factors: Sequence[SentencingFactor]) -> str:
    return f"<factors>{'、'.join(one.name for one in factors) or '无'}</factors>"


def _first_turn(facts: str, factors: Sequence[SentencingFactor], time: str) -> str:
    summary = " ".join(facts.split())[:_QUERY_LENGTH].replace("<", "〈")
    offences = likely_offences(facts)[:1]
    queries = {
        "statute": " ".join((*filter(None, [time]), "刑法", *(f"{one}罪" for one in offences))),
        "precedent": " ".join((*(f"{one}罪" for one in offences), summary)),
        "guideline": " ".join((*(f"{one}罪" for one in offences), *(one.name for one in factors))),
    }
    listed = "\n".join(one.name for one in factors) or "未见法定或酌定量刑情节"
    searches = "\n".join(
        f'<search source="{source}">{query or summary}</search>'
        for source, query in queries.items()
    )
    reasoning = "按案件事实检索法定刑、类案与量刑指导意见；量刑情节由规则从事实中识别。"
    return f"<reasoning>{reasoning}</reasoning>\n<factors>{listed}</factors>\n{searches}"


def _last_turn(
    factors: Sequence[SentencingFactor], tiers: Sequence[PenaltyRange], similar: Sequence[int]
) -> str:
    listed = _listed(factors)
    if similar:
        return f"{_by_similar(similar, tiers)}\n{listed}\n<answer>{_middle(similar)}个月</answer>"
    if tiers:
        months = _within(adjusted(_start(tiers[0]), factors), tiers[0], factors)
        reasoning = f"{_tier_words(tiers[0])}，未检得可比类案，{_adjustment(tiers[0], factors)}"
        return f"<reasoning>{reasoning}</reasoning>\n{listed}\n<answer>{months}个月</answer>"
    reasoning = "未检得法定刑幅度，也未检得可比类案，无从确定量刑起点。"
    return f"<reasoning>{reasoning}</reasoning>\n{listed}\n<answer>无法判断</answer>"


def _by_similar(similar: Sequence[int], tiers: Sequence[PenaltyRange]) -> str:
    """Similar cases were sentenced with their circumstances: they are not counted again."""
    words = "、".join(f"{months}个月" for months in similar)
    fitting = [one for one in tiers if _holds(one, _middle(similar))]
    range_words = (
        f"{_tier_words(fitting[0])}；" if fitting else "检得的条文中没有与之相应的法定刑；"
    )
    return f"<reasoning>{range_words}类案刑期为{words}，取其中位数。</reasoning>"


def _holds(tier: PenaltyRange, months: int) -> bool:
    return (tier.lowest.months or 0) <= months <= (tier.highest.months or 180)


def _middle(similar: Sequence[int]) -> int:
    return round(median(similar))


def _tiers(text: str, offences: Sequence[str]) -> list[PenaltyRange]:
    """Ranges of fixed-term imprisonment in the provisions on the offence, in their order.

    Without an offence there are none: a range of whatever provision was found would be a guess.
    """
    provisions = [one for one in _entries(text) if offences and _speaks_of(one, offences)]
    ranges = [one for provision in provisions for one in find_ranges(provision)]
    return [one for one in ranges if one.highest.rank in _FIXED_TERM]


def _similar(text: str, offences: Sequence[str]) -> list[int]:
    """The first term of each precedent on the offence: not that of its suspension."""
    crimes = [f"{offence}罪" for offence in offences]
    cases = [one for one in _entries(text) if _speaks_of(one, crimes)]
    first = [terms(case)[:1] for case in cases]
    return [one.months for pair in first for one in pair if one.months]


def _entries(text: str) -> list[str]:
    """The numbered documents of a source's answer."""
    return re.split(r"(?m)^(?=\[\d+\])", text)


def _speaks_of(text: str, words: Sequence[str]) -> bool:
    return not words or any(word in text for word in words)


def _time(instructions: str, facts: str) -> str:
    """The given days of the facts, else the first year the facts name: which law is searched."""
    given = read_given_facts(instructions)
    if given is not None:
        return f"{given.start}至{given.last or date.max}"
    year = _YEAR.search(facts)
    return f"{year[1]}年" if year else ""


def _start(tier: PenaltyRange) -> float:
    """The starting point: a third into the range, as guidelines place the ordinary case."""
    low, high = tier.lowest.months or 3, tier.highest.months or 180
    return low + (high - low) / 3


def _within(months: int, tier: PenaltyRange, factors: Sequence[SentencingFactor]) -> int:
    """The term within the range; below it only where the law allows mitigation."""
    low, high = tier.lowest.months, tier.highest.months or 180
    floor = 1 if any(one.below_minimum for one in factors) else max(low, 1)
    return min(max(months, floor), high)


def _tier_words(tier: PenaltyRange) -> str:
    return f"法定刑为“{tier.text}”"


def _adjustment(tier: PenaltyRange, factors: Sequence[SentencingFactor]) -> str:
    shares = "，".join(f"{one.name}{one.share:+.0%}" for one in factors) or "无调节情节"
    return f"以幅度下三分之一处{_start(tier):g}个月为基准刑，{shares}。"
