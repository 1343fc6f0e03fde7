"""Base text and instruments, compiled into consolidated versions.

::

    compilation = compile_law(base, instruments)
    for version in compilation.versions:
        version.text            # a VersionText, how: compiled
        version.changes         # what became of every article, and by which instruction
        version.outcomes        # every clause: applied, confirmed, refused with the reason
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from inforce.corpus.compile.applying import apply_instructions
from inforce.corpus.compile.checking import compare, find_gaps, stale_references, touched_numbers
from inforce.corpus.compile.commencement import commencement, days
from inforce.corpus.compile.ends import Ends
from inforce.corpus.compile.instructions import Instruction, Reading, read_instructions
from inforce.corpus.compile.instrument import Instrument
from inforce.corpus.compile.lawtree import Article, LawTree, tree_of
from inforce.corpus.compile.locating import Refusal, SameLaw
from inforce.corpus.compile.numbering import Settlement, settle
from inforce.corpus.compile.reading import republished_in
from inforce.corpus.compile.session import Outcome, Session
from inforce.corpus.compile.versions import (
    HOW,
    Change,
    ChangeKind,
    Compilation,
    CompiledVersion,
    Repeal,
    Unapplied,
)
from inforce.corpus.titles import plain_title, short_title
from inforce.law.model import (
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
    provisions_hash,
    same_wording,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work


def same_law_as(title: str) -> SameLaw:
    """Whether a name means the law of this title: with or without its issuer, 《》 and the like.

    A name that states its issuer never means the law of another one.
    """
    known = find_work(title)
    issuers, wanted = _issuers(title), {key_of_title(title)}
    wanted |= set(map(key_of_title, known.short_names if known else ()))

    def same(name: str) -> bool:
        its = _issuers(name)
        if key_of_title(name) in wanted and (not its or not issuers or its == issuers):
            return True
        other = find_work(name)
        return other is not None and known is not None and other.title == known.title

    return same


_ISSUER = re.compile("最高人民法院|最高人民检察院|全国人民代表大会常务委员会|国务院|公安部|司法部")


def _issuers(name: str) -> frozenset[str]:
    """Who issued it, as far as the title begins with that."""
    before = plain_title(name).split("关于", 1)[0]
    return frozenset(_ISSUER.findall(before)) if "关于" in name else frozenset()


def key_of_title(name: str) -> str:
    """What titles that may mean the same law have in common."""
    plain = plain_title(name).replace("、", "")
    return short_title(plain).removeprefix("关于")


def compile_law(
    base: VersionText,
    instruments: Iterable[Instrument],
    *,
    until: date | None = None,
    republished: Sequence[VersionText] = (),
    same_law: SameLaw | None = None,
) -> Compilation:
    """Apply instruments to a base text, in the order of their days.

    Args:
        base: the text as it was before the first of them.
        instruments: amendments and decisions; those that do not amend this law are passed over.
        until: versions that begin after this day are not made.
        republished: consolidated texts of this law that are held. They never give a wording; they
            only decide whether words that occur several times were all meant.
        same_law: whether a printed name means this law; by default judged by the base's title.

    Compilation stops at the first instrument whose effect on the numbering is not certain: a later
    one would be applied to the wrong articles.
    """
    same = same_law or same_law_as(base.version.work)
    readings = [read_instructions(one) for one in instruments]
    ours = [one for one in readings if any(same(one.full_name(law)) for law in one.laws)]
    made = _Made()
    for reading in sorted(ours, key=lambda one: _order(one, same)):
        text = made.versions[-1].text if made.versions else base
        for result in _apply(text, reading, same, until, republished):
            if isinstance(result, CompiledVersion):
                held = evidence_for(reading, result.day, same, republished)
                touched = touched_numbers([*made.versions, result])
                beside = tuple(compare(result, one, touched=touched) for one in held)
                published = any(_is_text_of(one, result.day) for one in republished)
                result = replace(result, comparisons=beside, is_published=published)
            made.add(result)
        if made.is_at_its_end:
            break
    corrections = [
        f"{one.instrument.title}: {each}"
        for one in ours
        for each in one.instrument.corrections
        if same(each.law)
    ]
    gaps = tuple(find_gaps(base, made.versions, republished))
    later = (*made.later, *(one.day for one in gaps if not one.is_last))
    ends = Ends(tuple(made.unapplied), made.repealed, later, tuple(republished))
    return Compilation(
        ends.close_base(base, made.versions),
        ends.close(made.versions),
        tuple(made.unapplied),
        tuple(corrections),
        made.repealed,
        ends.close_held(made.versions),
        gaps,
    )


@dataclass(slots=True)
class _Made:
    """What the instruments gave so far."""

    versions: list[CompiledVersion] = field(default_factory=list[CompiledVersion])
    unapplied: list[Unapplied] = field(default_factory=list[Unapplied])
    later: list[date] = field(default_factory=list[date])
    repealed: Repeal | None = None

    def add(self, result: CompiledVersion | Unapplied | Repeal | date) -> None:
        match result:
            case CompiledVersion():
                self.versions.append(result)
            case Unapplied():
                self.unapplied.append(result)
            case Repeal():
                self.repealed = result
            case date():
                self.later.append(result)

    @property
    def is_at_its_end(self) -> bool:
        """Whether nothing after it can be applied: the text is repealed, or not known for sure."""
        return self.repealed is not None or any(one.outcomes for one in self.unapplied)


def _is_text_of(text: VersionText, day: date) -> bool:
    version = text.version
    whole = version.scope is None and not version.holes
    return whole and version.validity.start == day


def _order(reading: Reading, same: SameLaw) -> tuple[date, date]:
    last = date.max
    instrument = reading.instrument
    adopted = instrument.adopted or instrument.published
    begins = commencement(reading).for_law(same).default or last
    return adopted or begins, begins


def _apply(
    base: VersionText,
    reading: Reading,
    same: SameLaw,
    until: date | None,
    republished: Sequence[VersionText],
) -> Iterator[CompiledVersion | Unapplied | Repeal | date]:
    """What one instrument makes of a text: a version for each of its days, until one fails.

    Of a day after the last that is wanted only the day.
    """
    when = commencement(reading).for_law(same)
    title = reading.instrument.title
    mine = [one for one in reading.instructions if one.kind == "amending"]
    found = days(mine, when)
    if not mine:
        says = "; ".join(_own_rules(reading)) or "nothing that can be read"
        reason = f"it orders no change of wording; it says: {says}"
        yield Unapplied(title, when.default, reason, changes_text=False)
    elif not found:
        yield Unapplied(title, None, when.reason)
    is_about_it = False
    for day, instructions in found:
        session = Session(tree_of(base), reading, same)
        session.reorders = _closing_reorders(reading, same)
        evidence = evidence_for(reading, day, same, republished)
        session.has_evidence = bool(evidence)
        apply_instructions(session, instructions)
        if not session.outcomes:
            continue
        is_about_it = True
        if until is not None and day > until:
            yield day
            return
        result = _version(base, session, day, evidence)
        yield result
        if not isinstance(result, CompiledVersion):
            return
    if found and not is_about_it:
        reason = f"it names this law, but none of its {len(mine)} instructions is about it"
        yield Unapplied(title, when.default, reason)


def _closing_reorders(reading: Reading, same: SameLaw) -> bool:
    """Whether the closing sentence adjusts the numbering of this law."""
    from inforce.corpus.compile.instructions import law_names

    for sentence in reading.reorders:
        names = law_names(sentence)
        if not names or any(same(reading.full_name(name)) for name in names):
            return True
        if "等" in sentence:
            return True
    return False


def evidence_for(
    reading: Reading, day: date, same: SameLaw, held: Sequence[VersionText]
) -> list[VersionText]:
    """The texts that should be what an instrument made from a day on.

    Those held that begin on that day or, where their first day is not known, were published with
    the instrument; and the law as printed after the instrument itself.
    """
    instrument = reading.instrument
    dates = {day, instrument.adopted, instrument.published} - {None}
    found = [
        text
        for text in held
        if text.version.validity.start == day
        or (text.version.validity.start is None and text.version.promulgated in dates)
    ]
    printed = republished_in(instrument, same)
    return [*found, printed] if printed is not None else found


def _judge_provisional(
    session: Session, settlement: Settlement, evidence: Sequence[VersionText]
) -> None:
    """Words replaced in several places count only if a republished text has them so."""
    numbers = {id(one.article): one.number for one in settlement.articles}
    texts = [{one.number: one.text for one in text.provisions} for text in evidence]
    for article, index in session.provisional:
        number = numbers.get(id(article))
        agreed = any(number in text and same_wording(text[number], article.text) for text in texts)
        outcome = session.outcomes[index]
        if agreed:
            reason = "the words occur several times; all were replaced in the republished text"
            session.outcomes[index] = replace(outcome, reason=reason)
        else:
            reason = "the words occur several times, and it is not said that all are meant"
            session.outcomes[index] = replace(outcome, status="refused", reason=reason)
            article.doubts.append(reason)


def _version(
    base: VersionText, session: Session, day: date, evidence: Sequence[VersionText]
) -> CompiledVersion | Unapplied | Repeal:
    title = session.reading.instrument.title
    if session.repealed:
        return Repeal(title, day)
    if session.restated == session.already and session.already > 1:
        reason = "the base text already reads as it orders: it is not the text it amends"
        return Unapplied(title, day, reason, tuple(session.outcomes), changes_text=False)
    try:
        settlement = settle(session.tree, session.absorbed, reorders=session.reorders)
    except Refusal as refusal:
        return Unapplied(title, day, f"the numbering: {refusal.reason}", tuple(session.outcomes))
    _judge_provisional(session, settlement, evidence)
    failures = (Outcome("", "", "refused", reason) for reason in settlement.refused)
    outcomes = (*session.outcomes, *failures)
    if session.uncertain:
        reason = "an instruction was refused that may change which articles there are"
        return Unapplied(title, day, reason, outcomes)
    if any(_UNSAID.search(point.text) for point in session.reading.instrument.points):
        settlement.notes.append("it says that some words were adjusted, and not which")
    if session.already:
        settlement.notes.append(f"{session.already} parts already read as they are restated")
    changes = _changes(session.tree, settlement)
    text = _text(base, session, settlement, day)
    version = CompiledVersion(
        text,
        title,
        day,
        outcomes,
        changes,
        notes=tuple(settlement.notes),
        annexes=tuple(sorted(session.tree.annexes.items())),
        own_rules=_own_rules(session.reading),
    )
    return replace(version, stale_references=stale_references(version))


_UNSAID = re.compile("(?:文字|标点|表述)[^。；，：\ue000-\uf8ff]{0,14}(?:调整|修改)")
"""对个别文字作相应修改: changes that no instruction spells out."""


def _own_rules(reading: Reading) -> tuple[str, ...]:
    return tuple(
        f"{one.point.name} {one.point.quoted(rule)[:60]}".strip()
        for one in reading.instructions
        for rule in one.rules
    )


def _text(base: VersionText, session: Session, settlement: Settlement, day: date) -> VersionText:
    instrument = session.reading.instrument
    provisions: list[Provision] = []
    holes: set[ProvisionNumber] = set()
    for number, article in ((one.number, one.article) for one in settlement.articles):
        if not article.held or article.doubts:
            holes.add(number)
        else:
            path = article.heading.path if article.heading else ""
            provisions.append(Provision(number, article.text, path))
    adopted = instrument.adopted or instrument.published
    doubts = [
        f"{one.number.chinese}: {one.article.doubts[0]}"
        for one in settlement.articles
        if one.article.doubts
    ]
    note = "; ".join([HOW, f"base {_named(base)}", f"by {instrument.title}", *doubts])
    made_of = f"compiled by inforce: {base.version.label} as amended by {instrument.title}"
    version = Version(
        session.tree.title,
        (adopted or day).isoformat(),
        Validity(day, None, "open", "instrument"),
        promulgated=adopted,
        instrument=instrument.title,
        holes=frozenset(holes),
        source=Source(made_of, path=instrument.name),
        category=base.version.category,
        note=note,
        text_hash=provisions_hash(tuple(provisions)),
    )
    return VersionText(version, tuple(provisions))


def _named(text: VersionText) -> str:
    version = text.version
    return f"{version.label} ({version.source.name})"


def _changes(tree: LawTree, settlement: Settlement) -> tuple[Change, ...]:
    """Every old article and every new one: kept, changed, deleted by an instruction or inserted."""
    placed = {id(one.article): one.number for one in settlement.articles}
    merged = {number: one for one in settlement.articles for number in one.article.absorbed}
    found: list[Change] = []
    for article in tree.articles:
        new = placed.get(id(article))
        by = tuple(article.changes)
        if new is None and article.number is not None:
            into = merged.get(article.number)
            if into is not None:
                found.append(Change(article.number, into.number, "merged", by))
            else:
                found.append(Change(article.number, None, "deleted", by))
        elif new is not None:
            found.append(Change(article.number, new, _kind(article, new), by))
    return tuple(sorted(found, key=lambda one: (one.number, one.old is None)))


def _kind(article: Article, new: ProvisionNumber) -> ChangeKind:
    if article.number is None:
        return "inserted"
    if article.touched:
        return "amended"
    return "unchanged" if article.number == new else "renumbered"


__all__ = [
    "Change",
    "Compilation",
    "CompiledVersion",
    "Instruction",
    "Unapplied",
    "compile_law",
    "same_law_as",
]
