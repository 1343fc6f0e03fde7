"""How results look as JSON: the same for the command line, the tool server and HTTP.

Field names are those of the values; `as_wire` only says how the leaves are written. Days are ISO
strings; a range has ``from`` (first day), ``until`` (first day no longer in it, ``null`` without
end) and ``last_day``; a provision number is its short form (``133-1``) and its printed form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import singledispatch
from typing import Any, cast

from inforce.dates import DateRange, LegalDate
from inforce.errors import InforceError
from inforce.law.caveats import caveats, span_caveats
from inforce.law.ids import Portion
from inforce.law.model import Caption, Provision, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Claim, Lookup, Span
from inforce.verification.findings import Verified

Wire = dict[str, Any] | list[Any] | str | int | float | bool | None


@singledispatch
def as_wire(value: object) -> Wire:
    """A value as JSON types.

    Raises:
        TypeError: if it is no value of this library.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value)
        return {str(key): as_wire(item) for key, item in items.items()}
    if isinstance(value, tuple | list):
        return [as_wire(item) for item in cast("Sequence[object]", value)]
    if is_dataclass(value):
        return {field.name: as_wire(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"no JSON form for {type(value).__name__}")


@as_wire.register
def _date(value: date) -> Wire:
    return value.isoformat()


@as_wire.register
def _money(value: Decimal) -> Wire:
    """Money as a string: no cent is lost to binary fractions."""
    return str(value)


@as_wire.register
def _legal_date(value: LegalDate) -> Wire:
    return value.isoformat()


@as_wire.register
def _range(value: DateRange) -> Wire:
    return {
        "from": as_wire(value.start),
        "until": as_wire(value.end),
        "last_day": as_wire(value.last),
    }


@as_wire.register
def _number(value: ProvisionNumber) -> Wire:
    return {"short": value.short, "text": value.chinese}


@as_wire.register
def _provision(value: Provision) -> Wire:
    return {
        "number": as_wire(value.number),
        "path": value.path,
        "text": value.text,
        "hash": value.hash,
    }


@as_wire.register
def _version(value: Version) -> Wire:
    """A version without the lists of what it covers: those can be thousands of numbers."""
    return {
        "work": value.work,
        "label": value.label,
        "instrument": value.instrument,
        "promulgated": as_wire(value.promulgated),
        "validity": as_wire(value.validity),
        "source": as_wire(value.source),
        "note": value.note,
    }


@as_wire.register
def _caption(value: Caption) -> Wire:
    return {"name": value.name, "window": as_wire(value.window), "authority": value.authority}


@as_wire.register
def _claim(value: Claim) -> Wire:
    return {"version": as_wire(value.version), "provision": as_wire(value.provision)}


@as_wire.register
def _span(value: Span) -> Wire:
    return {
        "window": as_wire(value.window),
        "state": value.state,
        "provision": as_wire(value.provision),
        "label": value.version.label if value.version else "",
        "instrument": value.version.instrument if value.version else "",
        "promulgated": as_wire(value.version.promulgated) if value.version else None,
        "date_status": value.date_status,
        "sources": [as_wire(one) for one in dict.fromkeys(w.source for w in value.witnesses)],
        "reason": value.reason,
        "begins": value.begins,
        "begins_by": value.begins_by,
        "law_since": as_wire(value.law_since),
        "ends_by": value.ends_by,
        "as_of": as_wire(value.as_of),
        "bridged": as_wire(value.bridged),
        "caveats": list(span_caveats(value)) if value.state == "in_force" else [],
    }


@as_wire.register
def _lookup(value: Lookup) -> Wire:
    return {
        "answer": value.answer,
        "work": value.work,
        "number": as_wire(value.number),
        "as_of": as_wire(value.as_of),
        "spans": [as_wire(span) for span in value.spans],
        "changes": as_wire(value.changes),
        "reason": value.reason,
        "candidates": as_wire(value.candidates),
        "as_far_as_known": as_wire(value.as_far_as_known),
        "contradicted": [as_wire(aside.claim) for aside in value.contradicted],
        "caveats": list(caveats(value)),
    }


@as_wire.register
def _verified(value: Verified) -> Wire:
    """What was found in a document, without its text."""
    return {
        "name": value.name,
        "format": value.format,
        "title": value.title,
        "outcome": value.outcome,
        "counts": dict(sorted(value.counts.items())),
        "findings": as_wire(value.findings),
        "unread": as_wire(value.unread),
        "held": as_wire(value.held),
    }


@as_wire.register
def _portion(value: Portion) -> Wire:
    return {"id": str(value), "text": value.chinese}


@as_wire.register
def _error(value: InforceError) -> Wire:
    return {"error": value.kind, "message": str(value)}
