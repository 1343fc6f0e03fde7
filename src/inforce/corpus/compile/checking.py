"""The compiled text compared with republished ones, and references that lead elsewhere now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from inforce.corpus.compile.corrections import explanations
from inforce.corpus.compile.instrument import Instrument
from inforce.corpus.compile.law_names import SameLaw
from inforce.corpus.compile.versions import (
    Comparison,
    CompiledVersion,
    Difference,
    DifferenceKind,
    Gap,
    StaleReference,
)
from inforce.corpus.compile.wording import folded, same_words, without_stops
from inforce.corpus.loaders.single_law import law_of_lines
from inforce.corpus.loaders.statute_text import TextLine
from inforce.errors import InputError
from inforce.law.citation import find_citations
from inforce.law.model import Provision, Source, VersionText, same_wording
from inforce.law.numerals import ProvisionNumber

_HEADING = re.compile(
    r"[一二三四五六七八九十]{1,3}、[^。；：，]{1,40}"
    r"|第[一二三四五六七八九十百]+[编章节][ \u3000]*[^。；：，]{0,40}"
)
_DELETED = re.compile(r"[（(]?(?:已?删[去除]|废止|空缺)[）)]?。?")
_VARIANTS = str.maketrans("帐零", "账〇")
_ANNEX = re.compile(r"附[件表录]?[一二三四五六七八九十0-9]{0,3}[:：]?.{0,40}|[①-⑳].*|<!--.*")


def evidence_for(
    instrument: Instrument, day: date, same_law: SameLaw, held: Sequence[VersionText]
) -> list[VersionText]:
    """The texts that should be what an instrument made from a day on.

    Those held that begin on that day or, where their first day is not known, were published with
    the instrument; and the law as printed after the instrument itself.
    """
    dates = {day, instrument.adopted, instrument.published} - {None}
    found = [
        text
        for text in held
        if text.version.validity.start == day
        or (text.version.validity.start is None and text.version.promulgated in dates)
    ]
    printed = _republished_in(instrument, same_law)
    return [*found, printed] if printed is not None else found


def _republished_in(instrument: Instrument, same_law: SameLaw) -> VersionText | None:
    """The law as amended that is printed after an instrument, if it can be read.

    Its first lines are its title; it goes on to the title of the next law, or to the end.
    """
    lines = instrument.attached
    for start in range(len(lines)):
        for count in (1, 2, 3):
            title = "".join(line.text for line in lines[start : start + count])
            if len(title) > 120 or not same_law("".join(title.split())):
                continue
            rest = lines[start + count :]
            titled = (TextLine(lines[start].number, "".join(title.split())), *rest)
            try:
                return law_of_lines(titled, path=instrument.name, source=Source(instrument.name))
            except InputError:
                return None
    return None


def agrees(number: ProvisionNumber | None, text: str, evidence: Sequence[VersionText]) -> bool:
    """Whether a republished text has an article with the same wording."""
    held = (
        provision
        for beside in evidence
        for provision in beside.provisions
        if provision.number == number
    )
    return any(same_wording(provision.text, text) for provision in held)


def named(text: VersionText) -> str:
    """The label and source of a text."""
    return f"{text.version.label} ({text.version.source.name})"


def begins_whole_on(text: VersionText, day: date) -> bool:
    """Whether a text that is held whole begins on a day."""
    version = text.version
    return version.scope is None and not version.holes and version.validity.start == day


def compare(
    version: CompiledVersion, held: VersionText, *, touched: set[ProvisionNumber]
) -> Comparison:
    """Hold a compiled version against a held text of the same days.

    Args:
        version: the compiled version.
        held: the text as somebody else consolidated it.
        touched: the articles that any instruction since the base text changed.
    """
    compiled = {provision.number: provision for provision in version.text.provisions}
    others = {provision.number: provision for provision in held.provisions}
    unknown = version.text.version.holes | held.version.holes
    comparable = _kinds(held)
    differences: list[Difference] = []
    equal = 0
    label = named(held)
    for number in sorted({*compiled, *others} - unknown):
        provision, other = compiled.get(number), others.get(number)
        if number.kind not in comparable and other is None:
            continue
        if provision and other and _same(provision, other):
            equal += 1
        else:
            differences.append(_difference(version, number, provision, other, touched, label))
    gone = tuple(sorted(unknown & {*compiled, *others}))
    return Comparison(label, equal, tuple(differences), gone)


def _kinds(held: VersionText) -> set[str]:
    """The kinds of number a copy has: many copies leave out the introduction."""
    return {provision.number.kind for provision in held.provisions} | {"article"}


def _same(one: Provision, other: Provision) -> bool:
    return same_words(_body(one.text), _body(other.text))


def _body(text: str) -> str:
    """The text without what copies print after an article: headings, notes, annexes."""
    lines = text.strip().split("\n")
    start = next((i for i, line in enumerate(lines) if i and _ANNEX.fullmatch(line.strip())), None)
    if start is not None:
        lines = lines[:start]
    while len(lines) > 1 and _HEADING.fullmatch(lines[-1].strip()):
        lines.pop()
    return "\n".join(lines)


def _difference(
    version: CompiledVersion,
    number: ProvisionNumber,
    provision: Provision | None,
    other: Provision | None,
    touched: set[ProvisionNumber],
    copy: str,
) -> Difference:
    compiled, held = provision.text if provision else "", other.text if other else ""
    explanation = _explained(version, copy, number, (compiled, held))
    if not held or not compiled:
        kind: DifferenceKind = "absent" if compiled else "added"
        if _DELETED.fullmatch(folded(held)):
            explanation = explanation or "the held copy prints the number of a deleted article"
    elif without_stops(_body(compiled)) == without_stops(_body(held)):
        kind = "marks"
        if number not in touched:
            explanation = explanation or "no instruction touched it; the copies set other marks"
    elif _body(compiled).translate(_VARIANTS) == _body(held).translate(_VARIANTS):
        kind = "variants"
        explanation = explanation or "variants of the same character (帐, 账; 零, 〇)"
    elif number not in touched:
        kind = "untouched"
    else:
        kind = "words"
    return Difference(number, kind, compiled, held, explanation)


def _explained(
    version: CompiledVersion, copy: str, number: ProvisionNumber, texts: tuple[str, str]
) -> str:
    for explanation in explanations():
        if (
            explanation.work == version.text.version.work
            and explanation.article in (number.short, "*")
            and explanation.copy in copy
            and any(explanation.words in text for text in texts)
        ):
            return explanation.reason
    return ""


def find_gaps(
    base: VersionText, versions: Sequence[CompiledVersion], held: Sequence[VersionText]
) -> Iterator[Gap]:
    """Texts held that begin on a day without an instrument, and differ from what was in force.

    The instrument that made them is missing; unless they are what one passed on that day made, and
    their source took the day for that of commencement.
    """
    start = base.version.validity.start
    days = {version.day for version in versions}
    for text in sorted(held, key=lambda text: text.version.key):
        day = text.version.validity.start
        whole = text.version.scope is None and not text.version.holes
        if not whole or start is None or day is None or day <= start or day in days:
            continue
        before = [version.text for version in versions if version.day < day]
        numbers = tuple(_differing(before[-1] if before else base, text))
        passed = [
            version for version in versions if version.day > day == version.text.version.promulgated
        ]
        if numbers and not any(not list(_differing(version.text, text)) for version in passed):
            is_last = not any(version.day > day for version in versions)
            yield Gap(day, named(text), numbers, is_last)


def _differing(one: VersionText, other: VersionText) -> Iterator[ProvisionNumber]:
    left = {provision.number: provision for provision in one.provisions}
    right = {provision.number: provision for provision in other.provisions}
    comparable = {number for number in {*left, *right} if number.kind in _kinds(other)}
    for number in sorted(comparable - one.version.holes):
        if number not in left or number not in right or not _same(left[number], right[number]):
            yield number


# References ---------------------------------------------------------------------------------------


def stale_references(version: CompiledVersion) -> tuple[StaleReference, ...]:
    """References that no instruction changed, to articles that were renumbered or deleted."""
    moved = {
        change.old: change.new
        for change in version.changes
        if change.old is not None and change.old.kind == "article" and change.new != change.old
    }
    if not moved:
        return ()
    unmoved = {
        change.new for change in version.changes if change.kind in ("unchanged", "renumbered")
    }
    return tuple(_stale(version, unmoved, moved))


def _stale(
    version: CompiledVersion,
    unmoved: set[ProvisionNumber | None],
    moved: dict[ProvisionNumber, ProvisionNumber | None],
) -> Iterator[StaleReference]:
    work = version.text.version.work
    for provision in version.text.provisions:
        if provision.number not in unmoved:
            continue
        found = find_citations(provision.text, context_work=work, context_number=provision.number)
        for citation in found:
            if citation.work != work or citation.kind not in ("reference", "bare"):
                continue
            for number in sorted({portion.number for portion in citation.portions}):
                own = number == provision.number and number.chinese not in citation.text
                if number in moved and not own:  # 前款 is a reference to the article itself
                    yield StaleReference(provision.number, citation.text, number, moved[number])


def touched_numbers(versions: Sequence[CompiledVersion]) -> set[ProvisionNumber]:
    """The articles, by their numbers in the last version, that any instruction changed."""
    touched: set[ProvisionNumber] = set()
    for version in versions:
        now = {change.old: change.new for change in version.changes if change.old is not None}
        touched = {number for old in touched if (number := now.get(old)) is not None}
        touched |= {
            change.new
            for change in version.changes
            if change.new is not None and change.kind in ("amended", "inserted", "merged")
        }
    return touched
