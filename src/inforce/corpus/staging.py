"""Records are read and checked before the corpus is locked, and wait as rows to be written.

Reading may take minutes and come from anywhere; another process that adds meanwhile, and whoever
reads through the same `Corpus`, must not wait for it. Rows of large inputs wait in a file.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

import msgspec

from inforce.corpus.records import (
    RepealRow,
    act_row,
    caption_row,
    final_provisions_cell,
    record_digest,
    repeal_rows,
    version_row,
)
from inforce.corpus.references import ReferenceRow, reference_rows
from inforce.errors import CorpusError, InputError, InternalError
from inforce.law.final_provisions_reading import read_final_provisions
from inforce.law.model import Provision, VersionText, provisions_hash

Progress = Callable[[VersionText], None]

IN_MEMORY = 32 * 2**20
"""Bytes of rows that wait in memory; what is more waits in a file beside the corpus."""

_LENGTH = struct.Struct("<I")


class StagedRecord(msgspec.Struct, frozen=True, array_like=True):
    """A version record as the rows that are to be written."""

    work: str
    key: str
    digest: str
    kinds: str
    """The kinds of number that its provisions have, with spaces between."""
    text_hash: str
    place: tuple[str, str]
    """Name and path of its source."""
    version: tuple[str | None, ...]
    """See `inforce.corpus.records.version_row`."""
    texts: list[tuple[bytes, str]]
    """Each text and heading once, by its SHA-256."""
    provisions: list[tuple[str, bytes, bytes]]
    """Number, text and heading of each, in the order of the law."""
    captions: list[tuple[str, str, str, str | None, str]]
    acts: list[tuple[str, str, str, str]]
    """The acts of its history, in order."""
    final_provisions: str
    """What its last articles say of its days (`inforce.corpus.records.final_provisions_cell`)."""
    repeals: list[RepealRow]
    references: list[ReferenceRow]
    """What its provisions cite, those left out whose wording came before in the same input."""


@contextmanager
def staged(
    texts: Iterable[VersionText], *, folder: Path, progress: Progress | None
) -> Generator[Iterator[StagedRecord]]:
    """Read all records, calling ``progress`` after each; gives their rows, to be taken once.

    Raises:
        CorpusError: if there is no space for them in the folder.
        InputError: if a record holds one number twice.
    """
    encode = msgspec.msgpack.Encoder().encode
    with SpooledTemporaryFile(max_size=IN_MEMORY, dir=str(folder)) as file:
        read: set[bytes] = set()
        for text in texts:
            data = encode(_staged(_checked(text), read))
            try:
                file.write(_LENGTH.pack(len(data)) + data)
            except OSError as error:
                raise CorpusError(
                    f"cannot write to the folder {str(folder)!r} ({error.strerror}); "
                    "nothing was added"
                ) from error
            if progress is not None:
                progress(text)
        file.seek(0)
        yield _read(file)


def _read(file: IO[bytes]) -> Iterator[StagedRecord]:
    decode = msgspec.msgpack.Decoder(StagedRecord).decode
    while length := file.read(_LENGTH.size):
        yield decode(file.read(_LENGTH.unpack(length)[0]))


def _staged(text: VersionText, read: set[bytes]) -> StagedRecord:
    """The rows of a record; ``read`` names the wordings whose references were read before."""
    version, final = text.version, read_final_provisions(text.version.work, text.provisions)
    hashes = {one: _sha256(one) for p in text.provisions for one in (p.text, p.path)}
    return StagedRecord(
        work=version.work,
        key=version.key,
        digest=record_digest(version, text.provisions),
        kinds=" ".join(sorted({provision.number.kind for provision in text.provisions})),
        text_hash=version.text_hash,
        place=(version.source.name, version.source.path),
        version=version_row(version),
        texts=[(sha256, one) for one, sha256 in hashes.items()],
        provisions=[(p.number.iri, hashes[p.text], hashes[p.path]) for p in text.provisions],
        captions=[caption_row(caption) for caption in text.captions],
        acts=[act_row(act) for act in version.history],
        final_provisions=final_provisions_cell(final),
        repeals=repeal_rows(final),
        references=[
            row
            for provision in text.provisions
            if _is_new(version.work, provision, hashes[provision.text], read)
            for row in reference_rows(version.work, provision, hashes[provision.text])
        ],
    )


def _is_new(work: str, provision: Provision, text_hash: bytes, read: set[bytes]) -> bool:
    name = hashlib.blake2b(f"{work}\x1f{provision.number.iri}".encode() + text_hash, digest_size=12)
    before = len(read)
    read.add(name.digest())
    return len(read) > before


def _checked(text: VersionText) -> VersionText:
    """The record with its text hash filled in, once it is certain that it can be stored whole."""
    version = text.version
    seen: set[str] = set()
    for provision in text.provisions:
        if provision.number.iri in seen:
            reason = f"{version.work}（{version.label}） holds {provision.number.chinese} twice"
            raise InputError(reason, path=version.source.path or version.source.name)
        seen.add(provision.number.iri)
    text_hash = provisions_hash(text.provisions)
    if version.text_hash not in ("", text_hash):
        raise InternalError(f"{version.work}（{version.label}） came with the hash of another text")
    return replace(text, version=replace(version, text_hash=text_hash))


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
