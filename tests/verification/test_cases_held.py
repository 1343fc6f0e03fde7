"""Case numbers of a document against a source of cases, where one is held."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.library import Library, open_library
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.stored import add_files

CASES = [
    (
        "指导性案例24号：荣某诉王某机动车交通事故责任纠纷案",
        "受害人没有过错的，体质状况不属于减轻责任的情形。",
    ),
    ("张某与李某买卖合同纠纷二审民事判决书", "（2019）京01民终1234号。上诉人张某不服一审判决。"),
    (
        "赵某与钱某借款合同纠纷案",
        "某法院（2020）沪01民终9号。" + "经审理查明。" * 80 + "参见（2018）京02民终7号。",
    ),
]


def raise_problem(problem: object) -> None:
    raise AssertionError(problem)


@pytest.fixture(scope="module")
def library(package_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    home = Path(shutil.copytree(package_home, tmp_path_factory.mktemp("cases_held") / "home"))
    file = home / "cases.jsonl"
    rows = [
        {"id": f"case-{at}", "title": title, "date": "2020-01-01", "text": text}
        for at, (title, text) in enumerate(CASES)
    ]
    file.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in rows), "utf-8")
    add_files(home, SourceFiles((file,), "precedent", raise_problem), name="precedent")
    with open_library(home, clock=lambda: date(2026, 11, 20)) as library:
        yield library


@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [
        ("指导案例24号", "right", CASES[0][0]),
        ("指导性案例第24号", "right", CASES[0][0]),
        ("第24号指导案例", "right", CASES[0][0]),
        ("第4号指导性案例", "not_checked", "case_not_held"),
        ("(2019)京01民终1234号", "right", CASES[1][0]),
        ("指导案例2号", "not_checked", "case_not_held"),
        ("（2019）京01民终123号", "not_checked", "case_not_held"),
        ("（2018）京02民终7号", "not_checked", "case_not_held"),  # only cited by one that is held
    ],
)
def test_a_case_is_right_if_it_is_held_and_not_checked_if_not(
    library: Library, number: str, kind: str, said: str
) -> None:
    [finding] = library.verify(f"参照{number}。").findings
    assert (finding.kind, finding.names[0] if finding.names else finding.reason) == (kind, said)
