"""A collection may be shared between threads, also while another process (here: object) writes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from documents_made import asked_of, query, schema

from inforce.store import Document
from inforce.store.local import LocalStore

WORDS = ("盗窃 公私 财物", "故意 伤害 他人", "缓刑 累犯 不适用", "遗嘱 公证 撤销")


def document(number: int) -> Document:
    text = f"{WORDS[number % len(WORDS)]} 第{number}号"
    return Document(f"key-{number}", f"payload of {number}", text, exact=(f"#{number}",))


def test_every_answer_of_a_shared_collection_is_whole_while_a_writer_commits(
    tmp_path: Path,
) -> None:
    store = LocalStore(tmp_path)
    with store.replace("made", schema()) as building:
        building.add(map(document, range(20)))
    writer, shared, done = store.open("made", schema()), store.open("made", schema()), Event()

    def read(turn: int) -> int:
        answered = 0
        while not done.is_set() or not answered:
            for channel, asked in asked_of(query(WORDS[turn % 4], f"#{turn}")).values():
                snapshot = shared.snapshot()
                hits = snapshot.search(channel, asked, k=5)
                payloads = snapshot.payloads([hit.row for hit in hits])
                assert all(payload.startswith("payload of ") for payload in payloads)
                answered += len(payloads)
        return answered

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, turn) for turn in range(4)]
        for first in range(20, 80, 6):
            writer.add(map(document, range(first, first + 6)))
            writer.delete([f"key-{first - 20}"])
        done.set()
        assert all(reader.result(timeout=60) for reader in readers)
    assert len(shared.snapshot()) == len(writer.snapshot()) == 70
