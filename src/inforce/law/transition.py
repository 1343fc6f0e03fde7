"""The rules that say which law reaches which facts, each with its source.

General rules are constants; what an instrument says of single provisions (a notarised will, a
recidivist, …) is a row of `SPECIAL_RULES`. The sentences paraphrase; the source is what binds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from inforce.law.numerals import ProvisionNumber


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on the reach of laws in time."""

    id: str
    """A stable short name, e.g. ``criminal/act``."""
    statement: str
    """What it says, in one English sentence."""
    source: str
    """The provision that says so."""


CRIMINAL_LAW = "中华人民共和国刑法"
CIVIL_CODE = "中华人民共和国民法典"
INHERITANCE_LAW = "中华人民共和国继承法"
LABOUR_CONTRACT_LAW = "中华人民共和国劳动合同法"
CIVIL_CODE_COMMENCED = date(2021, 1, 1)
PENALTIES_LENITY_COMMENCED = date(2021, 7, 15)
"""行政处罚法 of 2021, whose art. 37 wrote 从旧兼从轻 into administrative penalties."""

CRIMINAL_ACT = Rule(
    "criminal/act",
    "The law in force when the act was done governs, unless the law at trial does not treat it as "
    "a crime or punishes it more lightly (从旧兼从轻).",
    "刑法 art. 12",
)
CRIMINAL_SAME = Rule(
    "criminal/same",
    "Where the law at trial says the same as the law of the act, the law of the act is applied.",
    "法释〔1997〕12号 art. 3",
)
CRIMINAL_LIGHTER = Rule(
    "criminal/lighter",
    "The law at trial governs an earlier act if its statutory maximum is lower or, the maximum "
    "being equal, its minimum; of several tiers, those of the tier that fits the facts count.",
    "刑法 art. 12; 法释〔1997〕12号 arts. 1-2",
)
CRIMINAL_CONTINUING = Rule(
    "criminal/continuing",
    "An offence that continued, or was repeated, across the change is tried as a whole under the "
    "later law; where that is stricter, leniency is to be proposed (written for 1997-10-01 and "
    "followed for later amendments).",
    "最高人民检察院关于对跨越修订刑法施行日期的继续犯罪、连续犯罪以及其他同种数罪应如何具体适用刑法"
    "问题的批复 (高检发释字〔1998〕6号)",
)
INTERPRETATION = Rule(
    "criminal/interpretation",
    "A judicial interpretation reaches back as far as the law it explains; where an earlier one "
    "was in force at the act, that one is applied unless the later one is more favourable.",
    "最高人民法院、最高人民检察院关于适用刑事司法解释时间效力问题的规定 (2001-12-17) arts. 1-3",
)
OTHER_INTERPRETATION = Rule(
    "general/interpretation",
    "A judicial interpretation reaches the cases that its own final article names, as a rule those "
    "not yet finally decided when it commences.",
    "the final article of the interpretation, e.g. 法释〔2020〕15号 art. 28",
)
CRIMINAL_PROCEDURE = Rule(
    "procedure/criminal",
    "Procedure follows the law in force when the step is taken, whenever the act was done; steps "
    "completed before stay valid.",
    "general principle (程序从新); transitional provisions of the amending instrument prevail",
)
CIVIL_PROCEDURE = Rule(
    "procedure/civil",
    "Pending cases follow the amended procedure; steps completed under the former one stay valid.",
    "法释〔2012〕23号 art. 1 (for 2013-01-01; followed for later amendments)",
)
ADMINISTRATIVE_PROCEDURE = Rule(
    "procedure/administrative",
    "Pending cases follow the amended procedure; steps completed under the former one stay valid.",
    "法释〔2015〕9号 art. 26 (for 2015-05-01; followed for later amendments)",
)
CIVIL_OLD = Rule(
    "civil/before-code",
    "Disputes from facts before 2021-01-01 follow the law and interpretations of that time, unless "
    "provided otherwise.",
    "民法典时间效力规定 (法释〔2020〕15号) art. 1 para. 2",
)
CIVIL_NEW = Rule(
    "civil/code",
    "Disputes from facts on or after 2021-01-01 follow 民法典.",
    "民法典时间效力规定 (法释〔2020〕15号) art. 1 para. 1",
)
CIVIL_CONTINUING = Rule(
    "civil/continuing",
    "Disputes from facts that began before 2021-01-01 and lasted beyond it follow 民法典, unless "
    "provided otherwise.",
    "民法典时间效力规定 (法释〔2020〕15号) art. 1 para. 3",
)
CIVIL_BETTER = Rule(
    "civil/better-protection",
    "民法典 applies to earlier facts after all where it better protects civil rights, social and "
    "economic order and the core values; a court has to judge that.",
    "民法典时间效力规定 (法释〔2020〕15号) art. 2",
)
CIVIL_SILENT = Rule(
    "civil/silent",
    "Where the law of the time had no rule and 民法典 has one, 民法典 may be applied unless that "
    "clearly impairs rights, adds duties or defeats reasonable expectations.",
    "民法典时间效力规定 (法释〔2020〕15号) art. 3",
)
SUCCESSION = Rule(
    "civil/succession",
    "Succession opens at death: the day that counts is the death, for the form of a will also the "
    "day it was made.",
    "继承法 art. 2; 民法典 art. 1121",
)
NOT_RETROACTIVE = Rule(
    "general/not-retroactive",
    "Laws do not reach back; the law in force at the time of the facts governs.",
    "立法法 art. 104 (art. 93 of 2015, art. 84 of 2000)",
)
MORE_FAVOURABLE = Rule(
    "general/favourable",
    "A special provision may reach back in order to protect rights and interests better.",
    "立法法 art. 104 (art. 93 of 2015, art. 84 of 2000)",
)
ADMINISTRATIVE_LIGHTER = Rule(
    "administrative/lighter",
    "A penalty follows the law of the time of the violation, unless the law at the decision is "
    "lighter or no longer finds a violation.",
    "行政处罚法 (2021) art. 37",
)


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """What an instrument says of one provision for facts before a day."""

    work: str
    number: ProvisionNumber
    before: date
    """The first day of the later law; facts from this day on are not concerned."""
    rule: Rule


