"""``inforce concordance LAW --from DATE --to DATE``: a whole law on two days, by article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.at import Law
from inforce.cli.output import (
    EXIT_STATUS,
    Json,
    clock,
    console,
    counted,
    localize,
    print_json,
    user_library,
)
from inforce.dates import DateRange, parse_when
from inforce.errors import UserError
from inforce.files import write_file
from inforce.language import chosen_language
from inforce.law.caveats import known_sentence, said_of_days_ahead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inforce.corpus.consolidated import ConsolidatedText
    from inforce.law.concordance import Concordance, Row
    from inforce.law.numerals import ProvisionNumber

_STYLES = {
    "new": "green",
    "gone": "red",
    "changed": "yellow",
    "moved and changed": "yellow",
    "merged": "magenta",
    "split": "magenta",
}


_WIDTH = 33
"""Cells of the terminal for two numbers and a dash."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A law on two days, and the table between them."""

    law: str
    earlier: ConsolidatedText
    later: ConsolidatedText
    table: Concordance
    caveats: tuple[str, ...] = ()
    """How far the texts are known, and whether a day lies in the future."""


def concordance(
    law: Law,
    earlier: Annotated[str, typer.Option("--from", help="The earlier day.")],
    later: Annotated[str, typer.Option("--to", help="The later day.")] = "today",
    every: Annotated[bool, typer.Option("--all", help="Show unchanged articles too.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the table, word by word.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Which article of a law became which between two days: changed, moved, new and gone."""
    from inforce.corpus.consolidated import text_on
    from inforce.law.concordance import concordance as table_of

    days = [parse_when(text, clock=clock()).start for text in (earlier, later)]
    if days[1] <= days[0]:
        raise UserError(f"the later day {days[1]} is not after {days[0]}")
    with user_library() as library:
        work = library.corpus.resolve(law)
        texts = [text_on(library.corpus, work, day) for day in days]
    unknown = {number for text in texts for number in text.not_covered}
    table = table_of(texts[0].provisions, texts[1].provisions, not_covered=unknown)
    compared = Compared(work, texts[0], texts[1], table, tuple(_caveats(texts)))
    if html is not None:
        write_file(html, page(compared))
    if as_json:
        print_json(compared)
    else:
        _show(compared, every=every)
    return max(EXIT_STATUS[text.answer] for text in texts)


command = concordance


def _caveats(texts: Sequence[ConsolidatedText]) -> Iterator[str]:
    known = dict.fromkeys(text.as_far_as_known for text in texts)
    yield from (known_sentence(day) for day in known if day is not None)
    if ahead := said_of_days_ahead([DateRange.day(text.day) for text in texts], clock()()):
        yield ahead


def _show(compared: Compared, *, every: bool) -> None:
    out = console()
    out.print(f"{compared.law}: {compared.earlier.day} and {compared.later.day}", style="bold")
    for text in (compared.earlier, compared.later):
        for line in _coverage(text):
            out.print(line, style="yellow")
    for sentence in compared.caveats:
        out.print(f"note: {sentence}", style="yellow")
    table = compared.table
    for run in [[row] for row in table.rows] if every else _runs(table.changes):
        _show_run(run)
    out.print(_summary(table), style="bold")


def _runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows, those together whose articles only moved, and by the same distance."""
    run: list[Row] = []
    for row in rows:
        if run and not _follows(run[-1], row):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _follows(row: Row, after: Row) -> bool:
    if not (row.kind == after.kind == "moved"):
        return False
    assert row.old and row.new and after.old and after.new
    return _next(row.old.number) == after.old.number and _next(row.new.number) == after.new.number


def _next(number: ProvisionNumber) -> ProvisionNumber:
    return replace(number, main=number.main + 1)


def _show_run(run: Sequence[Row]) -> None:
    from rich.cells import cell_len

    first, last = run[0], run[-1]
    old, new = (
        _number(one) if one is other else f"{_number(one)} – {_number(other)}"
        for one, other in ((first.old, last.old), (first.new, last.new))
    )
    score = f"  {first.score:.2f}" if first.old and first.new and first.score < 1 else ""
    count = f"  {len(run)} articles" if len(run) > 1 else ""
    console().print(
        f"{' ' * (_WIDTH - cell_len(old))}{old} → {new}{' ' * (_WIDTH - cell_len(new))} "
        f"{localize(first.kind)}{score}{count}",
        style=_STYLES.get(first.kind, ""),
    )


def _coverage(text: ConsolidatedText) -> Iterator[str]:
    if text.answer != "found":
        yield f"{text.day}: no article in force is held ({text.answer.replace('_', ' ')})"
    if text.not_covered:
        yield f"{text.day}: {counted(len(text.not_covered), 'article')} not covered"


def _number(provision: object) -> str:
    number = getattr(provision, "number", None)
    return number.chinese if number else "—"


def _summary(table: Concordance) -> str:
    counts = (f"{count} {localize(kind)}" for kind, count in table.counts.items())
    return ", ".join(counts) or "no article"


_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title><style>
body{{font-family:serif;margin:2rem;line-height:1.6}}table{{border-collapse:collapse;width:100%}}
td,th{{border:1px solid #999;padding:.4rem;vertical-align:top;text-align:left}}
td.n{{white-space:nowrap}}del{{color:#a00}}ins{{color:#060;text-decoration:underline}}
</style></head><body><h1>{title}</h1><p>{summary}</p>
<table><thead><tr><th scope="col">{old}</th><th scope="col">{new}</th><th scope="col">{kind}</th>
<th scope="col">{wording}</th></tr></thead><tbody>
{rows}
</tbody></table></body></html>
"""


def page(compared: Compared) -> str:
    """The table as a page of its own: deletions struck out, insertions underlined."""
    coverage = [*_coverage(compared.earlier), *_coverage(compared.later)]
    notes = [*coverage, *compared.caveats, _summary(compared.table)]
    return _PAGE.format(
        language=chosen_language(),
        kind=localize("kind"),
        wording=localize("wording"),
        title=escape(f"{compared.law}: {compared.earlier.day} – {compared.later.day}"),
        summary=escape("; ".join(map(localize, notes))),
        old=compared.earlier.day,
        new=compared.later.day,
        rows="\n".join(
            f'<tr><td class="n">{escape(_number(row.old))}</td>'
            f'<td class="n">{escape(_number(row.new))}</td>'
            f"<td>{localize(row.kind)}</td><td>{_html_wording(row)}</td></tr>"
            for row in compared.table.rows
        ),
    )


def _html_wording(row: Row) -> str:
    tags = {"deleted": "del", "inserted": "ins"}
    if row.old is not None and row.new is not None:
        parts = [(tags.get(piece.kind), piece.text) for piece in row.pieces]
    else:
        whole = ((row.old, "del"), (row.new, "ins"))
        parts = [(tag, one.text) for one, tag in whole if one is not None]
    shown = (f"<{tag}>{escape(text)}</{tag}>" if tag else escape(text) for tag, text in parts)
    return "".join(shown).replace("\n", "<br>")
