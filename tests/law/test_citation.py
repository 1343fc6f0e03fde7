"""Citations in running text: the law, the portions, and how the law was named."""

from __future__ import annotations

import doctest
import json
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import INPUTS
from inforce.law import citation
from inforce.law.citation import Citation, CitationKind, find_citations
from inforce.law.citation.tokens import chinese_names, scanner, word_pattern
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber

STATE = "中华人民共和国"
THEFT = "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释"
FRAUD = "最高人民法院、最高人民检察院关于办理诈骗刑事案件具体应用法律若干问题的解释"
TIME = "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定"


@dataclass(frozen=True)
class Expected:
    """A citation with its portions in short: 74, 133-1.2 (款), 52..5 (项), 1.1.3 (both)."""

    work: str | None
    portions: str = ""
    kind: CitationKind = "named"
    hint: str | None = None


def statute(
    name: str, portions: str = "", kind: CitationKind = "named", hint: str | None = None
) -> Expected:
    return Expected(STATE + name, portions, kind, hint)


def written(found: Citation) -> Expected:
    portions = " ".join(map(_short, found.portions))
    return Expected(found.work, portions, found.kind, found.version_hint)


def _short(portion: Portion) -> str:
    parts = (portion.number.short, portion.paragraph or "", portion.item or "")
    return ".".join(map(str, parts)).rstrip(".")


