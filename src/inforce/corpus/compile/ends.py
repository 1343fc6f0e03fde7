"""Until when the base text and each compiled version were in force, as far as that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from inforce.corpus.compile.versions import CompiledVersion, Repeal, Unapplied
from inforce.law.model import Validity, VersionText


@dataclass(frozen=True, slots=True)
class Ends:
    """What ends a text: the next compiled version, or something else."""

    versions: Sequence[CompiledVersion]
    unapplied: tuple[Unapplied, ...] = ()
    """Instruments that changed the law in a way that is not known."""
    repealed: Repeal | None = None
    later: tuple[date, ...] = ()
    """Days of changes that were left out on request, or whose instrument is missing."""
    held: tuple[VersionText, ...] = ()
    """Texts held of the same law; one that begins later ends what was in force before."""

    def close_versions(self) -> tuple[CompiledVersion, ...]:
        """Each version with its end: exact, presumed, open or unknown."""
        return tuple(replace(one, text=self._closed(one.text)) for one in self.versions)

    def close_base(self, base: VersionText) -> VersionText:
        """The base text with its end, unless its source states one that is not later."""
        stated = base.version.validity
        if stated.start is None:
            return base
        closed = self._closed(base)
        found = closed.version.validity
        if stated.end is None:
            return base if found.status == "open" else closed
        is_earlier = found.status == "exact" and found.end is not None and found.end < stated.end
        return closed if is_earlier else base

    def close_held(self) -> tuple[VersionText, ...]:
        """The texts held that say no end, and that the law outlived: each with its end.

        Otherwise they would answer for an article whose new wording is not certain. A copy that
        does not state its first day answers for no day from then on.
        """
        found: list[VersionText] = []
        for text in self.held:
            validity = text.version.validity
            day = validity.start or text.version.promulgated
            end = self._end(day) if day and validity.status == "open" else None
            if end is not None:
                closed = Validity(validity.start, end, "exact", validity.evidence)
                found.append(replace(text, version=replace(text.version, validity=closed)))
        return tuple(found)

    def _closed(self, text: VersionText) -> VersionText:
        version = text.version
        start = version.validity.start
        assert start is not None
        unknown = any(failed.day is None and failed.changes_text for failed in self.unapplied)
        end = self._end(start)
        validity = version.validity
        if end is not None:
            validity = Validity(start, end, "exact", validity.evidence)
        elif unknown:
            validity = Validity(start, None, "unknown", validity.evidence)
        else:  # the next text held begins then; another may have come between
            starts = [held.version.validity.start for held in self.held]
            following = min((day for day in starts if day and day > start), default=None)
            if following is not None:
                validity = Validity(start, following, "presumed", validity.evidence)
        return replace(text, version=replace(version, validity=validity))

    def _end(self, start: date) -> date | None:
        """The first day after another on which the law is known to have changed."""
        days = [version.day for version in self.versions] + list(self.later)
        days += [self.repealed.day] if self.repealed else []
        days += [failed.day for failed in self.unapplied if failed.day and failed.changes_text]
        return min((day for day in days if day > start), default=None)
