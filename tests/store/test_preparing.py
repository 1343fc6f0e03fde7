"""Many documents made ready for an index at once, and their records as they are stored."""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import cast

import pytest
from documents_made import random_documents

from inforce.errors import InternalError
from inforce.retrieval.tokens import tokenize
from inforce.store import Channel, Document, Schema
from inforce.store import preparing as preparing_module
from inforce.store.local.records import Files, Records, RecordWriter, State, packed
from inforce.store.preparing import BATCH, Batch, prepared

DOCUMENTS = random_documents(5 * BATCH + 7)
WORDS = Schema((Channel("words", tokenize), Channel("titles", tokenize)))


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_terms_and_order_are_the_same_however_many_processes_work(processes: int) -> None:
    titled = [
        Document(one.key, one.payload, one.text, texts={"titles": one.key}) for one in DOCUMENTS
    ]
    terms = [
        triple
        for batch in prepared(titled, WORDS, processes=processes, priority="low")
        for triple in zip(batch.documents, *batch.prepared.terms, strict=True)
    ]
    assert terms == [
        (one, " ".join(tokenize(one.text)), " ".join(tokenize(one.key))) for one in titled
    ]


def test_few_documents_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing_module, "_Pool", None)
    (batch,) = prepared(DOCUMENTS[:10], WORDS, processes=4)
    assert batch.documents == DOCUMENTS[:10]


def test_an_analyser_that_cannot_be_imported_is_called_here() -> None:
    form = Schema((Channel("words", lambda text: text.split()),))
    batches = list(prepared(DOCUMENTS, form, processes=2))
    assert sum(len(batch.documents) for batch in batches) == len(DOCUMENTS)


def test_the_stream_is_read_little_further_than_the_work() -> None:
    read = 0

    def documents() -> Iterator[Document]:
        nonlocal read
        while True:
            read += 1
            yield Document(f"{read}", "", "盗窃")

    stream = cast("Generator[Batch]", prepared(documents(), WORDS, processes=1))
    for _ in range(4):
        next(stream)
    stream.close()
    assert read <= 10 * BATCH


def test_a_process_that_dies_is_an_error_and_no_missing_terms(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dead = tmp_path / "python"
    dead.write_text("#!/bin/sh\nexit 3\n")
    dead.chmod(0o755)
    monkeypatch.setattr(preparing_module.sys, "executable", str(dead))
    with pytest.raises(InternalError, match="ended with status 3"):
        list(prepared(DOCUMENTS, WORDS, processes=1))


# --- records ----------------------------------------------------------------------------------

RECORDS = [(one.key, one.text) for one in DOCUMENTS]


def put(folder: Path, state: State, *records: tuple[str, str]) -> State:
    """Append records as one batch; returns the state that counts them."""
    writer = RecordWriter(Files(folder), state, 0)
    writer.append(packed(records), [(1, 2)] * len(records), None)
    writer.sync()
    writer.close()
    return State(rows=writer.rows, payload_bytes=writer.payload_bytes)


def test_records_come_back_by_row_over_several_batches(tmp_path: Path) -> None:
    state = put(tmp_path, State(), *RECORDS[:21])
    state = put(tmp_path, state, RECORDS[21])
    state = put(tmp_path, state, *RECORDS[22:40])
    records = Records(Files(tmp_path), state, 0)
    assert [records.record(row) for row in range(40)] == RECORDS[:40] == list(records.all())
    with pytest.raises(ValueError, match="row 40"):
        records.record(40)


def test_what_no_commit_counted_is_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    state = put(tmp_path, State(), *RECORDS[:3])
    put(tmp_path, state, *RECORDS[3:9])
    for name in ("rows.bin", "payload.bin", "deleted.bin"):
        with (tmp_path / name).open("ab") as file:
            file.write(b"\1\2\3")
    state = put(tmp_path, state, RECORDS[9])
    records = Records(Files(tmp_path), state, 0)
    assert [records.record(row) for row in range(4)] == [*RECORDS[:3], RECORDS[9]]
    assert records.alive.tolist() == [True] * 4


@pytest.mark.parametrize("harm", ["cut", "zeros", "bomb"])
def test_damaged_records_are_an_error_and_never_another_text(tmp_path: Path, harm: str) -> None:
    state = put(tmp_path, State(), *RECORDS[:3])
    path = tmp_path / "payload.bin"
    data = path.read_bytes()
    bomb = zlib.compress(bytes(2**28 + 1), 1)
    path.write_bytes(
        {
            "cut": data[: len(data) // 2] + bytes(len(data)),
            "zeros": data[:10] + bytes(20) + data[30:],
            "bomb": len(bomb).to_bytes(4, "little") + bomb,
        }[harm]
    )
    if harm == "bomb":
        state = State(rows=3, payload_bytes=len(bomb) + 4)
    with pytest.raises(ValueError, match="row 0 of payload.bin cannot be read"):
        Records(Files(tmp_path), state, 0).record(0)
