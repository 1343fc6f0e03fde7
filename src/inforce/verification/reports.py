"""Findings as Markdown, and as a page: the document with marks, the findings beside it.

The document is untrusted text, so everything is escaped; the page runs no scripts and loads
nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from inforce.documents.document import Block, Document
from inforce.language import Language, cited
from inforce.language.messages import messages
from inforce.language.templates import templates
from inforce.verification.explanation import (
    cited_name,
    corpus_note,
    explain,
    explain_unread,
    headline,
    kinds,
    location,
    shorten,
    summary,
)
from inforce.verification.findings import RIGHT, UNCHECKED, Finding, FindingKind, Verified

_LONGEST = 400_000
"""Characters of a document shown whole; of a longer one only the paragraphs with findings."""
_MARKUP = re.compile(r"([\\`*_\[\]<>|#!~])")
_TONES = ("wrong", "unchecked", "note", "right")
"""The worst first."""
_FILTER_LABEL: Mapping[Language, str] = {"en": "Kinds of findings shown", "zh": "显示哪些结果"}


def as_markdown(verified: Verified, language: Language) -> str:
    """The findings on a document: wrong ones first, then unchecked ones, then right ones."""
    lines = [f"# {_escape(verified.name)}", "", summary(verified, language), ""]
    lines += [f"- **{_escape(explain_unread(one, language))}**" for one in verified.unread]
    for finding in sorted(verified.findings, key=lambda one: (one.is_right, not one.is_wrong)):
        head = f"**{headline(finding, language)}**"
        lines.append(f"- {head} · {location(finding, language)} · {_escape(shorten(finding.text))}")
        details = filter(None, (cited_name(finding, language), *explain(finding, language)))
        lines += [f"  - {_escape(one)}" for one in details]
        if finding.pieces:
            marks = {"equal": "{}", "deleted": "~~{}~~", "inserted": "**{}**"}
            pieces = (marks[one.kind].format(_escape(one.text)) for one in finding.pieces)
            lines.append(f"  - {''.join(pieces)}")
    return "\n".join([*lines, "", corpus_note(verified, language), ""])


def _escape(text: str) -> str:
    """Words of a document in one line, without any effect as Markdown."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a paragraph, and the findings on it (by number, from 1)."""

    text: str
    tone: str = ""
    findings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of the document with its marks."""

    kind: str
    level: int
    segments: tuple[Segment, ...]


def tone(kind: FindingKind) -> str:
    """The colour class of a kind of finding."""
    if kind in RIGHT:
        return "right" if kind == "right" else "note"
    return "unchecked" if kind in UNCHECKED else "wrong"


def as_page(document: Document | None, verified: Verified, language: Language) -> str:
    """A self-contained page with a document and the findings on it.

    Args:
        document: as it was read from the file; without it the text has no paragraphs of its own.
        verified: the findings.
        language: of the page.
    """
    return _rendered("verified.html.j2", document, verified, language, style=style())


def as_section(document: Document | None, verified: Verified, language: Language) -> str:
    """The same as a part of a page that has `style`; evidence is linked to its address."""
    return _rendered("findings.html.j2", document, verified, language, linked=True)


def style() -> str:
    """The style sheet of a document with its findings."""
    return files("inforce.verification").joinpath("pages", "verified.css").read_text("utf-8")


def _rendered(
    name: str,
    document: Document | None,
    verified: Verified,
    language: Language,
    *,
    linked: bool = False,
    **values: str,
) -> str:
    blocks = document.blocks if document else (Block("paragraph", 0, len(verified.text)),)
    functions = {
        "headline": headline,
        "explain": explain,
        "explain_unread": explain_unread,
        "cited": cited,
        "cited_name": cited_name,
        "location": location,
        "tone": tone,
        "days": messages(language).days,
    }
    return (
        templates("inforce.verification")
        .get_template(name, globals=functions)
        .render(
            verified=verified,
            language=language,
            kinds=kinds(language),
            filter_label=_FILTER_LABEL[language],
            counts=verified.counts,
            paragraphs=list(_paragraphs(blocks, verified)),
            summary=summary(verified, language),
            corpus_note=corpus_note(verified, language),
            linked=linked,
            **values,
        )
    )


def _paragraphs(blocks: Sequence[Block], verified: Verified) -> Iterator[Paragraph]:
    numbered = list(enumerate(verified.findings, 1))
    starts = [one.start for one in verified.findings]
    furthest = max((one.end - one.start for one in verified.findings), default=0)
    whole = len(verified.text) <= _LONGEST
    for block in blocks:
        first = bisect_right(starts, block.start - furthest - 1)
        last = bisect_right(starts, block.end)
        here = [one for one in numbered[first:last] if one[1].end > block.start]
        if here or whole:
            segments = tuple(_segments(verified.text, block, here))
            yield Paragraph(block.kind, block.level, segments)


def _segments(
    text: str, block: Block, findings: Sequence[tuple[int, Finding]]
) -> Iterator[Segment]:
    """The text of a paragraph, cut where findings begin and end."""
    cuts = {block.start, block.end}
    for _, one in findings:
        cuts |= {max(one.start, block.start), min(one.end, block.end)}
    ordered = sorted(cut for cut in cuts if block.start <= cut <= block.end)
    for start, end in zip(ordered, ordered[1:], strict=False):
        about = [(number, one) for number, one in findings if one.start < end and start < one.end]
        tones = {tone(one.kind) for _, one in about}
        worst = next((one for one in _TONES if one in tones), "")
        yield Segment(text[start:end], worst, tuple(number for number, _ in about))
