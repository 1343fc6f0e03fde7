"""Many documents made ready for an index at once."""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import cast

import pytest
from judgments_made import judgment, random_judgments

from inforce.errors import InternalError
from inforce.retrieval.sources import preparing
from inforce.retrieval.sources.preparing import BATCH, Batch, prepared
from inforce.retrieval.sources.source import SourceDocument
from inforce.retrieval.sources.texts import Texts, TextWriter, encoded, packed
from inforce.retrieval.tokens import tokenize

DOCUMENTS = list(random_judgments(5 * BATCH + 7))


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_words_and_order_are_the_same_however_many_processes_work(processes: int) -> None:
    words = [
        pair
        for batch in prepared(DOCUMENTS, processes=processes, priority="low")
        for pair in zip(batch.documents, batch.prepared.words, strict=True)
    ]
    assert words == [(one, " ".join(tokenize(f"{one.title}\n\n{one.text}"))) for one in DOCUMENTS]


def test_few_documents_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "_Pool", None)
    (batch,) = prepared(DOCUMENTS[:10], processes=4)
    assert batch.documents == DOCUMENTS[:10]


def test_the_stream_is_read_little_further_than_the_work() -> None:
    read = 0

    def documents() -> Iterator[SourceDocument]:
        nonlocal read
        while True:
            read += 1
            yield judgment(read, "盗窃")

    stream = cast("Generator[Batch]", prepared(documents(), processes=1))
    for _ in range(4):
        next(stream)
    stream.close()
    assert read <= 10 * BATCH


def test_a_process_that_dies_is_an_error_and_no_missing_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dead = tmp_path / "python"
    dead.write_text("#!/bin/sh\nexit 3\n")
    dead.chmod(0o755)
    monkeypatch.setattr(preparing.sys, "executable", str(dead))
    with pytest.raises(InternalError, match="ended with status 3"):
        list(prepared(DOCUMENTS, processes=1))


def put(folder: Path, *documents: SourceDocument) -> int:
    """Append documents as one batch; returns the row of the first."""
    writer = TextWriter(folder)
    first = writer.rows
    writer.append(packed([encoded(one) for one in documents]), len(documents))
    writer.sync()
    writer.close()
    return first


def test_documents_come_back_by_row_over_several_batches(tmp_path: Path) -> None:
    assert put(tmp_path, *DOCUMENTS[:21]) == 0
    assert put(tmp_path, DOCUMENTS[21]) == 21
    assert put(tmp_path, *DOCUMENTS[22:40]) == 22
    texts = Texts(tmp_path)
    assert [texts.document(row) for row in range(40)] == DOCUMENTS[:40]
    with pytest.raises(ValueError, match="row 40"):
        texts.document(40)


def test_a_row_cut_short_by_a_crash_is_written_anew(tmp_path: Path) -> None:
    put(tmp_path, *DOCUMENTS[:3])
    for name in ("rows.bin", "blocks.bin"):
        with (tmp_path / "texts" / name).open("ab") as file:
            file.write(b"\1\2\3")
    assert put(tmp_path, DOCUMENTS[3]) == 3
    texts = Texts(tmp_path)
    assert [texts.document(row) for row in range(4)] == DOCUMENTS[:4]


@pytest.mark.parametrize("harm", ["cut", "zeros", "bomb"])
def test_damaged_texts_are_an_error_and_never_another_text(tmp_path: Path, harm: str) -> None:
    put(tmp_path, *DOCUMENTS[:3])
    path = tmp_path / "texts" / "blocks.bin"
    data = path.read_bytes()
    bomb = zlib.compress(bytes(2**28 + 1), 1)
    path.write_bytes(
        {
            "cut": data[: len(data) // 2],
            "zeros": data[:10] + bytes(20) + data[30:],
            "bomb": len(bomb).to_bytes(4, "little") + bomb,
        }[harm]
    )
    with pytest.raises(ValueError, match="cannot be read"):
        Texts(tmp_path).document(0)
