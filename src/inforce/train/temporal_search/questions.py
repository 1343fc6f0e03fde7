"""Which version of an article governed on a day: the questions, from any corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from inforce.dates import DateRange
from inforce.errors import UnknownWorkError, UserError
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Timeline
from inforce.library import Library
from inforce.scoring.dating import is_well_dated
from inforce.train.episodes import Question

HELD_OUT = 0.3
"""Share of the articles no training question is about."""

PAST = 0.75
"""Share of the questions under a version that is no longer in force, where there is one."""

_STATE = "中华人民共和国"
_FORM = "事实发生在{day}，应适用何时施行的{article}？"


@dataclass(frozen=True, slots=True)
class DatedArticle:
    """An article that was in force in several wordings, on days nobody disputes."""

    law: str
    """As it is usually called."""
    number: ProvisionNumber
    windows: tuple[DateRange, ...]
    """The days of each wording, in order of time."""

    @property
    def name(self) -> str:
        """Law and article.

        >>> DatedArticle("刑法", ProvisionNumber.article(133, 1), ()).name
        '《刑法》第133条之1'
        """
        return article_name(self.law, self.number)


def article_name(law: str, number: ProvisionNumber) -> str:
    """Law and article as questions, queries and answers of this task write them."""
    branch = f"之{number.branch}" if number.branch else ""
    return f"《{law.removeprefix(_STATE)}》第{number.main}条{branch}"


def citation(article: str, since: date) -> str:
    """A version of an article, by the first day of its wording: the answer of this task.

    >>> citation("《刑法》第74条", date(1997, 10, 1))
    '《刑法》第74条（1997-10-01）'
    """
    return f"{article}（{since}）"


@dataclass(frozen=True, slots=True)
class Split:
    """Articles to learn from, and articles to be examined on."""

    training: tuple[DatedArticle, ...]
    held_out: tuple[DatedArticle, ...]


def dated_articles(library: Library) -> Iterator[DatedArticle]:
    """The articles of a corpus that were in force in more than one wording, in its order."""
    for work in library.corpus.titles():
        law = _usual_name(library, work)
        for timeline in library.corpus.timelines(work):
            windows = tuple(_windows(timeline, until=library.clock()))
            if timeline.number.kind == "article" and len(windows) > 1:
                yield DatedArticle(law, timeline.number, windows)


def split(articles: Sequence[DatedArticle], *, seed: int, held_out: float = HELD_OUT) -> Split:
    """Articles for training and for examination, none in both.

    Raises:
        UserError: if there are too few.
    """
    shuffled = list(articles)
    Random(seed).shuffle(shuffled)
    kept = round(len(shuffled) * held_out)
    if not 0 < kept < len(shuffled):
        raise UserError(
            f"{len(shuffled)} articles with more than one dated wording are too few to hold some "
            "out: use a corpus with more versions"
        )
    return Split(tuple(shuffled[kept:]), tuple(shuffled[:kept]))


def draw(
    articles: Sequence[DatedArticle], count: int, *, today: date, seed: int, past: float = PAST
) -> tuple[Question, ...]:
    """Different questions about these articles, as many as asked for.

    Args:
        articles: about which.
        count: how many.
        today: the day the episodes take place.
        seed: fixes articles and days.
        past: share of the questions under a version that is no longer in force.

    Raises:
        UserError: if so many cannot be made.
    """
    chance = Random(seed)
    found: dict[str, Question] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        one = _question(chance.choice(articles), today, past, chance)
        found.setdefault(one.id, one)
    if len(found) < count:
        raise UserError(f"only {len(found)} different questions could be made, not {count}")
    return tuple(found.values())


def _question(article: DatedArticle, today: date, past: float, chance: Random) -> Question:
    window = _some_window(article, today, past, chance)
    last = min(window.last or today, today)
    day = window.start + timedelta(chance.randint(0, (last - window.start).days))
    return Question(
        f"{article.name}@{day}",
        _FORM.format(day=day, article=article.name),
        citation(article.name, window.start),
        {"article": article.name, "day": day.isoformat(), "is_past": today not in window},
    )


def _some_window(article: DatedArticle, today: date, past: float, chance: Random) -> DateRange:
    before = [window for window in article.windows if today not in window]
    present = [window for window in article.windows if today in window]
    wanted = before if chance.random() < past else present
    return chance.choice(wanted or before or present)


def _windows(timeline: Timeline, *, until: date) -> Iterator[DateRange]:
    for span in timeline.spans:
        if is_well_dated(timeline, span) and span.window.start <= until:
            yield span.window


def _usual_name(library: Library, work: str) -> str:
    """The short name of a law, where it means no other."""
    short = work.removeprefix(_STATE)
    try:
        return short if library.corpus.resolve(short) == work else work
    except UnknownWorkError:
        return work
