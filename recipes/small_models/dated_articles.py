"""Articles with several wordings whose days are certain, about which temporal search asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Literal

from inforce.dates import DateRange
from inforce.errors import UnknownWorkError, UserError
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Timeline
from inforce.library import Library
from inforce.scoring.dating import is_well_dated

HELD_OUT = 0.3
"""Share of the articles that no training question is about."""

HoldOut = Literal["articles", "laws"]
"""Whether single articles are held out, or whole laws."""

_STATE = "中华人民共和国"


@dataclass(frozen=True, slots=True)
class DatedArticle:
    """An article that was in force in several wordings, on days that are certain."""

    law: str
    """Its usual name."""
    number: ProvisionNumber
    windows: tuple[DateRange, ...]
    """The days each wording was in force, in order of time."""

    @property
    def name(self) -> str:
        """Name of law and article.

        >>> DatedArticle("刑法", ProvisionNumber.article(133, 1), ()).name
        '《刑法》第133条之1'
        """
        return article_name(self.law, self.number)


def article_name(law: str, number: ProvisionNumber) -> str:
    """Return law and article as questions, queries and answers of this task write them."""
    branch = f"之{number.branch}" if number.branch else ""
    return f"《{law.removeprefix(_STATE)}》第{number.main}条{branch}"


def citation(article: str, since: date) -> str:
    """Return an answer of this task: a version of an article, by the first day of its wording.

    >>> citation("《刑法》第74条", date(1997, 10, 1))
    '《刑法》第74条（1997-10-01）'
    """
    return f"{article}（{since}）"


def dated_articles(library: Library) -> Iterator[DatedArticle]:
    """Yield the articles of a corpus that were in force in more than one wording."""
    for work in library.corpus.titles():
        law = _usual_name(library, work)
        for timeline in library.corpus.timelines(work):
            windows = tuple(_windows(timeline, until=library.clock()))
            if timeline.number.kind == "article" and len(windows) > 1:
                yield DatedArticle(law, timeline.number, windows)


def _windows(timeline: Timeline, *, until: date) -> Iterator[DateRange]:
    for span in timeline.spans:
        if is_well_dated(timeline, span) and span.window.start <= until:
            yield span.window


def _usual_name(library: Library, work: str) -> str:
    """Return the short name of a law, unless it is ambiguous."""
    short = work.removeprefix(_STATE)
    try:
        return short if library.corpus.resolve(short) == work else work
    except UnknownWorkError:
        return work


@dataclass(frozen=True, slots=True)
class Split:
    """Articles for training, and articles for evaluation."""

    training: tuple[DatedArticle, ...]
    held_out: tuple[DatedArticle, ...]


def split(
    articles: Sequence[DatedArticle],
    *,
    seed: int,
    held_out: float = HELD_OUT,
    hold_out: HoldOut = "articles",
) -> Split:
    """Split articles so that no article, or no law, is on both sides.

    Raises:
        UserError: if there are too few.
    """
    if hold_out == "laws":
        return _split_by_law(articles, seed=seed, held_out=held_out)
    shuffled = list(articles)
    Random(seed).shuffle(shuffled)
    count = round(len(shuffled) * held_out)
    if not 0 < count < len(shuffled):
        raise UserError(
            f"{len(shuffled)} articles with more than one dated wording are too few to hold some "
            "out: use a corpus with more versions"
        )
    return Split(tuple(shuffled[count:]), tuple(shuffled[:count]))


def _split_by_law(articles: Sequence[DatedArticle], *, seed: int, held_out: float) -> Split:
    """Hold laws out in random order, up to this share of the articles."""
    counts = Counter(one.law for one in articles)
    laws = sorted(counts)
    Random(seed).shuffle(laws)
    remaining = held_out * len(articles)
    chosen: set[str] = set()
    for law in laws:
        if counts[law] <= remaining:
            chosen.add(law)
            remaining -= counts[law]
    if not chosen or len(chosen) == len(laws):
        raise UserError(
            f"{len(articles)} articles with more than one dated wording, of {len(laws)} laws, are "
            "too few to hold laws out: use a corpus with more versions"
        )
    training = tuple(one for one in articles if one.law not in chosen)
    return Split(training, tuple(one for one in articles if one.law in chosen))
