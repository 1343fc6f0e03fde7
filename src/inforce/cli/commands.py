"""The commands by name, and how one is run: errors are reported to whoever must act."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Final, NoReturn

import typer

import inforce
from inforce import network
from inforce.cli.help import help_page, wants_help
from inforce.cli.output import drop_output, flush_output, prepare_output, print_error
from inforce.errors import CorpusError, InforceError, InternalError, UserError
from inforce.language import LANGUAGE_VARIABLE, chosen_language

COMMANDS: Final = {
    "at": "at",
    "search": "search",
    "history": "history",
    "diff": "diff",
    "concordance": "concordance",
    "ask": "ask",
    "verify": "verify",
    "corpus": "corpus",
    "sources": "sources",
    "trace": "trace",
    "eval": "evaluate",
    "report": "report",
    "construct": "construct",
    "serve": "serve",
    "mcp": "mcp",
}
"""Each command with its module, which has a ``command``: a function, or a group of commands."""

BROKEN_PIPE = 141
"""The status that shells report for a program whose reader has gone: 128 + SIGPIPE."""


class Interrupted(InforceError):
    """The user pressed Ctrl-C."""

    kind = "interrupted"
    exit_status = 130


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"inforce {inforce.__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Options before a command."""


def _without_options() -> None:
    """No options before a named command: one would cost its start three milliseconds."""


def app(*names: str) -> typer.Typer:
    """The commands of these names, or all of them: only their modules are imported."""
    commands = typer.Typer(
        help="Which law was in force when this happened, what exactly did it say, and what "
        "follows?",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    commands.callback()(_without_options if names else options)
    for name in names or COMMANDS:
        command = import_module(f"inforce.cli.{COMMANDS[name]}").command
        if isinstance(command, typer.Typer):
            commands.add_typer(command, name=name)
        else:
            commands.command(name)(command)
    return commands


def run(arguments: Sequence[str]) -> NoReturn:
    """Run a command and exit with its status."""
    prepare_output()
    try:
        status = _run_reporting_errors(
            _with_language(list(arguments)), as_json="--json" in arguments
        )
        flush_output()
    except BrokenPipeError:
        drop_output()
        status = BROKEN_PIPE
    except OSError as error:  # the answer was there, but could not be written
        drop_output()
        print_error(problem := _storage_error(error), as_json=False)
        status = problem.exit_status
    raise SystemExit(status)


def _with_language(arguments: list[str]) -> Sequence[str]:
    """The arguments without ``--lang zh``, which may come anywhere and holds for all output."""
    for index, argument in enumerate(arguments):
        name, equals, language = argument.partition("=")
        if argument == "--":
            break
        if name == "--lang":
            end = index + (1 if equals else 2)
            os.environ[LANGUAGE_VARIABLE] = language or "".join(arguments[index + 1 : end])
            return [*arguments[:index], *arguments[end:]]
    return arguments


def _run_reporting_errors(arguments: Sequence[str], *, as_json: bool) -> int:
    """Run a command and return its exit status; errors are printed."""
    try:
        network.apply_environment()
        chosen_language()  # an unknown one is refused before anything is done
        return _run(arguments)
    except KeyboardInterrupt:
        error: InforceError = Interrupted("interrupted; what was committed stays")
        status = error.exit_status
    except typer.TyperException as problem:
        error = UserError(_explained(problem))
        status = problem.exit_code
    except InforceError as problem:
        error, status = problem, problem.exit_status
    except BrokenPipeError:
        raise
    except OSError as problem:
        error = _storage_error(problem)
        status = error.exit_status
    except Exception as problem:
        import traceback

        traceback.print_exc()
        error = InternalError(f"a defect of inforce, please report it: {problem!r}")
        status = error.exit_status
    print_error(error, as_json=as_json)
    return status


def _storage_error(problem: OSError) -> CorpusError:
    if problem.filename:
        return CorpusError(f"the system refused: {problem}; INFORCE_HOME names the data folder")
    return CorpusError(f"the system refused: {problem}")


def _run(arguments: Sequence[str]) -> int:
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:  # Python passes bytes that are not text as lone surrogates
            raise UserError(
                f"cannot read the argument {argument!r}: it is not UTF-8 text"
            ) from None
    named = [one for one in arguments[:1] if one in COMMANDS]
    command = typer.main.get_command(app(*named))
    if (language := chosen_language()) != "en" and wants_help(arguments):
        print(help_page(command, arguments, language), end="")
        return 0
    try:
        with command.make_context("inforce", list(arguments or ["--help"])) as context:
            status: object = command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    return status if isinstance(status, int) else 0


def _explained(problem: typer.TyperException) -> str:
    """The error in the command line, and the help to read."""
    message = problem.format_message().removesuffix(".").replace("Value error, ", "")
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "inforce"
    return f"{message} (try: {command} --help)"
