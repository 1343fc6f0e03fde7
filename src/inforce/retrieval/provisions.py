"""Provisions as documents of the search index: one for each wording, with its days in force."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from inforce.corpus.snapshots import DATING
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.errors import UnknownWorkError
from inforce.law.model import Caption, DateStatus, Provision, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Begin, Timeline
from inforce.retrieval.glossary import Pointer, shipped_lay_words, short_title
from inforce.retrieval.known_questions import fingerprint
from inforce.retrieval.topics import shipped_topics, topic_files
from inforce.store import Document

_LAY_WORDS = resources.files("inforce.retrieval.data").joinpath("lay_words.tsv")
_POINTING = b"".join(file.read_bytes() for file in (_LAY_WORDS, *topic_files()))

FORM = zlib.crc32(_POINTING, 4 + DATING)
"""Another one whenever the same corpus gives other documents: older indexes are then updated. What
points at provisions is part of it, and how texts are dated; the number is raised where this module
makes other documents."""

_WORDING = "wording:"


@dataclass(frozen=True, slots=True)
class ProvisionText:
    """The wording of a provision between two days: what a search hit shows."""

    work: str
    number: ProvisionNumber
    text: str
    _: KW_ONLY
    path: str = ""
    window: DateRange | None = None
    """Days in force; ``None`` where the corpus cannot say."""
    date_status: DateStatus = "exact"
    begins: Begin = "changed"
    """The kind of the first day in force: where the stored texts begin, the words may be older."""
    as_of: date | None = None
    """Without an end: the last day on which a source is known to have shown it in force.

    Not stored in the index, where a newer source would change every document of a law.
    """
    label: str = ""
    instrument: str = ""
    captions: tuple[str, ...] = ()
    source: str = ""

    def payload(self) -> str:
        """Return this wording as JSON, as the index stores it."""
        fields = {
            "work": self.work,
            "number": self.number.iri,
            "text": self.text,
            "path": self.path,
            "window": _days(self.window),
            "status": self.date_status,
            "begins": self.begins,
            "label": self.label,
            "instrument": self.instrument,
            "captions": list(self.captions),
            "source": self.source,
        }
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def of(cls, payload: str) -> ProvisionText:
        """Read a payload back."""
        fields: dict[str, Any] = json.loads(payload)
        return cls(
            fields["work"],
            ProvisionNumber.parse(fields["number"]),
            fields["text"],
            path=fields["path"],
            window=_window(fields["window"]),
            date_status=fields["status"],
            begins=fields["begins"],
            label=fields["label"],
            instrument=fields["instrument"],
            captions=tuple(fields["captions"]),
            source=fields["source"],
        )


def statute_documents(corpus: Corpus) -> Iterator[Document]:
    """Yield every wording of every provision of a corpus, law by law, in order."""
    for work in corpus.titles():
        yield from work_documents(corpus, work)


def work_documents(corpus: Corpus, work: str) -> Iterator[Document]:
    """Yield every wording of every provision of a law, in order."""
    captions = corpus.captions(work)
    pointers = _pointers_by_law().get(short_title(work), ())
    for timeline in corpus.timelines(work):
        named = [caption for caption in captions if caption.number == timeline.number]
        for text in _texts(timeline, named):
            yield _document(text, pointers)


@cache
def _pointers_by_law() -> Mapping[str, Sequence[Pointer]]:
    """Return the pointers of lay words and topics, which become exact terms, by law."""
    by_law: defaultdict[str, list[Pointer]] = defaultdict(list)
    for pointer in dict.fromkeys((*shipped_lay_words().pointers, *shipped_topics().rules)):
        for law in pointer.laws:
            by_law[law].append(pointer)
    return by_law


def provision_texts(
    corpus: Corpus, work: str, number: ProvisionNumber
) -> tuple[ProvisionText, ...]:
    """Return every wording of one provision in the corpus; none where the law is not held."""
    try:
        timeline, captions = corpus.timeline(work, number), corpus.captions(work, number)
    except UnknownWorkError:
        return ()
    return tuple(_texts(timeline, captions))


def _texts(timeline: Timeline, captions: Sequence[Caption]) -> Iterator[ProvisionText]:
    shown: set[str] = set()
    for span in timeline.spans:
        if span.provision and span.version:
            shown.add(span.provision.text)
            yield _text(
                timeline,
                span.provision,
                span.version,
                captions,
                window=span.window,
                status=span.date_status,
                begins=span.begins,
            )
    for claim in (aside.claim for aside in timeline.set_aside):
        if claim.provision and claim.text not in shown:
            shown.add(claim.provision.text)
            yield _text(timeline, claim.provision, claim.version, captions, status="unknown")


def _text(
    timeline: Timeline,
    provision: Provision,
    version: Version,
    captions: Sequence[Caption],
    *,
    window: DateRange | None = None,
    status: DateStatus,
    begins: Begin = "changed",
) -> ProvisionText:
    names = [
        caption.name for caption in captions if window is None or caption.window.overlaps(window)
    ]
    return ProvisionText(
        timeline.work,
        timeline.number,
        provision.text,
        path=provision.path,
        window=window,
        date_status=status,
        begins=begins,
        label=version.label,
        instrument=version.instrument,
        captions=tuple(dict.fromkeys(names)),
        source=version.source.name,
    )


def _document(text: ProvisionText, pointers: Sequence[Pointer]) -> Document:
    payload, exact = text.payload(), _exact_terms(text, pointers)
    heading = " ".join((text.work, text.number.chinese, text.path, *text.captions))
    said = "\n".join((payload, *exact))
    return Document(
        hashlib.sha256(said.encode()).hexdigest()[:24],
        payload,
        f"{heading}\n{text.text}",
        days=text.window,
        exact=exact,
    )


def work_locator(work: str) -> str:
    """Return the exact term of every provision of a law."""
    return f"work:{work}"


def number_locator(number: ProvisionNumber, work: str | None = None) -> str:
    """Return the exact term of an article of a law, or of that article of any law."""
    return f"{work or ''}#{number.iri}"


def caption_locator(name: str) -> str:
    """Return the exact term of the provisions that define a crime."""
    return f"caption:{name}"


def chapter_locator(heading: str) -> str:
    """Return the exact term of the provisions under a numbered heading: 第四章."""
    return f"chapter:{heading}"


def wording_term(fingerprint: str) -> str:
    """Return the exact term of a wording (`inforce.retrieval.known_questions.fingerprint`)."""
    return f"{_WORDING}{fingerprint}"


def wording_of(document: Document) -> str:
    """Return the fingerprint of a document's wording from its exact terms; empty without one."""
    terms = (term for term in document.exact if term.startswith(_WORDING))
    return next(terms, "").removeprefix(_WORDING)


def pointer_term(pointer: Pointer) -> str:
    """Return the exact term of the provisions that a lay word points at."""
    return f"pointer:{','.join(pointer.laws)}:{pointer.words}"


def _exact_terms(text: ProvisionText, pointers: Sequence[Pointer]) -> tuple[str, ...]:
    headings = (heading.split(" ")[0] for heading in text.path.split(" / ") if heading)
    plain = text.text.replace("\n", "")
    return (
        work_locator(text.work),
        number_locator(text.number, text.work),
        number_locator(text.number),
        *(caption_locator(name) for name in text.captions),
        *(chapter_locator(heading) for heading in headings),
        wording_term(fingerprint(text.text)),
        *(pointer_term(pointer) for pointer in pointers if pointer.words in plain),
    )


def _days(window: DateRange | None) -> list[str | None] | None:
    if window is None:
        return None
    return [window.start.isoformat(), window.end.isoformat() if window.end else None]


def _window(days: list[str | None] | None) -> DateRange | None:
    if days is None or days[0] is None:
        return None
    end = date.fromisoformat(days[1]) if days[1] else None
    return DateRange(date.fromisoformat(days[0]), end)
