"""Which plots a report has: the figures of the papers, wherever the runs hold what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import cast

from inforce.errors import MissingExtraError
from inforce.evals.benchmark import Record
from inforce.evals.catalogue import THIRTEEN
from inforce.evals.report.contents import Evaluated, total
from inforce.evals.report.plots import Series, bars, heat_map, lying_bars
from inforce.evals.report.runs import StoredRun
from inforce.scoring.estimate import Estimate

MOST_GROUPS = 40
"""More bars beside each other cannot be read."""

IN_DOMAIN = frozenset(THIRTEEN[:7])


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot and what it shows."""

    title: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Plots:
    """The plots of a report, or why it has none."""

    shown: tuple[Plot, ...] = ()
    missing: str = ""


def plots(of: Evaluated) -> Plots:
    """Every plot the runs have the values for; none, and why, without the plotting library."""
    try:
        return Plots(tuple(plot for choice in _CHOICES for plot in choice(of)))
    except MissingExtraError as error:
        return Plots(missing=str(error))


def _by_year(of: Evaluated) -> Iterator[Plot]:
    """Figure 2 of LegalSearch-R1: how well each run knows the law of each year."""
    measure = "rouge_l" if _is_measured(of, "rouge_l") else of.benchmark.primary
    cells = [_means_by_year(run.records, measure) for run in of.runs]
    years = sorted({year for one in cells for year in one})
    if len(years) < 2:
        return
    values = [[one.get(year) for year in years] for one in cells]
    yield Plot(
        f"{measure} by year of the version asked for",
        "Mean over the items that got to their end (LegalSearch-R1, figure 2).",
        heat_map(_labels(of.runs), years, values),
    )


def _means_by_year(records: Iterable[Record], measure: str) -> dict[str, float]:
    known: dict[str, list[float]] = {}
    for one in records:
        value, year = one.values.get(measure), year_of(one)
        if one.is_scored and value is not None and year:
            known.setdefault(year, []).append(value)
    return {year: fmean(values) for year, values in known.items()}


def year_of(record: Record) -> str:
    """The year whose law an item asks for, where the item says so."""
    year, days = record.facts.get("year"), record.facts.get("as_of")
    if isinstance(days, Mapping):  # a range of days, as items store it
        return str(cast("Mapping[str, object]", days).get("start"))[:4]
    return str(year or "")


def _dated_queries(of: Evaluated) -> Iterator[Plot]:
    """Figure 3 of LegalSearch-R1: queries that name a time, by tool, in and outside the domain."""
    counts = [_dated(run.records) for run in of.runs]
    names = sorted({name for one in counts for name in one})
    if not names:
        return
    labels = _labels(of.runs)
    series = [Series(label, [float(one.get(name, 0)) for name in names])
              for label, one in zip(labels, counts, strict=True)]  # fmt: skip
    yield Plot(
        "Queries that name a time, by tool",
        "ID and OOD: the tasks in and outside the training domain (LegalSearch-R1, figure 3).",
        bars(names, series, axis="queries"),
    )


def _dated(records: Sequence[Record]) -> dict[str, int]:
    """Dated queries by tool, and by domain where the tasks are those of LegalSearch-R1."""
    known = [one for one in records if one.task in THIRTEEN]
    inside = total((one for one in known if one.task in IN_DOMAIN), lambda one: one.dated)
    outside = total((one for one in known if one.task not in IN_DOMAIN), lambda one: one.dated)
    other = total((one for one in records if one.task not in THIRTEEN), lambda one: one.dated)
    named = {f"{tool} · ID": count for tool, count in inside.items()}
    named |= {f"{tool} · OOD": count for tool, count in outside.items()}
    return named | other


def _certainty(of: Evaluated) -> Iterator[Plot]:
    """Figure 3 of L-MARS: accuracy and certainty, with the time an answer takes."""
    if not (_is_measured(of, "accuracy") and _is_measured(of, "u_score")):
        return
    accuracy = [one.values.get("accuracy") for one in of.summaries]
    certainty = [_from_one(one.values.get("u_score")) for one in of.summaries]
    labels = [
        f"{label}\n{_usual_seconds(run)}"
        for label, run in zip(_labels(of.runs), of.runs, strict=True)
    ]
    yield Plot(
        "Accuracy and 1 − U-Score",
        "Beside each run the median seconds an answer took (L-MARS, figure 3).",
        lying_bars(labels, [Series("accuracy", accuracy), Series("1 − U-Score", certainty)]),
    )


def _usual_seconds(run: StoredRun) -> str:
    """The median time of the items that got to their end."""
    seconds = [one.seconds for one in run.records if one.is_scored]
    return f"{median(seconds):.2f} s" if seconds else ""


def _from_one(estimate: Estimate | None) -> Estimate | None:
    """What is left to one, the interval turned round."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return estimate and replace(estimate, value=1 - estimate.value)
    return replace(estimate, value=1 - estimate.value, low=1 - estimate.high, high=1 - estimate.low)


def _by_group(of: Evaluated) -> Iterator[Plot]:
    """The primary measure by task or group: by hops for LegalAgentBench."""
    primary = of.benchmark.primary
    names = list(dict.fromkeys(name for one in of.summaries for name in one.groups))
    if not 1 < len(names) <= MOST_GROUPS:
        return
    series = [
        Series(label, [summary.groups.get(name, {}).get(primary) for name in names])
        for label, summary in zip(_labels(of.runs), of.summaries, strict=True)
    ]
    yield Plot(
        f"{primary} by task or group",
        "Lines show 95 % intervals; what could not be measured has no bar.",
        bars(names, series, axis=primary),
    )


def _is_measured(of: Evaluated, measure: str) -> bool:
    return any(one.values.get(measure) for one in of.summaries)


def _labels(runs: Sequence[StoredRun]) -> list[str]:
    """Names short enough to stand in a plot, still told apart."""
    short = [
        run.name if len(run.name) <= 40 else f"{run.name[:18]}…{run.name[-18:]}" for run in runs
    ]
    if len(set(short)) == len(short):
        return short
    return [f"{place}. {name}" for place, name in enumerate(short, start=1)]


_CHOICES: tuple[Callable[[Evaluated], Iterator[Plot]], ...] = (
    _by_group,
    _by_year,
    _certainty,
    _dated_queries,
)
