"""The printed form of an extractive answer: quotations, absences, and today's law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inforce.cli.at import show_absence
from inforce.cli.diff import show_pieces
from inforce.cli.links import show_amounts, show_interpretations
from inforce.cli.output import EXIT_STATUS, cited, console, span_line
from inforce.cli.search import show_coverage, show_understood

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inforce.answering.answer import Answer, Quotation
    from inforce.answering.today import Today
    from inforce.corpus.links import Links
    from inforce.law.applicability import Applicability
    from inforce.law.limitation import Limitation


def status(answer: Answer) -> int:
    """Exit status: 0 if something is quoted, else that of the first named absence, else 4 or 5."""
    if answer.quotations:
        return 0
    if answer.absences:
        return EXIT_STATUS[answer.absences[0].lookup.answer]
    return EXIT_STATUS["not_covered" if answer.coverage.not_held else "not_found"]


def show(answer: Answer, links: Sequence[Links | None]) -> None:
    """Print an extractive answer, with what interprets each provision."""
    out = console()
    show_understood(answer.analysis, answer.time)
    if answer.limitation:
        _show_limitation(answer.limitation)
        out.print()
    for quotation, linked in zip(answer.quotations, links, strict=True):
        _show_quotation(quotation, linked)
    for absence in answer.absences:
        lookup = absence.lookup
        out.print(f"not quoted: {cited(lookup.work, lookup.number.chinese)}", style="bold")
        show_absence(lookup)
        ruled = absence.applicability
        out.print(f"why: {ruled.rule.statement} ({ruled.rule.source})")
        _show_doubts(ruled)
        if absence.later:
            out.print(f"later: {span_line(absence.later)}", style="dim")
        out.print()
    if answer.found_nothing:
        out.print("nothing in this corpus speaks to the question; no answer is given", style="bold")
    out.print("Extractive answer: provisions are quoted, no conclusion is drawn.", style="dim")
    show_coverage(answer.coverage)


def _show_quotation(quotation: Quotation, links: Links | None) -> None:
    out, ruled = console(), quotation.applicability
    out.print(cited(quotation.work, quotation.number.chinese), style="bold", end="")
    out.print(f"  {'、'.join(quotation.captions)}" if quotation.captions else "", style="dim")
    for span in quotation.wordings:
        out.print(span_line(span), style="cyan")
        if span.provision:
            out.print("\n".join(f"  {line}" for line in span.provision.text.splitlines()))
    if ruled.verdict == "cannot_decide":
        out.print("cannot decide which wording governs:", style="yellow")
    out.print(f"why: {ruled.rule.statement} ({ruled.rule.source})")
    for reason in ruled.reasons:
        out.print(f"  - {reason}")
    _show_doubts(ruled)
    show_amounts(links)
    show_interpretations(links)
    if quotation.limitation:
        _show_limitation(quotation.limitation)
    _show_today(quotation.today)
    out.print()


def _show_doubts(ruled: Applicability) -> None:
    """Print how a penalty was compared, what has to be established, and further rules."""
    out = console()
    for step in ruled.steps:
        out.print(f"    · {step}")
    for question in ruled.establish:
        out.print(f"  to establish: {question}", style="yellow")
    for caveat in ruled.caveats:
        out.print(f"  see also: {caveat.statement} ({caveat.source})", style="dim")


def _show_limitation(found: Limitation) -> None:
    """Print a period of limitation with its days, and whether it has ended."""
    out = console()
    parts = [str(found.period)] if found.period else []
    parts += [found.result, *([f"until {found.until}"] if found.until else [])]
    out.print(f"limitation of {found.of}: {'; '.join(parts)} ({found.rule.source})")
    for step in found.steps:
        out.print(f"    · {step}")
    for question in found.establish:
        out.print(f"  to establish: {question}", style="yellow")


def _show_today(today: Today) -> None:
    out = console()
    numbers = today.numbers or ((today.number,) if today.number else ())
    where = cited(today.work, "、".join(number.chinese for number in numbers))
    match today.since:
        case "unchanged":
            out.print("today: the same wording", style="green")
            return
        case "repealed":
            out.print("today: no longer in force, no successor found", style="yellow")
            return
        case "no_counterpart":
            out.print("today: no provision of the law was found that carries it", style="yellow")
            return
        case "not_covered":
            out.print("today: not covered by this corpus", style="yellow")
            return
        case "amended":
            out.print(f"today: {where} reads differently", style="yellow")
        case "moved" | "replaced" if today.is_recorded:
            out.print(
                f"today: {where} (by a table of counterparts, not stated by the law)",
                style="yellow",
            )
        case "moved" | "replaced":
            out.print(
                f"today: {where} (matched by text, {today.score:.2f}, not stated by the law)",
                style="yellow",
            )
    if today.span and len(numbers) == 1:
        out.print(f"  {span_line(today.span)}", style="cyan")
    if today.pieces:
        show_pieces(today.pieces, indent="  ")
