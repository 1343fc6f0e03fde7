"""``inforce construct training``: a training set in the manner of LegalSearch-R1, from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, counted, print_json
from inforce.errors import UserError

if TYPE_CHECKING:
    from inforce.scoring.tasks import Task
    from inforce.train.data.building import TrainingSet


def training(
    source: Annotated[
        list[Path],
        typer.Option("--source", help="A file or folder to draw from; may be repeated."),
    ],
    evaluation: Annotated[
        list[Path] | None,
        typer.Option("--evaluation", help="What will be evaluated: none of it is taken."),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")
    ] = None,
    per_task: Annotated[
        int, typer.Option("--per-task", min=1, max=1_000_000, help="Questions a task.")
    ] = 512,
    output: Annotated[
        Path, typer.Option("--output", help="Where to: .jsonl, or .parquet for verl.")
    ] = Path("training.jsonl"),
    seed: Annotated[int, typer.Option("--seed", help="Another seed draws other questions.")] = 0,
    as_json: Json = False,
) -> int:
    """Draw a training set from LawBench, LexEval, DISC, cases and dated questions."""
    from inforce.scoring.tasks import IN_DOMAIN, TASKS
    from inforce.train.data.building import Plan, build
    from inforce.train.data.leakage import evaluated
    from inforce.train.data.sources import read_sources

    for one in task or ():
        if one not in TASKS:
            raise UserError(f"no task is called {one!r}; there are {', '.join(TASKS)}")
    named: list[Task] = [one for one in TASKS if one in (task or ())]
    marks = evaluated(evaluation or ())
    sources = read_sources(source, unknown="passed_over")
    plan = Plan(tasks=tuple(named) or IN_DOMAIN, per_task=per_task, seed=seed)
    made = build(sources, plan, evaluated=marks)
    if not made.examples:
        raise UserError("no question is left of these tasks; add sources (--source)")
    _write(output, made)
    _say(output, made, as_json=as_json)
    return 0


def _write(output: Path, made: TrainingSet) -> None:
    from inforce.train.data.rows import write_jsonl, write_rows

    if output.suffix == ".parquet":
        write_rows(output, [one.as_question for one in made.examples], agent="inforce_r1")
    else:
        write_jsonl(output, made.examples)


def _say(output: Path, made: TrainingSet, *, as_json: bool) -> None:
    if as_json:
        print_json({"output": str(output), "tasks": made.tasks, "left_out": made.left_out})
        return
    print(f"{counted(len(made.examples), 'question')}: {output}")
    for one in made.tasks:
        missing = f", {one.wanted - one.taken} missing" if one.taken < one.wanted else ""
        print(f"  {one.task} {one.taken:5}, {one.dated} name a year{missing}", end="")
        sources = ", ".join(f"{number} {name}" for name, number in one.sources.items())
        print(f" ({sources})" if sources else "")
    for left in made.left_out:
        print(f"left out {left.number:5} of {left.source}: {left.why}")
