"""``inforce eval lar``: the last line is one JSON object, and the figures are the paper's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import InProcess

QUESTIONS = [
    ("a", "请背诵2010年6月正在施行的《中华人民共和国刑法》第七十四条。", "对于累犯，不适用缓刑。"),
    (
        "b",
        "请背诵2012年正在施行的《中华人民共和国刑法》第七十四条。",
        "【适用缓刑的除外】对于累犯和犯罪集团的首要分子，不适用缓刑。",
    ),
    ("c", "请背诵2012年的《中华人民共和国海商法》第一条。", "为了调整海上运输关系，制定本法。"),
]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    lines = [
        json.dumps({"id": id, "type": "lar", "question": question, "answer": answer})
        for id, question, answer in QUESTIONS
    ]
    other_task = json.dumps({"id": "x", "type": "lcs", "question": "?", "answer": "!"})
    path.write_text("\n".join([*lines, other_task, ""]), encoding="utf-8")
    return path


def test_the_last_line_is_one_json_object(inforce: InProcess, items: Path) -> None:
    for as_json in ([], ["--json"]):
        ran = inforce("eval", "lar", "--data", str(items), "--model", "offline", *as_json)
        assert ran.status == 0
        report = json.loads(ran.out.splitlines()[-1])
        assert (report["agent"], report["model"]) == ("reciter", "offline")
        assert (report["n"], report["misses"]) == (3, ["c"])
        assert report["score"] == report["rouge_l"]
        assert report["rouge_l_text"] == pytest.approx(2 / 3)
        assert 0.5 < report["rouge_l"] < report["rouge_l_text"]


def test_without_json_there_is_the_papers_table_and_with_it_only_the_object(
    inforce: InProcess, items: Path
) -> None:
    lines = inforce("eval", "lar", "--data", str(items)).out.splitlines()
    assert any(line.startswith("* reciter · offline") for line in lines)
    assert len(inforce("eval", "lar", "--data", str(items), "--json").out.splitlines()) == 1


def test_with_and_without_a_folder_it_is_the_same_run(
    inforce: InProcess, items: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    asked = ("eval", "lar", "--data", str(items), "--json")
    without, stored = inforce(*asked).json, inforce(*asked, "--output", str(folder)).json
    again = inforce(*asked, "--output", str(folder)).json
    for one in (without, stored, again):
        one.pop("seconds")
    assert without == stored == again
    assert [one.name for one in sorted((folder / "traces").iterdir())] == [
        "a.jsonl",
        "b.jsonl",
        "c.jsonl",
    ]
    other = inforce(*asked, "--output", str(folder), "--limit", "1")
    assert other.status == 2 and "holds another run" in other.json["message"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--judge", "openai:gpt-4o"], "eval lar asks no judge: leave --judge out"),
        (["--model", "openai:gpt-4o"], "does not use --model: leave it out"),
        (["--epochs", "2", "--time-limit", "9"], "does not use --epochs, --time-limit: leave them"),
        (["--at-once", "16"], "does not use --at-once"),
        (["--cache"], "does not use --cache"),
        (["--web", "serper"], "does not use --web"),
        (["--option", "split=test"], "the options of lar are none, not 'split'"),
        (["--failed", "half"], "--failed is missing or zero, not 'half'"),
    ],
)
def test_an_option_that_is_unknown_or_would_be_ignored_is_refused(
    inforce: InProcess, items: Path, given: list[str], said: str
) -> None:
    ran = inforce("eval", "lar", "--data", str(items), *given)
    assert ran.status in (2, 6) and ran.out == ""
    assert said in ran.err


def test_an_exam_takes_no_options_of_benchmarks(inforce: InProcess, items: Path) -> None:
    given = ("--agent", "r1", "--at-once", "2", "--cache")
    ran = inforce("eval", "practice", "--data", str(items), *given)
    assert (ran.status, ran.out) == (2, "")
    assert "eval practice does not use --agent, --at-once, --cache: leave them out" in ran.err


def test_the_names_of_all_benchmarks_are_said_where_one_is_unknown(inforce: InProcess) -> None:
    ran = inforce("eval", "nope")
    assert ran.status == 2
    assert "use legalsearch, " in ran.err and ", lecard, practice" in ran.err


def test_a_corpus_may_be_a_file_of_statutes_or_a_corpus_file(
    inforce: InProcess, items: Path, sample_home: Path, tmp_path: Path
) -> None:
    record = {
        "law": "中华人民共和国刑法",
        "version_label": "test",
        "valid_from": "2009-01-01",
        "valid_to": "2010-12-31",
        "valid_to_status": "exact",
        "articles": [{"no": "第七十四条", "path": "", "text": "对于累犯，不适用缓刑。"}],
    }
    statutes = tmp_path / "statutes.jsonl"
    statutes.write_text(json.dumps(record), encoding="utf-8")
    expected = {statutes: ["b", "c"], sample_home / "corpus.db": ["c"]}
    for corpus, misses in expected.items():
        ran = inforce("eval", "lar", "--data", str(items), "--corpus", str(corpus), "--json")
        assert ran.json["misses"] == misses


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "Input data was truncated"),
        ("[]", "Expected `object`, got `array`"),
        ('{"id": 1}', "missing required field `type`"),
        (
            '{"type": "lar", "id": 1, "question": 5, "answer": "x"}',
            "Expected `str`, got `int` - at `$.question`",
        ),
        ('{"type": "lar", "id": 1, "question": "\\ud800", "answer": "x"}', "surrogate pair"),
        ("[" * 100_000, "Expected `object`, got `array`"),
    ],
)
def test_a_line_that_is_no_item_is_named(
    inforce: InProcess, tmp_path: Path, line: str, told: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    ran = inforce("eval", "lar", "--data", str(path), "--json")
    assert (ran.status, ran.json["error"]) == (6, "bad_input")
    assert ran.json["message"].startswith(f"{path}:2: not an item of the 13-task benchmark")
    assert told in ran.json["message"]


def test_a_file_without_items_and_a_corpus_that_is_not_there_are_bad_input(
    inforce: InProcess, items: Path, tmp_path: Path
) -> None:
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text('{"type": "lcs"}', encoding="utf-8")
    assert inforce("eval", "lar", "--data", str(nothing)).status == 6
    gone = inforce("eval", "lar", "--data", str(items), "--corpus", str(tmp_path / "gone"))
    assert gone.status == 6
    assert "no such corpus, file or folder" in gone.err


@pytest.mark.slow
@pytest.mark.data
def test_the_64_articles_of_the_papers_benchmark_are_recited_to_the_letter(
    inforce: InProcess, shared_data: Path
) -> None:
    ran = inforce(
        *("eval", "lar", "--model", "offline", "--json"),
        *("--data", str(shared_data / "legalsearch_r1" / "legalsearch_evaluation.jsonl")),
        *("--corpus", str(shared_data / "statutes" / "versions.jsonl.gz")),
    )
    assert ran.status == 0
    assert ran.json["n"] == 64
    assert ran.json["misses"] == []
    assert ran.json["rouge_l_text"] >= 0.998
    assert ran.json["rouge_l"] >= 0.97


def test_the_folder_of_a_run_by_rules_is_read_both_ways(
    inforce: InProcess, items: Path, tmp_path: Path
) -> None:
    run = ("eval", "lar", "--data", str(items), "--output", str(tmp_path / "run"))
    assert inforce(*run).status == 0
    ran = inforce(*run, "--failed", "zero")
    assert ran.status == 0, ran.err
    refused = inforce(*run, "--limit", "1")
    assert (refused.status, "holds another run" in refused.err) == (2, True)
