"""JSON Schema of results, in the form `inforce.wire.as_wire` gives them.

The fields are read from the dataclasses themselves; `_WRITTEN` has the types whose JSON form is not
their fields. A test holds real results against the schemas.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from inforce.corpus.links import Links
from inforce.dates import DateRange, LegalDate
from inforce.law.diff import Piece
from inforce.law.ids import Portion
from inforce.law.lineage import Lineage
from inforce.law.model import Caption, DateStatus, Provision, Source, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.spans import Begin
from inforce.law.thresholds import Threshold
from inforce.law.timeline import Answer, Claim, Lookup, Span, SpanState
from inforce.verification.findings import Evidence, Finding, LawsHeld, Verified

Schema = dict[str, Any]

_WRITTEN: Final[Mapping[type, Mapping[str, Any]]] = {
    DateRange: {"from": date, "until": date | None, "last_day": date | None},
    ProvisionNumber: {"short": str, "text": str},
    Provision: {"number": ProvisionNumber, "path": str, "text": str, "hash": str},
    Version: {
        "work": str,
        "label": str,
        "instrument": str,
        "promulgated": date | None,
        "validity": Validity,
        "source": Source,
        "note": str,
    },
    Caption: {"name": str, "window": DateRange, "authority": str},
    Claim: {"version": Version, "provision": Provision | None},
    Span: {
        "window": DateRange,
        "state": SpanState,
        "provision": Provision | None,
        "label": str,
        "instrument": str,
        "promulgated": date | None,
        "date_status": DateStatus,
        "sources": tuple[Source, ...],
        "reason": str,
        "begins": Begin,
        "begins_by": str,
        "law_since": date | None,
        "ends_by": str,
        "as_of": date | None,
        "bridged": tuple[DateRange, ...],
        "caveats": tuple[str, ...],
    },
    Lookup: {
        "answer": Answer,
        "work": str,
        "number": ProvisionNumber,
        "as_of": DateRange,
        "spans": tuple[Span, ...],
        "changes": tuple[date, ...],
        "reason": str,
        "candidates": tuple[Claim, ...],
        "as_far_as_known": date | None,
        "contradicted": tuple[Claim, ...],
        "caveats": tuple[str, ...],
    },
    Portion: {"id": str, "text": str},
    Verified: {
        "name": str,
        "format": str,
        "title": str,
        "outcome": Literal["right", "wrong", "not_checked"],
        "counts": Mapping[str, int],
        "findings": tuple[Finding, ...],
        "unread": tuple[str, ...],
        "held": LawsHeld,
    },
}
_NAMES: Final = {"Lineage": Lineage, "Links": Links, "Piece": Piece, "Threshold": Threshold}
"""What `inforce.lawbook` and its results import for their types only."""

_OTHER_NAMES: Final[Mapping[type, str]] = {Evidence: "FindingEvidence"}
"""What types are called whose name another one has: agents have evidence, too."""

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
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one, components) for one in inner]}
    if origin in (tuple, list, frozenset, Sequence):
        return {"type": "array", "items": schema_of(inner[0], components)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1], components)}
    if isinstance(kind, type) and (kind in _WRITTEN or is_dataclass(kind)):
        name = _OTHER_NAMES.get(kind, kind.__name__)
        if _DESCRIBED.setdefault(name, kind) is not kind:
            raise TypeError(f"two types are called {name}: {kind!r} and {_DESCRIBED[name]!r}")
        if name not in components:
            components[name] = {}  # a type that contains itself ends here
            components[name] = _object(kind, components)
        return reference(name)
    raise TypeError(f"no JSON Schema for {kind!r}")


def _object(kind: type, components: dict[str, Schema]) -> Schema:
    written = _WRITTEN.get(kind)
    if written is None:
        hints = get_type_hints(kind, localns=_NAMES)
        written = {field.name: hints[field.name] for field in fields(kind)}
    return {
        "type": "object",
        "title": kind.__name__,
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": {name: schema_of(one, components) for name, one in written.items()},
        "required": list(written),
        "additionalProperties": False,
    }
