"""Crime names of a document against those official on the days (罪名规定 and supplements).

A name counts where somebody is said to have committed, or to be charged with, that crime.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import NamedTuple

from inforce.corpus.starter import starter_captions
from inforce.corpus.titles import abbreviates
from inforce.documents.document import Document
from inforce.law.ids import Portion
from inforce.law.model import Caption
from inforce.verification.document_dates import DocumentDates
from inforce.verification.findings import Finding

_CHARGED = re.compile(
    r"(?:构成|犯有?|涉嫌|成立|认定为|定性为|指控|以|按照?|依)(?P<name>[一-鿿、（）]{2,40}?罪)"
    r"(?![名行犯所责数过刑恶证状嫌]|与非罪|轻|重)"
)
_PLAIN = re.compile(
    r"(?:构成|涉嫌|犯|以|按)(?P<name>[一-鿿、]{2,14}罪)(?=定罪|追究|判处|提起|起诉|论处|处罚|移送|立案|批准逮捕|，|。|；|、|,|$)"
)
_NO_NAME = re.compile(
    r"^(?:.*[犯有无数本此该前后漏新一重轻认何余各他她其款条项归之]罪|.*(?:的|是|为|在|该|其|了|被告|共同|单位|故意|过失|职务|等|何种|什么)罪"
    r"|.*(?:犯罪|有罪|无罪|数罪|认罪|悔罪|本罪|该罪|此罪|重罪|轻罪|同罪|一罪|余罪|原罪|之罪|自首|谢罪|定罪|其罪))$"
)
_ONE_OF_SEVERAL = re.compile(
    r"(?:^|(?<=罪)(?:、|以及|和|与|及|或者?))(?P<name>.+?罪)(?=、|以及|和|与|及|或|$)"
)
"""One of the names in 抢劫罪和抢夺罪."""
_SHORTEST_SELECTION = 3
_JOINS = re.compile(
    r"的|为|是|在|并|已|又|均|所|于|因|将|与其|以及|伙同|构成|涉嫌|人|某|犯(?!罪)|案"
)
"""Words that are in no crime name, so that unknown text with them is none."""


class _Mention(NamedTuple):
    name: str
    start: int
    end: int
    known: bool


class _OfficialNames(NamedTuple):
    work: str
    captions: dict[str, tuple[Caption, ...]]
    first: date
    """The first day for which names are known."""

    def captions_of(self, name: str) -> tuple[Caption, ...]:
        """The captions of a name, or of one it is a selection from.

        走私、贩卖、运输、制造毒品罪 is charged as 贩卖毒品罪 where nothing else was done.
        """
        if name in self.captions:
            return self.captions[name]
        found = [
            caption
            for official, of in self.captions.items()
            if "、" in official and _is_selection(name, official)
            for caption in of
        ]
        return tuple(found)


def caption_end(text: str, start: int, end: int) -> int:
    """Where the words of an article begin that an editor has headed with the name of a crime.

    >>> caption_end("诈骗罪诈骗公私财物，数额较大的", 0, 15)
    3
    """
    words = text[start:end]
    named = [one for one in _official().captions if words.startswith(one)]
    name = max(named, key=len, default="")
    return start + len(name) if len(words) > len(name) + len("的，") else start


def _is_selection(name: str, official: str) -> bool:
    """Whether a name is an official one with some of its alternatives left out."""
    long_enough = len(name) >= _SHORTEST_SELECTION
    return long_enough and abbreviates(name.removesuffix("罪"), official.removesuffix("罪"))


@cache
def _official() -> _OfficialNames:
    """The crime names of 刑法."""
    names = starter_captions()
    found: dict[str, list[Caption]] = {}
    for caption in names.captions:
        found.setdefault(caption.name, []).append(caption)
    first = min(one.window.start for one in names.captions)
    return _OfficialNames(names.work, {name: tuple(of) for name, of in found.items()}, first)


def crime_name_findings(document: Document, dates: DocumentDates) -> Iterator[Finding]:
    """A finding for each crime name; the same name about the same days is reported once."""
    reported: set[tuple[str, str]] = set()
    for mention in _find_mentions(document.text):
        days = dates.at(mention.start, mention.end)
        key = (mention.name, str(days))
        if key in reported:
            continue
        reported.add(key)
        base = Finding("right", "crime_name", mention.start, mention.end, mention.name, days=days)
        finding = _finding(base, mention)
        if finding is not None:
            yield finding


def _find_mentions(text: str) -> Iterator[_Mention]:
    official = _official().captions
    longest = sorted(official, key=len, reverse=True)
    seen: set[int] = set()
    for match in _CHARGED.finditer(text):
        written = match["name"]
        name = next((one for one in longest if written.endswith(one)), "")
        if name and match.end() not in seen:
            seen.add(match.end())
            yield _Mention(name, match.end("name") - len(name), match.end("name"), known=True)
    for match in _PLAIN.finditer(text):
        for one in _ONE_OF_SEVERAL.finditer(match["name"]):
            written = one["name"]
            start, end = (match.start("name") + at for at in one.span("name"))
            known = bool(_official().captions_of(written))
            if end in seen or (not known and (_NO_NAME.match(written) or _JOINS.search(written))):
                continue
            seen.add(end)
            yield _Mention(written, start, end, known=known)


def _finding(base: Finding, mention: _Mention) -> Finding | None:
    official = _official()
    base = replace(base, work=official.work)
    days = base.days
    if days is None:
        return replace(base, kind="not_checked", reason="no_date") if mention.known else None
    if all(one.end is not None and one.end <= official.first for one in days.facts):
        return replace(base, kind="not_checked", reason="no_crime_names_held")
    if not mention.known:
        return replace(base, kind="wrong_name", reason="never_official")
    captions = official.captions_of(mention.name)
    base = replace(base, portion=Portion(captions[0].number))
    concerned = (*days.facts, *((days.trial,) if days.trial else ()))
    if any(one.window.overlaps(window) for one in captions for window in concerned):
        return base
    then = tuple(
        other
        for other, of in official.captions.items()
        for one in of
        if one.number in {caption.number for caption in captions}
        and any(one.window.overlaps(day) for day in days.facts)
    )
    windows = "; ".join(str(one.window) for one in captions)
    return replace(
        base,
        kind="wrong_name",
        reason="official_at_another_time",
        names=tuple(dict.fromkeys(then)),
        details=(windows,),
    )
