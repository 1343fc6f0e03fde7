"""Answers read from the words of a model, in every form the benchmarks ask for.

``<answer>`` tags (LegalSearch-R1, MSR2), the letter of a choice (L-MARS), and a predicted judgment.
The last is read field by field from ``法条：第264条；罪名：盗窃；刑期：8个月``, and from free text
as PLJP does: the highest number in 第…条; the one charge of the test set named, else what
`charge_words.yaml` makes of the words; the last of the class names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, cast

from inforce.documents.safe_yaml import read_yaml
from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral
from inforce.law.penalties.prison_term import pronounced
from inforce.scoring.term_classes import DEATH_OR_LIFE, NO_TERM, TEN, eleven, ten

WithoutTag = Literal["whole", "none"]
"""The answer of a text without ``<answer>``: all of it, as in evaluation, or nothing, as in
training."""

PARSE_ERROR: Final = "PARSE_ERROR"
"""No letter could be read: the answer is wrong, and counted separately."""

UNREAD = "#"
"""The label of an unreadable answer (PLJP's, for charges)."""

_OPENS = re.compile(r"<answer>", re.IGNORECASE)
_CLOSES = re.compile(r"</answer>", re.IGNORECASE)
"""Two patterns: one for both takes hours on the reply of a model that repeats itself."""
_BETWEEN_CHARGES = re.compile(r"[;；]")
_CRIME = "罪"

_LETTERS: Final = (
    re.compile(r"ANSWER:\s*([A-D])", re.IGNORECASE),
    re.compile(r"\A([A-D])[.)\s]", re.IGNORECASE),
    re.compile(r"\b([A-D])\b"),
)
"""Stated; first in the text; the first capital letter on its own, even if it is an article."""

_FIELD = re.compile(r"(法条|罪名|刑期)\s*[:：]\s*([^；;\n<]*)")
_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.IGNORECASE | re.DOTALL)
_ARTICLE = re.compile(r"第\s*([0-9〇零一二两三四五六七八九十百千]{1,9})\s*条")
_BARE_ARTICLE = re.compile(r"[0-9]{1,4}")
_ENDLESS = re.compile(r"[\d〇零一二两三四五六七八九十百]{10,}|\s{10,}")
"""Too long for a number of months or years: a model that repeats itself."""
_CLASSES: Mapping[str, int] = {
    **{name: term for term, name in enumerate(TEN) if name != NO_TERM},
    "六个月以上九个月以下": 2,
    "九个月以上一年以下": 3,
    "一年以上两年以下": 4,
    "两年以上三年以下": 5,
    "三年以上五年以下": 6,
    "五年以上七年以下": 7,
    "七年以上十年以下": 8,
}
"""Class names as PLJP and as CJO22 write them. 其他 is in many texts that mean no class, so it is
read only if it is the whole text."""


def tagged_answer(text: str, *, without_tag: WithoutTag = "whole") -> str:
    """The trimmed text between the first ``<answer>`` and its end.

    >>> tagged_answer("<think>…</think><ANSWER> AC </ANSWER><answer>B</answer>")
    'AC'
    >>> tagged_answer(" B "), tagged_answer("B", without_tag="none")
    ('B', '')
    """
    opens = _OPENS.search(text)
    closes = _CLOSES.search(text, opens.end()) if opens else None
    if opens and closes:
        return text[opens.end() : closes.start()].strip()
    return text.strip() if without_tag == "whole" else ""


def has_answer(text: str) -> bool:
    """True if a text has an ``<answer>`` and its end."""
    opens = _OPENS.search(text)
    return bool(opens and _CLOSES.search(text, opens.end()))


def choice_letter(text: str) -> str:
    """The letter A to D of an answer, or ``PARSE_ERROR``, as L-MARS's evaluation reads it.

    >>> choice_letter("It was revoked. Answer: b"), choice_letter("c) in part")
    ('B', 'C')
    >>> choice_letter("I think (D)."), choice_letter("It was revoked.")
    ('D', 'PARSE_ERROR')
    """
    text = text.strip()
    found = (pattern.search(text) for pattern in _LETTERS)
    return next((match[1].upper() for match in found if match), PARSE_ERROR)


def charges(text: str) -> tuple[str, ...]:
    """The charges of an answer, separated by semicolons of either width.

    >>> charges("盗窃; 诈骗；")
    ('盗窃', '诈骗')
    """
    return tuple(part.strip() for part in _BETWEEN_CHARGES.split(text) if part.strip())


