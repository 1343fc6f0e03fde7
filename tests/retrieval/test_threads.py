"""An engine may be shared between threads, also while another process (here: object) writes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from inforce.retrieval.encoders.lsa import fit_lsa
from inforce.retrieval.engines import Document, EngineQuery
from inforce.retrieval.engines.local import LocalEngine
from inforce.retrieval.fusion import CHANNELS
from inforce.retrieval.tokens import tokenize

WORDS = ("盗窃 公私 财物", "故意 伤害 他人", "缓刑 累犯 不适用", "遗嘱 公证 撤销")


def document(number: int) -> Document:
    text = f"{WORDS[number % len(WORDS)]} 第{number}号"
    return Document(f"key-{number}", text, f"payload of {number}", locators=(f"#{number}",))


def test_every_answer_of_a_shared_engine_is_whole_while_a_writer_commits(tmp_path: Path) -> None:
    encoder = fit_lsa([" ".join(tokenize(document(n).text)) for n in range(20)])
    writer = LocalEngine.create(tmp_path, encoder)
    writer.add(map(document, range(20)))
    shared, done = LocalEngine(tmp_path), Event()

    def read(turn: int) -> int:
        answered = 0
        while not done.is_set() or not answered:
            query = EngineQuery(WORDS[turn % 4], locators=((f"#{turn}", 100.0),))
            for channel in CHANNELS:
                for hit in shared.search(channel, query, k=5):
                    assert shared.payload(hit.row).startswith("payload of ")
                    answered += 1
        return answered

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, turn) for turn in range(4)]
        for first in range(20, 80, 6):
            writer.add(map(document, range(first, first + 6)))
            writer.delete([f"key-{first - 20}"])
        done.set()
        assert all(reader.result(timeout=60) for reader in readers)
    assert len(shared) == len(writer) == 70
