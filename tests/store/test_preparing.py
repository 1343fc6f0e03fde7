"""Many documents made ready for an index at once, and their records as they are stored."""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import cast

import pytest
from documents_made import bigrams, random_documents

from inforce.retrieval.tokens import tokenize, tokenize_many
from inforce.store import Channel, Document, Schema
from inforce.store import _preparing as preparing_module
from inforce.store._preparing import BATCH, Batch, prepared
from inforce.store.local._records import Records, RecordWriter, State, packed

DOCUMENTS = random_documents(5 * BATCH + 7)
WORDS = Schema(
    (Channel("words", tokenize, analyse_many=tokenize_many), Channel("bigrams", bigrams))
)


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_terms_and_order_are_the_same_however_many_threads_work(threads: int) -> None:
    terms = [
        triple
        for batch in prepared(DOCUMENTS, WORDS, threads=threads, priority="low")
        for triple in zip(batch.documents, *batch.terms, strict=True)
    ]
    assert terms == [
        (one, " ".join(tokenize(one.text)), " ".join(bigrams(one.text))) for one in DOCUMENTS
    ]


def test_few_documents_start_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing_module, "ThreadPoolExecutor", None)
    (batch,) = prepared(DOCUMENTS[:10], WORDS, threads=4)
    assert batch.documents == DOCUMENTS[:10]


def test_many_texts_are_cut_as_each_alone() -> None:
    texts = [
        *(
            "盗窃罪，数额较大。",
            "",
            "，。",
            "the lease",
            "a\0b 盗窃",
            "％－％ 100％",
            "①Ⅳ 故意杀人",
        ),
        *(one.text for one in DOCUMENTS[:300]),
        *("\r\n \t", "被告人\u3000甲", "\0", " \0 ", "---", "甲。乙\n丙"),
    ]
    assert tokenize_many(texts) == [" ".join(tokenize(text)) for text in texts]
    assert tokenize_many([]) == []


def test_the_stream_is_read_little_further_than_the_work() -> None:
    read = 0

    def documents() -> Iterator[Document]:
        nonlocal read
        while True:
            read += 1
            yield Document(f"{read}", "", "盗窃")

    stream = cast("Generator[Batch]", prepared(documents(), WORDS, threads=1))
    for _ in range(4):
        next(stream)
    stream.close()
    assert read <= 10 * BATCH


def test_a_failing_analyser_fails_the_whole() -> None:
    def failing(text: str) -> list[str]:
        raise InterruptedError(text)

    form = Schema((Channel("words", failing),))
    for threads in (0, 2):
        with pytest.raises(InterruptedError):
            list(prepared(DOCUMENTS, form, threads=threads))


# --- records ----------------------------------------------------------------------------------

RECORDS = [(one.key, one.text) for one in DOCUMENTS]


def put(folder: Path, state: State, *records: tuple[str, str]) -> State:
    """Append records as one batch; returns the state that counts them."""
    writer = RecordWriter(folder, state, 0)
    writer.append(packed(records), [(1, 2)] * len(records), None)
    writer.sync()
    writer.close()
    return State(rows=writer.rows, payload_bytes=writer.payload_bytes)


def test_records_come_back_by_row_over_several_batches(tmp_path: Path) -> None:
    state = put(tmp_path, State(), *RECORDS[:21])
    state = put(tmp_path, state, RECORDS[21])
    state = put(tmp_path, state, *RECORDS[22:40])
    records = Records(tmp_path, state, 0)
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
    records = Records(tmp_path, state, 0)
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
        Records(tmp_path, state, 0).record(0)
