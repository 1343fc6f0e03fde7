"""Laws by the names that instruments print: found in a sentence, and compared with a title."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from inforce.corpus.compile.clauses import Reference, Target
from inforce.corpus.titles import plain_title, short_title
from inforce.law.registry import find_work

LAW = re.compile("《((?:[^《》]|《[^《》]*》)*)》")
"""A law named in 《》, which may name another one in its title."""

_ISSUER = re.compile("最高人民法院|最高人民检察院|全国人民代表大会常务委员会|国务院|公安部|司法部")

SameLaw = Callable[[str], bool]
"""Whether a name printed in an instrument means the law that is being compiled."""


def law_names(text: str) -> list[str]:
    """The laws named in 《》 in a sentence."""
    return LAW.findall(text)


def same_law_as(title: str) -> SameLaw:
    """Whether a name means the law of this title: with or without its issuer, 《》 and the like.

    A name that states its issuer never means the law of another one.
    """
    known = find_work(title)
    issuers, wanted = _issuers(title), {key_of_title(title)}
    wanted |= set(map(key_of_title, known.short_names if known else ()))

    def same(name: str) -> bool:
        named = _issuers(name)
        if key_of_title(name) in wanted and (not named or not issuers or named == issuers):
            return True
        other = find_work(name)
        return other is not None and known is not None and other.title == known.title

    return same


def key_of_title(name: str) -> str:
    """What titles that may mean the same law have in common."""
    plain = plain_title(name).replace("、", "")
    return short_title(plain).removeprefix("关于")


def _issuers(name: str) -> frozenset[str]:
    """Who issued it, as far as the title begins with that."""
    before = plain_title(name).split("关于", 1)[0]
    return frozenset(_ISSUER.findall(before)) if "关于" in name else frozenset()


def parts_of_law(targets: Iterable[Target], same_law: SameLaw) -> tuple[Target, ...]:
    """What a clause works on without the parts of other laws; a law is of all parts after it."""
    found: list[Target] = []
    for target in targets:
        references: list[Reference] = []
        law = ""
        for reference in target.references:
            law = reference.law or law
            if law in ("", "本") or same_law(law):
                references.append(reference)
        if references or not target.references:
            found.append(replace(target, references=tuple(references)))
    return tuple(found)
