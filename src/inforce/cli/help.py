"""Help in other languages than English: the text of typer, translated by the catalogue.

Typer measures characters and breaks lines at spaces; Chinese has none, and its characters are two
columns wide.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import typer

from inforce.language import Language
from inforce.language.messages import N_, Messages, messages

_LONGEST: Final = 100
"""Columns of a page."""
_NAMES: Final = 28
"""Columns of the names of options; longer ones have a line of their own."""

_PIECE: Final = re.compile(r"[（《“［]*(?:[!-~]+|\S)[。，、；：！？）］》”]*\s*")
"""The unit of line breaking: a word, or a character, with the marks that cannot begin a line."""

_WORDS: Final = (
    *(N_("Arguments:"), N_("Options:"), N_("Commands:"), N_("Usage: {}"), N_("[OPTIONS]")),
    *(N_("COMMAND [ARGS]..."), N_("Show this message and exit."), N_("[default: {}]")),
    *(N_("[required]"), N_("{} (try: inforce {} --help)"), N_("No such option: {}")),
    *(N_("No such option: {} (Possible options: {})"), N_("Missing argument '{}'")),
    *(N_("Missing option '{}'"), N_("Missing command"), N_("No such command '{}'")),
    *(N_("Invalid value for '{}': {}"), N_("Option '{}' requires an argument")),
    *(N_("Option '{}' does not take a value"), N_("Got unexpected extra argument(s) ({})")),
    *(N_("Got unexpected extra arguments ({})"), N_("'{}' is not a valid int range")),
    *(N_("'{}' is not a valid int"), N_("'{}' is not a valid float")),
    *(N_("'{}' is not a valid float range"), N_("'{}' is not one of {}")),
    *(N_("{} is not in the range {}"), N_("{} (try: inforce --help)")),
)
"""Messages of typer, in help and on a command line that it cannot read."""


class _Row(NamedTuple):
    name: str
    words: str


def wants_help(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for help."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return not arguments or "--help" in options


def help_page(command: Any, arguments: Sequence[str], language: Language) -> str:
    """The help of a command.

    Args:
        command: the commands of the program, as typer makes them.
        arguments: a command line; the command it names is described.
        language: of the page.
    """
    path = ["inforce"]
    for argument in arguments:
        if argument in (below := getattr(command, "commands", {})):
            command = below[argument]
            path.append(argument)
        elif not argument.startswith("-"):
            break
    return "\n".join(_Page(command, " ".join(path), messages(language)).lines()) + "\n"


class _Page:
    def __init__(self, command: Any, path: str, catalogue: Messages) -> None:
        self._command = command
        self._context = typer.Context(command, info_name=path)
        self._path = path
        self._messages = catalogue

    def lines(self) -> Iterator[str]:
        """The lines of the page."""
        pieces = [
            self._messages.text(one) for one in self._command.collect_usage_pieces(self._context)
        ]
        yield self._messages.text("Usage: {}").format(" ".join([self._path, *pieces]))
        for paragraph in (self._command.help or "").strip().split("\n\n"):
            yield ""
            yield from _wrapped(self._text(paragraph), indent=2)
        shown = list(self._command.get_params(self._context))
        options = [one for one in shown if one.param_type_name == "option"]
        positional = [one for one in shown if one.param_type_name != "option"]
        yield from self._section("Arguments:", [self._row(one) for one in positional])
        yield from self._section("Options:", [self._row(one) for one in options])
        below: dict[str, Any] = getattr(self._command, "commands", {})
        rows = [
            _Row(name, self._text(one.help.strip().split("\n\n")[0])) for name, one in below.items()
        ]
        yield from self._section("Commands:", rows)

    def _text(self, words: str) -> str:
        in_one_line = " ".join(words.split())
        return self._messages.text(in_one_line) if in_one_line else ""

    def _row(self, parameter: Any) -> _Row:
        name, words = parameter.get_help_record(self._context)
        text = parameter.help or ""
        facts = words.removeprefix(text).strip().replace("; ", "]  [").split("  ")
        return _Row(
            name, "  ".join(filter(None, (self._text(text), *map(self._messages.sentence, facts))))
        )

    def _section(self, title: str, rows: Sequence[_Row]) -> Iterator[str]:
        from rich.cells import cell_len

        if not rows:
            return
        yield ""
        yield self._messages.text(title)
        widths = [cell_len(one.name) for one in rows]
        column = 4 + max((width for width in widths if width <= _NAMES), default=0)
        for row, width in zip(rows, widths, strict=True):
            first, *others = list(_wrapped(row.words, indent=column)) or [""]
            if width > _NAMES:
                yield f"  {row.name}"
                yield first
            else:
                yield f"  {row.name}{' ' * (column - 2 - width)}{first[column:]}".rstrip()
            yield from others


def _wrapped(text: str, *, indent: int) -> Iterator[str]:
    """Lines of a text that fit the terminal, in columns."""
    from rich.cells import cell_len

    width = max(min(shutil.get_terminal_size().columns, _LONGEST) - indent, 20)
    line = ""
    for piece in _PIECE.findall(text):
        if line and cell_len(line + piece.rstrip()) > width:
            yield f"{' ' * indent}{line}".rstrip()
            line = ""
        line += piece
    yield f"{' ' * indent}{line}".rstrip()
