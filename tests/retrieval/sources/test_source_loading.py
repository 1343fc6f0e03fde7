"""Documents out of files: every form, what is left out, and what is never assumed."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.dates import DateRange
from inforce.errors import InputError
from inforce.retrieval.sources.exclusion import fact_hash, read_exclusions
from inforce.retrieval.sources.loading import SourceFiles, load_documents
from inforce.retrieval.sources.source import SourceDocument


def written(path: Path, *records: dict[str, Any] | str) -> Path:
    lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def load(path: Path, **options: Any) -> tuple[list[SourceDocument], list[str]]:
    problems: list[str] = []
    found = load_documents(path, on_problem=lambda one: problems.append(str(one)), **options)
    return list(found), problems


def only(path: Path) -> SourceDocument:
    (document,), problems = load(path)
    assert problems == []
    return document


def test_a_plain_record_is_read_field_by_field(tmp_path: Path) -> None:
    record = {
        "id": "g-1",
        "title": "意见",
        "text": "盗窃",
        "date": "2021-06-17",
        "valid_from": "2021-07-01",
        "valid_to": "2024-06-30",
        "issuer": "最高人民法院",
        "region": "全国",
        "section": "一",
        "url": "https://example.org",
        "doc_no": "法发〔2021〕21号",
        "partial": True,
        "page": 3,
        "source_repo": "r",
        "source_commit": "c",
        "source_path": "p",
        "hints": ["x"],
        "details": {"court": "某法院"},
    }
    assert only(written(tmp_path / "a.jsonl", record)) == SourceDocument(
        "g-1",
        "意见",
        "盗窃",
        date=date(2021, 6, 17),
        valid=DateRange(date(2021, 7, 1), date(2024, 7, 1)),
        issuer="最高人民法院",
        region="全国",
        section="一",
        url="https://example.org",
        details={
            "document_number": "法发〔2021〕21号",
            "partial": "true",
            "page": "3",
            "source": "r:c:p",
            "court": "某法院",
        },
    )


def test_a_record_without_id_or_title_is_named_by_its_text(tmp_path: Path) -> None:
    one, other = load(written(tmp_path / "a.jsonl", {"text": "盗窃罪"}, {"text": "抢劫罪"}))[0]
    assert one.title == "盗窃罪"
    assert one.id != other.id
    assert one.id == only(written(tmp_path / "b.jsonl", {"text": "盗窃罪"})).id


@pytest.mark.parametrize(
    ("fields", "valid"),
    [
        ({}, None),
        ({"implement_date": "2013-04-04"}, None),
        ({"valid_from": "2013-04-04"}, None),
        ({"implement_date": "2013-04-04", "status": "废止或失效"}, None),
        ({"implement_date": "2013-04-04", "status": "试行"}, None),
        ({"status": "现行有效"}, None),
        ({"date": "2013-04-04", "status": "现行有效"}, None),
        ({"implement_date": "2013-04-04", "status": "现行有效"}, DateRange(date(2013, 4, 4), None)),
        (
            {"valid_from": "2013-04-04", "valid_to": "2013-04-04"},
            DateRange.day(date(2013, 4, 4)),
        ),
    ],
)
def test_nothing_is_in_force_without_evidence(
    tmp_path: Path, fields: dict[str, str], valid: DateRange | None
) -> None:
    document = only(written(tmp_path / "a.jsonl", {"text": "解释", **fields}))
    assert document.valid == valid
    if "status" in fields:
        assert document.details["status"] == fields["status"]


def test_a_date_of_which_only_the_year_is_known_stays_a_year(tmp_path: Path) -> None:
    document = only(written(tmp_path / "a.jsonl", {"text": "判决", "date": "2020"}))
    assert document.date is None
    assert document.details["date"] == "2020"


def test_a_criminal_case_has_its_fact_as_text_and_its_outcome_as_details(tmp_path: Path) -> None:
    meta = {
        "accusation": ["[盗窃]", "抢劫"],
        "relevant_articles": [264, 263],
        "criminals": ["张某", "李某"],
        "punish_of_money": 1000,
        "term_of_imprisonment": {
            "imprisonment": 6,
            "death_penalty": False,
            "life_imprisonment": False,
        },
    }
    document = only(written(tmp_path / "a.jsonl", {"fact": "被告人张某盗窃", "meta": meta}))
    assert (document.title, document.text) == ("张某盗窃、抢劫案", "被告人张某盗窃")
    assert document.date is None
    assert document.details == {
        "charges": "盗窃、抢劫",
        "articles": "264、263",
        "fine_yuan": "1000",
        "imprisonment_months": "6",
    }


@pytest.mark.parametrize(
    ("term", "details"),
    [
        ({"death_penalty": True, "imprisonment": 0}, {"sentence": "死刑"}),
        ({"life_imprisonment": True, "imprisonment": 0}, {"sentence": "无期徒刑"}),
        ({"imprisonment": 0}, {"imprisonment_months": "0"}),
        ({"imprisonment": -1}, {}),
        (None, {}),
    ],
)
def test_a_term_that_is_no_number_of_months_is_none(
    tmp_path: Path, term: object, details: dict[str, str]
) -> None:
    case = {"fact": "盗窃", "meta": {"term_of_imprisonment": term, "criminals": None}}
    assert only(written(tmp_path / "a.jsonl", case)).details == details


def test_a_catalogue_tells_that_a_text_exists_and_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.json"
    items = [{"region": "安徽", "title": "实施细则", "doc_no": "皖高法〔2022〕1号"}]
    path.write_text(json.dumps({"note": "titles", "items": items}), encoding="utf-8")
    document = only(path)
    assert (document.title, document.text, document.region) == ("实施细则", "", "安徽")
    assert document.details == {
        "document_number": "皖高法〔2022〕1号",
        "text": "not held: only title and number are known",
    }


def test_csv_is_read_by_its_column_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        'id,text,date,court\n1,"盗窃，\n数额较大",2015-01-02,甲法院\n2,抢劫,,\n', "gb18030"
    )
    one, other = load(path)[0]
    assert (one.id, one.text, one.date) == ("1", "盗窃，\n数额较大", date(2015, 1, 2))
    assert one.details == {"court": "甲法院"}
    assert (other.date, other.details) == (None, {})


def test_gzip_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress('{"text": "盗窃"}\n'.encode()))
    assert only(path).text == "盗窃"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "expected a JSON object"),
        ('{"title": "x"}', "no 'text'"),
        ('{"text": ""}', "no 'text'"),
        ('{"text": 3}', "'text' must be a text"),
        ('{"text": "x", "id": "a#1"}', "without '#'"),
        ('{"text": "x", "id": ["a"]}', "'id' must be"),
        ('{"text": "x", "id": "' + "a" * 300 + '"}', "1 to 200 characters"),
        ('{"text": "x", "date": "soon"}', "date: cannot read 'soon'"),
        ('{"text": "x", "date": "2015-02-30"}', "2015-02-30"),
        ('{"text": "x", "valid_from": "2015-01-02", "valid_to": "2015-01-01"}', "valid_to"),
        ('{"fact": "", "meta": {}}', "'fact' is empty"),
        ('{"fact": "x", "meta": {"accusation": "盗窃"}}', "'accusation' must be a list"),
        ('{"fact": "x", "meta": {"punish_of_money": "1"}}', "must be a number"),
        ('{"text": "\\ud800"}', "cannot be stored"),
    ],
)
def test_a_bad_record_is_told_with_its_line_and_the_rest_is_loaded(
    tmp_path: Path, line: str, reason: str
) -> None:
    path = written(tmp_path / "a.jsonl", {"text": "一"}, line, {"text": "二"})
    documents, (problem,) = load(path)
    assert [one.text for one in documents] == ["一", "二"]
    assert problem.startswith(f"{path}:2: ")
    assert reason in problem


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.csv", "id,words\n1,x\n", "'text' among them"),
        ("b.csv", "id,text\n1,x,y\n", "b.csv:2: more cells than columns"),
        ("c.csv", 'id,text\n1,"x\n', "not CSV"),
        ("a.json", "{}", "a list of records"),
        ("b.json", "[1]", "item 1 is no object"),
        ("c.json", "{", "not JSON"),
    ],
)
def test_a_file_that_is_not_of_its_form_is_an_error(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        load(tmp_path / name)


def test_facts_of_an_evaluation_are_kept_out_and_told(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        {"id": "1", "fact": "被告人张某 盗窃", "meta": {}},
        {"id": "2", "text": "某法院判决书\n被告人张某盗窃\n判处拘役"},
        {"id": "3", "text": "全文", "fact": "被告人张某\n盗窃"},
        {"id": "4", "text": "被告人李某盗窃"},
    )
    told: list[str] = []
    exclude = frozenset({fact_hash("被告人张某盗窃")})
    documents, problems = load(path, exclude=exclude, on_excluded=told.append)
    assert [one.id for one in documents] == ["4"]
    assert told == ["1", "2", "3"]
    assert problems == []


def test_exclusions_are_hashes_or_cases_and_nothing_else(tmp_path: Path) -> None:
    wanted = fact_hash("盗窃")
    path = written(tmp_path / "a", wanted.upper(), {"fact": "盗 窃"}, "")
    assert read_exclusions(path) == {wanted}
    with pytest.raises(InputError, match=":1: neither 32 hexadecimal digits"):
        read_exclusions(written(tmp_path / "b", "盗窃"))
    with pytest.raises(InputError, match=":1: neither"):
        read_exclusions(written(tmp_path / "c", {"text": "盗窃"}))
    with pytest.raises(InputError, match="cannot be read"):
        read_exclusions(tmp_path / "none")


def stream(path: Path, **options: Any) -> SourceFiles:
    return SourceFiles((path,), options.pop("source", "guideline"), print, **options)


def test_long_guidelines_come_in_passages_and_precedents_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"id": "g", "text": "自首可以从轻。" * 300})
    assert [one.id for one in stream(path)] == ["g#1", "g#2", "g#3"]
    assert [one.id for one in stream(path, whole=True)] == ["g"]
    assert [one.id for one in stream(path, source="precedent")] == ["g"]


def test_the_fingerprint_changes_with_the_files_and_the_options(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"text": "一"})
    first = stream(path).fingerprint
    assert first == stream(path).fingerprint
    assert first != stream(path, whole=True).fingerprint
    assert first != stream(path, exclude=frozenset({"0" * 32})).fingerprint
    written(path, {"text": "一二"})
    assert first != stream(path).fingerprint


@pytest.mark.data
def test_the_real_files_are_read_without_loss(shared_data: Path) -> None:
    sources = shared_data / "sources"
    counts: Counter[str] = Counter()
    for name in ("precedents.jsonl", "interpretations.jsonl", "guidelines.jsonl"):
        documents, problems = load(sources / name)
        assert problems == []
        assert len({one.id for one in documents}) == len(documents)
        counts[name] = len(documents)
    assert counts == {"precedents.jsonl": 485, "interpretations.jsonl": 434, "guidelines.jsonl": 12}
    catalogue, _ = load(sources / "guidelines_catalog.json")
    assert len(catalogue) == 23
    for name, count in (("article", 240), ("case", 83), ("knowledge", 92)):
        documents, problems = load(shared_data / "legalagentbench" / "corpora" / f"{name}.jsonl")
        assert (len(documents), problems) == (count, [])


@pytest.mark.data
def test_the_standing_of_real_interpretations_is_what_the_register_says(shared_data: Path) -> None:
    documents, _ = load(shared_data / "sources" / "interpretations.jsonl")
    standing = Counter(one.details.get("status", "not known") for one in documents if one.valid)
    assert set(standing) == {"现行有效"}
    assert all(one.valid is None for one in documents if one.details.get("status") == "废止或失效")
    (partial,) = [
        one
        for one in load(shared_data / "sources" / "guidelines.jsonl")[0]
        if one.details.get("partial")
    ]
    assert partial.valid is None
    assert partial.details["document_number"] == "法发〔2021〕21号"


@pytest.mark.slow
@pytest.mark.data
def test_all_real_cases_are_read_and_all_can_be_kept_out(shared_data: Path) -> None:
    path = shared_data / "ljp" / "cases.jsonl.gz"
    documents, problems = load(path)
    assert (len(documents), problems) == (7_583, [])
    assert load(path, exclude=read_exclusions(path)) == ([], [])
