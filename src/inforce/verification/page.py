"""Findings as one page that needs nothing else: the document with marks, the findings beside it.

The document is a stranger's text, so everything is escaped; the page runs no scripts and loads
nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from inforce.documents.document import Block, Document
from inforce.errors import MissingExtraError
from inforce.language import Language
from inforce.language.messages import messages
from inforce.verification.findings import RIGHT, UNCHECKED, Finding, FindingKind, Verified
from inforce.verification.wording import (
    KINDS,
    cited_name,
    coverage,
    explained,
    headline,
    place,
    summary,
)

if TYPE_CHECKING:
    from jinja2 import Environment

_LONGEST = 400_000
"""Characters of a document shown whole; of a longer one only the paragraphs with findings."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some words of a paragraph, and the findings about them (by number, from 1)."""

    text: str
    tone: str = ""
    findings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of the document with its marks."""

    kind: str
    level: int
    stretches: tuple[Stretch, ...]


def tone(kind: FindingKind) -> str:
    """How a kind of finding is coloured."""
    if kind in RIGHT:
        return "right" if kind == "right" else "note"
    return "unchecked" if kind in UNCHECKED else "wrong"


_WORST = ("wrong", "unchecked", "note", "right")


def as_page(document: Document | None, verified: Verified, language: Language) -> str:
    """The page of a document.

    Args:
        document: what was read of the file; without it the text has no paragraphs of its own.
        verified: what was found in it.
        language: of the page.

    Raises:
        MissingExtraError: if jinja2 is not installed.
    """
    return _rendered("verified.html.j2", document, verified, language, style=style())


def as_section(document: Document | None, verified: Verified, language: Language) -> str:
    """The same as part of a page that has `style`; evidence is linked to its address there.

    Raises:
        MissingExtraError: if jinja2 is not installed.
    """
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
    said = {
        "headline": headline,
        "explained": explained,
        "cited_name": cited_name,
        "place": place,
        "tone": tone,
        "days": messages(language).days,
    }
    return (
        _environment()
        .get_template(name, globals=said)
        .render(
            verified=verified,
            language=language,
            kinds=KINDS[language],
            kinds_label=_SHOWN[language],
            counts=verified.counts,
            paragraphs=list(_paragraphs(blocks, verified)),
            summary=summary(verified, language),
            coverage=coverage(verified, language),
            linked=linked,
            **values,
        )
    )


_SHOWN: Mapping[Language, str] = {"en": "Kinds of findings shown", "zh": "显示哪些结果"}


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
            stretches = tuple(_stretches(verified.text, block, here))
            yield Paragraph(block.kind, block.level, stretches)


def _stretches(
    text: str, block: Block, findings: Sequence[tuple[int, Finding]]
) -> Iterator[Stretch]:
    """The words of a paragraph, cut where findings begin and end."""
    cuts = {block.start, block.end}
    for _, one in findings:
        cuts |= {max(one.start, block.start), min(one.end, block.end)}
    ordered = sorted(cut for cut in cuts if block.start <= cut <= block.end)
    for start, end in zip(ordered, ordered[1:], strict=False):
        about = [(number, one) for number, one in findings if one.start < end and start < one.end]
        tones = {tone(one.kind) for _, one in about}
        worst = next((one for one in _WORST if one in tones), "")
        yield Stretch(text[start:end], worst, tuple(number for number, _ in about))


@cache
def _environment() -> Environment:
    try:
        from jinja2 import DictLoader, Environment, StrictUndefined
    except ImportError as error:
        raise MissingExtraError("the page of findings", "documents") from error
    folder = files("inforce.verification").joinpath("pages")
    names = ("verified.html.j2", "findings.html.j2")
    return Environment(
        autoescape=True,
        loader=DictLoader({name: folder.joinpath(name).read_text("utf-8") for name in names}),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
