"""A sentence quoted word for word is found where it stands, whatever else speaks for other law."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

CRIMES = "诈骗惩治条例"
NETWORKS = "最高人民法院关于审理扰乱电信市场管理秩序案件具体应用法律若干问题的解释"
GREENERY = "上海市绿化条例"
FORESTS = "中华人民共和国森林法"

FRAUD = "诈骗公私财物，数额较大的，处三年以下有期徒刑。"
FALSE_NAME = (
    "以虚假、冒用的身份证件办理入网手续并使用移动电话，造成电信资费损失数额较大的，"
    "依照《诈骗惩治条例》第二百六十六条的规定，以诈骗罪定罪处罚。"
)
GRAVE = "违法所得五万元以上的，应当认定为《诈骗惩治条例》第二百六十六条第一款规定的“情节严重”。"
STREETS = "乡、镇人民政府和街道办事处根据所在区人民政府的要求，开展本辖区内有关的绿化工作。"
TREES = "禁止毁坏树木，擅自砍伐的，责令补种并处以罚款。"
LAWS = (
    tiny_law(CRIMES, {"266": FRAUD}, start=date(1997, 10, 1)),
    tiny_law(NETWORKS, {"9": FALSE_NAME, "10": GRAVE}, start=date(2000, 5, 24)),
    tiny_law(GREENERY, {"3": STREETS, "4": TREES}, start=date(2007, 5, 1)),
    tiny_law(FORESTS, {"39": TREES, "4": "县级以上人民政府负责绿化工作。"}, start=date(1998, 7, 1)),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with tiny_library(tmp_path_factory.mktemp("laws"), *LAWS) as opened:
        yield opened


def found(library: Library, question: str) -> list[tuple[str, str]]:
    hits = library.search(question, as_of="2019").hits
    return [(hit.provision.work, hit.provision.number.short) for hit in hits]


def test_a_sentence_that_names_an_article_is_found_before_the_article(library: Library) -> None:
    assert found(library, FALSE_NAME)[:2] == [(NETWORKS, "9"), (CRIMES, "266")]


def test_so_is_one_of_little_but_a_sum_and_the_article(library: Library) -> None:
    assert found(library, GRAVE)[0] == (NETWORKS, "10")


def test_an_article_that_is_only_named_stays_first(library: Library) -> None:
    assert found(library, "《诈骗惩治条例》第二百六十六条规定的诈骗罪怎么处罚")[0] == (
        CRIMES,
        "266",
    )


def test_local_law_is_found_by_its_own_sentence_without_its_place(library: Library) -> None:
    assert found(library, STREETS)[0] == (GREENERY, "3")


def test_local_law_is_not_found_by_a_question_that_names_no_place(library: Library) -> None:
    asked = "街道办事处要开展绿化工作吗"
    assert GREENERY not in {work for work, _ in found(library, asked)}


def test_of_one_sentence_in_two_laws_that_of_the_whole_country_comes_first(
    library: Library,
) -> None:
    assert found(library, TREES)[:2] == [(FORESTS, "39"), (GREENERY, "4")]
