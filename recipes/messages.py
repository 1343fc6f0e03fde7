"""Bring the catalogue of Chinese messages up to date with the code, and compile it.

    python recipes/messages.py            to collect the messages, and compile what is translated
    python recipes/messages.py --check    to fail where one is missing, unused or not translated

Five kinds of messages are collected: what the command line and the server give to ``_`` or
``text``, what the templates of the pages give to ``_``, the help of every command and option, what
is composed elsewhere (the texts of errors, reasons and rules, whose places are written ``{}``), and
the values that are shown as words, which are listed in ``messages.txt``.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from inforce.cli.commands import app
from inforce.corpus.starter import COVERAGE_NOTE

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "inforce"
VALUES = ROOT / "recipes" / "messages.txt"
CATALOGUE = SOURCE / "language" / "locale" / "zh" / "LC_MESSAGES" / "inforce.po"

LABELS = (
    "cli/*.py",
    *("corpus/coverage.py", "corpus/doctor.py"),
    "language/messages.py",
    "serve/*.py",
    "verification/*.py",
)
TEMPLATES = ("serve/templates/*.j2", "corpus/*.j2")
PROSE = (
    "answering/**/*.py",
    "corpus/compile/*.py",
    *(f"corpus/dating/{name}.py" for name in ("commencement", "editions", "validity")),
    "law/**/*.py",
    *(f"cli/{name}.py" for name in ("ask", "at", "diff", "history", "links", "output")),
    *(f"cli/{name}.py" for name in ("commands", "quotations", "search", "trace")),
    *(f"cli/{name}.py" for name in ("adding", "corpus", "corpus_compile", "corpus_fetch")),
    *(f"cli/{name}.py" for name in ("serve", "sources")),
)
"""Where whatever reads like a sentence is one."""
COMPOSED = (
    *(f"cli/{name}.py" for name in ("concordance", "construct", "evaluate", "mcp", "report")),
    "cli/verify.py",
    *(f"{name}.py" for name in ("errors", "files", "lawbook", "library", "network")),
    *("agents/**/*.py", "corpus/**/*.py", "dates/*.py", "documents/*.py", "evals/**/*.py"),
    *("feeds/*.py", "language/*.py", "llm/**/*.py", "retrieval/**/*.py", "scoring/*.py"),
    *("serve/*.py", "store/**/*.py", "tools/**/*.py", "train/**/*.py", "verification/*.py"),
    "web/**/*.py",
)
"""Where sentences are composed that a practitioner reads."""

AS_PUBLISHED = ("evals/**/tables.py", "evals/published/*.py")
"""The tables of papers and their notes, which stay in the language of the papers."""

RULES = ("law/data/special_rules.txt",)
"""Tables with a sentence below each row."""

_DATE = datetime(2026, 1, 1, tzinfo=UTC)
_KEYWORDS = {"_": None, "N_": None, "text": None, "plural": (1, 2), "NC_": ((1, "c"), 2)}
_SAYING = re.compile(
    r"(Draft|Error|Exception|Refusal|Rule|Span|Unapplied|_decided|_undecided|__init__|_problem|print_note)$"
)
"""Calls whose arguments are sentences."""
_SAID = re.compile(
    r"^_?(reasons?|told|notes?|caveats?|assumptions?|conflict|why|statement|statements)$"
)
"""Names of what holds or returns sentences."""
_WORDS = re.compile(r"[a-z]+,? [^\n]*[a-z]{2,}")
_PATTERN = re.compile(r"[\\|]|\(\?|^(?:bold|red|Value error,) ?\w*$")
"""Regular expressions, styles and prefixes are no sentences."""


Label = tuple[str, str]
"""A message, and the context in which it has words of its own; empty for any."""


def collected() -> dict[Label, str]:
    """Every message with the file it was first found in."""
    found: dict[Label, str] = {}
    for pattern in LABELS:
        for path in sorted(SOURCE.glob(pattern)):
            for label in _labels(path, "python"):
                found.setdefault(label, _name(path))
    for pattern in TEMPLATES:
        for path in sorted(SOURCE.glob(pattern)):
            for label in _labels(path, "jinja2.ext:babel_extract"):
                found.setdefault(label, _name(path))
    for message in help_texts(typer.main.get_command(app())):
        found.setdefault((message, ""), "src/inforce/cli")
    for message in VALUES.read_text(encoding="utf-8").splitlines():
        if message and not message.startswith("#"):
            found.setdefault((message, ""), _name(VALUES))
    found.setdefault((COVERAGE_NOTE, ""), _name(SOURCE / "corpus" / "starter"))
    published = {path for pattern in AS_PUBLISHED for path in SOURCE.glob(pattern)}
    for patterns, sentences in ((COMPOSED, composed), (PROSE, prose), (RULES, statements)):
        paths = {path for pattern in patterns for path in SOURCE.glob(pattern)}
        for path in sorted(paths - published):
            for message in sentences(path):
                found.setdefault((message, ""), _name(path))
    return found


def help_texts(command: Any) -> Iterator[str]:
    """What ``--help`` says of a command, its options, and the commands below it."""
    texts = [*(command.help or "").split("\n\n"), *(one.help or "" for one in command.params)]
    yield from filter(None, (" ".join(text.split()) for text in texts))
    for below in getattr(command, "commands", {}).values():
        yield from help_texts(below)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _labels(path: Path, method: str) -> Iterator[Label]:
    for _, message, _, context in extract_from_file(method, path, keywords=_KEYWORDS):
        found = (message,) if isinstance(message, str) else filter(None, message)
        yield from ((one, context or "") for one in found)


def composed(path: Path) -> Iterator[str]:
    """The forms of the sentences a module composes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _SAYING.search(ast.unparse(node.func)):
            values = [*node.args, *(one.value for one in node.keywords)]
        elif isinstance(node, ast.keyword) and node.arg and _SAID.match(node.arg):
            values = [node.value]
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = any(_SAID.match(ast.unparse(one).rpartition(".")[2]) for one in targets)
            values = [node.value] if named else []
        elif isinstance(node, ast.FunctionDef) and _SAID.match(node.name):
            returned = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
            values = [one.value for one in returned if one.value]
        else:
            continue
        for value in values:
            yield from filter(_WORDS.search, _sentences(value))


