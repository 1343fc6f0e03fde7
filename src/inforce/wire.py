"""The JSON form of results: the same for the command line, HTTP and MCP.

A value is an object with the fields of its dataclass, unless `FORMS` says otherwise; that table is
also what the schemas of HTTP are made from (`inforce.serve.schemas`). Days are ISO strings; a range
has ``from`` (first day), ``until`` (first day no longer in it, ``null`` without end) and
``last_day``; a provision number is its short form (``133-1``) and its printed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple, cast

from inforce.dates import DateRange, LegalDate
from inforce.errors import InforceError
from inforce.law.caveats import caveats, span_caveats
from inforce.law.ids import Portion
from inforce.law.model import Caption, DateStatus, Provision, Source, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Answer, Begin, Claim, Lookup, Span, SpanState
from inforce.verification.findings import Finding, LawsHeld, Verified

Wire = dict[str, Any] | list[Any] | str | int | float | bool | None


class Field(NamedTuple):
    """A field of a JSON form."""

    kind: Any
    """Its type in Python."""
    read: Callable[[Any], object]


def _attributes(**types: Any) -> dict[str, Field]:
    """Fields that are attributes of the same names."""
    return {name: Field(type_, attrgetter(name)) for name, type_ in types.items()}


def _of_version(name: str, kind: Any, missing: object) -> Field:
    """A field that is an attribute of a span's version."""

    def read(span: Span) -> object:
        return getattr(span.version, name) if span.version else missing

    return Field(kind, read)


def _sources(span: Span) -> tuple[Source, ...]:
    return tuple(dict.fromkeys(witness.source for witness in span.witnesses))


def _caveats_in_force(span: Span) -> tuple[str, ...]:
    return span_caveats(span) if span.state == "in_force" else ()


def _contradicting_claims(lookup: Lookup) -> list[Claim]:
    return [aside.claim for aside in lookup.contradicted]


def _sorted_counts(verified: Verified) -> dict[str, int]:
    return dict(sorted(verified.counts.items()))


FORMS: Final[Mapping[type, Mapping[str, Field]]] = {
    DateRange: {
        "from": Field(date, attrgetter("start")),
        "until": Field(date | None, attrgetter("end")),
        "last_day": Field(date | None, attrgetter("last")),
    },
    ProvisionNumber: {
        "short": Field(str, attrgetter("short")),
        "text": Field(str, attrgetter("chinese")),
    },
    Portion: {"id": Field(str, str), "text": Field(str, attrgetter("chinese"))},
    Provision: _attributes(number=ProvisionNumber, path=str, text=str, hash=str),
    # Without the lists of what it covers: those can be thousands of numbers.
    Version: _attributes(
        work=str,
        label=str,
        instrument=str,
        promulgated=date | None,
        validity=Validity,
        source=Source,
        note=str,
    ),
    Caption: _attributes(name=str, window=DateRange, authority=str),
    Claim: _attributes(version=Version, provision=Provision | None),
    Span: {
        **_attributes(window=DateRange, state=SpanState, provision=Provision | None),
        "label": _of_version("label", str, ""),
        "instrument": _of_version("instrument", str, ""),
        "promulgated": _of_version("promulgated", date | None, None),
        "date_status": Field(DateStatus, attrgetter("date_status")),
        "sources": Field(tuple[Source, ...], _sources),
        **_attributes(
            reason=str,
            begins=Begin,
            begins_by=str,
            law_since=date | None,
            ends_by=str,
            as_of=date | None,
            bridged=tuple[DateRange, ...],
        ),
        "caveats": Field(tuple[str, ...], _caveats_in_force),
    },
    Lookup: {
        **_attributes(
            answer=Answer,
            work=str,
            number=ProvisionNumber,
            as_of=DateRange,
            spans=tuple[Span, ...],
            changes=tuple[date, ...],
            reason=str,
            candidates=tuple[Claim, ...],
            as_far_as_known=date | None,
        ),
        "contradicted": Field(tuple[Claim, ...], _contradicting_claims),
        "caveats": Field(tuple[str, ...], caveats),
    },
    # Without the text of the document.
    Verified: {
        **_attributes(
            name=str,
            format=str,
            title=str,
            outcome=Literal["right", "wrong", "not_checked"],
        ),
        "counts": Field(Mapping[str, int], _sorted_counts),
        **_attributes(findings=tuple[Finding, ...], unread=tuple[str, ...], held=LawsHeld),
    },
}
"""The types whose JSON form is not the fields of the dataclass, in the order of their keys."""


def as_wire(value: object) -> Wire:
    """A value as JSON types.

    Raises:
        TypeError: if it is not a value of this library.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if readers := _readers(type(value)):
        return {name: as_wire(read(value)) for name, read in readers}
    if isinstance(value, tuple | list):
        return [as_wire(item) for item in cast("Sequence[object]", value)]
    if isinstance(value, date | LegalDate):
        return value.isoformat()
    if isinstance(value, Decimal):  # a string: no cent is lost to binary fractions
        return str(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value)
        return {str(key): as_wire(item) for key, item in items.items()}
    if isinstance(value, InforceError):
        return {"error": value.kind, "message": str(value)}
    if is_dataclass(value):  # one without fields
        return {}
    raise TypeError(f"no JSON form for {type(value).__name__}")


@cache
def _readers(kind: type) -> tuple[tuple[str, Callable[[Any], object]], ...]:
    """The keys of the object that a type is in JSON, with their values; empty if it is none."""
    if kind in FORMS:
        return tuple((name, field.read) for name, field in FORMS[kind].items())
    if is_dataclass(kind) and not issubclass(kind, LegalDate):
        return tuple((field.name, attrgetter(field.name)) for field in fields(kind))
    return ()
