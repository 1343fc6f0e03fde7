"""How far a run of a benchmark is: items, the score so far, what it cost, and when it will end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from inforce.llm.chat import Usage
from inforce.scoring.estimate import mean


@dataclass(frozen=True, slots=True)
class Ended:
    """An item that came to its end."""

    score: float | None
    """The primary measure; ``None`` where it was not measured."""
    usage: Usage = Usage()
    is_failed: bool = False
    """Whether it broke off: no answer was scored."""


class Watcher(Protocol):
    """Who is told how far a run is."""

    def begin(self, total: int, ended: Sequence[Ended]) -> None:
        """The run begins, or goes on after the items that ended before."""
        ...

    def end(self, item: Ended) -> None:
        """One more item came to its end."""
        ...


class Unwatched:
    """Nobody."""

    def begin(self, total: int, ended: Sequence[Ended]) -> None:
        """Nothing is shown."""

    def end(self, item: Ended) -> None:
        """Nothing is shown."""


@dataclass(slots=True)
class Progress:
    """A run so far; ``now`` gives seconds, from any point on."""

    now: Callable[[], float]
    name: str = "score"
    total: int = 0
    items: list[Ended] = field(default_factory=list[Ended])
    _began: float = 0.0
    _before: int = 0

    def begin(self, total: int, ended: Sequence[Ended]) -> None:
        """Start counting; items of an earlier part of the run do not count for the rate."""
        self.total, self._before, self._began = total, len(ended), self.now()
        self.items += ended

    def end(self, item: Ended) -> None:
        """Count an item."""
        self.items.append(item)

    @property
    def failures(self) -> int:
        """Items that broke off."""
        return sum(one.is_failed for one in self.items)

    @property
    def rate(self) -> float:
        """Items a second; 0 before the first."""
        passed = self.now() - self._began
        return (len(self.items) - self._before) / passed if passed > 0 else 0.0

    def line(self) -> str:
        """All of it on one line, what matters most first: a narrow terminal cuts the end off.

        >>> progress = Progress(iter([0.0, 60.0]).__next__)
        >>> progress.begin(4, [])
        >>> progress.end(Ended(1.0, Usage(1, 900, 100)))
        >>> progress.line()
        '1 of 4 · score 1.000 [0.207, 1.000] · 3:00 left · 1.0 a minute · 1,000 tokens'
        """
        parts = [f"{len(self.items)} of {self.total}"]
        if self.failures:
            parts.append(f"{self.failures} failed")
        parts.append(self._score())
        if rate := self.rate:
            left = duration((self.total - len(self.items)) / rate)
            parts += [f"{left} left", _rate(rate)]
        return " · ".join([*parts, *self._cost()])

    def _score(self) -> str:
        found = mean([one.score for one in self.items])
        if found is None:
            return f"{self.name} –"
        interval = "" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]"
        return f"{self.name} {found.value:.3f}{interval}"

    def _cost(self) -> list[str]:
        usage = sum((one.usage for one in self.items), Usage())
        if not usage.tokens:
            return []
        money = [] if usage.money is None else [f"${usage.money:.2f}"]
        return [f"{usage.tokens:,} tokens", *money]


def _rate(a_second: float) -> str:
    return f"{a_second:.1f} a second" if a_second >= 1 else f"{a_second * 60:.1f} a minute"


def duration(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any.

    >>> duration(75), duration(3_675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