def prose(path: Path) -> Iterator[str]:
    """Whatever reads like a sentence in a module."""
    if path.stem == "registry":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) or _is_documentation(node) or _is_other(node)
        for below in ast.walk(node)
        if below is not node
    }
    for node in ast.walk(tree):
        if id(node) not in silent and isinstance(node, ast.Constant | ast.JoinedStr):
            for sentence in _sentences(node):
                for part in sentence.split(" · "):
                    if _WORDS.search(part) and not _PATTERN.search(part):
                        yield part.strip()


def statements(path: Path) -> Iterator[str]:
    """The sentences below the rows of a table."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [line.strip() for line in lines if line.startswith("    ")]
    if not found:
        raise ValueError(f"no sentences in {path}: has its form changed?")
    yield from found


def _is_other(node: ast.AST) -> bool:
    """Whether a value is shown in help, or is no words at all."""
    return isinstance(node, ast.keyword) and node.arg in ("help", "style")


def _is_documentation(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _sentences(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=values):
            yield "".join(
                str(one.value) if isinstance(one, ast.Constant) else "{}" for one in values
            )
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _sentences(part)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _sentences(body)
            yield from _sentences(orelse)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _sentences(value)
        case _:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Update the catalogue, or say what is wrong with it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args(arguments)
    before = _read()
    after = _updated(before, collected())
    untranslated = [str(one.id) for one in after if one.id and not one.string]
    for message in untranslated:
        print(f"not translated: {message}", file=sys.stderr)
    compiled = io.BytesIO()
    write_mo(compiled, after)
    place = CATALOGUE.with_suffix(".mo")
    if options.check:
        stale = CATALOGUE.read_bytes() != _written(after)
        stale = stale or place.read_bytes() != compiled.getvalue()
        if stale:
            print("the catalogue is not up to date: python recipes/messages.py", file=sys.stderr)
        return 1 if stale or untranslated else 0
    CATALOGUE.write_bytes(_written(after))
    place.write_bytes(compiled.getvalue())
    return 0


def _read() -> Catalog:
    if not CATALOGUE.exists():
        return Catalog(locale="zh")
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="zh")


def _updated(before: Catalog, found: dict[Label, str]) -> Catalog:
    # Its dates are no part of what it says, and would make every build another one.
    after = Catalog(locale="zh", project="inforce", creation_date=_DATE, revision_date=_DATE)
    for (message, context), path in sorted(found.items(), key=lambda one: (one[1], one[0])):
        known = before.get(message, context or None)
        string = known.string if known else ""
        after.add(message, string, locations=[(path, 0)], context=context or None)
    return after


def _written(catalogue: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, omit_header=True)
    return file.getvalue()


if __name__ == "__main__":
    raise SystemExit(main())
