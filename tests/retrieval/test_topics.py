"""Topics: which questions each is about, and the rule it names in the law of every time."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.errors import InputError
from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.glossary import short_title
from inforce.retrieval.query import search_query
from inforce.retrieval.topics import (
    Topics,
    chinese_questions,
    fold_english,
    read_rephrasings,
    read_topics,
    shipped_english_questions,
    shipped_topics,
)
from inforce.testing import tiny_law, tiny_library

MOST = 6
"""Provisions of one text of a law that a rule may be in: one that is in more is no rule."""


@pytest.mark.parametrize(
    ("pattern", "question", "is_about"),
    [
        ("打印|机打&遗嘱", "机打的遗嘱有效吗", True),
        ("打印|机打&遗嘱", "手写的遗嘱有效吗", False),
        ("打印|机打&遗嘱", "遗 嘱 是 打 印 的", True),
        ("狗&咬&!治安|拘留", "被狗咬了谁赔", True),
        ("狗&咬&!治安|拘留", "放狗咬人要拘留吗", False),
        ("冷静期 / 协议离婚&几天", "离婚有冷静期吗", True),
        ("冷静期 / 协议离婚&几天", "协议离婚要等几天", True),
        ("冷静期 / 协议离婚&几天", "协议离婚怎么办", False),
        ("撞人&判", "喝多了开车，没撞人，会判吗", False),
        ("撞人&判", "喝多了开车撞人会判吗", True),
        ("10年&合同", "干了10年还没签合同", True),
        ("10年&合同", "2008年5月签的购房合同，2010年才交房", False),
    ],
)
def test_a_question_has_a_word_of_every_group_and_none_that_is_excluded(
    tmp_path: Path, pattern: str, question: str, *, is_about: bool
) -> None:
    table = tmp_path / "topics.tsv"
    table.write_text(f"question\trules\n{pattern}\t某法:某规则\n", encoding="utf-8")
    assert bool(read_topics(table).rules_for(question).primary) is is_about


def test_a_class_stands_for_all_its_words(tmp_path: Path) -> None:
    table = tmp_path / "topics.tsv"
    table.write_text("question\trules\n上诉&@long|届满\t某法:某规则\n", encoding="utf-8")
    topics = read_topics(table, {"@long": ("几天", "多久")})
    assert [
        bool(topics.rules_for(one).primary) for one in ("几天内上诉", "上诉届满", "上诉状")
    ] == [
        True,
        True,
        False,
    ]
    with pytest.raises(InputError, match="@long"):
        read_topics(table)


def test_a_saying_adds_the_words_that_topics_know(tmp_path: Path) -> None:
    table, sayings = tmp_path / "topics.tsv", tmp_path / "sayings.tsv"
    table.write_text("question\trules\n拖欠工资\t某法:某规则\n", encoding="utf-8")
    sayings.write_text("question\twords\n工钱&没给|不给\t拖欠工资|报酬\n", encoding="utf-8")
    topics = Topics(read_topics(table).topics, read_rephrasings(sayings))
    assert topics.rules_for("工钱一直没给").primary
    assert not topics.rules_for("工钱给了").primary


@pytest.mark.parametrize(
    ("question", "chinese"),
    [
        ("Three terminations without notice", "甲"),
        ("TERMINATED, no notices", "甲"),
        ("He determined it without notice", ""),
        ("The rent is noticed", ""),
        ("The rents", "乙"),
        ("My parents", ""),
    ],
)
def test_an_english_word_is_compared_whole_but_for_a_star_at_its_end(
    tmp_path: Path, question: str, chinese: str
) -> None:
    table = tmp_path / "english.tsv"
    table.write_text("a\tb\nterminat* & notice\t甲\nrent & !noticed\t乙\n", encoding="utf-8")
    found = read_rephrasings(table, english=True).find(fold_english(question), best_only=True)
    assert "".join(found) == chinese


def test_every_english_question_has_a_chinese_one_that_is_on_a_topic() -> None:
    topics = shipped_topics()
    assert [
        one for one in shipped_english_questions().texts if not topics.rules_for(one).primary
    ] == []


def test_an_english_question_is_on_the_topic_of_the_chinese_one_that_asks_the_same() -> None:
    asked = RuleAnalyser()("Can my landlord throw me out because he sold the flat?")
    [question] = chinese_questions(asked.query)
    rules = search_query(asked).primary_rules
    assert rules == search_query(RuleAnalyser()(question)).primary_rules != ()


@pytest.mark.parametrize("line", ["只有一列", "遗嘱\t", "!遗嘱\t某法:规则", "遗嘱\t某法"])
def test_a_line_of_another_form_is_an_error_that_names_it(tmp_path: Path, line: str) -> None:
    table = tmp_path / "topics.tsv"
    table.write_text(f"question\trules\n打印\t某法:规则\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="topics.tsv:3: "):
        read_topics(table)


def test_the_rule_is_found_in_the_wording_of_the_day_under_its_number_of_then(
    tmp_path: Path,
) -> None:
    rule = "民法典施行前，租赁期限不得超过二十年。超过二十年的，超过部分无效。"
    other = "当事人应当依照约定的时间支付租金和其他费用，不得拖延。"
    texts = [
        tiny_law(
            "中华人民共和国合同法",
            {"1": other, "214": rule},
            start=date(1999, 10, 1),
            end=date(2021, 1, 1),
        ),
        tiny_law("中华人民共和国民法典", {"2": other, "705": rule}, start=date(2021, 1, 1)),
    ]
    with tiny_library(tmp_path, *texts, today="2026-11-20") as library:
        for year, number in ((2019, "214"), (2022, "705")):
            [hit] = library.search("租房合同最长能签多少年", as_of=f"{year}", k=1).hits
            assert hit.provision.number.short == number
            assert "topics" in hit.channel_ranks


def test_a_question_about_foreign_law_is_on_no_topic(tmp_path: Path) -> None:
    text = tiny_law("中华人民共和国刑法", {"264": "盗窃公私财物，处三年以下有期徒刑。"})
    with tiny_library(tmp_path, text, today="2026-11-20") as library:
        found = library.search("德国的盗窃罪怎么判", k=5).hits
    assert all("topics" not in hit.channel_ranks for hit in found)


@pytest.mark.slow
def test_every_rule_is_in_few_provisions_of_each_text_of_its_law(shared_data: Path) -> None:
    words: dict[str, set[str]] = defaultdict(set)
    for rule in shipped_topics().rules:
        for law in rule.laws:
            words[law].add(rule.words)
    found: dict[tuple[str, str], int] = defaultdict(int)
    for law, texts in _texts(shared_data / "statutes"):
        for rule in words.get(law, ()):
            count = sum(rule in text for text in texts)
            found[law, rule] = max(found[law, rule], count)
    assert len(found) > 300
    assert {key: count for key, count in found.items() if count > MOST} == {}


def _texts(statutes: Path) -> Iterator[tuple[str, list[str]]]:
    for name in ("versions", "laws_current"):
        with gzip.open(statutes / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                texts = [article["text"].replace("\n", "") for article in record["articles"]]
                yield short_title(record["law"]), texts
