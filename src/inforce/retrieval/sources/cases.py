"""Criminal judgments in the form of CAIL2018: the fact as text, the outcome as details.

``{"fact": "...", "meta": {"accusation": ["盗窃"], "relevant_articles": [264], "criminals": [...],
"punish_of_money": 1000, "term_of_imprisonment": {"imprisonment": 6, "death_penalty": false,
"life_imprisonment": false}}}``; months, yuan, and articles of the Criminal Law.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from inforce.documents.json_records import JsonObject
from inforce.retrieval.sources.exclusion import fact_hash
from inforce.retrieval.sources.source import SourceDocument


def is_case(record: JsonObject) -> bool:
    """Whether a record has this form."""
    return "fact" in record.values and isinstance(record.values.get("meta"), dict)


def case_document(record: JsonObject) -> SourceDocument:
    """The judgment as a document. The form has no day of judgment: its date is not known.

    Raises:
        InputError: if there is no fact, or a field is not what the form says.
    """
    fact = record.text("fact").strip()
    if not fact:
        raise record.problem("'fact' is empty: a case needs one")
    meta = record.object("meta")
    charges = [_bare(one) for one in _words(meta, "accusation")]
    return SourceDocument(
        record.text("id") or f"case-{fact_hash(fact)[:16]}",
        f"{'、'.join(_words(meta, 'criminals')[:1])}{'、'.join(charges) or '刑事'}案",
        fact,
        details=_filled(
            charges="、".join(charges),
            articles="、".join(_words(meta, "relevant_articles")),
            fine_yuan=_count(meta, "punish_of_money"),
            **_term(meta),
        ),
    )


def _term(meta: JsonObject) -> dict[str, str]:
    if not isinstance(meta.value("term_of_imprisonment"), dict):
        return {}
    term = meta.object("term_of_imprisonment")
    if term.value("death_penalty") is True:
        return {"sentence": "死刑"}
    if term.value("life_imprisonment") is True:
        return {"sentence": "无期徒刑"}
    return {"imprisonment_months": _count(term, "imprisonment")}


def _words(meta: JsonObject, name: str) -> list[str]:
    """A list of words or numbers; empty where it is missing."""
    value = meta.value(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise meta.problem(f"{name!r} must be a list")
    return [str(one) for one in cast("Iterable[object]", value)]


def _count(meta: JsonObject, name: str) -> str:
    """A number of months or yuan; empty where it is missing or stands for something else (< 0)."""
    value = meta.value(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise meta.problem(f"{name!r} must be a number")
    return f"{value:g}" if value >= 0 else ""


def _bare(charge: str) -> str:
    """CAIL2018 brackets names in some files: ``[盗窃]``, ``[走私、贩卖]毒品``."""
    return charge.replace("[", "").replace("]", "")


def _filled(**details: str) -> dict[str, str]:
    return {name: text for name, text in details.items() if text}