def special_rules(
    work: str, number: ProvisionNumber, *, facts_from: date, trial: date | None = None
) -> tuple[Rule, ...]:
    """The special transitional rules on a provision for facts that began on a day.

    Rules of an instrument that was not yet in force at the trial are left out.
    """
    return tuple(
        special.rule
        for special in SPECIAL_RULES
        if (special.work, special.number) == (work, number)
        and facts_from < special.before
        and (trial is None or trial >= special.before)
    )


_CRIMINAL_1997 = """
63 | 2 | Acts before: sentencing below the statutory minimum follows the former art. 59.
65 | 3 | Recidivism: the former art. 61 if the new crime was before, art. 65 if after.
67 | 4 | Confessing other crimes (para. 2) counts as surrender for earlier acts too.
68 | 5 | Meritorious service for earlier acts follows this article.
77 | 6 | Probation granted before and broken after is revoked under this article.
81 | 7 | Parole in special circumstances (para. 1) is open to those who offended before.
81 | 8 | Recidivists and violent offenders of before may be paroled under the former art. 73.
86 | 9 | Parole granted before and broken after is revoked under this article.
88 | 1 | Limitation where the offender fled follows the former art. 77.
"""
_CRIMINAL_2011 = """
38 | 1 | A restraining order (para. 2) may be made for earlier acts too.
50 | 2 | The former text; the new para. 2 (limited commutation) where it spares an execution.
65 | 3 | Recidivism: the former text if the new crime was before; the new one after, for minors.
66 | 3 | Special recidivism: the former text if the new crime was before, the new text if after.
67 | 4 | Truthful confession (para. 3) mitigates earlier acts too.
68 | 5 | Surrender with major merit: the former para. 2 applies to earlier acts.
69 | 6 | Several crimes: the former text if all were before, the new text if one was after.
72 | 1 | A restraining order (para. 2) may be made for earlier acts too.
77 | 1 | Breaking a restraining order (para. 2) is judged by the new text.
78 | 7 | Life sentences for earlier acts: the former minimum term applies to commutation.
81 | 7 | Life sentences for earlier acts: the former minimum term applies to parole.
81 | 8 | Parole: the former para. 2 for listed crimes, the new paras. 2-3 for other violence.
"""
_CRIMINAL_2015 = """
37-1 | 1 | The ban on a profession (para. 1) does not reach earlier acts.
50 | 2 | Intentional crimes before, while a death sentence was suspended: the new para. 1 applies.
69 | 3 | Several crimes of before with mixed terms: the new para. 2 applies.
246 | 4 | Insult and libel online of before: the new para. 3 (help with evidence) applies.
260 | 5 | Ill-treatment of before, the victim unable to sue: the new para. 3 applies.
284-1 | 6 | Cheating in examinations of before: the former articles, unless this one is lighter.
307-1 | 7 | Sham litigation of before: the former articles, unless this one is lighter.
383 | 8 | Life without release (para. 4) reaches earlier acts where it spares an execution.
"""
_CIVIL_CODE_2021 = """
185 | 6 | Harm to the name of heroes and martyrs: applies to earlier facts.
401 | 7 | A forfeiture clause in a mortgage made before: this article applies.
428 | 7 | A forfeiture clause in a pledge made before: this article applies.
496 | 9 | Standard terms of before, not pointed out or explained: this article applies.
564 | 25 | The right to rescind of before ends one year after 2021-01-01 if known by then.
565 | 10 | Rescission by filing suit without notice, before: para. 2 applies.
580 | 11 | Ending a contract of before that cannot be performed: para. 2 applies.
692 | 27 | A guarantee of before without a clear period: two years or six months may be claimed.
734 | 21 | A tenant's priority to rent again: only if the lease ended after 2021-01-01.
1052 | 26 | Marriage under duress before: the period of para. 2 applies.
1079 | 22 | Divorce refused before and a year's separation since: para. 5 applies.
1125 | 13 | Forfeiture of inheritance by conduct of before: this article applies.
1128 | 14 | Representation by nephews and nieces: applies if the estate was not yet dealt with.
1136 | 15 | A printed will made before: applies if the estate was not yet dealt with.
1142 | 23 | A notarised will of before and a new will after 2021-01-01: para. 3 applies.
1165 | 24 | A tort of before whose harm appeared after 2021-01-01 follows 民法典.
1176 | 16 | Injury in a risky activity joined freely, before: this article applies.
1177 | 17 | Self-help of before: this article applies.
1217 | 18 | A free ride in a private car, before: this article applies.
1254 | 19 | Objects thrown or fallen from buildings, before: this article applies.
"""
_INHERITANCE_2021 = """
17 | 15 | A printed will of before: 民法典 art. 1136, if the estate was not yet dealt with.
20 | 23 | A notarised will of before and a new will after 2021-01-01: 民法典 art. 1142 para. 3.
"""
_LABOUR_2008 = """
14 | art. 97 | The count of successive fixed terms begins with the first renewal after 2008-01-01.
46 | art. 97 | Contracts of before, ended after: severance counts from 2008-01-01.
47 | art. 97 | Contracts of before, ended after: severance counts from 2008-01-01.
"""


