"""An update of the index reads the laws that changed, and those dated by what changed."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.corpus.loaders import load
from inforce.corpus.store import Corpus
from inforce.documents.files import raise_problem
from inforce.law.model import VersionText
from inforce.retrieval import index
from inforce.retrieval.index import open_index, update_index
from inforce.retrieval.provisions import statute_documents, work_documents
from inforce.store import Document
from inforce.testing import tiny_law

OLD = "中华人民共和国明灯法"
NEW = "中华人民共和国灯塔法"
OTHER = "中华人民共和国航船法"
DECISION = "全国人民代表大会常务委员会关于修改《中华人民共和国明灯法》的决定"
HISTORY = (
    "2000年1月1日第九届全国人民代表大会常务委员会第十三次会议通过",
    f"根据2010年3月1日第十一届全国人民代表大会常务委员会第十三次会议《{DECISION[13:]}》修正",
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    old = tiny_law(OLD, {"1": "明灯应当守夜。"}, start=date(2000, 1, 1))
    other = tiny_law(OTHER, {"1": "航船应当登记。"}, start=date(2000, 1, 1))
    with Corpus.open(tmp_path / "corpus.sqlite", mode="write") as opened:
        opened.add([old, other])
        update_index(opened, tmp_path / "index")
        yield opened


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The laws whose documents were made."""
    laws: list[str] = []

    def noted(corpus: Corpus, work: str) -> Iterator[Document]:
        laws.append(work)
        return work_documents(corpus, work)

    monkeypatch.setattr(index, "work_documents", noted)
    return laws


def updated(corpus: Corpus, *texts: VersionText) -> None:
    """Add texts and update; afterwards the index shows what a fresh one would."""
    corpus.add(texts)
    folder = corpus.path.parent / "index"
    update_index(corpus, folder)
    shown = set(open_index(folder).snapshot().keys())
    assert shown == {document.key for document in statute_documents(corpus)}


def test_a_law_that_is_added_is_the_only_one_read(corpus: Corpus, read: list[str]) -> None:
    updated(corpus, tiny_law(NEW, {"1": "灯塔应当明亮。"}, start=date(2010, 1, 1)))
    assert read == [NEW]


def test_a_law_that_another_one_repeals_is_read_too(corpus: Corpus, read: list[str]) -> None:
    last = f"本法自2010年1月1日起施行。《{OLD}》同时废止。"
    updated(corpus, tiny_law(NEW, {"1": "灯塔应当明亮。", "2": last}, start=date(2010, 1, 1)))
    assert sorted(read) == [OLD, NEW]


def test_a_law_whose_amending_decision_is_added_is_read_too(
    corpus: Corpus, read: list[str]
) -> None:
    amended = tiny_law(OLD, {"1": "明灯应当长明。"}, promulgated=date(2010, 3, 1), history=HISTORY)
    updated(corpus, amended)
    read.clear()
    clause = {"1": "第一条修改为：“明灯应当长明。”", "2": "本决定自2010年7月1日起施行。"}
    decision = tiny_law(DECISION, clause, start=date(2010, 7, 1), promulgated=date(2010, 3, 1))
    updated(corpus, decision)
    assert OTHER not in read
    assert DECISION in read


def test_a_law_that_is_added_again_unchanged_is_not_read(corpus: Corpus, read: list[str]) -> None:
    law = tiny_law(OLD, {"1": "明灯应当守夜。"}, start=date(2000, 1, 1))
    updated(corpus, law)
    assert read == []


@pytest.mark.parametrize("damage", ["{", '{"form": 0}', '{"form": 1, "laws": {"x": 3}}'])
def test_without_the_note_on_laws_all_are_read_and_the_index_is_right(
    corpus: Corpus, read: list[str], damage: str
) -> None:
    [note] = (corpus.path.parent / "index").rglob("laws-*.json")
    note.write_text(damage, encoding="utf-8")
    updated(corpus, tiny_law(NEW, {"1": "灯塔应当明亮。"}, start=date(2010, 1, 1)))
    assert sorted(read) == sorted([OLD, OTHER, NEW])


def short(line: str) -> str:
    """A record of the real data with its first articles and its last, which date it."""
    record: dict[str, Any] = json.loads(line)
    articles = record["articles"]
    kept = articles if len(articles) < 6 else [*articles[:2], *articles[-3:]]
    del record["n_articles"]
    return json.dumps({**record, "articles": kept, "missing_articles": []}, ensure_ascii=False)


def test_updates_with_real_laws_give_what_a_fresh_index_gives(
    shared_data: Path, tmp_path: Path
) -> None:
    lines: list[str] = []
    for name in ("versions", "laws_current"):
        path = shared_data / "statutes" / f"{name}.jsonl.gz"
        lines += gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    drawn = [short(line) for line in random.Random(12).sample(lines, 240)]
    with Corpus.open(tmp_path / "corpus.sqlite", mode="write") as corpus:
        for part in range(3):
            file = tmp_path / "laws.jsonl"
            file.write_text("\n".join(drawn[part * 80 : part * 80 + 80]) + "\n", encoding="utf-8")
            updated(corpus, *load(file, on_problem=raise_problem))
