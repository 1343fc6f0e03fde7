"""JSON Schema of results, made from the dataclasses and from `inforce.wire.FORMS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from inforce.corpus.links import Links
from inforce.dates import LegalDate
from inforce.law.diff import Piece
from inforce.law.lineage import Lineage
from inforce.law.penalties.thresholds import Threshold
from inforce.verification.findings import Evidence
from inforce.wire import FORMS

Schema = dict[str, Any]

_NAMES: Final = {"Lineage": Lineage, "Links": Links, "Piece": Piece, "Threshold": Threshold}
"""Types that `inforce.lawbook` and its results import for annotations only."""

_OTHER_NAMES: Final[Mapping[type, str]] = {Evidence: "FindingEvidence"}
"""Names of types whose own name another type has: agents have evidence, too."""

_DESCRIBED: Final[dict[str, type]] = {}
"""The types described so far, by their names in the document."""

_SCALARS: Final[Mapping[Any, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    date: {"type": "string", "format": "date"},
    datetime: {"type": "string", "format": "date-time"},
    Decimal: {"type": "string"},
    LegalDate: {"type": "string"},
    Any: {},
}


def reference(name: str) -> Schema:
    """A reference to a component of the OpenAPI document."""
    return {"$ref": f"#/components/schemas/{name}"}


def schema_of(kind: Any, components: dict[str, Schema]) -> Schema:
    """The JSON Schema of a type; those of the dataclasses in it are added to ``components``.

    Raises:
        TypeError: if the type has no JSON form.
    """
    if kind in _SCALARS:
        return _SCALARS[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(one, components) for one in inner]}
    if origin in (tuple, list, frozenset, Sequence):
        return {"type": "array", "items": schema_of(inner[0], components)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1], components)}
    if isinstance(kind, type) and (kind in FORMS or is_dataclass(kind)):
        name = _OTHER_NAMES.get(kind, kind.__name__)
        if _DESCRIBED.setdefault(name, kind) is not kind:
            raise TypeError(f"two types are called {name}: {kind!r} and {_DESCRIBED[name]!r}")
        if name not in components:
            components[name] = {}  # a type that contains itself ends here
            components[name] = _object(kind, components)
        return reference(name)
    raise TypeError(f"no JSON Schema for {kind!r}")


def _object(kind: type, components: dict[str, Schema]) -> Schema:
    if kind in FORMS:
        types = {name: field.kind for name, field in FORMS[kind].items()}
    else:
        hints = get_type_hints(kind, localns=_NAMES)
        types = {field.name: hints[field.name] for field in fields(kind)}
    return {
        "type": "object",
        "title": kind.__name__,
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": {name: schema_of(one, components) for name, one in types.items()},
        "required": list(types),
        "additionalProperties": False,
    }
