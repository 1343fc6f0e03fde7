"""Substituted terms: a sentence of a statute in which 可以 is written for 应当, or 五年 for 三年.

Words without quotation marks may be somebody's summary, and a summary may use words of its own.
But a sentence that is in a statute word for word, except that one such term is replaced by its
counterpart, is no summary: it states another rule.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from inforce.errors import IdentifierError
from inforce.law.numerals import format_numeral, parse_numeral

_COUNTERPARTS: tuple[str, ...] = (
    "应当 可以 不得 必须 无须 不应当 禁止 有权 无权",
    "以上 以下 以内 以外 不满 超过 不足 低于 高于",
    "以前 以后 之前 之后 届满前 届满后",
    "故意 过失",
    "较大 巨大 特别巨大",
    "较轻 较重 严重 特别严重 恶劣 特别恶劣",
    "从轻 减轻 从重 加重 免除",
    "死刑 无期徒刑 有期徒刑 拘役 管制 拘留 罚金 罚款 没收财产 警告",
    "人民法院 人民检察院 公安机关 司法行政机关 监察机关 仲裁委员会 行政机关 国务院",
    "县级 市级 省级",
    "书面 口头",
    "有效 无效 成立 生效 可撤销",
    "连带责任 按份责任 补充责任 全部责任",
    "责任 义务 权利",
    "规定 约定",
    "处罚 处分",
    "原告 被告 第三人",
    "债权人 债务人 保证人",
    "出租人 承租人",
    "出卖人 买受人",
    "用人单位 劳动者 用工单位",
    "发包人 承包人",
    "委托人 受托人 代理人 被代理人",
    "投保人 被保险人 保险人 受益人",
    "抵押人 抵押权人",
    "男方 女方",
    "主要 次要",
    "明示 默示",
    "公开 不公开",
)
"""In each line, terms of which one for another makes another rule."""
_TIERS = ("以上", "较大", "较轻", "死刑", "从轻")
"""A term of each line in which an article may state several tiers: a summary may put together the
condition of one tier and the penalty of another."""
_AND, _OR = frozenset(("并且", "以及", "和", "及", "与")), frozenset(("或者", "或"))
_SAME_RULE = {"可以", "有权"}
"""Terms of one line that are equivalent all the same."""
_NEGATIONS = frozenset("不未非无")
_DIGITS = "〇零一二两三四五六七八九十百千万亿半"
_UNITS = "个?(?:工作日|小时|自然日|月|星期)|[年日周岁元倍次户人天]"
_NUMBER = rf"(?:百分之|千分之|万分之)?[{_DIGITS}0-9]+(?:{_UNITS})?"
_DIGITS_OF_UNIT = re.compile(
    r"(?<![0-9a-z])[1-9][0-9]{0,3}(?=[年月日元周岁倍天人次条款项万亿]|个|小时|以上|以下|以内)"
)
_LINE = {term: at for at, line in enumerate(_COUNTERPARTS) for term in line.split()}
_TERMS = "|".join(sorted(map(re.escape, _LINE), key=len, reverse=True))
_TOKEN = re.compile(rf"{_TERMS}|{_NUMBER}|[A-Za-z]+|(?s:.)")
_OF_NUMBER = re.compile(_NUMBER)
_VALUE = re.compile(rf"(?<!之)[{_DIGITS}0-9]+")
_FEWEST_AT_END = 3
"""Letters in common behind a difference; with fewer, a summary may go on there."""
_MARGINS = (0, 6)
"""Letters of the wording compared on both sides of the part most like the sentence; words that the
wording repeats are aligned rightly without them."""
_AROUND = 2
_LONG, _AROUND_LONG = 8, 6
"""Letters in common before a substituted number, and those of them that identify its tier."""


def plain_numbers(folded: str) -> str:
    """A folded text with the numbers of units in Chinese numerals: 3年 becomes 三年.

    >>> plain_numbers("处15日以下拘留")
    '处十五日以下拘留'
    """
    return _DIGITS_OF_UNIT.sub(lambda match: format_numeral(int(match[0])), folded)


def tokens(text: str) -> Sequence[str]:
    """Split a text into terms, numbers with their units, and single characters.

    >>> tokens("处五年以下有期徒刑")
    ['处', '五年', '以下', '有期徒刑']
    """
    return _TOKEN.findall(text)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The part of a sentence that a wording has, apart from substituted terms."""

    start: int = 0
    end: int = 0
    """In the sentence."""
    equal: int = 0
    """Letters that are the same."""
    substitutions: tuple[tuple[str, str], ...] = ()
    """Pairs of the wording's term and the sentence's."""

    @property
    def length(self) -> int:
        """Letters of the sentence in it."""
        return self.end - self.start

    @property
    def quality(self) -> tuple[int, int]:
        """Sort key: the longest part, with the fewest substitutions."""
        return self.length, -len(self.substitutions)


@dataclass(frozen=True, slots=True)
class _Step:
    """A run of words in common, or a difference between two such runs."""

    old: str
    """In the wording."""
    new: str
    """In the sentence."""
    same: bool = False

    @property
    def equal(self) -> int:
        return len(self.new) if self.same else 0


