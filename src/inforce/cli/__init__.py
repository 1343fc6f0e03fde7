"""The command line: one file a command, the same names and results as `inforce.library.Library`.

With ``--json`` a command prints one JSON document on standard output, errors included. Exit status:
0 found or done, 2 usage, 3 not in force then, 4 not found, 5 not covered, 6 bad input,
7 corpus or index, 8 model, 70 a defect of inforce, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from inforce.cli import ask, at, corpus, diff, evaluate, history, search
from inforce.cli.output import print_error, stop
from inforce.errors import InforceError, UserError

app = typer.Typer(
    help="Which law was in force when this happened, what exactly did it say, and what follows?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("at")(at.at)
app.command("search")(search.search)
app.command("history")(history.history)
app.command("diff")(diff.diff)
app.command("ask")(ask.ask)
app.add_typer(corpus.app, name="corpus")
app.command("eval")(evaluate.evaluate)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its status; the entry point of ``inforce``."""
    arguments = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in arguments
    try:
        status = app(args=list(arguments), prog_name="inforce", standalone_mode=False)
    except typer.TyperException as error:
        print_error(UserError(f"{error.format_message()} (try: inforce --help)"), as_json=as_json)
        stop(error.exit_code)
    except InforceError as error:
        print_error(error, as_json=as_json)
        stop(error.exit_status)
    except (KeyboardInterrupt, typer.Abort):
        print("inforce: interrupted; what was committed stays", file=sys.stderr)
        stop(130)
    stop(status if isinstance(status, int) else 0)
