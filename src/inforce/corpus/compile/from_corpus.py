"""Compiling a law out of what a corpus holds: base text, instruments, texts to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from inforce.corpus.compile.compiling import compile_law, same_law_as
from inforce.corpus.compile.instructions import read_instructions
from inforce.corpus.compile.instrument import Instrument
from inforce.corpus.compile.locating import SameLaw
from inforce.corpus.compile.reading import instruments_of
from inforce.corpus.compile.versions import HOW, Compilation
from inforce.corpus.compile.wording import folded
from inforce.corpus.store import Corpus
from inforce.corpus.titles import short_title
from inforce.errors import UserError
from inforce.law.model import VersionText
from inforce.law.registry import find_work

_MAY_AMEND = re.compile("修改|修正案|补充规定|的决定")
_NOT_AN_INSTRUMENT = re.compile("修改后|修改决定施行|修正案.{0,4}时间效力|确定罪名")


def compile_from_corpus(
    corpus: Corpus,
    work: str,
    *,
    files: Sequence[Instrument] = (),
    base_on: date | None = None,
    until: date | None = None,
) -> Compilation:
    """Compile one law of a corpus with the instruments it holds and those from files.

    Args:
        corpus: where base text, instruments and republished texts come from.
        work: the law's official title.
        files: further instruments; one that the corpus holds as well is taken from here.
        base_on: start from the text in force on this day; by default from the last text before
            the first instrument.
        until: versions that begin after this day are not made.

    Raises:
        UserError: if there is no instrument for the law, or no dated text of it to start from.
    """
    same = same_law_as(work)
    texts = [text for text in corpus.texts(work) if not text.version.note.startswith(HOW)]
    found = [*files, *held_instruments(corpus, work, same)]
    instruments = [one for one in _distinct(found) if amends(one, same)]
    if not instruments:
        raise UserError(
            f"no instrument that amends {work} is held: give one with --instruments FILE"
        )
    base = choose_base(texts, instruments, base_on)
    if base is None:
        names = "、".join(f"{one.title} ({_day(one) or 'no day'})" for one in instruments[:3])
        raise UserError(f"no dated whole text of {work} from before {names} is held")
    later = [one for one in instruments if _is_later(one, base)]
    compilation = compile_law(base, later, until=until, republished=texts, same_law=same)
    named = base.version.label
    earlier = [
        f"{one.title}, of {_day(one)}: the base text ({named}) is not older than it"
        for one in sorted(instruments, key=lambda one: _day(one) or date.min)
        if one not in later
    ]
    foreign = [
        f"{one.title}: it does not name {work}"
        for one in _distinct(files)
        if not any(one is each for each in instruments)
    ]
    return replace(compilation, passed_over=(*foreign, *earlier))


def _is_later(instrument: Instrument, base: VersionText) -> bool:
    """Whether an instrument can amend a base text: it is from after its first day in force."""
    day, start = _day(instrument), base.version.validity.start
    return day is None or start is None or day > start


def held_instruments(corpus: Corpus, work: str, same: SameLaw) -> Iterator[Instrument]:
    """The instruments a corpus holds as texts of their own that speak of a law."""
    known = find_work(work)
    names = {short_title(work), *(known.short_names[:1] if known else ())}
    for title in corpus.titles():
        if not _MAY_AMEND.search(title) or _NOT_AN_INSTRUMENT.search(title) or same(title):
            continue
        for text in corpus.texts(title):
            whole = title + "".join(one.text for one in text.provisions)
            if any(folded(name) in folded(whole) for name in names):
                yield from instruments_of(text)


def amends(instrument: Instrument, same: SameLaw) -> bool:
    """Whether an instrument amends or repeals a law, as far as its points can be read."""
    reading = read_instructions(instrument)
    return any(same(reading.full_name(law)) for law in reading.laws)


def choose_base(
    texts: Iterable[VersionText], instruments: Sequence[Instrument], on: date | None
) -> VersionText | None:
    """The text to start from: the last whole one from before the first instrument.

    Instruments from before the first text held are left aside: they amended texts not held.
    """
    whole = [text for text in texts if text.version.scope is None and text.version.validity.start]
    if on is not None:
        candidates = [text for text in whole if _start(text) <= on]
    else:
        oldest = min(map(_start, whole), default=date.max)
        known = [day for one in instruments if (day := _day(one)) is not None]
        first = min((day for day in known if day > oldest), default=None if not known else oldest)
        candidates = [text for text in whole if first is None or _start(text) < first]
    return max(candidates, key=_preference, default=None)


def _preference(text: VersionText) -> tuple[date, int, int, str]:
    return _start(text), -len(text.version.holes), len(text.provisions), text.version.key


def _start(text: VersionText) -> date:
    start = text.version.validity.start
    assert start is not None
    return start


def _day(instrument: Instrument) -> date | None:
    return instrument.adopted or instrument.published or instrument.in_force


def _distinct(instruments: Iterable[Instrument]) -> list[Instrument]:
    """Each instrument once, the first of its copies."""
    found: dict[tuple[str, date | None], Instrument] = {}
    for one in instruments:
        key = folded(one.title).replace("中华人民共和国", ""), _day(one)
        found.setdefault(key, one)
    return list(found.values())
