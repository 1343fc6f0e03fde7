"""What an answer predicts: article, charge and prison term, read from an agent's own words.

Answers in the form ``法条：第264条；罪名：盗窃；刑期：8个月`` are read field by field. Of others
Free text is read as PLJP reads it: the highest number in 第…条; the one charge of the test set
named, else what `charge_words.yaml` makes of the words; the last of the class names. MSR2 answers
with a term, which stands first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import cast

from inforce.errors import IdentifierError
from inforce.evals.judgment.terms import DEATH_OR_LIFE, NO_TERM, TEN, eleven, ten
from inforce.law.numerals import parse_numeral
from inforce.law.prison_term import PrisonTerm, pronounced
from inforce.tools.plain_yaml import read_yaml

UNREAD = "#"
"""The label of what could not be read (PLJP's, for charges)."""

_FIELD = re.compile(r"(法条|罪名|刑期)\s*[:：]\s*([^；;\n<]*)")
_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.IGNORECASE | re.DOTALL)
_ARTICLE = re.compile(r"第\s*([0-9〇零一二两三四五六七八九十百千]{1,9})\s*条")
_BARE_ARTICLE = re.compile(r"[0-9]{1,4}")
_ENDLESS = re.compile(r"[\d〇零一二两三四五六七八九十百]{10,}|\s{10,}")
"""No number of months or years: a model that repeats itself."""
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
"""Class names as PLJP and as CJO22 write them. 其他 stands in many texts that mean no class: it is
read only where nothing else is said."""


@dataclass(frozen=True, slots=True)
class ReadTerm:
    """A prison term an answer gives, at least as a class."""

    ten: int
    eleven: int
    months: int | None = None
    """``None`` where only a class was given, or the sentence is death or life."""


@dataclass(frozen=True, slots=True)
class Charges:
    """The names charges go by."""

    known: frozenset[str]
    """All of them: a form that is filled in with one of these means it."""
    asked: frozenset[str]
    """Those of the test set: what PLJP's rule looks for in free text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer predicts."""

    article: int
    """0: none."""
    charge: str
    """``#``: none."""
    term: ReadTerm | None


def read_answer(text: str, charges: Charges) -> Answer:
    """Everything a text predicts."""
    plain = text.replace("*", "")
    form = {name: value.strip() for name, value in _FIELD.findall(plain) if value.strip()}
    return Answer(
        read_article(plain, filled_in=form.get("法条", "")),
        read_charge(plain, charges, filled_in=form.get("罪名", "")),
        read_term(plain, filled_in=form.get("刑期", "")),
    )


def read_article(text: str, *, filled_in: str = "") -> int:
    """The highest article named; 0 for none.

    >>> read_article("依照第六十七条第三款、第二百六十四条"), read_article("", filled_in="264")
    (264, 264)
    """
    numbers = _ARTICLE.findall(filled_in) or _BARE_ARTICLE.findall(filled_in)
    return max(map(_number, numbers or _ARTICLE.findall(text)), default=0)


def read_charge(text: str, charges: Charges, *, filled_in: str = "") -> str:
    """The charge named; `UNREAD` for none, or for several."""
    if not filled_in:
        return _by_rules(text, charges.asked)
    name = filled_in.strip(" 。“”\"'").removesuffix("罪")
    return name if name in charges.known else _by_rules(filled_in, charges.asked)


def read_term(text: str, *, filled_in: str = "") -> ReadTerm | None:
    r"""The term given; ``None`` for none.

    >>> read_term("有期徒刑三年六个月\n数额巨大，三年以上十年以下")
    ReadTerm(ten=6, eleven=4, months=42)
    >>> read_term("刑期为九个月到一年")
    ReadTerm(ten=3, eleven=7, months=None)
    """
    tagged = [one for one in _TAGGED.findall(text) if one.strip()]
    said = filled_in or (tagged[-1] if tagged else "")
    if said:
        return _term(said)
    first = text.strip().split("\n", 1)[0]
    return _term(first) or _term(text)


def _term(text: str) -> ReadTerm | None:
    """A class by its name, else a term: 九个月到一年 would otherwise be nine months."""
    text = _ENDLESS.sub(" ", text)
    named = [term for name, term in _CLASSES.items() if name in text]
    if named:
        return ReadTerm(named[-1], len(TEN) - named[-1])
    if text.strip(" 。") == NO_TERM:
        return ReadTerm(0, eleven(0))
    try:
        return _of(pronounced(text))
    except IdentifierError:
        return None


def _of(term: PrisonTerm) -> ReadTerm:
    if term.kind in ("death", "life"):
        return ReadTerm(0, DEATH_OR_LIFE)
    months = term.months or 0
    return ReadTerm(ten(months), eleven(months), months)


def _number(text: str) -> int:
    try:
        return parse_numeral(text)
    except IdentifierError:
        return 0


def _by_rules(text: str, names: Collection[str]) -> str:
    """The single name contained (合同诈骗 is not also 诈骗), else the charge a short name means."""
    contained = [name for name in names if name in text]
    whole = [
        one for one in contained if not any(one in other and one != other for other in contained)
    ]
    if len(whole) == 1:
        return whole[0]
    meant = [name for name, groups in _charge_words().items() if _any_in(groups, text)]
    return max(meant, key=len, default=UNREAD)


def _any_in(groups: Collection[Collection[str]], text: str) -> bool:
    return any(all(word in text for word in group) for group in groups)


@cache
def _charge_words() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    text = files("inforce.evals.judgment").joinpath("charge_words.yaml").read_text(encoding="utf-8")
    rules = cast("Mapping[str, list[str]]", read_yaml(text))
    return {name: tuple(tuple(one.split()) for one in groups) for name, groups in rules.items()}