CHINESE: list[tuple[str, list[Expected]]] = [
    # one article, every way of writing it
    ("《刑法》第七十四条", [statute("刑法", "74")]),
    ("《中华人民共和国刑法》第七十四条", [statute("刑法", "74")]),
    ("中华人民共和国刑法第二百六十四条", [statute("刑法", "264")]),
    ("刑法第133条之一第二款", [statute("刑法", "133-1.2")]),
    ("刑法第１３３条之１第２款", [statute("刑法", "133-1.2")]),
    ("刑法 第 264 条", [statute("刑法", "264")]),
    ("刑法264条", [statute("刑法", "264")]),
    ("刑法第一百三十三之一条", [statute("刑法", "133-1")]),
    ("《刑法》中第三条", [statute("刑法", "3")]),
    ("依照刑诉法第五十五条", [statute("刑事诉讼法", "55")]),
    ("工伤保险条例第三十三条", [Expected("工伤保险条例", "33")]),
    ("民法典第一千零七十九条", [statute("民法典", "1079")]),
    ("民法典婚姻家庭编第一千零七十九条", [statute("民法典", "1079")]),
    ("《民法典》第五编第一千零七十九条", [statute("民法典", "1079")]),
    ("刑法第十条之规定", [statute("刑法", "10")]),
    # paragraphs and items
    ("《中华人民共和国合同法》第五十二条第（五）项", [statute("合同法", "52..5")]),
    ("合同法第五十二条(五)项", [statute("合同法", "52..5")]),
    ("劳动合同法第四十四条第四项、第五项", [statute("劳动合同法", "44..4 44..5")]),
    ("刑法第六十七条第一款、第三款", [statute("刑法", "67.1 67.3")]),
    ("刑法第二百三十四条一款", [statute("刑法", "234.1")]),
    ("刑法第六十七条第一、三款", [statute("刑法", "67.1 67.3")]),
    ("刑法第一百九十八条第一款第（三）、（四）项", [statute("刑法", "198.1.3 198.1.4")]),
    ("刑法第一百九十一条第一款第（一）至（三）项", [statute("刑法", "191.1.1 191.1.2 191.1.3")]),
    ("刑法第一百九十一条第一款第一项至第三项", [statute("刑法", "191.1.1 191.1.2 191.1.3")]),
    ("刑法第二百七十一条第一款至第三款", [statute("刑法", "271.1 271.2 271.3")]),
    # several articles
    ("第一百一十四条、第一百一十五条第一款", [Expected(None, "114 115.1", "bare")]),
    ("刑法第一百一十四、一百一十五条", [statute("刑法", "114 115")]),
    ("刑法第六十一条、六十二条和六十四条", [statute("刑法", "61 62 64")]),
    ("刑法第十条至第十二条", [statute("刑法", "10 11 12")]),
    ("刑法第十至十二条", [statute("刑法", "10 11 12")]),
    ("刑法第10-12条", [statute("刑法", "10 11 12")]),
    ("刑法第六条至第八条、第十条", [statute("刑法", "6 7 8 10")]),
    ("刑法第一百三十三条至第一百三十三条之一", [statute("刑法", "133 133-1")]),
    ("刑法第一条至第四百五十二条", [statute("刑法", "1 452")]),
    (
        "刑法第二百七十条、第二百七十一条第二款和《刑事诉讼法》第十五条",
        [statute("刑法", "270 271.2"), statute("刑事诉讼法", "15")],
    ),
    (
        "《民法典》第一千零六十三条下列财产为个人财产。第一千零八十七条离婚时",
        [statute("民法典", "1063"), statute("民法典", "1087", "bare")],
    ),
    # versions
    ("1979年《中华人民共和国刑法》第三条", [statute("刑法", "3", hint="1979年")]),
    ("《刑法》（1997年修订）第12条", [statute("刑法", "12", hint="1997年修订")]),
    (
        "《中华人民共和国民事诉讼法（2017修正）》第一百条",
        [statute("民事诉讼法", "100", hint="2017修正")],
    ),
    ("二〇一五年刑法第三条", [statute("刑法", "3", hint="二〇一五年")]),
    ("97刑法第12条", [statute("刑法", "12", hint="97")]),
    # amendments, interpretations, document numbers
    ("刑法修正案（八）第十一条", [statute("刑法修正案（八）", "11")]),
    ("《刑法修正案(八)》第11条", [statute("刑法修正案（八）", "11")]),
    ("刑法修正案八第十一条", [statute("刑法修正案（八）", "11")]),
    (f"《{TIME}》第一条", [Expected(TIME, "1")]),
    (f"{THEFT}第二条", [Expected(THEFT, "2")]),
    ("法释〔2013〕8号第一条", [Expected(THEFT, "1", "document")]),
    ("法释[2011]7号第一条第一款", [Expected(FRAUD, "1.1", "document")]),
    ("法释（2020）15号", [Expected(TIME, "", "document")]),
    ("法发〔2099〕99号第二条", [Expected(None, "2", "document")]),
    # mentions
    ("违反《劳动合同法》规定", [statute("劳动合同法")]),
    ("民法典实施后", [statute("民法典")]),
    ("公司法定代表人依照劳动法律关系", []),
    ("公司法人人格", []),
    ("劳动合同法实施办法规定", []),
    ("日本刑法", []),
    ("《红楼梦》", []),
    ("《某市养犬管理条例》", [Expected("某市养犬管理条例", "", "unlisted")]),
    ("《某某章程草案》第三条", [Expected("某某章程草案", "3", "unlisted")]),
    # references
    (
        "《劳动合同法》第四十条，同法第四十一条",
        [statute("劳动合同法", "40"), statute("劳动合同法", "41", "reference")],
    ),
    (
        "《劳动合同法》规定，该法第四十一条",
        [statute("劳动合同法"), statute("劳动合同法", "41", "reference")],
    ),
    (
        "刑法第二十条第二款规定，前款所述",
        [statute("刑法", "20.2"), statute("刑法", "20.1", "reference")],
    ),
    (
        "刑法第二十条规定，前款所述",
        [statute("刑法", "20"), statute("刑法", "", "reference")],
    ),
    (
        "刑法第二十条规定，该条第三款",
        [statute("刑法", "20"), statute("刑法", "20.3", "reference")],
    ),
    (
        "刑法第二十条规定，前条",
        [statute("刑法", "20"), statute("刑法", "19", "reference")],
    ),
    ("合同条款第三款", []),
    ("目前款项未付，以前条件", []),
    (
        "《某院关于某类案件的解释》（以下简称《解释》）第三条，依《解释》第五条",
        [
            Expected("某院关于某类案件的解释", "3", "unlisted"),
            Expected("某院关于某类案件的解释", "5", "unlisted"),
        ],
    ),
    ("《中华人民共和国刑法》（以下简称刑法）第三条", [statute("刑法", "3")]),
    # another document's article is nobody's here
    (
        "违反《民法典》规定，买卖合同第三条约定，该条",
        [statute("民法典"), Expected(None, "3", "bare"), Expected(None, "3", "reference")],
    ),
    (
        "《民法典》及法发〔2099〕99号，该解释第二条",
        [statute("民法典"), Expected(None, "", "document"), Expected(None, "2", "reference")],
    ),
    # not articles at all
    ("第十十条", []),
    ("第零条", []),
    ("第123456条", []),
    ("共三条意见，第一项工作", []),
]

