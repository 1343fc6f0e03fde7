"""Compiling a law out of what a corpus holds: base text, instruments, texts to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from inforce.corpus.compile.backwards import BACKWARDS, text_before
from inforce.corpus.compile.checking import begins_whole_on
from inforce.corpus.compile.commencement import commencement
from inforce.corpus.compile.compiling import compile_law
from inforce.corpus.compile.instructions import read_instructions
from inforce.corpus.compile.instrument import Instrument
from inforce.corpus.compile.law_names import SameLaw, key_of_title, same_law_as
from inforce.corpus.compile.reading import instruments_of
from inforce.corpus.compile.sentences import speaks_of_amending
from inforce.corpus.compile.versions import HOW, Compilation
from inforce.corpus.compile.wording import folded
from inforce.corpus.store import Corpus
from inforce.corpus.titles import plain_title, short_title
from inforce.errors import UserError
from inforce.law.model import VersionText
from inforce.law.registry import find_work

_COURT = re.compile("最高人民法院|最高人民检察院")
_LOCAL = re.compile("((?!全国)[\u4e00-\u9fff]{2,12}?(?:省|自治区|市|自治州|县|特区))")
_EDITION = re.compile("（[^（）]*年[^（）]*）")
_MAY_AMEND = re.compile("修改|修正案|补充规定|的决定")
_NOT_AN_INSTRUMENT = re.compile("修改后|修改决定施行|修正案.{0,4}时间效力|确定罪名")


def compile_from_corpus(
    corpus: Corpus,
    work: str,
    *,
    files: Sequence[Instrument] = (),
    held: Sequence[Instrument] | None = None,
    base_on: date | None = None,
    until: date | None = None,
) -> Compilation:
    """Compile one law of a corpus with the instruments it holds and those from files.

    Args:
        corpus: where base text, instruments and republished texts come from.
        work: the law's official title.
        files: further instruments; one that the corpus holds as well is taken from here.
        held: the instruments of the corpus, if they have been read; by default they are looked for.
        base_on: start from the text in force on this day; by default from the last text before
            the first instrument.
        until: versions that begin after this day are not made.

    Raises:
        UserError: if there is no instrument for the law, or no dated text of it to start from.
    """
    same = same_law_as(work)
    texts = list(published_texts(corpus, work))
    stored = held_instruments(corpus, work, same) if held is None else held
    found = [*files, *sorted(stored, key=_flaws)]
    instruments = [
        instrument for instrument in _distinct(found) if read_instructions(instrument).amends(same)
    ]
    if not instruments and files:
        named = dict.fromkeys(
            law for instrument in files for law in read_instructions(instrument).laws
        )
        others = "、".join(named)
        raise UserError(
            f"the files given do not amend {work}, but {others}"
            if others
            else f"the files given order no change of {work}"
        )
    if not instruments:
        raise UserError(
            f"no instrument that amends {work} is held: give one with --instruments FILE"
        )
    base = choose_base(texts, instruments, base_on)
    if base is None and base_on is None:
        base = _text_before(corpus, work, texts, instruments, same)
    if base is None:
        names = "、".join(
            f"{instrument.title} ({_day(instrument) or 'no day'})" for instrument in instruments[:3]
        )
        raise UserError(f"no dated whole text of {work} from before {names} is held")
    start = _start(base)
    later = [each for each in instruments if (_day(each) or date.max) > start]
    compilation = compile_law(base, later, until=until, republished=texts, same_law=same)
    named = base.version.label
    earlier = [
        f"{instrument.title}, of {_day(instrument)}: the base text ({named}) is not older than it"
        for instrument in sorted(instruments, key=lambda each: _day(each) or date.min)
        if instrument not in later
    ]
    foreign = [
        f"{instrument.title}: it does not name {work}"
        for instrument in _distinct(files)
        if not any(instrument is amending for amending in instruments)
    ]
    return replace(compilation, passed_over=(*foreign, *earlier))


def _text_before(
    corpus: Corpus,
    work: str,
    texts: Sequence[VersionText],
    instruments: Sequence[Instrument],
    same: SameLaw,
) -> VersionText | None:
    """What the first instrument left alone, where only the text after it is held."""
    for text in corpus.texts(work):
        if text.version.note.startswith(BACKWARDS):  # made before
            return text
    unheld = {one.window.end: one.window for one in corpus.dating(work).unheld}
    for instrument in instruments:
        day = commencement(read_instructions(instrument)).for_law(same).default
        if day is None or day not in unheld:
            continue
        made = [one for one in texts if begins_whole_on(one, day)]
        if made:
            return text_before(made[0], instrument, unheld[day], same_law=same)
    return None


def held_instruments(corpus: Corpus, work: str, same: SameLaw) -> Iterator[Instrument]:
    """The instruments a corpus holds as texts of their own that refer to a law."""
    known = find_work(work)
    names = {short_title(work), *(known.short_names[:1] if known else ())}
    wanted = {plain_title(folded(name)) for name in names}
    for title in corpus.titles():
        if not is_instrument(title) or not may_amend(title, work) or same(title):
            continue
        for text in corpus.texts(title):
            whole = plain_title(
                folded(title + "".join(provision.text for provision in text.provisions))
            )
            if any(name in whole for name in wanted):
                yield from filter(orders_changes, instruments_of(text))


@dataclass(frozen=True, slots=True)
class Amended:
    """The laws that instruments amend or repeal."""

    held: dict[str, tuple[Instrument, ...]]
    """Those the corpus has, by title, each with the instruments that the corpus has for it."""
    not_held: tuple[str, ...]
    """Those that files name and the corpus does not have."""


def laws_amended(corpus: Corpus, files: Sequence[Instrument] = ()) -> Amended:
    """The laws amended by the instruments of a corpus, or only those amended by files.

    Args:
        corpus: the laws, and instruments held as texts of their own.
        files: if given, only laws that these instruments amend are wanted.
    """
    titles = corpus.titles()
    editions = {edition for title in titles for edition in _editions(title, titles)}
    by_key: dict[str, list[str]] = {}
    for title in titles:
        by_key.setdefault(key_of_title(title), []).append(title)
    stored = [
        instrument
        for title in titles
        if is_instrument(title)
        for text in corpus.texts(title)
        for instrument in instruments_of(text)
        if orders_changes(instrument)
    ]
    found: dict[str, list[Instrument]] = {}
    missing: dict[str, None] = {}
    for instrument in [*files, *stored]:
        reading = read_instructions(instrument)
        for name in map(reading.full_name, reading.laws):
            known = find_work(name)
            likely = {*by_key.get(key_of_title(name), ()), *([known.title] if known else ())}
            works = [
                title
                for title in likely.intersection(titles) - editions
                if same_law_as(title)(name) and may_amend(instrument.title, title)
            ]
            for work in works:
                found.setdefault(work, []).append(instrument)
            if not works and instrument in files:
                missing[name] = None
    wanted = {
        work: tuple(instrument for instrument in amending if instrument not in files)
        for work, amending in sorted(found.items())
        if not files or any(instrument in files for instrument in amending)
    }
    return Amended(wanted, tuple(missing))


def published_texts(corpus: Corpus, work: str) -> Iterator[VersionText]:
    """The texts of a law that somebody published, those under the title of an edition too.

    Some registers keep an older text as a law of its own: 中华人民共和国宪法（1982年）.
    """
    for title in (work, *_editions(work, corpus.titles())):
        for text in corpus.texts(title):
            if not text.version.note.startswith(HOW):
                yield replace(text, version=replace(text.version, work=work))


def _editions(work: str, titles: Iterable[str]) -> list[str]:
    return [
        title
        for title in titles
        if title.startswith(f"{work}（") and _EDITION.fullmatch(title, len(work))
    ]


def is_instrument(title: str) -> bool:
    """Whether a text of this title may amend other laws."""
    return bool(_MAY_AMEND.search(title) and not _NOT_AN_INSTRUMENT.search(title))


def may_amend(instrument: str, work: str) -> bool:
    """Whether who made an instrument can amend a law, as far as the titles name the makers.

    A court does not amend a statute, and a province amends its own regulations only.

    >>> may_amend("最高人民法院关于修改《…》的决定", "中华人民共和国婚姻法")
    False
    >>> may_amend("北京市人民代表大会常务委员会关于…的决定", "北京市邮政通信条例")
    True
    """
    if court := _COURT.match(instrument):
        return court[0] in work
    if place := _LOCAL.match(instrument):
        return plain_title(work).startswith(place[1])
    return True


def orders_changes(instrument: Instrument) -> bool:
    """Whether any point of an instrument orders a change of wording, or a repeal.

    Supplementary provisions (补充规定) name a law, and often only add rules of their own.
    """
    return any(
        piece.clause.verb != "name" if piece.clause else speaks_of_amending(piece.text)
        for instruction in read_instructions(instrument).instructions
        if instruction.kind == "amending"
        for piece in instruction.pieces
    )


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
        known = [day for instrument in instruments if (day := _day(instrument)) is not None]
        first = min((day for day in known if day > oldest), default=None if not known else oldest)
        candidates = [text for text in whole if first is None or _start(text) < first]
    return max(
        candidates,
        key=lambda text: (
            _start(text),
            -len(text.version.holes),
            len(text.provisions),
            text.version.key,
        ),
        default=None,
    )


def _start(text: VersionText) -> date:
    start = text.version.validity.start
    assert start is not None
    return start


def _day(instrument: Instrument) -> date | None:
    return instrument.adopted or instrument.published or instrument.in_force


def _flaws(instrument: Instrument) -> tuple[int, int]:
    """What makes a copy of an instrument the worse one: what is unreadable, then what it lacks."""
    pieces = [
        piece for point in read_instructions(instrument).instructions for piece in point.pieces
    ]
    open_marks = sum(
        not quotation.closed for point in instrument.points for quotation in point.quotations
    )
    words = sum(
        len(quotation.text) for point in instrument.points for quotation in point.quotations
    )
    return sum(piece.clause is None for piece in pieces) + open_marks, -words


def _distinct(instruments: Iterable[Instrument]) -> list[Instrument]:
    """Each instrument once, the first of its copies."""
    found: dict[tuple[str, date | None], Instrument] = {}
    for instrument in instruments:
        key = folded(instrument.title).replace("中华人民共和国", ""), _day(instrument)
        found.setdefault(key, instrument)
    return list(found.values())
