"""The contents of a report on the runs of one benchmark: chapters of tables and sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from inforce.evals.benchmark import Benchmark, Record, Summary
from inforce.evals.compare import Comparison, comparison_table, sentence
from inforce.evals.results import Results
from inforce.evals.summary import not_scored, with_note
from inforce.evals.table import Row, Table, cell_text
from inforce.llm.chat import Usage


@dataclass(frozen=True, slots=True)
class Chapter:
    """Tables under one heading."""

    heading: str
    tables: tuple[Table, ...] = ()
    sentences: tuple[str, ...] = ()
    is_folded: bool = False
    """True if its tables are shown on demand."""


@dataclass(frozen=True, slots=True)
class BenchmarkRuns:
    """The runs of one benchmark with their summaries and comparisons."""

    benchmark: Benchmark
    runs: tuple[Results, ...]
    summaries: tuple[Summary, ...]
    """One for each run."""
    comparisons: tuple[Comparison, ...] = ()


def summarise_runs(benchmark: Benchmark, runs: Sequence[Results]) -> BenchmarkRuns:
    """Summarise the runs of a benchmark."""
    summaries = tuple(benchmark.summarise(run.records) for run in runs)
    return BenchmarkRuns(benchmark, tuple(runs), summaries)


def chapters(of: BenchmarkRuns) -> tuple[Chapter, ...]:
    """All words and tables of a report, the most wanted first."""
    pairs = zip(of.runs, of.summaries, strict=True)
    headlines = tuple(_headline(*pair, of.benchmark.primary) for pair in pairs)
    every = (
        Chapter("What was run", (_what_was_run(of),)),
        Chapter("Results", (_measures(of), *_missing(of)), headlines),
        _comparisons(of),
        Chapter("Tables of the papers", joined_tables(of)),
        Chapter("By task or group", tuple(_groups(of)), is_folded=True),
        Chapter("Outcomes and cost", (_outcomes(of), _cost(of))),
        Chapter("Tools and time", tuple(_tools(of)), is_folded=True),
    )
    return tuple(one for one in every if one.tables or one.sentences)


def _headline(run: Results, summary: Summary, primary: str) -> str:
    """The primary measure of a run in one sentence, with the items that lack it."""
    figure = cell_text(summary.values.get(primary), "share", detail="full")
    broken = sum(not one.is_scored for one in run.records)
    missing = not_measured(run.records, primary)
    parts = [f"{run.name}: {primary} {figure}"]
    if broken:
        parts.append(f"{broken} of {len(run.records)} items broke off and are not scored")
    if missing:
        reasons = [one for one in not_scored(run.records, primary) if one.is_measurable]
        why = "; ".join(dict.fromkeys(one.reason for one in reasons))
        parts.append(f"{missing} could not be measured" + (f" ({why})" if why else ""))
    return "; ".join(parts) + "."


def not_measured(records: Iterable[Record], measure: str) -> int:
    """The number of finished items without a value of a measure, which never counts as zero."""
    return sum(
        one.is_scored and measure in one.values and one.values[measure] is None for one in records
    )


def _what_was_run(of: BenchmarkRuns) -> Table:
    """A row for each fact about the runs, a column for each run."""
    facts: dict[str, list[str]] = {}
    for run in of.runs:
        info = run.info
        options = ", ".join(f"{key}={value}" for key, value in info.options.items())
        for name, fact in (
            ("agent", info.agent),
            ("model", info.model),
            ("judge", info.judge or "none"),
            ("data", info.data),
            ("about the data", info.about_data or "–"),
            ("options", options or "none"),
            ("started", info.started.strftime("%Y-%m-%d %H:%M:%S %Z").strip()),
            ("took", f"{info.seconds:,.1f} s"),
            ("inforce", info.version),
            ("items", str(len(run.records))),
            ("folder", str(run.folder)),
        ):
            facts.setdefault(name, []).append(fact)
    rows = tuple(Row(name, tuple(cells)) for name, cells in facts.items())
    return Table("", tuple(run.name for run in of.runs), rows, "number")


def _measures(of: BenchmarkRuns) -> Table:
    """Every measure with its number of items, a column for each run."""
    names = dict.fromkeys(name for summary in of.summaries for name in summary.values)
    rows = [Row(name, tuple(one.values.get(name) for one in of.summaries)) for name in names]
    columns = tuple(run.name for run in of.runs)
    note = (
        "With 95 % intervals and the number of items. Items that broke off are left out; what "
        "could not be measured is missing, never zero."
    )
    return Table("Measures", columns, tuple(rows), "number", note)


def _missing(of: BenchmarkRuns) -> Iterable[Table]:
    """The number of items of each run that lack a measure, by measure; nothing if none does."""
    names = dict.fromkeys(name for summary in of.summaries for name in summary.values)
    counts = {name: [not_measured(run.records, name) for run in of.runs] for name in names}
    rows = tuple(Row(name, tuple(found)) for name, found in counts.items() if any(found))
    if rows:
        yield Table("Not measured", tuple(run.name for run in of.runs), rows, "number")


def _comparisons(of: BenchmarkRuns) -> Chapter:
    sentences = [
        sentence(one, first=found.first, second=found.second)
        for found in of.comparisons
        for one in found.differences[:1]
    ]
    sentences += [
        f"{found.first} and {found.second} share no item both measured."
        for found in of.comparisons
        if not found.differences
    ]
    tables = tuple(comparison_table(found) for found in of.comparisons if found.differences)
    return Chapter("One run against the other", tables, tuple(sentences))


def joined_tables(of: BenchmarkRuns) -> tuple[Table, ...]:
    """The paper's tables, each once, with a row for every run and all columns of the runs."""
    joined: dict[str, Table] = {}
    for run in of.runs:
        found = of.benchmark.tables(run.records, run.name)
        for table in with_note(found, run.records, of.benchmark.primary):
            own = table.own_notes
            if len(of.runs) > 1:
                own = tuple(f"{run.name}: {note}" for note in own)
            known = joined.get(table.title, replace(table, rows=(), own_notes=()))
            columns = _united(known.columns, table.columns)
            rows = [_in_columns(row, known.columns, columns) for row in known.rows]
            more = (_in_columns(row, table.columns, columns) for row in table.rows)
            rows += [row for row in more if row not in rows]  # published once
            joined[table.title] = replace(
                known, columns=columns, rows=tuple(rows), own_notes=known.own_notes + own
            )
    return tuple(joined.values())


