"""Reads the sentence from an answer that pronounces one and says nothing else.

MSR2's answer is a term (36个月). A policy that may write more can mention the right term and not
pronounce it (约三年, 有期徒刑三年系笔误), in more ways than can be listed. So the whole answer
must consist of what a judgment pronounces: crimes, terms, probation, fine, political rights.

>>> plain_sentence("犯盗窃罪，判处有期徒刑三年，缓刑四年，并处罚金五千元")
36
>>> plain_sentence("约三年") is None
True
"""

from __future__ import annotations

import re

from inforce.errors import IdentifierError
from inforce.law.penalties.prison_term import pronounced

_N = r"(?:(?<!\d)\d{1,3}|(?<![〇零一二两三四五六七八九十百])[〇零一二两三四五六七八九十百]{1,5})"
_CHINESE = rf"(?:{_N}\s?年半?(?:[零又]?\s?{_N}\s?个?月)?|{_N}\s?个?月)"
_ENGLISH = rf"(?:{_N} years?(?:,? (?:and )?{_N} months?)?|{_N} months?)"
_LENGTH = re.compile(f"{_CHINESE}|{_ENGLISH}", re.IGNORECASE)
_KIND = "(?:有期徒刑|拘役|管制)"
_VERB = "(?:判处|决定执行|合并执行|(?:预测)?刑期[为是]?|量刑为?|处)"
_UNTIMED = re.compile(
    "(?:判处)?(?:无期徒刑|死刑|免[予于]刑事处罚)|life imprisonment|death(?: penalty)?",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    rf"缓刑(?:考验期限?)?[为:：]?{_CHINESE}|剥夺政治权利(?:终身|{_CHINESE})|缓期[二两2]年执行"
    r"|(?:[并单]?处)?(?:罚金|没收个人财产)(?:人民币)?(?:[\d,.〇零一二两三四五六七八九十百千万]+元)?"
)
"""What is pronounced beside the main penalty."""
_PARTS = (
    r"(?:对?被告人[^\W\d犯不未无]{1,4})?犯[^\s\d年月，。；]{1,20}?罪",
    "数罪并罚",
    _BESIDE.pattern,
    rf"{_VERB}?[:：]?\s?{_KIND}?[为:：]?\s?{_CHINESE}(?:[的之]?{_KIND})?",
    rf"(?:sentenced to |a sentence of )?{_ENGLISH}(?:(?: of|'| in)? (?:imprisonment|prison))?",
    _UNTIMED.pattern,
    r"[\s，,。.；;:：（）()]",
)
_ANSWER = re.compile(f"(?:{'|'.join(_PARTS)})*+", re.IGNORECASE)
_LONGEST = 400
"""Characters of an answer that is read."""
_MOST_MONTHS = {"control": 36, "detention": 12, "imprisonment": 300}
"""Longest terms for several crimes together (刑法 art. 69)."""


def plain_sentence(answer: str) -> int | None:
    """Return the months of a sentence; 0 for death, life and exemption, ``None`` for none.

    Of several terms one must be what is executed (数罪并罚, 决定执行).
    """
    try:
        if not (answer.strip().isdecimal() or _is_plain(answer)):
            return None
        term = pronounced(answer)
    except IdentifierError:
        return None
    months = term.months or 0
    return months if months <= _MOST_MONTHS.get(term.kind, 0) else None


def _is_plain(answer: str) -> bool:
    if len(answer) > _LONGEST or not _ANSWER.fullmatch(answer):
        return False
    main = _BESIDE.sub("", answer)
    untimed = len(_UNTIMED.findall(main))
    lengths = {pronounced(one).months for one in _LENGTH.findall(main)}
    return len(lengths) + untimed == 1 or (main.count("执行") == 1 and not untimed)
