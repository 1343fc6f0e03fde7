"""The rules that say which law governs which facts, each with its source.

General rules are constants; what an instrument says of single provisions (a notarised will, a
recidivist, …) is a row of `inforce.law.applicability.special_rules`. The sentences paraphrase; the
source is what binds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import Branch


@dataclass(frozen=True, slots=True)
class Reference:
    """A provision of a work, by its official title and number."""

    work: str
    number: ProvisionNumber

    @classmethod
    def parse(cls, work: str, number: str) -> Reference:
        """A provision from a title and a number in any usual form."""
        return cls(work, ProvisionNumber.parse(number))

    def __str__(self) -> str:
        return f"{self.work} {self.number.chinese}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on which law governs facts of which time."""

    id: str
    """A stable short name, e.g. ``criminal/act``."""
    statement: str
    """What it says, in one English sentence."""
    source: str
    """The provision that says so."""
    provisions: tuple[Reference, ...] = ()
    """The same as references, for quoting the rule itself: always present for a special rule, for a
    general one where a question may ask which law applies."""


CRIMINAL_LAW = "中华人民共和国刑法"
CIVIL_CODE = "中华人民共和国民法典"
CIVIL_CODE_IN_TIME = "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定"
GENERAL_PART = "中华人民共和国民法总则"
GENERAL_PRINCIPLES = "中华人民共和国民法通则"
INHERITANCE_LAW = "中华人民共和国继承法"
MARRIAGE_LAW = "中华人民共和国婚姻法"
CONTRACT_LAW = "中华人民共和国合同法"
PENALTIES_LAW = "中华人民共和国行政处罚法"
CIVIL_CODE_COMMENCED = date(2021, 1, 1)
GENERAL_PART_COMMENCED = date(2017, 10, 1)
PENALTIES_LENITY_COMMENCED = date(2021, 7, 15)
"""行政处罚法 of 2021, whose art. 37 wrote 从旧兼从轻 into administrative penalties."""

CRIMINAL_ACT = Rule(
    "criminal/act",
    "The law in force when the act was done governs, unless the law at trial does not treat it as "
    "a crime or punishes it more lightly (从旧兼从轻).",
    "刑法 art. 12",
    (Reference.parse(CRIMINAL_LAW, "12"),),
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
    (Reference.parse(CRIMINAL_LAW, "12"),),
)
CRIMINAL_BETWEEN = Rule(
    "criminal/between",
    "A wording in force only between act and trial was more lenient; art. 12 names the law of the "
    "act and the law at trial, and whether one in between may be applied is disputed.",
    "刑法 art. 12",
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
TRANSITIONAL = Rule(
    "general/transitional",
    "An instrument on the reach of a law in time speaks of facts before it: it is applied in the "
    "cases decided since it commenced.",
    "the instrument itself, e.g. 法释〔2020〕15号 art. 28",
)
ON_EARLIER_FACTS = Rule(
    "general/on-earlier-facts",
    "The provision itself says what becomes of facts before its law: it is applied since it "
    "commenced.",
    "the provision itself, e.g. 公司法 art. 266 para. 2",
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
PROCEDURE: Mapping[Branch, Rule] = MappingProxyType(
    {
        "criminal procedure": CRIMINAL_PROCEDURE,
        "civil procedure": CIVIL_PROCEDURE,
        "administrative procedure": ADMINISTRATIVE_PROCEDURE,
    }
)
"""The branches that follow the day of the procedural step, with the rule that says so."""
PENALTY_PROCEDURE = Rule(
    "procedure/penalty",
    "The general law of administrative penalties is that in force when the penalty is decided; the "
    "act itself is judged by the law of its day, unless later law is lighter.",
    "法〔2004〕96号 part 3; 行政处罚法 art. 37",
)
CIVIL_OLD = Rule(
    "civil/before-code",
    "Disputes from facts before 2021-01-01 follow the law and interpretations of that time, unless "
    "provided otherwise.",
    "民法典时间效力规定 (法释〔2020〕15号) art. 1 para. 2",
    (Reference.parse(CIVIL_CODE_IN_TIME, "1"),),
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
    (Reference.parse(CIVIL_CODE_IN_TIME, "1"),),
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
LIMITATION_TWO_TO_THREE = Rule(
    "civil/limitation",
    "A limitation period of two years or one that had not run out on 2017-10-01 is three years; "
    "one that had run out stays so.",
    "法释〔2018〕12号 arts. 2-3",
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
    (Reference.parse(PENALTIES_LAW, "37"),),
)