def _united(some: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    """The columns of two tables; a column of the second alone keeps its place after the one before.

    >>> _united(("Amended", "Number", "over 30 %"), ("Amended", "Renamed", "over 30 %"))
    ('Amended', 'Renamed', 'Number', 'over 30 %')
    >>> _united(("2000", "2018"), ("1997", "2009"))
    ('1997', '2000', '2009', '2018')
    """
    columns, place = list(some), 0
    for column in more:
        if column in columns:
            place = columns.index(column) + 1
        else:
            columns.insert(place, column)
            place += 1
    years = all(column.isdecimal() for column in columns)
    return tuple(sorted(columns, key=int) if years else columns)


def _in_columns(row: Row, own: Sequence[str], columns: Sequence[str]) -> Row:
    """A row with a cell for each column; a column its table does not have is not measured."""
    cells = dict(zip(own, row.cells, strict=True))
    return replace(row, cells=tuple(cells.get(column) for column in columns))


def _groups(of: BenchmarkRuns) -> Iterable[Table]:
    names = dict.fromkeys(name for summary in of.summaries for name in summary.groups)
    primary = of.benchmark.primary
    if len(of.runs) > 1 and names:
        rows = tuple(
            Row(name, tuple(one.groups.get(name, {}).get(primary) for one in of.summaries))
            for name in names
        )
        yield Table(primary, tuple(run.name for run in of.runs), rows, "number")
    for run, summary in zip(of.runs, of.summaries, strict=True):
        if summary.groups:
            yield _by_group(run, summary)


def _by_group(run: Results, summary: Summary) -> Table:
    """A row for each group, with every measure that some group has."""
    names = dict.fromkeys(
        measure for group in summary.groups.values() for measure, one in group.items() if one
    )
    rows = (
        Row(name, tuple(group.get(measure) for measure in names))
        for name, group in summary.groups.items()
    )
    return Table(run.name, tuple(names), tuple(rows), "number")


def _outcomes(of: BenchmarkRuns) -> Table:
    counts = [Counter(one.outcome for one in run.records) for run in of.runs]
    names = sorted({outcome for count in counts for outcome in count})
    rows = [
        Row(run.name, tuple(count[name] for name in names))
        for run, count in zip(of.runs, counts, strict=True)
    ]
    columns = tuple(name.replace("_", " ") for name in names)
    return Table("How the runs of the items ended", columns, tuple(rows), "number")


def _cost(of: BenchmarkRuns) -> Table:
    rows: list[Row] = []
    for run in of.runs:
        spent = usage(run.records)
        money = None if spent.money is None else float(spent.money)
        paid = 0 if spent.calls == 0 else money
        seconds = median(one.seconds for one in run.records) if run.records else None
        cells = spent.calls, spent.input_tokens, spent.output_tokens, paid, seconds
        rows.append(Row(run.name, cells))
    heads = ("model calls", "tokens read", "tokens written", "US dollars")
    note = "A dash: the price of a model is not known. The judge's cost is not counted."
    return Table("Cost", (*heads, "seconds an item (median)"), tuple(rows), "number", note)


def usage(records: Iterable[Record]) -> Usage:
    """The cost of all items together."""
    return sum((one.usage for one in records), Usage())


def _tools(of: BenchmarkRuns) -> Iterable[Table]:
    """The number of calls of each tool, and of those whose query mentions a time."""
    rows = tuple(
        Row(tool if len(of.runs) == 1 else f"{tool} · {run.name}", (calls, dated, dated / calls))
        for run in of.runs
        for tool, calls in total(run.records, lambda one: one.calls).items()
        for dated in (total(run.records, lambda one: one.dated).get(tool, 0),)
        if calls
    )
    columns = ("calls", "query names a time", "share")
    if rows:
        yield Table("Tool calls, and those whose query names a time", columns, rows, "number")


def total(
    records: Iterable[Record], counts: Callable[[Record], Mapping[str, int]]
) -> dict[str, int]:
    """Counts by tool over all records, sorted by tool."""
    summed: Counter[str] = Counter()
    for one in records:
        summed.update(counts(one))
    return dict(sorted(summed.items()))
