"""Every text a law ever had, held or not: put together from the histories of all texts held.

A history lists the acts up to its own text, so a later text tells of the acts between an earlier
one and itself. Records that bear the same act are copies of one `Edition`; an act that no record
bears made an edition that is not held.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from inforce.law.final_provisions import FinalProvisions
from inforce.law.history import Enactment, EnactmentKind, enactments
from inforce.law.model import Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import KnownWork

SLIP = timedelta(days=3)
"""Sources differ by a day or two about one act: passed, printed, put into a register."""
PROMULGATION_TAKES = timedelta(days=200)
"""The longest time from an act of the State Council, a court or a city to its promulgation."""

_COMMENCES_WITHIN = timedelta(days=3 * 365)

_PROMULGATED_LATER = ("国务院", "审判委员会", "检察委员会", "办公会议", "部务会议", "局务会议")
_AT_ONCE = ("全国人民代表大会",)


@dataclass(frozen=True, slots=True)
class Record:
    """One version as its source states it, with the clauses of its last articles."""

    version: Version
    final_provisions: FinalProvisions = FinalProvisions()
    current: date | None = None
    """The day on which its source was current, where that is stated."""


@dataclass(slots=True)
class Edition:
    """One text of a law, by the act that made it."""

    passed: date
    days: set[date]
    """All days its act is known by."""
    kind: EnactmentKind | None = None
    """``None`` where no history says."""
    body: str = ""
    decision: str = ""
    promulgated: date | None = None
    """The day it was promulgated, where a history says so."""
    labelled: date | None = None
    """The day it was promulgated, by the label of its text."""
    header_commenced: date | None = None
    is_seen: bool = False
    """Whether only the day is known on which a source had its text."""
    undated: bool = False
    """Whether nothing above its text says when it was made; only its last articles may."""
    only: frozenset[ProvisionNumber] | None = None
    """The provisions its act changed, where it is certain that it left all others as they were."""
    records: list[Record] = field(default_factory=list[Record])
    listed_by: dict[str, str] = field(default_factory=dict[str, str])
    """The labels of the records whose history names it, by their keys."""
    commenced: date | None = None
    """Its first day in force, once all evidence was weighed; ``None`` where that is not known."""

    @property
    def published(self) -> date | None:
        """The day it was published, if that is known.

        Acts of the National People's Congress are published when passed. The label of an act of the
        State Council is its promulgation; that of a court's may be the date on the document.
        """
        if self.promulgated is None and any(word in self.body for word in _AT_ONCE):
            return self.passed
        return self.promulgated or (None if "委员会" in self.body else self.labelled)

    @property
    def is_whole(self) -> bool:
        """Whether the act published the law whole, with a commencement clause of its own."""
        return self.kind in ("original", "revised")

    @property
    def name(self) -> str:
        """A description for messages: ``the text as amended by … of 2018-10-26``."""
        if self.decision:
            by = f"《{self.decision}》" if "〔" not in self.decision else self.decision
            return f"the text as amended by {by} of {self.passed}"
        if self.kind == "original":
            return f"the original text on {self.passed}"
        if self.kind == "revised":
            return f"the text as revised on {self.passed}"
        return f"the text made on {self.passed}"

    def add_enactment(self, made: Enactment, *, record: Version | None = None) -> None:
        """Add what one history says of its act."""
        self.days |= made.days
        if self.kind in (None, "amended") or made.kind == "original":
            self.kind = made.kind
        self.body = self.body or made.body
        self.decision = self.decision or made.decision
        self.promulgated = self.promulgated or made.promulgated
        self.header_commenced = self.header_commenced or made.commenced
        if record is not None:
            self.listed_by[record.key] = record.label


def editions_of(records: Sequence[Record], known: KnownWork | None) -> tuple[Edition, ...]:
    """The editions of a law in the order in which they were made; undated records are left out."""
    editions: list[Edition] = []
    histories = {
        record.version.key: enactments(record.version.history)
        for record in sorted(records, key=lambda one: one.version.key)
    }
    by_length = sorted(records, key=lambda one: -len(histories[one.version.key]))
    for record in by_length:
        for made in histories[record.version.key]:
            _find_or_add(editions, made).add_enactment(made, record=record.version)
    for record in by_length:
        _place_record(editions, record, histories[record.version.key])
    if known is not None:
        _add_known_amendments(editions, known)
    _place_undated_editions(editions)
    for record in sorted(by_length, key=lambda one: (one.current or date.min, one.version.key)):
        if not any(record is one for edition in editions for one in edition.records):
            _place_by_source_day(editions, record)
    ordered = sorted(editions, key=lambda one: (one.passed, min(one.days)))
    return tuple(_place_by_text_day(_without_double_first(ordered)))


def _find_or_add(editions: list[Edition], made: Enactment) -> Edition:
    found = _find(editions, made.days)
    if found is None:
        found = Edition(made.passed, set(made.days))
        editions.append(found)
    return found


def _find(editions: Sequence[Edition], days: Collection[date]) -> Edition | None:
    """The edition known by one of these days, or else the only one known by a day beside them."""
    for edition in editions:
        if not edition.days.isdisjoint(days):
            return edition
    near = [
        edition
        for edition in editions
        if any(abs(day - one) <= SLIP for day in days for one in edition.days)
    ]
    return near[0] if len(near) == 1 else None


def _add_known_amendments(editions: list[Edition], known: KnownWork) -> None:
    """Add the editions that the registry of known works lists."""
    for amendment in known.amendments:
        whole = amendment.instrument.startswith(known.title)
        decision = "" if whole else amendment.instrument
        made = Enactment(
            "revised" if whole else "amended", amendment.promulgated, decision=decision
        )
        begun = [
            edition
            for edition in editions
            if edition.header_commenced == amendment.commenced
            or any(one.version.validity.start == amendment.commenced for one in edition.records)
        ]
        found = _find(editions, made.days) or (begun[0] if len(begun) == 1 else None)
        found = found or _find_or_add(editions, made)
        found.add_enactment(made)
        found.only = amendment.only


# -- the edition of a record -----------------------------------------------------------------------


def _place_record(editions: list[Edition], record: Record, made: Sequence[Enactment]) -> None:
    """Put a record with the edition whose act made its text: the last of its own history."""
    day = _act_day(editions, record)
    last = made[-1] if made else None
    if last is not None and (day is None or _is_of(last, day)):
        edition = _find_or_add(editions, last)
        if day is not None and _is_promulgation(last, day):
            edition.days.add(day)
            edition.labelled = edition.labelled or day
    elif day is not None:
        edition = _find(editions, {day}) or _promulgated_on(editions, day) or Edition(day, {day})
        if not any(edition is one for one in editions):
            editions.append(edition)
        if last is not None:  # its header was cut off before its own act
            edition.kind = edition.kind or "amended"
    elif record.final_provisions.commenced is not None:
        day = record.final_provisions.commenced
        edition = _find(editions, {day})
        if edition is None:
            edition = Edition(day, {day}, undated=True)
            editions.append(edition)
    else:
        return
    edition.records.append(record)


def _act_day(editions: Sequence[Edition], record: Record) -> date | None:
    """The day a record is known by: that of its act.

    Some sources give every text of a law the day on which the law was first made; those are known
    by their first day in force.
    """
    version = record.version
    made, start = version.promulgated, version.validity.start
    if made is not None and start is not None and start < made and not version.history:
        return start  # nothing is in force before it is made
    if made is None or start is None or version.history or version.text_as_of is not None:
        return made or start
    if start - made > _COMMENCES_WITHIN:
        return start
    same = _find(editions, {made})
    others = [record.version for record in same.records] if same else []
    apart = [
        other
        for other in others
        if other.validity.start not in (None, start) and other.text_hash != version.text_hash
    ]
    return start if apart and len(apart) == len(others) else made


def _is_of(last: Enactment, day: date) -> bool:
    """Whether a text dated by this day is the one the last act of its history made."""
    latest = max(filter(None, (last.passed, last.promulgated, last.commenced)))
    return day <= latest + SLIP or _is_promulgation(last, day)


def _is_promulgation(made: Enactment, day: date) -> bool:
    return made.promulgated is None and _promulgated_later(made.body, max(made.days), day)


def _promulgated_on(editions: Sequence[Edition], day: date) -> Edition | None:
    """The edition passed last before a day, if it is one that was promulgated some time after."""
    before = [edition for edition in editions if edition.passed < day]
    last = max(before, key=lambda one: one.passed, default=None)
    if last is None or last.promulgated or not _promulgated_later(last.body, max(last.days), day):
        return None
    last.labelled = last.labelled or day
    return last


def _promulgated_later(body: str, made: date, day: date) -> bool:
    """Whether a body promulgates some days after its act is made, and this can be such a day.

    The State Council, courts and ministries do; so do congresses of provinces and cities, whose
    acts a higher one may have to approve first.
    """
    local = "人民代表大会" in body and not any(word in body for word in _AT_ONCE)
    later = local or any(word in body for word in _PROMULGATED_LATER)
    return later and SLIP < day - made <= PROMULGATION_TAKES


def _place_undated_editions(editions: list[Edition]) -> None:
    """Find the edition of a text of which only the clause of commencement is known.

    A text published whole and those amended after it bear the same clause. Where there is one of
    them, it is that one; where there are several, nobody can say which. Of a law without a known
    history it stays what its clause says.
    """
    for undated in [edition for edition in editions if edition.undated]:
        candidates = _commencing_on(editions, undated.passed)
        if not candidates:
            continue
        editions[:] = [edition for edition in editions if edition is not undated]
        if len(candidates) == 1:
            candidates[0].records += undated.records


def _commencing_on(editions: Sequence[Edition], commenced: date) -> list[Edition]:
    """The editions whose texts have a clause by which the law commenced on a day."""
    dated = sorted(
        (edition for edition in editions if not edition.undated), key=lambda one: one.passed
    )
    whole = [place for place, edition in enumerate(dated) if edition.is_whole]
    own = [place for place in whole if dated[place].passed <= commenced]
    if not own or commenced - dated[own[-1]].passed > _COMMENCES_WITHIN:
        return []
    following = next((place for place in whole if place > own[-1]), len(dated))
    return dated[own[-1] : following]


def _place_by_source_day(editions: list[Edition], record: Record) -> None:
    """Put an undated text where its source had it, on the day that was current.

    It is that of the last edition before that day whose words it has, or else one that began by
    that day: to add a text as of a day is to say that it was the law then.
    """
    day, version = record.current, record.version
    if day is None or version.validity.status != "open" or version.scope is not None:
        return
    same = [
        edition
        for edition in editions
        if edition.passed <= day
        and any(one.version.text_hash == version.text_hash for one in edition.records)
    ]
    edition = max(same, key=lambda one: one.passed, default=None)
    if edition is None:
        edition = Edition(day, {day}, is_seen=True)
        editions.append(edition)
    edition.records.append(record)


# -- corrections, once all editions are known ------------------------------------------------------


def _without_double_first(editions: list[Edition]) -> list[Edition]:
    """Join an edition just before the original text to it: it only shows the day it was passed."""
    if len(editions) < 2:
        return editions
    first, original = editions[:2]
    takes = original.passed - first.passed
    if first.kind is not None or original.kind != "original" or takes > PROMULGATION_TAKES:
        return editions
    original.records += first.records
    original.days |= first.days
    original.promulgated = original.promulgated or original.passed
    original.passed = first.passed
    return editions[1:]


def _place_by_text_day(editions: list[Edition]) -> list[Edition]:
    """Move a copy of the text of a day to the last edition made before it."""
    for edition in editions:
        for record in tuple(edition.records):
            day = record.version.text_as_of
            if day is None or record.version.history:
                continue
            made = [one for one in editions if one.passed <= day]
            if made and made[-1].passed > edition.passed:
                edition.records.remove(record)
                made[-1].records.append(record)
    return [one for one in editions if one.records or one.listed_by or one.kind is not None]