ENGLISH: list[tuple[str, list[Expected]]] = [
    ("Article 74 of the Criminal Law", [statute("刑法", "74")]),
    ("article 74 of the criminal law", [statute("刑法", "74")]),
    ("Criminal Law Art. 3", [statute("刑法", "3")]),
    ("Criminal Law, Art. 115", [statute("刑法", "115")]),
    ("Art. 3 Criminal Law", [statute("刑法", "3")]),
    ("Articles 20 and 22 of the Inheritance Law", [statute("继承法", "20 22")]),
    ("Arts. 52-54 Contract Law", [statute("合同法", "52 53 54")]),
    ("Arts. 52, 60 and 113 of the PRC Contract Law", [statute("合同法", "52 60 113")]),
    ("Article 133-1 of the Criminal Law", [statute("刑法", "133-1")]),
    ("Articles 5 to 8 of the Company Law", [statute("公司法", "5 6 7 8")]),
    ("paragraph 2 of Article 133 of the Criminal Law", [statute("刑法", "133.2")]),
    ("item 3, paragraph 1 of Article 191 of the Criminal Law", [statute("刑法", "191.1.3")]),
    ("Article 133-1, paragraph 2, of the PRC Criminal Law", [statute("刑法", "133-1.2")]),
    ("Article 52(5) of the Contract Law", [statute("合同法", "52..5")]),
    ("the Civil Code of the People's Republic of China", [statute("民法典")]),
    ("criminal law in general, Articles of faith", []),
    (
        "under the Criminal Law, Article 20 of the Civil Code",
        [statute("刑法"), statute("民法典", "20")],
    ),
    ("Article 20. The old Inheritance Law", [Expected(None, "20", "bare"), statute("继承法")]),
    ("Article 11 of Amendment (VIII) to the Criminal Law", [statute("刑法修正案（八）", "11")]),
    ("the 1997 Criminal Law Art. 12", [statute("刑法", "12", hint="1997")]),
    ("Article 74 of 《刑法》", [statute("刑法", "74")]),
]


@pytest.mark.parametrize(("text", "expected"), [*CHINESE, *ENGLISH])
def test_a_citation_is_read_as_a_lawyer_reads_it(text: str, expected: list[Expected]) -> None:
    assert [written(found) for found in find_citations(text)] == expected


ARTICLE = (
    "甲有下列行为的，处罚：\n（一）乙；\n（二）丙。\n犯前款罪，依照本法第三条。\n"
    "有前两款行为的，或者前条行为的，依照第一款第二项，同时违反《刑事诉讼法》第五条的，适用本条。"
)
IN_CONTEXT = [
    Expected("甲法", "10.1", "reference"),
    Expected("甲法", "3", "reference"),
    Expected("甲法", "10.1 10.2", "reference"),
    Expected("甲法", "9", "reference"),
    Expected("甲法", "10.1.2", "reference"),
    statute("刑事诉讼法", "5"),
    Expected("甲法", "10", "reference"),
]


def test_within_an_article_references_count_from_where_they_stand() -> None:
    number = ProvisionNumber.article(10)
    found = find_citations(ARTICLE, context_work="甲法", context_number=number)
    assert [written(one) for one in found] == IN_CONTEXT


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("前款", ProvisionNumber.article(10), ""),
        ("前条", ProvisionNumber.article(1), ""),
        ("前条", ProvisionNumber.article(10, 2), "10-1"),
        ("前条", ProvisionNumber.article(10, 1), "10"),
        ("前两条", ProvisionNumber.article(10), "8 9"),
        ("本款", ProvisionNumber.article(10), "10.1"),
    ],
)
def test_a_reference_that_leads_nowhere_has_no_portions(
    text: str, number: ProvisionNumber, expected: str
) -> None:
    found = find_citations(text, context_work="甲法", context_number=number)
    assert [written(one) for one in found] == [Expected("甲法", expected, "reference")]


def test_the_law_of_the_context_is_meant_by_this_law_and_by_bare_articles() -> None:
    found = find_citations("本法第三条和第四条，另见第五条", context_work="甲法")
    assert [written(one) for one in found] == [
        Expected("甲法", "3 4", "reference"),
        Expected("甲法", "5", "bare"),
    ]


def test_titles_of_a_corpus_are_found_without_brackets_and_by_their_official_spelling() -> None:
    titles = ["中华人民共和国测绘法", "某市养犬管理条例"]
    found = find_citations("依照测绘法第三条、某市养犬管理条例第二条", titles=titles)
    assert [written(one) for one in found] == [
        Expected("中华人民共和国测绘法", "3"),
        Expected("某市养犬管理条例", "2"),
    ]
    assert find_citations("依照测绘法的规定") == ()


WORDS = """
《刑法》 《 》 刑法 民法典 第 第一 百 十 条 款 项 之一 、 至 和 ， （ ） （一） 本法 同法 前款 本条
前两条 该条 法释〔2013〕8号 （以下简称《甲》） Article Articles 12 52-54 , and of the Criminal Law
paragraph 2 Art. § 1997年 （2017修正） 9999999 ０ 〇 😀 中华人民共和国 最高人民法院关于
"""
FRAGMENTS: list[str] = [*WORDS.split(), "\n", "\u3000"]


def mutated(rng: random.Random) -> str:
    pieces = rng.choices(FRAGMENTS, k=rng.randint(0, 30))
    if rng.random() < 0.3:
        pieces.insert(0, "".join(chr(rng.randint(0, 0x2FFFF)) for _ in range(5)))
    return rng.choice(["", " "]).join(pieces)


