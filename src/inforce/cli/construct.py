"""``inforce construct``: make the tasks of a benchmark, and review them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Annotated

import typer

from inforce.cli.construct_briefs import briefs
from inforce.cli.construct_dated import dated
from inforce.cli.output import Json, console, counted, print_json, progress_bar
from inforce.cli.train_data import training
from inforce.errors import UserError

command = typer.Typer(
    help="Make the tasks of a benchmark from your own data.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

command.command("dated")(dated)
command.command("briefs")(briefs)
command.command("training")(training)

_HOPS = re.compile(r"([1-5])(?:-([1-5]))?")


@command.command("world")
def world(
    world: Annotated[Path, typer.Option("--world", help="The folder of the tables.")],
    output: Annotated[Path, typer.Option("--output", help="A folder for the tasks.")],
    tables: Annotated[
        Path | None,
        typer.Option("--tables", help="What your tables are (YAML); else LegalAgentBench's."),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", help="Who rewords the questions; nobody unless given.")
    ] = "",
    count: Annotated[int, typer.Option("--count", min=1, max=100_000, help="Tasks wanted.")] = 240,
    hops: Annotated[str, typer.Option("--hops", help="Look-ups in a row: 3, or 1-5.")] = "1-5",
    per_path: Annotated[
        int, typer.Option("--per-path", min=1, max=1_000, help="Entities a path.")
    ] = 2,
    seed: Annotated[int, typer.Option("--seed", help="Of what is drawn by lot.")] = 0,
    as_json: Json = False,
) -> int:
    """Make questions that take one to five look-ups, check them, and write them for review."""
    from inforce.evals.construction.project import Source, construct
    from inforce.evals.construction.tasks import Order
    from inforce.llm.models import open_model

    order = Order(count=count, hops=_hops(hops), per_path=per_path, seed=seed)
    answering = open_model(model) if model else None
    with progress_bar("look-ups and checks") as advance:
        made = asyncio.run(
            construct(Source(world, tables), output, order, model=answering, progress=advance)
        )
    if as_json:
        print_json(made)
        return 0
    print(f"{counted(made.n, 'task')}, {made.tools_used} of {made.tools} tools used")
    for hop, number in made.hops.items():
        print(f"  {hop}-hop {number:5}")
    for reason in made.refuted:
        console().print(f"left out {reason}")
    print(f"to review: {made.review}")
    return 0


@command.command("review")
def review(
    folder: Annotated[Path, typer.Argument(help="The folder of the tasks.")],
    apply: Annotated[
        bool, typer.Option("--apply", help="Write dataset.json from the accepted tasks.")
    ] = False,
    unreviewed: Annotated[
        bool, typer.Option("--unreviewed", help="Take in tasks without a verdict, too.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Count the verdicts people have written, and write the data set of what they accepted."""
    from inforce.evals.construction import project

    done = project.review(folder, apply=apply, unreviewed=unreviewed)
    if as_json:
        print_json(done)
        return 0
    print(f"{done.accepted} accepted, {done.rejected} rejected, {done.open} open")
    if done.written is not None:
        print(f"{counted(done.written, 'task')} in {done.dataset}")
    return 0


def _hops(text: str) -> tuple[int, ...]:
    match = _HOPS.fullmatch(text.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if last < first:
        raise UserError(f"cannot read --hops {text!r}: it is one of 1 to 5, or a span such as 1-5")
    return tuple(range(first, last + 1))
