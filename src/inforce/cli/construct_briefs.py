"""``inforce construct briefs``: documents whose wrong citations are known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from inforce.cli.construct_dated import opened
from inforce.cli.output import Json, counted, print_json


def briefs(
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", help="A corpus file, or statute files to load; else your own."),
    ] = None,
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
    with opened(corpus) as library:
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
