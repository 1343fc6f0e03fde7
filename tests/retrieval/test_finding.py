"""From a lay question to the provision it means: what is searched, and how hits are ranked."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import InputError, SearchIndexError
from inforce.library import Library
from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.cleaning import asks_foreign_law, clean_question
from inforce.retrieval.known_questions import KnownQuestions, QuestionWords, fingerprint
from inforce.retrieval.query import SearchQuery, search_query
from inforce.retrieval.ranker import (
    ABSTAIN,
    PRIMARY_RULE,
    Ranker,
    raised,
    ranker_lines,
    read_ranker,
    shipped_ranker,
)
from inforce.testing import tiny_law, tiny_library
from search_training.rules import Rules

THEFT = "盗窃公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制。"
ROBBERY = "以暴力、胁迫或者其他方法抢劫公私财物的，处三年以上十年以下有期徒刑。"
OLD = tiny_law(
    "中华人民共和国刑法",
    {"264": THEFT, "263": ROBBERY},
    start=date(1997, 10, 1),
    end=date(2011, 5, 1),
)
NEW = tiny_law(
    "中华人民共和国刑法",
    {"264": f"{THEFT}入户盗窃的，从重处罚。", "263": ROBBERY},
    start=date(2011, 5, 1),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with tiny_library(tmp_path_factory.mktemp("laws"), OLD, NEW) as opened:
        yield opened


def query(question: str) -> SearchQuery:
    return search_query(RuleAnalyser()(question))


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("用户提问：借条没写利息", "借条没写利息"),
        ("张某借给李某五万元，要付利息吗", "借给，要付利息吗"),
        ("请根据相关法律规定回答：房东不退押金", "回答：房东不退押金"),
        ("醉驾判多久", "醉驾"),
    ],
)
def test_instructions_names_and_sums_are_not_searched(question: str, searched: str) -> None:
    assert clean_question(question).replace(" ", "") == searched


@pytest.mark.parametrize(
    ("question", "foreign"),
    [
        ("德国刑法中正当防卫的限度", True),
        ("Can a landlord in California raise the rent?", True),
        ("中国公民在美国结婚，在中国有效吗", False),
        ("丈夫是日本人，怎么离婚", False),
        ("Is drunk driving a crime in China?", False),
    ],
)
def test_questions_about_the_law_of_another_country(question: str, *, foreign: bool) -> None:
    assert asks_foreign_law(question) is foreign


def test_lay_words_bring_statute_words_and_the_laws_they_point_at() -> None:
    asked = query("公司不签合同，能要双倍工资吗")
    assert "劳动合同法" in asked.pointed_laws
    assert asked.statutory


def test_what_a_question_denies_is_not_searched() -> None:
    denied, asked = query("父亲去世没留遗嘱，房子怎么分"), query("父亲的遗嘱有效吗")
    assert "遗嘱" not in denied.content
    assert "法定继承" in denied.content
    assert "遗嘱" in asked.content


def test_a_question_of_one_lay_word_is_searched_with_statute_words() -> None:
    assert "醉酒" in query("醉驾判多久").content


def test_an_english_question_is_searched_in_chinese() -> None:
    asked = query("Is theft a crime?")
    assert asked.is_translated
    assert "盗窃" in asked.content


def test_scores_are_chances_and_fall(library: Library) -> None:
    hits = library.search("偷东西怎么判", as_of="2015", k=5).hits
    assert hits[0].provision.number.short == "264"
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_article_named_with_its_law_is_certain(library: Library) -> None:
    [first, *others] = library.search("刑法第二百六十三条", as_of="2015", k=5).hits
    assert (first.is_named, first.score) == (True, 1.0)
    assert not any(hit.is_named for hit in others)


def test_of_a_provision_only_the_best_wording_where_asked_for(library: Library) -> None:
    every = library.search("盗窃公私财物", when="any", k=9).hits
    best = library.search("盗窃公私财物", when="any", k=9, distinct="provision").hits
    assert sorted(hit.provision.number.short for hit in every) == ["263", "264", "264"]
    assert [hit.provision.number.short for hit in best] == ["264", "263"]
    assert [hit.rank for hit in best] == [1, 2]


@pytest.mark.parametrize(
    "question", ["光的速度是多少？", "德国的盗窃罪怎么处罚？", "Who wrote Hamlet?"]
)
def test_what_no_law_held_answers_is_said_to_be_so(library: Library, question: str) -> None:
    assert library.search(question, as_of="2015").answerable < ABSTAIN


@pytest.mark.parametrize("question", ["盗窃财物怎么处罚", "刑法第二百六十三条", "入户盗窃判几年"])
def test_what_is_about_law_is_said_to_be_so(library: Library, question: str) -> None:
    assert library.search(question, as_of="2015").answerable > ABSTAIN


def test_a_wording_is_known_whatever_its_punctuation_and_width() -> None:
    assert fingerprint("第一条 为了……") == fingerprint("第一条为了")
    assert fingerprint("盗窃") != fingerprint("抢劫")


@given(st.text(alphabet=st.characters() | st.sampled_from("，。（１Ａａ９》　％①ﾊ㈱甲１/Ⅷ́ㄱ")))
def test_the_wording_of_any_text_is_that_of_its_normal_form(text: str) -> None:
    normal = unicodedata.normalize("NFKC", text).lower()
    said = "".join(re.findall(r"[0-9a-z\u4e00-\u9fff]+", normal))
    assert fingerprint(text) == hashlib.blake2b(said.encode(), digest_size=5).hexdigest()


def test_known_questions_are_found_by_all_names_of_a_rule_and_read_back(tmp_path: Path) -> None:
    records = [
        QuestionWords("article", ("aa", "bb"), 2, {"工资": 2, "#工资": 2}),
        QuestionWords("article", ("cc",), 1, {"离婚": 1}),
    ]
    known = KnownQuestions.of(records)
    articles = known.articles
    scores = articles.scores({"工资": 1.0})
    places = articles.places(["aa", "bb", "cc", "dd"])
    wordings = np.asarray([0xAA, 0xBB, 0xCC, 0xDD], dtype=np.uint64)
    assert articles.places_of_wordings(wordings).tolist() == places.tolist() == [0, 0, 1, -1]
    assert scores.at(places).tolist() == [scores.highest, scores.highest, 0.0, 0.0]
    assert scores.best(5).keys() == {"aa", "bb"}
    assert articles.questions[places].tolist() == [2, 2, 1, 0]
    assert articles.ideal({"工资": 1.0}) < articles.ideal({"从未问过": 1.0})
    path = tmp_path / "asked.npz"
    known.write(path)
    again = KnownQuestions.read(path)
    assert again.articles.scores({"工资": 1.0}).highest == scores.highest
    assert again.articles.questions[again.articles.places(["cc"])].tolist() == [1]
    assert again.laws.questions[again.laws.places(["民法典"])].tolist() == [0]
    assert again.articles.places_of_wordings(wordings).tolist() == places.tolist()
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(SearchIndexError, match="asked"):
        KnownQuestions.read(path)


def test_the_weights_are_a_file_that_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "ranker.tsv"
    path.write_text("\n".join(ranker_lines(shipped_ranker())))
    assert ranker_lines(read_ranker(path)) == ranker_lines(shipped_ranker())
    path.write_text("channels\tno_such_feature\t1")
    with pytest.raises(InputError, match="no_such_feature"):
        read_ranker(path)


def test_a_feature_without_a_weight_does_not_count() -> None:
    assert ranker_lines(Ranker({})) == []


def test_what_is_learned_of_a_rule_is_learned_of_it_at_all_times() -> None:
    rules = Rules([("婚姻法31", "民法典1077"), ("旧31", "婚姻法31"), ("x", "y")])
    assert rules.wordings(["民法典1077"]) == {"民法典1077", "婚姻法31", "旧31"}
    assert rules.wordings(["z"]) == {"z"}


@pytest.mark.parametrize(
    ("of_channels", "with_topic"),
    [(0.6, 0.6), (PRIMARY_RULE, PRIMARY_RULE), (0.06, PRIMARY_RULE), (0.01, 0.06), (0.0, 0.0)],
)
def test_a_topic_makes_a_rule_likely_only_if_the_channels_find_it_somewhat_likely(
    of_channels: float, with_topic: float
) -> None:
    assert raised(np.asarray([of_channels], np.float32), PRIMARY_RULE) == pytest.approx(
        [with_topic]
    )
