"""The final provisions of a text: when it commences, and which laws it repeals.

``本法自2021年1月1日起施行，《中华人民共和国婚姻法》…同时废止。`` An amended law keeps the clause of
the text that was last published whole; whose commencement a clause states is therefore for
`inforce.corpus.dating` to decide. A decision that abolishes others lists them by title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from inforce.errors import IdentifierError
from inforce.law.history import DAY, calendar_day, find_titles
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber


@dataclass(frozen=True, slots=True)
class PartCommencement:
    """Articles that came into force on a day of their own."""

    numbers: tuple[ProvisionNumber, ...]
    day: date


@dataclass(frozen=True, slots=True)
class Repeal:
    """A law that a text repeals, by the title it is called by there."""

    title: str
    made: date | None = None
    """The day by which it is distinguished from others of its title (``2020年4月13日公布的``)."""


@dataclass(frozen=True, slots=True)
class FinalProvisions:
    """The commencement and repeal clauses of a text."""

    commenced: date | None = None
    on_promulgation: bool = False
    parts: tuple[PartCommencement, ...] = ()
    repeals: tuple[Repeal, ...] = ()


FINAL_ARTICLES = 10
"""How many articles from the end may hold these clauses."""

_BEGINS = "施行|实施|实行|执行|生效"
_SUBJECT = r"(?:本[^，。；\s]{1,12}?|本法（[^（）]{1,40}）)"
_COMMENCEMENT = re.compile(
    rf"{_SUBJECT}(?:由[^，。；\n]{{1,30}}[，,]\s*)?[自从于]\s?({DAY})\s?(?:起\s?)?(?:开始)?(?:{_BEGINS})"
)
_ON_PROMULGATION = re.compile(
    rf"(?:{_SUBJECT}|[，,])(?:由[^，。；\n]{{1,30}}[，,]\s*)?[自从](?:公布|发布|颁布|公告)之日起?"
    rf"(?:开始)?(?:{_BEGINS})"
)
_ARTICLES = re.compile(
    r"第[〇零一二两三四五六七八九十百千]{1,9}条(?:之[一二三四五六七八九十]{1,3})?"
)
_FROM_DAY = re.compile(rf"自\s?({DAY})\s?起(?:{_BEGINS})")
_CLAUSE_ENDS = re.compile(r"[，,。；\n]")
_LONGEST_CLAUSE = 400
_ONLY_NAMED = re.compile(r"(?:本[^第]{1,12})?[、和及]*(?:的规定)?")

_SENTENCE_ENDS = re.compile(r"[。；\n]")
_REPEALED = re.compile("废止|失效|停止执行|停止施行")
_TITLE_SIGN = re.compile("(?P<opening>《)|》")
_VERB = re.compile(
    r"[，,]?(?:自本[^，。；《》]{1,14}(?:施行|实施|公布)之日起[，,]?)?"
    r"(?:也|均|都|亦)?(?:同时|即行|即|一并|随之|相应)?(?:予以)?(?:废止|失效|停止执行|停止施行)"
)
_NOTES = re.compile(r"(?:[（(\[〔][^（）()]*[)）\]〕])*")
_GOES_ON = re.compile(r"[、，,和及与以]|\Z")
_PARTLY = re.compile(r"\A[^、，,和及与以]{0,3}(?:中|第|的|内|关于|及其|等)")
_DAY_BEFORE = re.compile(DAY)

_ABOLISHING = re.compile(r"废止|宣布失效")
_LISTED = re.compile(
    r"(?:[0-9]{1,3}\s*[.．、]?|[一二三四五六七八九十百]{1,5}、|[（(][一二三四五六七八九十0-9]{1,4}[)）])?\s*"
    r"(?:废止\s*(?=《))?《?((?:中华人民共和国|最高人民|国务院|全国人民代表大会|关于)[^《》\n]{3,120}?|[^《》\n]{0,4}《[^\n]{3,160}》[^\n]{0,60}?)》?"
    r"\s*(?:[（(][^\n（）()]{0,60}[号年日][^\n（）()]{0,40}[)）])?\s*[;；。]?"
)


def read_final_provisions(title: str, provisions: Sequence[Provision]) -> FinalProvisions:
    """The commencement and repeal clauses of a text, by its title and its provisions."""
    final = [provision.text for provision in provisions[-FINAL_ARTICLES:]]
    commenced = _commenced(final)
    repeals = [repeal for text in final for repeal in _repeals(text)]
    if _ABOLISHING.search(title) and title.endswith(("决定", "通知", "公告")):
        repeals = [*repeals, *(repeal for each in provisions for repeal in _listed(each.text))]
    return FinalProvisions(
        commenced,
        commenced is None and any(_ON_PROMULGATION.search(text) for text in final),
        tuple(part for text in final for part in _parts(text)),
        tuple(dict.fromkeys(repeals)),
    )


def _commenced(final: Sequence[str]) -> date | None:
    for text in reversed(final):
        days = [calendar_day(match[1]) for match in _COMMENCEMENT.finditer(text)]
        found = [day for day in days if day is not None]
        if found:
            return found[-1]
    return None


def _parts(text: str) -> Iterator[PartCommencement]:
    """Articles named right before a day of their own: 本安排第一条、第四条自…起施行."""
    for match in _FROM_DAY.finditer(text):
        before = text[max(0, match.start() - _LONGEST_CLAUSE) : match.start()]
        clause = _CLAUSE_ENDS.split(before)[-1]
        named = _ARTICLES.findall(clause)
        day = calendar_day(match[1])
        if day is None or not named or not _ONLY_NAMED.fullmatch(_ARTICLES.sub("", clause)):
            continue
        try:
            numbers = tuple(ProvisionNumber.parse(number) for number in named)
        except IdentifierError:
            continue
        yield PartCommencement(numbers, day)


def _repeals(text: str) -> Iterator[Repeal]:
    """Laws named whole right before 同时废止; one of which a part is repealed is left out."""
    for sentence in _SENTENCE_ENDS.split(text):
        if not _REPEALED.search(sentence):
            continue
        titles = [title for title in find_titles(sentence, _TITLE_SIGN) if title.is_closed]
        befores = [0, *(title.end for title in titles)]
        afters = [*(title.start for title in titles[1:]), len(sentence)]
        run: list[Repeal] = []
        for title, before, after in zip(titles, befores, afters, strict=False):
            notes = _NOTES.match(sentence, title.end, after)
            rest = sentence[notes.end() if notes else title.end : after]
            if _PARTLY.match(rest):
                run = []
                continue
            dates = _DAY_BEFORE.findall(sentence[before : title.start])
            days = [day for day in map(calendar_day, dates) if day]
            run.append(Repeal("".join(title.text.split()), days[-1] if days else None))
            if _VERB.match(rest):
                yield from run
                run = []
            elif not _GOES_ON.match(rest):
                run = []


def _listed(text: str) -> Iterator[Repeal]:
    """The laws listed line by line in a decision that abolishes them."""
    for line in text.split("\n"):
        match = _LISTED.fullmatch(line.strip()) if len(line) < _LONGEST_CLAUSE else None
        if match and not _ABOLISHING.search(match[1]):
            yield Repeal("".join(match[1].split()).removeprefix("《").removesuffix("》"))
