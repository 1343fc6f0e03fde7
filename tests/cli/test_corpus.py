"""``inforce corpus``: what is added is there, what cannot be read is said, and search follows."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from commands import InProcess


def record(law: str, *texts: str, **more: object) -> str:
    """A line of the statutes' JSONL: a law in force since 2020."""
    articles = [
        {"no": f"第{'一二三四五'[index]}条", "path": "", "text": text}
        for index, text in enumerate(texts)
    ]
    return json.dumps(
        {
            "law": law,
            "version_label": "2020",
            "valid_from": "2020-01-01",
            "valid_to": None,
            "valid_to_status": "open",
            "promulgated": "2019-12-01",
            "articles": articles,
            **more,
        },
        ensure_ascii=False,
    )


@pytest.fixture
def laws(tmp_path: Path) -> Path:
    path = tmp_path / "laws.jsonl"
    path.write_text(record("试验甲法", "无人驾驶航空器应当登记。") + "\n", encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def filled(sample_home: Path, tmp_path: Path) -> Path:
    """A data folder of one's own with the sample corpus and its index."""
    return Path(shutil.copytree(sample_home, tmp_path / "filled"))


def test_the_starter_laws_are_added_by_their_name(inforce: InProcess, home: Path) -> None:
    ran = inforce("corpus", "add", "starter", "--no-index", home=home)
    assert ran.status == 0
    assert "(38 new laws, " in ran.out
    again = inforce("corpus", "add", "starter", "--no-index", "--json", home=home)
    assert again.json["report"]["versions_added"] == 0
    assert again.json["report"]["versions_known"] == 71
    assert again.json["problems"] == []


def test_a_file_called_starter_is_that_file(
    inforce: InProcess, home: Path, laws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(laws.parent)
    laws.rename("starter")
    inforce("corpus", "add", "starter", home=home)
    listed = inforce("corpus", "list", "--json", home=home).json
    assert [work["title"] for work in listed] == ["试验甲法"]


def test_what_is_added_is_found_without_a_further_command(
    inforce: InProcess, filled: Path, laws: Path
) -> None:
    inforce("corpus", "add", str(laws), home=filled)
    assert inforce("corpus", "index", "--json", home=filled).json["action"] == "unchanged"
    [hit] = inforce("search", "航空器登记", "-k", "1", "--json", home=filled).json["hits"]
    assert hit["provision"]["work"] == "试验甲法"


def test_an_index_left_out_follows_at_the_next_search(
    inforce: InProcess, filled: Path, laws: Path
) -> None:
    inforce("corpus", "add", str(laws), "--no-index", home=filled)
    [hit] = inforce("search", "航空器登记", "-k", "1", "--json", home=filled).json["hits"]
    assert hit["provision"]["work"] == "试验甲法"


def test_an_index_is_made_anew_on_demand(inforce: InProcess, filled: Path) -> None:
    shutil.rmtree(filled / "index")
    assert inforce("corpus", "index", "--json", home=filled).json["action"] == "built"
    assert inforce("corpus", "index", "--json", home=filled).json["action"] == "unchanged"
    rebuilt = inforce("corpus", "index", "--rebuild", home=filled)
    assert rebuilt.out == "built: 351 wordings (351 added, 0 deleted)\n"


def test_an_unknown_encoder_is_refused_with_the_known_ones(
    inforce: InProcess, filled: Path
) -> None:
    ran = inforce("corpus", "index", "--encoder", "wrong", home=filled)
    assert ran.status == 2
    assert "unknown encoder 'wrong': use static, st:PATH" in ran.err


def test_what_cannot_be_read_is_left_out_with_its_line_and_the_rest_is_loaded(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mixed.jsonl"
    lines = [
        record("试验甲法", "甲。"),
        record("试验乙法", "乙。", valid_from="2020-02-30"),
        "{not json",
        record("试验丁法", "丁。"),
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    ran = inforce("corpus", "add", str(path), "--no-starter", home=home)
    assert ran.status == 6
    assert "2 versions added (2 new laws" in ran.out
    assert f"left out: {path}:2: " in ran.err
    assert f"left out: {path}:3: " in ran.err
    listed = inforce("corpus", "list", "--json", home=home).json
    assert {work["title"] for work in listed} == {"试验甲法", "试验丁法"}


def test_one_unreadable_path_does_not_keep_the_others_out(
    inforce: InProcess, home: Path, laws: Path, tmp_path: Path
) -> None:
    empty, cut, folder = tmp_path / "empty.txt", tmp_path / "cut.jsonl.gz", tmp_path / "folder"
    empty.touch()
    cut.write_bytes(gzip.compress(record("试验法", "甲。" * 5000).encode())[:-20])
    folder.mkdir()
    gone = tmp_path / "gone.jsonl"
    paths = [str(path) for path in (gone, empty, cut, folder, laws)]
    ran = inforce("corpus", "add", *paths, "--json", "--no-starter", home=home)
    assert ran.status == 6
    assert ran.json["report"]["versions_added"] == 1
    problems = ran.json["problems"]
    assert len(problems) == 4
    for path, problem in zip(paths, problems, strict=False):
        assert problem.startswith(path)


def test_a_failed_first_add_leaves_the_starter_laws_to_the_first_question(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    assert inforce("corpus", "add", str(tmp_path / "gone"), home=home).status == 6
    assert inforce("at", "刑法", "74", home=home).status == 0


def test_a_corpus_of_a_newer_version_is_left_alone(inforce: InProcess, filled: Path) -> None:
    with sqlite3.connect(filled / "corpus.db") as db:
        db.execute("INSERT INTO migration VALUES ('m999_later')")
    db.close()
    for arguments in (["at", "刑法", "74"], ["corpus", "add", "starter"], ["corpus", "list"]):
        ran = inforce(*arguments, home=filled)
        assert ran.status == 7
        assert "was made by a newer inforce; upgrade inforce" in ran.err


def test_the_laws_held_are_listed_with_their_first_day(inforce: InProcess) -> None:
    assert "中华人民共和国继承法  1 version from 1985-10-01, " in inforce("corpus", "list").out
    none = inforce("corpus", "list", "--filter", "航天法")
    assert none.out == "no law's title contains '航天法'\n"


DOUBTFUL = [
    record(
        "疑法",
        "甲。",
        "乙。",
        version_label="2000",
        valid_from="2000-01-01",
        valid_to="2004-12-31",
        valid_to_status="exact",
    ),
    record(
        "疑法",
        "丙。",
        "丁。",
        version_label="2010",
        valid_from="2010-01-01",
        valid_to="2015-12-31",
        valid_to_status="exact",
    ),
    record(
        "疑法",
        "戊。",
        "己。",
        version_label="2016",
        valid_from="2016-03-01",
        valid_to_status="unknown",
    ),
]


@pytest.fixture
def doubtful(inforce: InProcess, home: Path, tmp_path: Path) -> Path:
    path = tmp_path / "doubtful.jsonl"
    path.write_text("\n".join(DOUBTFUL), encoding="utf-8")
    inforce("corpus", "add", str(path), "--no-index", "--no-starter", home=home)
    return home


def test_the_doctor_tells_where_an_answer_would_be_impossible(
    inforce: InProcess, doubtful: Path
) -> None:
    told = inforce("corpus", "doctor", "疑法", home=doubtful).out
    assert "疑法  2000-01-01 to 2004-12-31, 2010-01-01 to 2015-12-31" in told
    assert "  gap: 2005-01-01 to 2009-12-31 (第一条、第二条)" in told
    assert "  undated: 2016 (" in told
    assert "1 law examined" in told


def test_the_doctor_fails_over_a_limit(inforce: InProcess, doubtful: Path) -> None:
    ran = inforce("corpus", "doctor", "--fail-over", "gaps=0", home=doubtful)
    assert ran.status == 7
    assert ran.err == "too many gaps: 1 > 0\n"
    assert inforce("corpus", "doctor", "--fail-over", "gaps=1", home=doubtful).status == 0
    as_json = inforce("corpus", "doctor", "--fail-over", "gaps=0", "--json", home=doubtful)
    assert as_json.json["exceeded"] == [{"kind": "gaps", "count": 1, "limit": 0}]


def test_a_wording_without_an_end_is_a_candidate_and_never_an_answer(
    inforce: InProcess, doubtful: Path
) -> None:
    ran = inforce("at", "疑法", "1", "--on", "2017-01-01", home=doubtful)
    assert ran.status == 5
    assert "held, but its dates do not allow an answer: 2016 (from 2016-03-01, end unk" in ran.out
    assert "戊。" not in ran.out


def test_the_starter_corpus_is_healthy(inforce: InProcess) -> None:
    problems = inforce("corpus", "doctor", "--json").json["report"]["problems"]
    assert {kind for kind, count in problems.items() if count} == set()


# -- a law that is amended after it was added -----------------------------------------------------

AMENDED_LAW = """中华人民共和国劳动合同法
（2007年6月29日第十届全国人民代表大会常务委员会第二十八次会议通过
根据2012年12月28日《关于修改〈中华人民共和国劳动合同法〉的决定》修正
2025年3月1日第十四届全国人民代表大会常务委员会第十五次会议修订）
第十三条　第十三条的内容。
第十四条　新的第十四条。
第十五条　本法自2025年7月1日起施行。
"""


def test_the_usual_workflow_an_amended_law_is_added_and_asked_for(
    inforce: InProcess, package_copy: Path, tmp_path: Path
) -> None:
    home = package_copy
    path = tmp_path / "amended.txt"
    path.write_text(AMENDED_LAW, encoding="utf-8")
    assert inforce("corpus", "add", str(path), "--no-index", home=home).status == 0
    for day, words in (
        ("2025-06-29", "无固定期限劳动合同，是指"),
        ("2025-06-30", "无固定期限劳动合同，是指"),
        ("2025-07-01", "新的第十四条。"),
        ("2025-07-02", "新的第十四条。"),
        ("2026-01-01", "新的第十四条。"),
    ):
        assert words in inforce("at", "劳动合同法", "14", "--on", day, home=home).out
    told = inforce("at", "劳动合同法", "14", "--on", "2026-01-01", home=home).out
    assert "in force since 2025-07-01 (as far as known on 2025-03-01)" in told
    assert "note: in force as far as known on 2025-03-01" in told


def test_the_day_on_which_files_were_current_can_be_stated(
    inforce: InProcess, home: Path, laws: Path
) -> None:
    add = ("corpus", "add", str(laws), "--no-starter", "--no-index")
    inforce(*add, "--as-of", "2026年7月17日", home=home)
    [work] = inforce("corpus", "list", "--json", home=home).json
    assert work["as_of"] == "2026-07-17"
    ran = inforce(*add, "--as-of", "2026", home=home)
    assert ran.status == 2
    assert "a day is needed" in ran.err


def test_a_new_corpus_includes_the_starter_laws_and_says_so(
    inforce: InProcess, home: Path, laws: Path
) -> None:
    ran = inforce("corpus", "add", str(laws), "--no-index", home=home)
    assert "the corpus was new: the starter corpus" in ran.out
    assert "known as: 盗窃罪" in inforce("at", "刑法", "264", "--on", "2010", home=home).out
    again = inforce("corpus", "add", str(laws), "--no-index", home=home)
    assert "the corpus was new" not in again.out


def test_texts_that_contradict_each_other_are_warned_of_and_shown(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path, words in zip(paths, ("甲。", "乙。"), strict=True):
        line = record("争法", words, valid_from="2010-01-01", source_repo=path.stem)
        path.write_text(line, encoding="utf-8")
    add = ("corpus", "add", "--no-starter", "--no-index")
    inforce(*add, str(paths[0]), home=home)
    ran = inforce(*add, str(paths[1]), home=home)
    assert "contradiction: 争法 第一条: " in ran.err
    shown = inforce("at", "争法", "1", "--on", "2012", home=home).out
    assert "note: another text of these days says otherwise and is as well dated" in shown
    as_json = inforce("at", "争法", "1", "--on", "2012", "--json", home=home).json["lookup"]
    assert len(as_json["contradicted"]) == 1


LAW_OF_2007 = """中华人民共和国劳动争议示范法
（2007年6月29日第十届全国人民代表大会常务委员会第二十八次会议通过）

第一条　为了解决劳动争议，制定本法。

第二条　连续工作满十年的，应当订立无固定期限劳动合同。

第三条　本法自2008年1月1日起施行。
"""
AMENDED = LAW_OF_2007.replace("满十年", "满五年")
REVISED_LINE = "　2025年6月1日第十四届全国人民代表大会常务委员会第十六次会议修订）"
AROUND = ("2025-06-29", "2025-06-30", "2025-07-01", "2025-07-02", "2026-01-01")


def without_dates(text: str) -> str:
    """A file that says nothing of when it was in force."""
    title, _, rest = text.partition("\n")
    return (
        title + "\n" + rest.partition("\n")[2].replace("第三条　本法自2008年1月1日起施行。\n", "")
    )


AS_OF = ("--as-of", "2025-07-01")
WITH_HISTORY = AMENDED.replace("通过）", "通过" + REVISED_LINE).replace(
    "2008年1月1日", "2025年7月1日"
)
MARKDOWN = "# " + without_dates(AMENDED).replace("\n\n", "\n\n<!-- INFO END -->\n\n", 1)
RECORD = record(
    "中华人民共和国劳动争议示范法",
    "为了解决劳动争议，制定本法。",
    "连续工作满五年的，应当订立无固定期限劳动合同。",
    valid_from="2025-07-01",
    valid_to_status="open",
)


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        pytest.param("new.txt", without_dates(AMENDED), AS_OF, id="a plain file as of a day"),
        pytest.param("new.txt", WITH_HISTORY, (), id="a plain file with its history"),
        pytest.param("new.md", MARKDOWN, AS_OF, id="Markdown as of a day"),
        pytest.param("new.jsonl", RECORD, (), id="a dated record"),
    ],
)
def test_an_amended_law_that_is_added_is_the_law_from_its_day_on(
    inforce: InProcess,
    home: Path,
    tmp_path: Path,
    name: str,
    content: str,
    options: tuple[str, ...],
) -> None:
    old, new = tmp_path / "old.txt", tmp_path / name
    old.write_text(LAW_OF_2007, encoding="utf-8")
    new.write_text(content, encoding="utf-8")
    inforce("corpus", "add", str(old), "--as-of", "2025-01-01", "--no-starter", home=home)
    ran = inforce("corpus", "add", str(new), *options, home=home)
    assert (ran.status, "undated: " in ran.err) == (0, False), ran.err
    shown = [inforce("at", "劳动争议示范法", "2", "--on", day, home=home).out for day in AROUND]
    assert ["满五年" in text for text in shown] == [False, False, True, True, True]
    assert ["满十年" in text for text in shown] == [True, True, False, False, False]
    asked = ("ask", "连续工作满几年应当订立无固定期限劳动合同？")
    assert "满五年" in inforce(*asked, "--as-of", "2026-01-01", home=home).out
    assert "满五年" not in inforce(*asked, "--as-of", "2024-01-01", home=home).out


def test_a_text_that_answers_no_dated_question_is_said_to_when_it_is_added(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "new.txt"
    path.write_text(without_dates(AMENDED), encoding="utf-8")
    ran = inforce("corpus", "add", str(path), "--no-starter", "--no-index", home=home)
    assert (
        "undated: 中华人民共和国劳动争议示范法: a text without a date (new.txt) does not say"
        in ran.err
    )
    assert "--as-of DAY" in ran.err


def test_an_earlier_text_that_a_source_still_shows_is_named_beside_the_later_one(
    inforce: InProcess, home: Path, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(LAW_OF_2007, encoding="utf-8")
    new.write_text(without_dates(AMENDED), encoding="utf-8")
    add = ("corpus", "add", "--no-starter", "--no-index")
    inforce(*add, str(old), "--as-of", "2026-07-17", home=home)
    ran = inforce(*add, str(new), "--as-of", "2025-07-01", home=home)
    assert "contradicts a text without a date (new.txt), which began later and is shown" in ran.err
    shown = inforce("at", "劳动争议示范法", "2", "--on", "2026-01-01", home=home).out
    assert "满五年" in shown
    assert "note: an earlier text says otherwise, and a source current on 2026-07-17 still" in shown
    later = inforce("at", "劳动争议示范法", "2", "--on", "2026-07-18", home=home).out
    assert "still shows it" not in later


def test_laws_are_listed_by_what_matters_and_by_words_of_their_title(inforce: InProcess) -> None:
    titles = [work["title"] for work in inforce("corpus", "list", "--json").json]
    assert titles[0] == "中华人民共和国刑法"
    found = inforce("corpus", "list", "--filter", "《诉讼法》", "--json").json
    assert [work["title"] for work in found] == [
        "中华人民共和国刑事诉讼法",
        "中华人民共和国民事诉讼法",
    ]


def test_the_coverage_is_one_page_that_loads_nothing(inforce: InProcess, tmp_path: Path) -> None:
    page = tmp_path / "coverage.html"
    assert inforce("corpus", "doctor", "刑法", "继承法", "--html", str(page)).status == 0
    html = page.read_text(encoding="utf-8")
    assert "中华人民共和国继承法" in html
    assert '<td class="held" colspan="36" title="1985–2020: held">' in html
    assert 'title="2021–2026: not in force, or nothing known"' in html
    assert html.count("<tr>") == 3
    assert "http" not in html
    told = inforce("corpus", "doctor", "刑法").out
    assert "1980: 0 laws held, 0 in part, 1 in force but not held" in told
    assert inforce("corpus", "doctor", "--html", str(tmp_path)).status == 7


def test_days_that_have_not_come_are_said_to_lie_ahead(inforce: InProcess) -> None:
    ran = inforce("at", "刑法", "264", "--on", "2050-01-01")
    assert "note: 2050-01-01 lies ahead: today is 2026-11-20" in ran.out
    assert ran.status == 0
    looked_up = inforce("at", "刑法", "264", "--on", "2050-01-01", "--json").json
    assert looked_up["lookup"]["as_far_as_known"] == "2026-07-17"
    assert "2050-01-01 lies ahead: today is 2026-11-20" in looked_up["caveats"]
