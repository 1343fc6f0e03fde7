"""Base text and instruments, compiled into consolidated versions.

::

    compilation = compile_law(base, instruments)
    for version in compilation.versions:
        version.text            # a VersionText, how: compiled
        version.changes         # what became of every article, and by which instruction
        version.outcomes        # every clause: applied, confirmed, refused with the reason
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    readings = [read_instructions(instrument) for instrument in instruments]
    amending = [reading for reading in readings if reading.amends(same)]
    history = _History(base, same, until, republished)
    for reading in sorted(amending, key=lambda reading: _order(reading, same)):
        history.apply(reading)
        if history.is_at_its_end:
            break
    corrections = [
        f"{reading.instrument.title}: {correction}"
        for reading in amending
        for correction in reading.instrument.corrections
        if same(correction.law)
    ]
    return history.compilation(tuple(corrections))


def _order(reading: Reading, same: SameLaw) -> tuple[date, date]:
    begins = commencement(reading).for_law(same).default or date.max
    return reading.instrument.adopted or reading.instrument.published or begins, begins


@dataclass(slots=True)
class _History:
    """A law while one instrument after the other is applied to it."""

    base: VersionText
    same_law: SameLaw
    until: date | None
    republished: Sequence[VersionText]
    versions: list[CompiledVersion] = field(default_factory=list[CompiledVersion])
    unapplied: list[Unapplied] = field(default_factory=list[Unapplied])
    left_out: list[date] = field(default_factory=list[date])
    """Days of versions that were not wanted."""
    repealed: Repeal | None = None

    @property
    def is_at_its_end(self) -> bool:
        """Whether nothing after it can be applied: the text is repealed, or not known for sure."""
        return self.repealed is not None or any(failed.changes_text for failed in self.unapplied)

    def apply(self, reading: Reading) -> None:
        """Apply an instrument: it makes a version for each of its days, until one fails."""
        text = self.versions[-1].text if self.versions else self.base
        when = commencement(reading).for_law(self.same_law)
        title = reading.instrument.title
        amending = [point for point in reading.instructions if point.kind == "amending"]
        found = days(amending, when)
        reason = reading.instrument.incomplete()
        if reason:
            self.unapplied.append(Unapplied(title, when.default, reason))
            found = []
        elif not amending:
            says = "; ".join(_own_rules(reading)) or "nothing that can be read"
            reason = f"it orders no change of wording; it says: {says}"
            self.unapplied.append(Unapplied(title, when.default, reason, changes_text=False))
        elif not found:
            self.unapplied.append(Unapplied(title, None, when.reason))
        is_about_it = False
        for day, instructions in found:
            evidence = evidence_for(reading.instrument, day, self.same_law, self.republished)
            applied = apply_instructions(
                tree_of(text),
                instructions,
                same_law=lambda name: self.same_law(reading.full_name(name)),
                has_evidence=bool(evidence),
            )
            if not applied.outcomes:
                continue
            is_about_it = True
            if self.until is not None and day > self.until:
                self.left_out.append(day)
                return
            applied.reorders |= _closing_reorders(reading, self.same_law)
            if not self._add(_version(text, reading, applied, day, evidence), evidence):
                return
        if found and not is_about_it:
            reason = f"it names this law, but none of its {len(amending)} instructions is about it"
            self.unapplied.append(Unapplied(title, when.default, reason))

    def _add(
        self, made: CompiledVersion | Unapplied | Repeal, evidence: Sequence[VersionText]
    ) -> bool:
        """Whether a version was made, beside which republished texts are put."""
        match made:
            case Unapplied():
                self.unapplied.append(made)
            case Repeal():
                self.repealed = made
            case CompiledVersion() if any(other.day > made.day for other in self.versions):
                reason = "it is in force before an instrument that was adopted earlier"
                failed = Unapplied(made.instrument, made.day, reason, made.outcomes)
                self.unapplied.append(failed)
                self.versions = [other for other in self.versions if other.day < made.day]
            case CompiledVersion():
                touched = touched_numbers([*self.versions, made])
                beside = tuple(compare(made, text, touched=touched) for text in evidence)
                published = any(begins_whole_on(text, made.day) for text in self.republished)
                self.versions.append(replace(made, comparisons=beside, is_published=published))
                return True
        return False

    def compilation(self, corrections: tuple[str, ...]) -> Compilation:
        """The versions, each with its end."""
        gaps = tuple(find_gaps(self.base, self.versions, self.republished))
        days_of_gaps = (gap.day for gap in gaps if not gap.is_last)
        ends = Ends(
            self.versions,
            tuple(self.unapplied),
            self.repealed,
            (*self.left_out, *days_of_gaps),
            tuple(self.republished),
        )
        return Compilation(
            ends.close_base(self.base),
            ends.close_versions(),
            tuple(self.unapplied),
            corrections,
            self.repealed,
            ends.close_held(),
            gaps,
        )


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
    numbers = {id(settled.article): settled.number for settled in settlement.articles}
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
        f"{instruction.point.name} {instruction.point.quoted(rule)[:60]}".strip()
        for instruction in reading.instructions
        for rule in instruction.rules
    )


def _text(
    base: VersionText, title: str, instrument: Instrument, settlement: Settlement, day: date
) -> VersionText:
    provisions: list[Provision] = []
    holes: set[ProvisionNumber] = set()
    for number, article in ((settled.number, settled.article) for settled in settlement.articles):
        if not article.held or article.doubts:
            holes.add(number)
        else:
            path = article.heading.path if article.heading else ""
            provisions.append(Provision(number, article.text, path))
    adopted = instrument.adopted or instrument.published
    doubts = [
        f"{settled.number.chinese}: {settled.article.doubts[0]}"
        for settled in settlement.articles
        if settled.article.doubts
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
    placed = {id(settled.article): settled.number for settled in settlement.articles}
    merged = {
        number: settled for settled in settlement.articles for number in settled.article.absorbed
    }
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
    return tuple(sorted(found, key=lambda change: (change.number, change.old is None)))


def _kind(article: Article, new: ProvisionNumber) -> ChangeKind:
    if article.number is None:
        return "inserted"
    if article.text != article.before:
        return "amended"
    return "unchanged" if article.number == new else "renumbered"
