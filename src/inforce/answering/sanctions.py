"""The sanction a question asks about: punishment by a court, by the police, or none of these.

No punishment without a law that states it: what somebody goes to prison for is in 刑法 (art. 3),
what the police detain and fine for in 治安管理处罚法. A provision of another law that matches the
words better still does not answer such a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.offences import article_of, likely_offences
from inforce.law.registry import STATE
from inforce.law.rules import CRIMINAL_LAW

PUBLIC_SECURITY = f"{STATE}治安管理处罚法"

_CRIMINAL = re.compile(
    "坐牢|坐监|蹲监狱|判(?:[他她我]们?|老板|对方)?的?刑|判(?:几|多少|多久|死刑|无期)|(?:怎么|如何|按什么|会被|还会再)判(?!决|令|给)|枪毙|入刑|量刑|法定刑|刑罚"
    "|刑事责任|构成(?:什么|何种)?(?:犯)?罪|犯(?:了)?(?:什么|啥)?罪|罪(?:如何|怎么|怎样)处罚|(?:有|算|是)(?:没有|不算|不是)?[^，。？]{0,8}罪(?:吗|么|嘛)|抓(?:他|她|我)坐牢"
    "|(?:告|追究)[^，。？]{0,12}罪|(?i:criminal|\\bcrimes?\\b|jail|prison|sentenced?|felony)"
)
_POLICE = re.compile(
    "(?:警察|公安|派出所)[^，。？]{0,8}(?:罚|处罚|拘留|抓|管)|(?:行政|治安)拘留|拘留(?:几|多少)[天日]"
    "|治安处罚|(?i:police (?:fine|detain)|administrative detention)"
)
_PENALTY = re.compile(
    "量刑|法定刑|刑罚|处罚|怎么判|如何判|判(?:几|多少|刑)|刑期|(?i:penalt|punish|sentence)"
)

_ASKS_SANCTION = re.compile(
    f"{_PENALTY.pattern}|罚款|罚多少|罚几|怎么罚|会被罚|罚金|坐牢|吊销|(?i:fined?\\b|sanction)"
)
_SANCTION = re.compile("罚款|罚金|吊销|没收|拘留|拘役|徒刑|死刑|警告|处分")
_BY_REFERENCE = re.compile(
    "依照(?:本法)?(第[一二三四五六七八九十百零]+条(?:之[一二三四五六七八九十]+)?)[^。；]{0,30}处罚"
)
_DEFINED = re.compile("是(?P<name>[^，。；、是]{2,8}罪)[。；]")
_BREACH = re.compile("(?:违反|有)本(?:法|条例|办法|规定)(?P<articles>[^。；]{0,60})")
_RUN = re.compile(
    "(?P<first>第[一二三四五六七八九十百零]+条(?:之[一二三四五六七八九十]+)?)"
    "(?:[至到](?P<last>第[一二三四五六七八九十百零]+条))?"
)

_FEW = 2
"""Sanctions that are quoted beside a prohibition; an article that more cite says little of each."""

_MORE_LIKELY = 4.0
"""By how much the odds of the law that states the sanction rise, and those of others fall."""


def sanctioning_law(question: str) -> str | None:
    """The law that states the sanction a question asks about; ``None`` if it asks about none.

    >>> sanctioning_law("楼上邻居总往下面扔酒瓶，他会被判刑吗")
    '中华人民共和国刑法'
    >>> sanctioning_law("邻居半夜吵闹，警察能罚他吗")
    '中华人民共和国治安管理处罚法'
    """
    if _CRIMINAL.search(question):
        return CRIMINAL_LAW
    return PUBLIC_SECURITY if _POLICE.search(question) else None


def weighed_by_sanction(chance: float, work: str, law: str | None) -> float:
    """The chance that a provision answers, given the law of the sanction asked about.

    Laws on procedure and interpretations refer to the same sanctions: their chance is not changed.
    """
    if law is None or work.endswith(("诉讼法", "解释", "规定", "意见", "批复")):
        return chance
    odds = chance / max(1 - chance, 1e-6)
    odds *= _MORE_LIKELY if work == law else 1 / _MORE_LIKELY
    return odds / (1 + odds)


def penalty_articles(question: str, matter: str) -> Iterable[ProvisionNumber]:
    """The articles of 刑法 that state the penalty of the offences a question names.

    Another article may define the offence: 贪污 is defined in art. 382, punished in art. 383.
    """
    if not _PENALTY.search(question):
        return ()
    articles = map(article_of, likely_offences(f"{question} {matter}")[:1])
    return tuple(number for number in articles if number)


def asks_for_sanction(question: str) -> bool:
    """Whether a question asks how something is punished or fined."""
    return bool(_ASKS_SANCTION.search(question))


def states_sanction(provision: Provision) -> bool:
    """Whether a provision states a sanction itself."""
    return bool(_SANCTION.search(provision.text))


def sanctions_of(provision: Provision, law: Iterable[Provision]) -> tuple[ProvisionNumber, ...]:
    """The articles of its law that state the sanction of a provision that states none itself.

    Those by which it is punished (刑法 386: 依照本法第三百八十三条的规定处罚), and of a crime that
    it defines those on who commits it (对犯受贿罪的); else the one or two that state a sanction
    for its breach (广告法 57 for what art. 9 forbids).
    """
    if states_sanction(provision):
        return ()
    law = tuple(law)
    if defined := _DEFINED.search(provision.text):
        committed = f"对犯{defined['name']}的"
        found = [other for other in law if other.text.startswith(committed)]
        by_reference = (number for other in found for number in sanctions_of(other, law))
        return tuple(dict.fromkeys((*(other.number for other in found), *by_reference)))
    if named := _BY_REFERENCE.findall(provision.text):
        return tuple(map(ProvisionNumber.parse, named))
    of_breach = (other for other in law if _punishes_breach_of(provision.number, other.text))
    found = tuple(other.number for other in of_breach if _SANCTION.search(other.text))
    return found if len(found) <= _FEW else ()


def _punishes_breach_of(number: ProvisionNumber, text: str) -> bool:
    """Whether a text names an article that was broken, by itself or in a run of articles."""
    for breach in _BREACH.finditer(text):
        for run in _RUN.finditer(breach["articles"]):
            first = ProvisionNumber.parse(run["first"])
            last = ProvisionNumber.parse(run["last"]) if run["last"] else first
            if first <= number <= last:
                return True
    return False