def _rows(work: str, before: date, source: str, table: str) -> Iterator[SpecialRule]:
    for line in table.strip().splitlines():
        number, article, statement = (cell.strip() for cell in line.split("|"))
        where = article if article.startswith("art.") else f"art. {article}"
        rule = Rule(f"special/{before.year}/{number}/{article}", statement, f"{source} {where}")
        yield SpecialRule(work, ProvisionNumber.parse(number), before, rule)


SPECIAL_RULES: tuple[SpecialRule, ...] = (
    *_rows(CRIMINAL_LAW, date(1997, 10, 1), "法释〔1997〕5号", _CRIMINAL_1997),
    *_rows(CRIMINAL_LAW, date(2011, 5, 1), "法释〔2011〕9号", _CRIMINAL_2011),
    *_rows(CRIMINAL_LAW, date(2015, 11, 1), "法释〔2015〕19号", _CRIMINAL_2015),
    *_rows(CIVIL_CODE, CIVIL_CODE_COMMENCED, "法释〔2020〕15号", _CIVIL_CODE_2021),
    *_rows(INHERITANCE_LAW, CIVIL_CODE_COMMENCED, "法释〔2020〕15号", _INHERITANCE_2021),
    *_rows(LABOUR_CONTRACT_LAW, date(2008, 1, 1), "劳动合同法", _LABOUR_2008),
)
"""Every special rule this library knows, by instrument and article; not a complete list."""
