"""What is in the folder now can be found now, and what cannot be found is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Event

import pytest

from document_files import pdf, word
from inforce.corpus.home import MilvusAddress
from inforce.dates import DateRange
from inforce.documents.document import Document
from inforce.documents.limits import DocumentLimits
from inforce.documents.parsing import DocumentParser
from inforce.errors import InputError, SearchIndexError
from inforce.retrieval.local_documents import LocalDocuments, Windowing
from inforce.retrieval.local_documents import documents as documents_module
from inforce.retrieval.local_documents import folder as folder_module
from inforce.retrieval.local_documents import index as index_module

RENT = "# 租赁合同\n\n## 租金\n\n每月租金九百元。\n\n## 押金\n\n押金两个月。\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "lease.md").write_text(RENT, encoding="utf-8")
    return folder


def files(documents: LocalDocuments, query: str) -> list[str]:
    return [hit.document.details["file"] for hit in documents.search(query)]


def reasons(documents: LocalDocuments) -> dict[str, str]:
    return {problem.path: problem.reason for problem in documents.problems}


def test_a_hit_says_title_heading_file_place_and_day(folder: Path) -> None:
    noon = datetime(2024, 5, 6, 12, tzinfo=UTC).timestamp()
    os.utime(folder / "lease.md", (noon, noon))
    (hit,) = LocalDocuments(folder).search("押金", k=1)
    start, end = map(int, hit.document.details["span"].split("-"))
    assert (hit.source, hit.document.title, hit.document.section) == (
        "document",
        "租赁合同",
        "押金",
    )
    assert RENT[start:end] == hit.document.text == "## 押金\n\n押金两个月。"
    assert hit.document.id == f"document:lease.md#{start}-{end}"
    assert hit.document.date == date(2024, 5, 6)


def test_every_format_is_found_by_its_words_and_its_headings(folder: Path) -> None:
    (folder / "b").mkdir()
    (folder / "b" / "note.txt").write_text("会议纪要\n王某负责整改。", encoding="utf-8")
    (folder / "page.html").write_text("<h1>Supply</h1><p>Delivery in March.</p>")
    (folder / "old.pdf").write_bytes(pdf(["Loan"], ["Interest is ten percent."]))
    word(folder / "new.docx")
    documents = LocalDocuments(folder)
    assert files(documents, "整改")[0] == "b/note.txt"
    assert files(documents, "delivery March")[0] == "page.html"
    assert files(documents, "钥匙")[0] == "new.docx"
    (hit, *_) = documents.search("loan interest")
    assert (hit.document.details["file"], hit.document.details["page"]) == ("old.pdf", "1")
    assert (len(documents), documents.problems) == (5, ())


def test_files_added_changed_and_deleted_are_noticed_at_the_next_search(folder: Path) -> None:
    documents = LocalDocuments(folder)
    assert files(documents, "租金") == ["lease.md"]
    (folder / "new").mkdir()
    (folder / "new" / "loan.md").write_text("# 借条\n\n借款利率百分之六。", encoding="utf-8")
    assert files(documents, "利率") == ["new/loan.md"]
    (folder / "new" / "loan.md").write_text("# 借条\n\n无息借款协议啊。", encoding="utf-8")
    assert files(documents, "利率") == []
    assert files(documents, "无息") == ["new/loan.md"]
    (folder / "new" / "loan.md").rename(folder / "moved.md")
    assert files(documents, "无息") == ["moved.md"]
    shutil.rmtree(folder / "new")
    (folder / "moved.md").unlink()
    assert files(documents, "无息") == []
    assert len(documents) == 1


def test_an_edit_of_the_same_length_within_one_tick_of_the_clock_is_noticed(folder: Path) -> None:
    documents = LocalDocuments(folder)
    for word_ in ("甲醛", "乙烯", "丙烷", "丁酮", "戊糖"):
        (folder / "a.txt").write_text(f"约定 {word_} 含量", encoding="utf-8")
        assert files(documents, word_) == ["a.txt"]


def test_only_changed_files_are_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "b.txt").write_text("第二个文件", encoding="utf-8")
    monkeypatch.setattr(folder_module, "UNSETTLED", 0)
    read: list[str] = []
    plain = DocumentParser.parse

    def reading(self: DocumentParser, data: bytes, *, name: str, main_part: bool) -> Document:
        read.append(name)
        return plain(self, data, name=name, main_part=main_part)

    monkeypatch.setattr(DocumentParser, "parse", reading)
    documents = LocalDocuments(folder)
    documents.refresh()
    documents.refresh()
    (folder / "b.txt").write_text("第二个文件，已修改", encoding="utf-8")
    documents.refresh()
    assert read == ["b.txt", "lease.md", "b.txt"]


def test_neighbouring_windows_and_copies_are_given_once(folder: Path) -> None:
    long = "# 备忘录\n\n" + "独角兽条款的说明，逐句展开。" * 200
    (folder / "memo.md").write_text(long, encoding="utf-8")
    (folder / "copy.md").write_text(long, encoding="utf-8")
    hits = LocalDocuments(folder).search("独角兽", k=5)
    spans = [
        (h.document.details["file"], *map(int, h.document.details["span"].split("-"))) for h in hits
    ]
    assert len(hits) == 5
    for place, (file, start, end) in enumerate(spans):
        rest = spans[:place]
        assert not any(file == f and start < e and s < end for f, s, e in rest)
    assert len({hit.document.text for hit in hits}) == 5


def test_a_word_across_a_line_break_is_found(folder: Path) -> None:
    (folder / "hard.txt").write_text("本合同约定的违\n约金为一万元。", encoding="utf-8")
    assert files(LocalDocuments(folder), "违约金") == ["hard.txt"]


def test_hidden_files_and_links_out_of_the_folder_are_left_alone(
    folder: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.md").write_text("密钥内容", encoding="utf-8")
    (folder / "link.md").symlink_to(secret / "key.md")
    (folder / "linked").symlink_to(secret)
    (folder / "again.md").symlink_to(folder / "lease.md")
    (folder / ".hidden.md").write_text("密钥内容", encoding="utf-8")
    os.mkfifo(folder / "pipe.md")
    documents = LocalDocuments(folder)
    assert files(documents, "密钥") == []
    told = "a link out of the folder: not followed"
    assert reasons(documents) == {"link.md": told, "linked": told}
    (folder / "link.md").unlink()
    documents.refresh()
    assert reasons(documents) == {"linked": told}


def test_files_that_cannot_be_read_are_told_and_the_rest_is_found(folder: Path) -> None:
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "bad.docx").write_bytes(b"PK nothing")
    (folder / "locked.pdf").write_bytes(pdf(["secret"], encrypted=True))
    (folder / "large.txt").write_bytes(b"a " * 40_000)
    (folder / "noise.txt").write_bytes(b"\x00\x01\x02" * 99)
    documents = LocalDocuments(folder, limits=DocumentLimits(bytes=70_000))
    assert files(documents, "租金") == ["lease.md"]
    told = reasons(documents)
    assert set(told) == {"bad.pdf", "bad.docx", "locked.pdf", "large.txt", "noise.txt"}
    assert "encrypted" in told["locked.pdf"]
    assert "more than 70,000 bytes" in told["large.txt"]
    (folder / "bad.pdf").write_bytes(pdf(["unicorn"]))
    assert files(documents, "unicorn") == ["bad.pdf"]
    assert "bad.pdf" not in reasons(documents)


def test_a_file_cut_by_a_limit_is_found_and_told(folder: Path) -> None:
    (folder / "long.pdf").write_bytes(pdf(["unicorn"], ["more"]))
    documents = LocalDocuments(folder, limits=DocumentLimits(pages=1))
    assert files(documents, "unicorn") == ["long.pdf"]
    assert reasons(documents) == {"long.pdf": "only the first 1 of 2 pages were read"}


def test_pages_that_were_only_scanned_are_told(folder: Path) -> None:
    (folder / "mixed.pdf").write_bytes(pdf(["unicorn"], [], []))
    documents = LocalDocuments(folder)
    assert files(documents, "unicorn") == ["mixed.pdf"]
    assert reasons(documents) == {"mixed.pdf": "no text on these pages (scans?): 2, 3"}


def test_a_name_that_is_no_text_is_told(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.md")).write_text("独角兽")
    (folder / "a\nb.md").write_text("独角兽", encoding="utf-8")
    documents = LocalDocuments(folder)
    assert files(documents, "独角兽") == []
    assert set(reasons(documents)) == {"\\xff\\xfe.md", "a\\nb.md"}


def test_files_beyond_the_limit_are_told(folder: Path) -> None:
    for name in "abc":
        (folder / f"{name}.txt").write_text("文件内容", encoding="utf-8")
    documents = LocalDocuments(folder, max_files=2)
    documents.refresh()
    assert len(documents) == 2
    assert "more than 2 files" in reasons(documents)["."]


def test_days_leave_no_file_out(folder: Path) -> None:
    then = DateRange.day(date(1950, 1, 1))
    assert LocalDocuments(folder).search("租金", during=then)


@pytest.mark.parametrize(
    "query", ["", "，。！", "的", "zzzz", "a" * 5_000, "？" * 100, '"(AND' * 50]
)
def test_a_query_that_nothing_speaks_to_finds_nothing(folder: Path, query: str) -> None:
    assert files(LocalDocuments(folder), query) == []


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    documents = LocalDocuments(tmp_path)
    assert (list(documents.search("租金")), len(documents), documents.problems) == ([], 0, ())


def test_a_folder_that_is_not_there_or_goes_away_is_an_error_not_an_empty_answer(
    folder: Path,
) -> None:
    with pytest.raises(InputError, match="no such folder"):
        LocalDocuments(folder / "nowhere")
    documents = LocalDocuments(folder)
    assert documents.search("租金")
    folder.rename(folder.with_name("moved"))
    with pytest.raises(InputError, match="cannot be read"):
        documents.search("租金")
    folder.with_name("moved").rename(folder)
    assert documents.search("租金")


def test_reading_that_takes_too_long_is_continued_at_the_next_search(folder: Path) -> None:
    for name in range(5):
        (folder / f"{name}.txt").write_text(f"第{name}份", encoding="utf-8")
    documents = LocalDocuments(folder, patience=-1.0)
    assert files(documents, "租金") == []
    assert (len(documents), documents.pending) == (0, 6)
    documents._patience = 30.0  # pyright: ignore[reportPrivateUsage]
    assert files(documents, "租金") == ["lease.md"]
    assert documents.pending == 0


def test_a_kept_index_is_not_made_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    LocalDocuments(folder, index=tmp_path / "index").refresh()

    def reading(self: DocumentParser, data: bytes, *, name: str, main_part: bool) -> Document:
        raise AssertionError(name)

    monkeypatch.setattr(folder_module, "UNSETTLED", 0)
    monkeypatch.setattr(DocumentParser, "parse", reading)
    again = LocalDocuments(folder, index=tmp_path / "index")
    assert files(again, "租金") == ["lease.md"]
    assert len(again) == 1


def test_a_kept_index_follows_what_happened_while_nobody_looked(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "old.txt").write_text("旧文件", encoding="utf-8")
    LocalDocuments(folder, index=tmp_path / "index").refresh()
    (folder / "old.txt").unlink()
    (folder / "lease.md").write_text("# 合同\n\n独角兽", encoding="utf-8")
    again = LocalDocuments(folder, index=tmp_path / "index")
    assert files(again, "旧文件 租金") == []
    assert files(again, "独角兽") == ["lease.md"]


def test_two_programs_share_a_kept_index(folder: Path, tmp_path: Path) -> None:
    one, other = (LocalDocuments(folder, index=tmp_path / "index") for _ in range(2))
    assert files(one, "租金") == files(other, "租金") == ["lease.md"]
    (folder / "new.txt").write_text("独角兽", encoding="utf-8")
    assert files(one, "独角兽") == files(other, "独角兽") == ["new.txt"]
    (folder / "new.txt").unlink()
    assert files(other, "独角兽") == files(one, "独角兽") == []


def test_while_another_program_writes_the_answer_says_that_it_may_be_behind(
    folder: Path, tmp_path: Path
) -> None:
    one, other = (LocalDocuments(folder, index=tmp_path / "index") for _ in range(2))
    one.refresh()
    (folder / "new.txt").write_text("独角兽", encoding="utf-8")
    with one._index.writing():  # pyright: ignore[reportPrivateUsage]
        assert files(other, "独角兽") == []
        assert (other.pending, "another program" in reasons(other)["."]) == (1, True)
        assert files(other, "租金") == ["lease.md"]
    assert files(other, "独角兽") == ["new.txt"]
    assert other.problems == ()


def test_other_windows_have_another_index(folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    (folder / "long.txt").write_text("独角兽条款。" * 300, encoding="utf-8")
    LocalDocuments(folder, index=index).refresh()
    small = LocalDocuments(folder, index=index, windowing=Windowing(50, 25))
    assert len(small.search("独角兽", k=1)[0].document.text) == 50


def test_a_damaged_index_names_the_folder_to_delete(folder: Path, tmp_path: Path) -> None:
    LocalDocuments(folder, index=tmp_path / "index").refresh()
    (kept,) = (tmp_path / "index").iterdir()
    (kept / "0001" / "lexicon" / "meta.json").write_text("{")
    with pytest.raises(SearchIndexError, match="delete that folder"):
        LocalDocuments(folder, index=tmp_path / "index")


def test_a_writer_that_dies_leaves_the_last_committed_state(folder: Path, tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from inforce.retrieval.local_documents import LocalDocuments\n"
        "from inforce.store.local._writer import LocalWriter\n"
        "commit = LocalWriter.commit\n"
        "LocalWriter.commit = lambda self: os._exit(9) if self.rows else commit(self)\n"
        "LocalDocuments(sys.argv[1], index=__import__('pathlib').Path(sys.argv[2])).refresh()\n"
    )
    index = tmp_path / "index"
    died = subprocess.run([sys.executable, "-c", program, folder, index], check=False)
    assert died.returncode == 9
    assert files(LocalDocuments(folder, index=index), "租金") == ["lease.md"]


def test_an_index_of_which_most_was_deleted_is_made_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "MANY_DELETED", 20)
    index = tmp_path / "index"
    for documents in (LocalDocuments(folder), LocalDocuments(folder, index=index)):
        for turn in range(30):
            (folder / "diary.txt").write_text(f"独角兽 第{turn}天 机密{turn}", encoding="utf-8")
            assert documents.search("独角兽", k=1)[0].document.text.endswith(f"机密{turn}")
        assert files(documents, "租金") == ["lease.md"]
        assert len(documents) == 2
        (folder / "diary.txt").unlink()
        documents.refresh()
    [kept] = index.iterdir()
    rows = sum(path.stat().st_size for path in kept.rglob("rows.bin")) // 16
    assert rows <= 2 * 4 + 20
    assert files(LocalDocuments(folder, index=index), "租金") == ["lease.md"]


def test_documents_may_be_indexed_in_a_milvus(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("milvus_lite", reason="needs the milvus extra")
    address = MilvusAddress(str(tmp_path / "index.db"), tmp_path / "here")
    documents = LocalDocuments(folder, index=address)
    assert files(documents, "租金") == ["lease.md"]
    (folder / "new.txt").write_text("独角兽", encoding="utf-8")
    assert files(documents, "独角兽") == files(LocalDocuments(folder, index=address), "独角兽")
    (folder / "new.txt").unlink()
    assert files(documents, "独角兽") == []


def test_threads_may_share_a_folder(folder: Path) -> None:
    documents = LocalDocuments(folder)

    def work(turn: int) -> list[str]:
        if turn % 4 == 0:
            (folder / f"{turn}.txt").write_text(f"独角兽 编号{turn}", encoding="utf-8")
        return files(documents, "租金")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(40)))
    assert all(answer[0] == "lease.md" for answer in answers)
    assert len(documents.search("独角兽", k=20)) == 10


@pytest.mark.slow
def test_ten_thousand_files_cost_a_search_less_than_20_milliseconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10_000):
        if number % 100 == 0:
            (tmp_path / f"{number // 100}").mkdir()
        path = tmp_path / f"{number // 100}" / f"{number}.txt"
        path.write_text(f"文件 {number}", encoding="utf-8")
    documents = LocalDocuments(tmp_path, patience=300.0)
    documents.refresh()
    time.sleep(folder_module.UNSETTLED / 1e9)
    documents.refresh()
    spent: list[float] = []
    for _ in range(40):
        began = time.process_time()
        documents.refresh()
        spent.append(time.process_time() - began)
    assert min(spent) < 0.020  # whatever else the machine is doing
    (tmp_path / "7" / "701.txt").write_text("独角兽", encoding="utf-8")
    looks = next(n for n in range(1, 9) if files(documents, "独角兽"))
    assert looks <= -(-10_000 // folder_module.FILES_A_LOOK)
    assert documents_module.COMMIT_EVERY <= 10_000


def test_searches_at_the_same_time_share_one_look(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = LocalDocuments(folder)
    documents.refresh()
    looks, began, go_on = list[int](), Event(), Event()

    def looking(self: folder_module.WatchedFolder) -> None:
        looks.append(len(looks))
        began.set()
        go_on.wait(10)

    monkeypatch.setattr(folder_module.WatchedFolder, "look", looking)
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(documents.refresh)
        began.wait(10)
        rest = [pool.submit(documents.refresh) for _ in range(8)]
        while sum(one.running() for one in rest) < 8:
            pass
        go_on.set()
        for one in (first, *rest):
            one.result()
    assert len(looks) <= 3  # the first, one for those who came meanwhile, one for a late thread
