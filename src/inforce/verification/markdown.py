"""Findings as Markdown: for an issue, a note, a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inforce.language import Language
from inforce.verification.findings import Finding, Verified
from inforce.verification.wording import (
    cited_name,
    coverage,
    explained,
    headline,
    not_read,
    place,
    shortened,
    summary,
)

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#!~])")


def as_markdown(verified: Verified, language: Language) -> str:
    """A document's findings: the wrong ones first, then what was not checked, then the right."""
    lines = [f"# {_plain(verified.name)}", "", summary(verified, language), ""]
    lines += [f"- **{_plain(not_read(one, language))}**" for one in verified.unread]
    groups = (
        [one for one in verified.findings if one.is_wrong],
        [one for one in verified.findings if one.kind == "not_checked"],
        [one for one in verified.findings if one.is_right],
    )
    for group in groups:
        for finding in group:
            lines += _lines(finding, language)
    return "\n".join([*lines, "", coverage(verified, language), ""])


def _lines(finding: Finding, language: Language) -> Iterator[str]:
    where = place(finding, language)
    head = f"**{headline(finding, language)}**"
    yield f"- {head} · {where} · {_plain(shortened(finding.text))}"
    name = cited_name(finding)
    if name:
        yield f"  - {_plain(name)}"
    for sentence in explained(finding, language):
        yield f"  - {_plain(sentence)}"
    if finding.pieces:
        yield f"  - {_difference(finding)}"


def _difference(finding: Finding) -> str:
    marks = {"equal": "{}", "deleted": "~~{}~~", "inserted": "**{}**"}
    return "".join(marks[one.kind].format(_plain(one.text)) for one in finding.pieces)


def _plain(text: str) -> str:
    """Words of a document, which must not become markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
