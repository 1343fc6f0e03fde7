"""Base text and instruments, compiled into consolidated versions.

::

    compilation = compile_law(base, instruments)
    for version in compilation.versions:
        version.text            # a VersionText, how: compiled
        version.changes         # what became of every article, and by which instruction
        version.outcomes        # every clause: applied, confirmed, refused with the reason
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from inforce.corpus.compile.applying import apply_instructions
from inforce.corpus.compile.checking import (
    agrees,
    begins_whole_on,
    compare,
    evidence_for,
    find_gaps,
    named,
    stale_references,
    touched_numbers,
)
from inforce.corpus.compile.clauses import Reading
from inforce.corpus.compile.commencement import commencement, days
from inforce.corpus.compile.ends import Ends
from inforce.corpus.compile.instructions import read_instructions
from inforce.corpus.compile.instrument import Instrument
from inforce.corpus.compile.law_names import SameLaw, law_names, same_law_as
from inforce.corpus.compile.lawtree import Article, LawTree, Refusal, tree_of
from inforce.corpus.compile.numbering import Settlement, settle
from inforce.corpus.compile.outcomes import Applied
from inforce.corpus.compile.sentences import adjusts_some_words
from inforce.corpus.compile.versions import (
    HOW,
    Change,
    ChangeKind,
    Compilation,
    CompiledVersion,
    Outcome,
    Repeal,
    Unapplied,
)
from inforce.law.model import (
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
    provisions_hash,
)
from inforce.law.numerals import ProvisionNumber


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
    ours = [one for one in readings if one.amends(same)]
    made = _Made()
    for reading in sorted(ours, key=lambda one: _order(one, same)):
        text = made.versions[-1].text if made.versions else base
        for result in _apply(text, reading, same, until, republished):
            if isinstance(result, CompiledVersion):
                held = evidence_for(reading.instrument, result.day, same, republished)
                touched = touched_numbers([*made.versions, result])
                beside = tuple(compare(result, one, touched=touched) for one in held)
                published = any(begins_whole_on(one, result.day) for one in republished)
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
    amending = [one for one in reading.instructions if one.kind == "amending"]
    found = days(amending, when)
    if not amending:
        says = "; ".join(_own_rules(reading)) or "nothing that can be read"
        reason = f"it orders no change of wording; it says: {says}"
        yield Unapplied(title, when.default, reason, changes_text=False)
    elif not found:
        yield Unapplied(title, None, when.reason)
    is_about_it = False
    for day, instructions in found:
        evidence = evidence_for(reading.instrument, day, same, republished)
        applied = apply_instructions(
            tree_of(base),
            instructions,
            same_law=lambda name: same(reading.full_name(name)),
            has_evidence=bool(evidence),
        )
        if not applied.outcomes:
            continue
        is_about_it = True
        if until is not None and day > until:
            yield day
            return
        applied.reorders |= _closing_reorders(reading, same)
        result = _version(base, reading, applied, day, evidence)
        yield result
        if not isinstance(result, CompiledVersion):
            return
    if found and not is_about_it:
        reason = f"it names this law, but none of its {len(amending)} instructions is about it"
        yield Unapplied(title, when.default, reason)


def _closing_reorders(reading: Reading, same: SameLaw) -> bool:
    """Whether the closing sentence adjusts the numbering of this law."""
    for sentence in reading.reorders:
        names = law_names(sentence)
        if not names or "等" in sentence or any(same(reading.full_name(name)) for name in names):
            return True
    return False


def _version(
    base: VersionText,
    reading: Reading,
    applied: Applied,
    day: date,
    evidence: Sequence[VersionText],
) -> CompiledVersion | Unapplied | Repeal:
    title = reading.instrument.title
    if applied.repealed:
        return Repeal(title, day)
    if applied.restated == applied.already and applied.already > 1:
        reason = "the base text already reads as it orders: it is not the text it amends"
        return Unapplied(title, day, reason, tuple(applied.outcomes), changes_text=False)
    try:
        settlement = settle(applied.tree, reorders=applied.reorders)
    except Refusal as refusal:
        return Unapplied(title, day, f"the numbering: {refusal.reason}", tuple(applied.outcomes))
    _judge_provisional(applied, settlement, evidence)
    failures = (Outcome("", "", "refused", reason) for reason in settlement.refused)
    outcomes = (*applied.outcomes, *failures)
    if applied.uncertain:
        reason = "an instruction was refused that may change which articles there are"
        return Unapplied(title, day, reason, outcomes)
    notes = list(settlement.notes)
    if any(adjusts_some_words(point.text) for point in reading.instrument.points):
        notes.append("it says that some words were adjusted, and not which")
    if applied.already:
        notes.append(f"{applied.already} parts already read as they are restated")
    version = CompiledVersion(
        _text(base, applied.tree.title, reading.instrument, settlement, day),
        title,
        day,
        outcomes,
        _changes(applied.tree, settlement),
        notes=tuple(notes),
        annexes=tuple(sorted(applied.tree.annexes.items())),
        own_rules=_own_rules(reading),
    )
    return replace(version, stale_references=stale_references(version))


def _judge_provisional(
    applied: Applied, settlement: Settlement, evidence: Sequence[VersionText]
) -> None:
    """Words replaced in several places count only if a republished text has them so."""
    numbers = {id(one.article): one.number for one in settlement.articles}
    for article, index in applied.provisional:
        outcome = applied.outcomes[index]
        if agrees(numbers.get(id(article)), article.text, evidence):
            reason = "the words occur several times; all were replaced in the republished text"
            applied.outcomes[index] = replace(outcome, reason=reason)
        else:
            reason = "the words occur several times, and it is not said that all are meant"
            applied.outcomes[index] = replace(outcome, status="refused", reason=reason)
            article.doubts.append(reason)


def _own_rules(reading: Reading) -> tuple[str, ...]:
    return tuple(
        f"{one.point.name} {one.point.quoted(rule)[:60]}".strip()
        for one in reading.instructions
        for rule in one.rules
    )


def _text(
    base: VersionText, title: str, instrument: Instrument, settlement: Settlement, day: date
) -> VersionText:
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
    note = "; ".join([HOW, f"base {named(base)}", f"by {instrument.title}", *doubts])
    made_of = f"compiled by inforce: {base.version.label} as amended by {instrument.title}"
    version = Version(
        title,
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
    if article.text != article.before:
        return "amended"
    return "unchanged" if article.number == new else "renumbered"
