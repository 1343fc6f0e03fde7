"""``inforce construct dated``: questions about the law of a date, from the laws that are held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, clock, counted, own_library, print_json, progress_bar
from inforce.errors import UserError
from inforce.library import Library

if TYPE_CHECKING:
    from inforce.evals.dated.questions import DatedQuestion
    from inforce.evals.dated.revisions import ChangesMeaning


def dated(
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", help="A corpus file, or statute files to load; else your own."),
    ] = None,
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

    plan = Plan(laws=tuple(law or ()), count=count, dates=dates, rare=rare, seed=seed)
    with opened(corpus) as library, progress_bar("laws") as advance:
        questions = generate(library, plan, changes_meaning=_asked(model), progress=advance)
        snapshot = library.corpus.snapshot()
    if not questions:
        raise UserError(
            "nothing to ask about: no article held changed significantly between two versions "
            "with stated dates; add more versions (inforce corpus add) or ask for more (--count)"
        )
    write_questions(output, questions)
    _say(questions, output, snapshot, as_json=as_json)
    return 0


def _asked(model: str) -> ChangesMeaning | None:
    from inforce.evals.dated.revisions import model_reads_meaning
    from inforce.llm.completion import completion

    return model_reads_meaning(completion(model)) if model else None


def opened(corpus: Path | None) -> AbstractContextManager[Library]:
    """The library of a corpus file or of statute files; this person's own without one."""
    from inforce.scoring.corpora import open_library_of

    if corpus is None:
        return own_library()
    return open_library_of(corpus, today=clock()())


def _say(questions: Sequence[DatedQuestion], output: Path, snapshot: str, *, as_json: bool) -> None:
    kinds = Counter(one.dated.kind for one in questions)
    laws = len({one.dated.law for one in questions})
    if as_json:
        written = {"output": str(output), "questions": len(questions), "laws": laws}
        print_json({**written, "kinds": dict(sorted(kinds.items())), "snapshot": snapshot})
        return
    sorts = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    total = counted(len(questions), "question")
    print(f"{total} ({sorts}) about {counted(laws, 'law')}: {output}")