def align(sentence: str, wording: str, stops: frozenset[int] = frozenset()) -> Alignment:
    """Find the part of a sentence that a wording has, with the terms substituted in it.

    From the longest run in common it goes on over substituted terms, and ends at any other
    difference: there a summary, or somebody's own words, begin. Both are folded; ``stops`` are
    where the sentence had a stop before.
    """
    words = tokens(wording)
    if len(sentence) >= len(wording):
        return _align(sentence, words, wording, stops)
    aligned = fuzz.partial_ratio_alignment(sentence, wording)
    if aligned is None:
        return Alignment()
    ends = list(accumulate(map(len, words)))
    found: list[Alignment] = []
    for margin in _MARGINS:
        first = bisect_right(ends, aligned.dest_start - margin)
        window = words[first : bisect_left(ends, aligned.dest_end + margin) + 1]
        found.append(_align(sentence, window, wording, stops))
    return max(found, key=lambda one: one.quality)


def _align(sentence: str, window: Sequence[str], wording: str, stops: frozenset[int]) -> Alignment:
    """Align a sentence with some words of a wording."""
    steps = list(_steps(window, tokens(sentence)))
    anchor = max(range(len(steps)), key=lambda at: steps[at].equal, default=-1)
    if anchor < 0 or not steps[anchor].equal:
        return Alignment()
    places = [0, *accumulate(len(one.new) for one in steps)]
    stops |= {0, len(sentence)}
    before = _reached([(one, places[at] in stops) for at, one in enumerate(steps)][:anchor][::-1])
    after = _reached([(one, places[at] in stops) for at, one in enumerate(steps, 1)][anchor + 1 :])
    core = [*before[::-1], steps[anchor], *after]
    substitutions = [
        (one.old, one.new)
        for at, one in enumerate(core)
        if not one.equal and not _is_of_other_tier(core[at - 1].new, one, wording)
    ]
    if _is_one_tier(core, wording):
        substitutions = []
    start, end = places[anchor - len(before)], places[anchor + len(after) + 1]
    return Alignment(start, end, sum(one.equal for one in core), tuple(substitutions))


def _steps(old: Sequence[str], new: Sequence[str]) -> Iterator[_Step]:
    """Runs in common and differences, neighbouring differences as one; 10日 equals 十日."""
    plain = ([_plain(one) if _OF_NUMBER.fullmatch(one) else one for one in of] for of in (old, new))
    changes = Levenshtein.opcodes(*plain)
    for same, group in groupby(changes, key=lambda change: change.tag == "equal"):
        run = list(group)
        yield _Step(
            "".join(old[run[0].src_start : run[-1].src_end]),
            "".join(new[run[0].dest_start : run[-1].dest_end]),
            same,
        )


def _is_of_other_tier(before: str, step: _Step, wording: str) -> bool:
    """Whether the wording has the substituted term after the same letters elsewhere.

    A number behind many letters in common belongs to no other tier. No tier has two lower bounds
    or two upper ones: 五千元以上二万元以上 is of none.
    """
    is_number = _OF_NUMBER.fullmatch(step.new)
    if not (is_number or _is_of_tiers(step.new)):
        return False
    if step.new in ("以上", "以下") and re.search(rf"{step.new}{_NUMBER}元?$", before):
        return False
    sure = len(before) >= _LONG and is_number
    around = _AROUND_LONG if sure else _AROUND
    return f"{before[-around:]}{step.new}" in wording


def _is_one_tier(core: Sequence[_Step], wording: str) -> bool:
    """Whether the wording has all substitutions, from first to last, as one of its tiers.

    标准为十级伤残为七个月的工资 leaves out what precedes 十级 in a list that begins with 七级.
    """
    changed = [at for at, one in enumerate(core) if not one.equal]
    if len(changed) < 2:
        return False
    inside = "".join(one.new for one in core[changed[0] : changed[-1] + 1])
    behind = "".join(one.new for one in core[changed[-1] + 1 :])
    return plain_numbers(inside + behind[:_AROUND]) in wording


def _reached(steps: Sequence[tuple[_Step, bool]]) -> list[_Step]:
    """The steps from the anchor on in which the sentence only substitutes terms.

    Each comes with whether the sentence has a stop behind it.
    """
    certain = 0
    for reached, (one, stops) in enumerate(steps, 1):
        if not one.equal and not _is_substitution(one.old, one.new):
            break
        surely = one.equal if stops else one.equal >= _FEWEST_AT_END
        if surely or (stops and one.new in _LINE and not _is_of_tiers(one.new)):
            certain = reached
    return [one for one, _ in steps[:certain]]


def _is_of_tiers(term: str) -> bool:
    return any(_LINE.get(term) == _LINE[one] for one in _TIERS)


def _is_substitution(old: str, new: str) -> bool:
    """Whether a term replaces its counterpart, a number another, or a 不 is added or dropped."""
    if {old, new} & _NEGATIONS and "" in (old, new):
        return True
    if old in _LINE and new in _LINE:
        return _LINE[old] == _LINE[new] and {old, new} != _SAME_RULE
    if (old in _AND and new in _OR) or (old in _OR and new in _AND):
        return True
    numbers = _OF_NUMBER.fullmatch(old) and _OF_NUMBER.fullmatch(new)
    return bool(numbers) and _plain(old) != _plain(new)


def _plain(number: str) -> str:
    """A number with its unit, in digits where it can be read: 三年 becomes 3年."""
    match = _VALUE.search(number)
    if match is None:
        return number
    try:
        return number.replace(match[0], str(_value(match[0]))).replace("天", "日")
    except IdentifierError:
        return number


def _value(written: str) -> int:
    """The value of a number: 五万, 5万 and 50000 are the same.

    Raises:
        IdentifierError: if it is none that can be read.
    """
    for unit, worth in (("亿", 10**8), ("万", 10**4)):
        many, found, rest = written.partition(unit)
        if found and many:
            return _value(many) * worth + (_value(rest) if rest else 0)
    return parse_numeral(written)
