"""The files of LeCaRDv2 are read as they are published; what is none of them is named by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inforce.errors import InputError
from inforce.evals.lecard.files import (
    Candidate,
    read_candidates,
    read_judgements,
    read_pools,
    read_queries,
    read_rankings,
)


def written(path: Path, *lines: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def all_candidates(path: Path) -> list[Candidate]:
    return list(read_candidates(path))


def test_queries_are_json_lines_in_their_order(tmp_path: Path) -> None:
    second = {"id": "b", "query": "头部 事实", "fact": "事实"}
    queries = read_queries(written(tmp_path / "q.json", {"id": 7, "query": "问"}, "", second))
    assert [(one.id, one.query, one.fact) for one in queries] == [
        (7, "问", ""),
        ("b", "头部 事实", "事实"),
    ]


def test_judgements_are_levels_by_query_and_document(tmp_path: Path) -> None:
    path = written(tmp_path / "q.trec", "1\t0\ta\t3", "2 0 a 0", "1 0 b 1")
    assert read_judgements(path) == {"1": {"a": 3, "b": 1}, "2": {"a": 0}}


def test_a_ranking_goes_by_score_and_equal_scores_by_rank(tmp_path: Path) -> None:
    lines = ["1 Q0 a 1 0.5 x", "1 Q0 b 2 0.9 x", "1 Q0 d 4 0.5 x", "1 Q0 c 3 0.5 x", "2 Q0 e 1 1 x"]
    found = read_rankings(written(tmp_path / "r.trec", *lines))
    assert found == {"1": ("b", "a", "c", "d"), "2": ("e",)}


def test_pools_are_ids_by_query(tmp_path: Path) -> None:
    pool = {"qid": 4, "rank_doc_id": [30, 20]}
    assert read_pools(written(tmp_path / "p.json", pool)) == {"4": ["30", "20"]}


@pytest.mark.parametrize(
    ("line", "candidate"),
    [
        ({"pid": 1, "qw": "甲", "fact": "乙"}, Candidate("1", "甲")),
        ({"docid": "d-1", "text": "甲"}, Candidate("d-1", "甲")),
        ({"id": 0, "contents": "甲"}, Candidate("0", "甲")),
        ({"pid": 2, "fact": "乙", "charge": ["盗窃罪"]}, Candidate("2", "乙")),
    ],
)
def test_candidates_may_call_id_and_text_differently(
    tmp_path: Path, line: dict[str, Any], candidate: Candidate
) -> None:
    assert list(read_candidates(written(tmp_path / "c.jsonl", line))) == [candidate]


def test_a_folder_holds_a_file_a_candidate_in_any_depth_and_layout(tmp_path: Path) -> None:
    folder = tmp_path / "candidates"
    written(folder / "2.json", json.dumps({"pid": 2, "qw": "乙"}, indent=2))
    written(folder / "1" / "1.json", {"pid": 1, "qw": "甲"})
    assert {one.id: one.text for one in read_candidates(folder)} == {"1": "甲", "2": "乙"}


@pytest.mark.parametrize(
    ("read", "lines", "why"),
    [
        (read_queries, ['{"id": 1, "query": "问"}', '{"id": 1}'], "f:2: not of LeCaRDv2"),
        (read_queries, [""], "holds no query"),
        (read_judgements, ["1 0 a 3", "1 0 a"], "f:2: no judgement"),
        (read_judgements, ["1 0 a x"], "f:1: no number: 'x'"),
        (read_rankings, ["1 Q0 a 1 0.5"], "f:1: no line of a ranking"),
        (read_pools, ['{"qid": 1}'], "f:1: not of LeCaRDv2"),
        (all_candidates, [""], "holds no candidate"),
        (all_candidates, ['{"pid": 1}'], "without an id or a text"),
    ],
)
def test_what_is_no_such_line_is_named(
    tmp_path: Path, read: Any, lines: list[str], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        read(written(tmp_path / "f", *lines))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for read in (read_queries, read_judgements, read_rankings, read_pools):
        with pytest.raises(InputError, match="none: cannot be read"):
            read(tmp_path / "none")