def same_charges(answer: str, target: str) -> bool:
    """True if an answer names exactly the charges of the target, in any order.

    An answer may add 罪 to a charge, but not leave out a 罪 of the target.

    >>> same_charges("诈骗罪；盗窃", "盗窃;诈骗"), same_charges("盗窃", "盗窃罪")
    (True, False)
    """
    named, gold = charges(answer), charges(target)
    return len(named) == len(gold) and all(
        charge in named or f"{charge}{_CRIME}" in named for charge in gold
    )


@dataclass(frozen=True, slots=True)
class TermAnswer:
    """The prison term of an answer, at least as a class."""

    ten: int
    eleven: int
    months: int | None = None
    """``None`` if the answer gives a class alone, or the sentence is death or life."""


@dataclass(frozen=True, slots=True)
class ChargeNames:
    """The names of charges."""

    known: frozenset[str]
    """All of them: valid values of the form."""
    tested: frozenset[str]
    """Those of the test set, which PLJP's rule looks for in free text."""


@dataclass(frozen=True, slots=True)
class JudgmentAnswer:
    """The judgment that an answer predicts."""

    article: int
    """0: none."""
    charge: str
    """``#``: none."""
    term: TermAnswer | None


def read_judgment(text: str, names: ChargeNames) -> JudgmentAnswer:
    """Read article, charge and term from a text."""
    plain = text.replace("*", "")
    form = {name: value.strip() for name, value in _FIELD.findall(plain) if value.strip()}
    return JudgmentAnswer(
        read_article(plain, filled_in=form.get("法条", "")),
        read_charge(plain, names, filled_in=form.get("罪名", "")),
        read_term(plain, filled_in=form.get("刑期", "")),
    )


def read_article(text: str, *, filled_in: str = "") -> int:
    """Read the highest article named; 0 for none.

    >>> read_article("依照第六十七条第三款、第二百六十四条"), read_article("", filled_in="264")
    (264, 264)
    """
    numbers = _ARTICLE.findall(filled_in) or _BARE_ARTICLE.findall(filled_in)
    return max(map(_number, numbers or _ARTICLE.findall(text)), default=0)


def read_charge(text: str, names: ChargeNames, *, filled_in: str = "") -> str:
    """Read the charge named; `UNREAD` for none or several."""
    if not filled_in:
        return _charge_by_rules(text, names.tested)
    name = filled_in.strip(" 。“”\"'").removesuffix(_CRIME)
    return name if name in names.known else _charge_by_rules(filled_in, names.tested)


def read_term(text: str, *, filled_in: str = "") -> TermAnswer | None:
    r"""Read the term; ``None`` for none. MSR2 begins its answer with the term.

    >>> read_term("有期徒刑三年六个月\n数额巨大，三年以上十年以下")
    TermAnswer(ten=6, eleven=4, months=42)
    >>> read_term("刑期为九个月到一年")
    TermAnswer(ten=3, eleven=7, months=None)
    """
    tagged = [one for one in _TAGGED.findall(text) if one.strip()]
    if answer := filled_in or (tagged[-1] if tagged else ""):
        return _term(answer)
    return _term(text.strip().split("\n", 1)[0]) or _term(text)


def _term(text: str) -> TermAnswer | None:
    """Read a class name, else a term: the class 九个月到一年 would be read as nine months."""
    text = _ENDLESS.sub(" ", text)
    named = [term for name, term in _CLASSES.items() if name in text]
    if named:
        return TermAnswer(named[-1], len(TEN) - named[-1])
    if text.strip(" 。") == NO_TERM:
        return TermAnswer(0, eleven(0))
    try:
        term = pronounced(text)
    except IdentifierError:
        return None
    if term.kind in ("death", "life"):
        return TermAnswer(0, DEATH_OR_LIFE)
    months = term.months or 0
    return TermAnswer(ten(months), eleven(months), months)


def _number(text: str) -> int:
    try:
        return parse_numeral(text)
    except IdentifierError:
        return 0


def _charge_by_rules(text: str, names: Collection[str]) -> str:
    """The single name in a text (合同诈骗 is not also 诈骗), else the charge of a short name."""
    contained = [name for name in names if name in text]
    whole = [
        one for one in contained if not any(one in other and one != other for other in contained)
    ]
    if len(whole) == 1:
        return whole[0]
    candidates = [
        name
        for name, groups in _charge_words().items()
        if any(all(word in text for word in group) for group in groups)
    ]
    return max(candidates, key=len, default=UNREAD)


@cache
def _charge_words() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    text = files("inforce.scoring").joinpath("charge_words.yaml").read_text(encoding="utf-8")
    rules = cast("Mapping[str, list[str]]", read_yaml(text))
    return {name: tuple(tuple(one.split()) for one in groups) for name, groups in rules.items()}
