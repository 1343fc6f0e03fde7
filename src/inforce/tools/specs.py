"""Specs of tools in files: YAML in the form of LegalSearch-R1, figure 10.

::

    tools:
      - name: "rag_retrieve"
        description: "Retrieve Chinese statutory provisions …"
        parameters:
          query:
            type: array
            description: "List of query strings, e.g. …"
            items: {type: string}

Each parameter is a JSON schema. All parameters are required unless a list ``required`` names some.
Put a user's words over the built-in ones with `Toolbox.described`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from inforce.documents.safe_yaml import MOST_CHARACTERS, YamlError, line_of, read_yaml
from inforce.errors import InputError
from inforce.tools.tool import Language, ToolSpec

_KNOWN = frozenset({"name", "description", "parameters", "required"})


def load_specs(path: Path | str) -> tuple[ToolSpec, ...]:
    """Load the tool specs of a YAML file.

    Raises:
        InputError: if it cannot be read, is too large or not of this form; names the line.
    """
    path = Path(path)
    text = _text(path)
    try:
        document = read_yaml(text)
    except YamlError as error:
        raise InputError(f"not a tool spec: {error.reason}", path=path, line=error.line) from error
    try:
        return _specs(document)
    except _SpecError as error:
        line = line_of(text, *error.where)
        raise InputError(str(error), path=path, line=line) from error


@cache
def built_in_specs(language: Language) -> Mapping[str, ToolSpec]:
    """The specs of the tools of this library, by name."""
    folder = files("inforce.tools").joinpath("built_in_specs")
    text = folder.joinpath(f"{language}.yaml").read_text(encoding="utf-8")
    return {spec.name: spec for spec in _specs(read_yaml(text))}


class _SpecError(ValueError):
    """A mistake in a spec, and its place in the document."""

    def __init__(self, reason: str, *where: str | int) -> None:
        self.where = where
        super().__init__(reason)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > 4 * MOST_CHARACTERS:
            raise InputError("too large for tool specs", path=path)
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", path=path) from error


def _specs(document: Any) -> tuple[ToolSpec, ...]:
    listed = cast("Any", document.get("tools")) if isinstance(document, dict) else None
    if not isinstance(listed, list) or not listed:
        raise _SpecError("needs a list of tools under 'tools:'", "tools")
    specs = tuple(_spec(entry, place) for place, entry in enumerate(cast("list[Any]", listed)))
    names: set[str] = set()
    for place, spec in enumerate(specs):
        if spec.name in names:
            raise _SpecError(f"a second tool is named {spec.name!r}", "tools", place)
        names.add(spec.name)
    return specs


def _spec(entry: Any, place: int) -> ToolSpec:
    where = ("tools", place)
    if not isinstance(entry, dict):
        raise _SpecError("a tool is a mapping with name, description and parameters", *where)
    fields = cast("dict[str, Any]", entry)
    if unknown := sorted(map(str, set(fields) - _KNOWN)):
        raise _SpecError(f"no such field: {', '.join(unknown)}", *where, unknown[0])
    spec = ToolSpec(
        _words(fields, "name", where),
        _words(fields, "description", where),
        _parameters(fields, where),
        _required(fields, where),
    )
    try:
        Draft202012Validator.check_schema(spec.schema)
    except SchemaError as error:
        inside = [step for step in error.absolute_path if isinstance(step, str)][1:]
        reason = f"not a JSON schema: {error.message}"
        raise _SpecError(reason, *where, "parameters", *inside) from error
    return spec


def _words(fields: Mapping[str, Any], name: str, where: tuple[str | int, ...]) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _SpecError(f"a tool needs a {name}, as text", *where, name)
    return value.strip()


def _parameters(fields: Mapping[str, Any], where: tuple[str | int, ...]) -> dict[str, Any]:
    value = fields.get("parameters", {})
    if not isinstance(value, dict):
        raise _SpecError("parameters are a mapping of names to JSON schemas", *where, "parameters")
    parameters = cast("dict[Any, Any]", value)
    for name, schema in parameters.items():
        if not isinstance(name, str) or not isinstance(schema, dict):
            reason = f"the parameter {name!r} needs a JSON schema as a mapping"
            raise _SpecError(reason, *where, "parameters", str(name))
    return cast("dict[str, Any]", parameters)


def _required(fields: Mapping[str, Any], where: tuple[str | int, ...]) -> tuple[str, ...] | None:
    value = fields.get("required")
    if value is None:
        return None
    known = list(cast("dict[str, Any]", fields.get("parameters") or {}))
    if not isinstance(value, list) or any(one not in known for one in cast("list[Any]", value)):
        raise _SpecError("required is a list of names of parameters", *where, "required")
    return tuple(cast("list[str]", value))
