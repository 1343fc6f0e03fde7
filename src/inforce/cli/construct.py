"""``inforce construct``: questions, documents and tasks made from data of one's own."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.options import Corpus
from inforce.cli.output import Json, clock, console, counted, print_json, progress_bar, user_library
from inforce.errors import UserError
from inforce.library import Library

if TYPE_CHECKING:
    from inforce.evals.dated.questions import DatedQuestion
    from inforce.scoring.tasks import Task
    from inforce.train.data.building import TrainingSet


command = typer.Typer(
    help="Make the tasks of a benchmark from your own data.",
    rich_markup_mode=None,
)

_HOPS = re.compile(r"([1-5])(?:-([1-5]))?")


@command.command("dated")
def dated(
    corpus: Corpus = None,
    law: Annotated[
        list[str] | None, typer.Option("--law", help="Only of this law; may be repeated.")
    ] = None,
    count: Annotated[
        int | None, typer.Option("--count", min=2, help="At most so many questions; else all.")
    ] = None,
    dates: Annotated[
        int, typer.Option("--dates", min=2, max=100, help="Dates the same question is asked at.")
    ] = 5,
    output: Annotated[Path, typer.Option("--output", help="Where to write the JSON lines.")] = Path(
        "dated.jsonl"
    ),
    model: Annotated[
        str, typer.Option("--model", help="Who judges revisions in which rules see no new meaning.")
    ] = "",
    rare: Annotated[
        int,
        typer.Option(
            "--rare", min=1, help="Changed thresholds and renamed crimes of a law at its turn."
        ),
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Another seed draws other questions.")] = 1,
    as_json: Json = False,
) -> int:
    """Make questions about the wording in force at a date; see `inforce.evals.dated`."""
    from inforce.evals.dated.generator import Plan, generate
    from inforce.evals.dated.questions import write_questions
    from inforce.evals.dated.revisions import model_reads_meaning
    from inforce.llm.models import completion

    plan = Plan(laws=tuple(law or ()), count=count, dates=dates, rare=rare, seed=seed)
    with _library_of(corpus) as library, progress_bar("laws") as advance:
        judge = model_reads_meaning(completion(model)) if model else None
        questions = generate(library, plan, changes_meaning=judge, progress=advance)
        snapshot = library.corpus.snapshot()
    if not questions:
        raise UserError(
            "nothing to ask about: no article held changed significantly between two versions "
            "with stated dates; add more versions (inforce corpus add) or ask for more (--count)"
        )
    write_questions(output, questions)
    _report_questions(questions, output, snapshot, as_json=as_json)
    return 0


def _library_of(corpus: Path | None) -> AbstractContextManager[Library]:
    """The library of a corpus file or of statute files; this person's own without one."""
    from inforce.scoring.corpora import open_library_of

    if corpus is None:
        return user_library()
    return open_library_of(corpus, today=clock()())


def _report_questions(
    questions: Sequence[DatedQuestion], output: Path, snapshot: str, *, as_json: bool
) -> None:
    kinds = Counter(one.dated.kind for one in questions)
    laws = len({one.dated.law for one in questions})
    if as_json:
        written = {"output": str(output), "questions": len(questions), "laws": laws}
        print_json({**written, "kinds": dict(sorted(kinds.items())), "snapshot": snapshot})
        return
    sorts = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    total = counted(len(questions), "question")
    print(f"{total} ({sorts}) about {counted(laws, 'law')}: {output}")


@command.command("briefs")
def briefs(
    corpus: Corpus = None,
    count: Annotated[
        int, typer.Option("--count", min=1, max=100_000, help="Documents wanted.")
    ] = 20,
    items: Annotated[
        int, typer.Option("--items", min=1, max=200, help="Citations in each document.")
    ] = 6,
    share: Annotated[
        float, typer.Option("--share", min=0, max=1, help="Of them that carry an error.")
    ] = 0.4,
    output: Annotated[
        Path, typer.Option("--output", help="A folder for the documents and what is wrong in them.")
    ] = Path("briefs"),
    seed: Annotated[int, typer.Option("--seed", help="Another seed draws other documents.")] = 1,
    as_json: Json = False,
) -> int:
    """Make documents that cite and quote laws, some wrongly; see `inforce.evals.briefs`."""
    from inforce.evals.briefs.generator import Plan, write_briefs
    from inforce.evals.briefs.generator import briefs as made_of

    plan = Plan(count=count, items=items, share=share, seed=seed)
    with _library_of(corpus) as library:
        made = list(made_of(library, plan))
        snapshot = library.corpus.snapshot()
    write_briefs(output, made)
    errors = Counter(one.error for brief in made for one in brief.items if one.error)
    total = sum(len(brief.items) for brief in made)
    if as_json:
        written = {"output": str(output), "documents": len(made), "items": total}
        print_json({**written, "errors": dict(sorted(errors.items())), "snapshot": snapshot})
        return 0
    print(f"{counted(len(made), 'document')}, {counted(total, 'citation')}: {output}")
    for error, number in sorted(errors.items()):
        print(f"  {error:18} {number:5}")
    return 0


@command.command("training")
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
    from inforce.train.data.building import Plan, build, read_evaluated
    from inforce.train.data.rows import write_jsonl, write_rows
    from inforce.train.data.sources import read_sources

    for one in task or ():
        if one not in TASKS:
            raise UserError(f"no task is called {one!r}; there are {', '.join(TASKS)}")
    named: list[Task] = [one for one in TASKS if one in (task or ())]
    marks = read_evaluated(evaluation or ())
    sources = read_sources(source, unknown="passed_over")
    plan = Plan(tasks=tuple(named) or IN_DOMAIN, per_task=per_task, seed=seed)
    made = build(sources, plan, evaluated=marks)
    if not made.examples:
        raise UserError("no question is left of these tasks; add sources (--source)")
    if output.suffix == ".parquet":
        write_rows(output, [one.as_question for one in made.examples], agent="inforce_r1")
    else:
        write_jsonl(output, made.examples)
    _report_training_set(output, made, as_json=as_json)
    return 0


def _report_training_set(output: Path, made: TrainingSet, *, as_json: bool) -> None:
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
    from inforce.evals.construction.project import construct
    from inforce.evals.construction.tasks import TaskPlan
    from inforce.llm.models import open_model

    plan = TaskPlan(count=count, hops=_hops(hops), per_path=per_path, seed=seed)
    answering = open_model(model) if model else None
    with progress_bar("look-ups and checks") as advance:
        made = asyncio.run(
            construct(world, output, plan, tables=tables, model=answering, progress=advance)
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