def check(text: str, found: tuple[Citation, ...]) -> None:
    end = 0
    for one in found:
        assert end <= one.start < one.end
        assert one.text == text[one.start : one.end]
        end = one.end


_PIECES = st.sampled_from(
    [
        *"第条款项、，,和至（）()《》§ \n\u3000一二十百12０５〇之本同该前以下简称刑法公司国家的x",
        *(
            "本法",
            "该条例",
            "前款",
            "前两条",
            "同条",
            "本款",
            "民法典",
            "刑法",
            "中华人民共和国刑法",
        ),
        *("法释〔2013〕8号", "高检发释字(1997)3号", "（以下简称“公司法”）", "《合同法》", "灯塔法"),
        *(
            "第二百六十四条",
            "第一款",
            "（三）项",
            "第133条之一",
            "61条、 62条",
            "Article 5",
            "para. 2",
        ),
        *("Criminal Law", "PRC Civil Code", "item 3", "\u017fection", "\u212a", "٣"),
    ]
)


_WORDS = scanner(["灯塔法试行"])
_EVERYWHERE = re.compile(word_pattern(chinese_names(["灯塔法试行"])))


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_words_are_tried_wherever_one_can_begin(text: str) -> None:
    """Characters that begin none are passed over: that must not lose any."""
    found = [(one.lastgroup, one.span()) for one in _EVERYWHERE.finditer(text)]
    assert [(one.kind, (one.start, one.end)) for one in _WORDS.tokens(text)] == found


@pytest.mark.fuzz
def test_mutated_texts_are_read_without_an_exception() -> None:
    rng = random.Random(20110501)
    number = ProvisionNumber.article(10)
    for index in range(INPUTS):
        text = mutated(rng)
        check(text, find_citations(text))
        if index % 4 == 0:
            check(text, find_citations(text, context_work="甲法", context_number=number))


@given(st.text())
def test_any_text_is_read_without_an_exception(text: str) -> None:
    check(text, find_citations(text))


@pytest.mark.parametrize(
    "piece",
    [
        "依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款的规定，判决如下：",
        "第一、",
        "第一条至第九十条、",
        "前款第一项\n",
        "paragraph 1 ",
        "《",
        "（以下简称",
        "最高人民法院关于",
        "第",
    ],
)
def test_a_hundred_thousand_characters_are_read_in_linear_time(piece: str) -> None:
    """Four times the text takes about four times as long; quadratic reading would take 16."""
    find_citations(piece)
    short, long = (piece * (size // len(piece)) for size in (25_000, 100_000))
    most = max(10 * _seconds(short), 1.0)
    assert any(_seconds(long) < most for _ in range(2))  # others may slow one reading down


def _seconds(text: str) -> float:
    begun = time.process_time()
    find_citations(text, context_work="甲法", context_number=ProvisionNumber.article(10))
    return time.process_time() - begun


def _items(shared_data: Path, kind: str) -> Iterator[dict[str, str]]:
    path = shared_data / "legalsearch_r1" / "legalsearch_evaluation.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        item: dict[str, str] = json.loads(line)
        if item["type"] == kind:
            yield item


@pytest.mark.data
def test_every_option_of_the_article_prediction_task_is_one_citation(shared_data: Path) -> None:
    options = [
        option
        for item in _items(shared_data, "lap")
        for option in re.findall(r"(?m)^[A-D]: (.*?)\s*$", item["question"])
    ]
    assert len(options) == 256
    for option in options:
        [found] = find_citations(option)
        assert found.work == "中华人民共和国刑法"
        assert found.text == option
        [portion] = found.portions
        assert option == found.work + portion.chinese


@pytest.mark.data
def test_every_recitation_question_names_one_law_and_one_article(shared_data: Path) -> None:
    questions = [item["question"] for item in _items(shared_data, "lar")]
    assert len(questions) == 64
    for question in questions:
        [found] = find_citations(question)
        asked = re.search(r"《(.+?)》(第.+?条(?:之.)?)", question)
        assert asked
        assert (found.work, found.portions[0].chinese) == (asked[1], asked[2])


@pytest.mark.data
def test_every_article_in_the_legal_basis_of_an_answer_is_found_with_its_law(
    shared_data: Path,
) -> None:
    article = re.compile(r"第[〇零一二三四五六七八九十百千]+条")
    seen = 0
    for item in _items(shared_data, "lcs"):
        for basis in re.split("法律依据[:：]", item["answer"])[1:]:
            found = [one for one in find_citations(basis) if one.portions]
            assert all(one.work for one in found)
            held = "".join(one.text for one in found)
            assert article.findall(held) == article.findall(basis)
            seen += len(found)
    assert seen > 100


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(citation).failed == 0
