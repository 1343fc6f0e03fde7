"""Progress of a run: finished items, the score so far, its cost, and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from inforce.llm.chat import Usage
from inforce.scoring.estimate import mean


@dataclass(frozen=True, slots=True)
class FinishedItem:
    """An item whose run has ended."""

    score: float | None
    """The primary measure; ``None`` if it was not measured."""
    usage: Usage = Usage()
    is_failed: bool = False
    """True if the run broke off: no answer was scored."""


@dataclass(slots=True)
class Progress:
    """Counts the finished items of a run; `begin` is called first."""

    name: str = "score"
    now: Callable[[], float] = time.monotonic
    """Returns seconds from any starting point."""
    total: int = 0
    """Items of the run; 0 before it begins."""
    items: list[FinishedItem] = field(default_factory=list[FinishedItem])
    _began: float = 0.0
    _before: int = 0

    def begin(self, total: int, finished: Sequence[FinishedItem] = ()) -> None:
        """Start counting.

        Args:
            total: items of the run.
            finished: items of an earlier part of a resumed run; they do not count for the rate.
        """
        self._before, self._began = len(finished), self.now()
        self.items += finished
        self.total = total

    def end(self, item: FinishedItem) -> None:
        """Count an item."""
        self.items.append(item)

    def line(self) -> str:
        """All figures on one line, the most important first: a narrow terminal cuts the end off.

        >>> progress = Progress(now=iter([0.0, 60.0]).__next__)
        >>> progress.begin(4)
        >>> progress.end(FinishedItem(1.0, Usage(1, 900, 100)))
        >>> progress.line()
        '1 of 4 · score 1.000 [0.207, 1.000] · 3:00 left · 1.0 a minute · 1,000 tokens'
        """
        parts = [f"{len(self.items)} of {self.total}"]
        if failures := sum(one.is_failed for one in self.items):
            parts.append(f"{failures} failed")
        score = mean([one.score for one in self.items])
        if score is None:
            parts.append(f"{self.name} –")
        else:
            interval = "" if score.low is None else f" [{score.low:.3f}, {score.high:.3f}]"
            parts.append(f"{self.name} {score.value:.3f}{interval}")
        passed = self.now() - self._began
        if rate := (len(self.items) - self._before) / passed if passed > 0 else 0.0:
            left = duration((self.total - len(self.items)) / rate)
            speed = f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute"
            parts += [f"{left} left", speed]
        usage = sum((one.usage for one in self.items), Usage())
        if usage.tokens:
            parts.append(f"{usage.tokens:,} tokens")
            parts += [] if usage.money is None else [f"${usage.money:.2f}"]
        return " · ".join(parts)


def duration(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any.

    >>> duration(75), duration(3_675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
