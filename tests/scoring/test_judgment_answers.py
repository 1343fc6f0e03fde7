import pytest

from inforce.scoring.answers import (
    UNREAD,
    ChargeNames,
    TermAnswer,
    read_article,
    read_charge,
    read_judgment,
    read_term,
)

CHARGES = ChargeNames(
    frozenset({"盗窃", "诈骗", "合同诈骗", "故意伤害", "走私、贩卖、运输、制造毒品"}),
    frozenset({"盗窃", "诈骗", "故意伤害", "合同诈骗"}),
)


@pytest.mark.parametrize(
    ("text", "article"),
    [
        ("依照《刑法》第二百六十四条", 264),
        ("依照第264条、第67条第3款", 264),
        ("第六十七条第三款、第二百六十四条", 264),
        ("第一百三十三条之一", 133),
        ("第两百条", 200),
        ("第 ２６４ 条", 0),
        ("没有法条", 0),
        ("第某条", 0),
        ("第99999999999条", 0),
    ],
)
def test_the_highest_article_named_counts(text: str, article: int) -> None:
    assert read_article(text) == article


@pytest.mark.parametrize(
    ("filled_in", "article"), [("第264条", 264), ("264", 264), ("264、67", 264), ("不详", 266)]
)
def test_a_field_filled_in_goes_before_the_text(filled_in: str, article: int) -> None:
    assert read_article("第二百六十六条", filled_in=filled_in) == article


@pytest.mark.parametrize(
    ("text", "charge"),
    [
        ("被告人犯盗窃罪", "盗窃"),
        ("盗窃与故意伤害", UNREAD),
        ("犯合同诈骗罪", "合同诈骗"),
        ("合同诈骗和诈骗两罪", "合同诈骗"),
        ("在公路上肇事", UNREAD),
        ("销售假药罪", "生产、销售假药"),
        ("强制猥亵他人", "强制猥亵、侮辱妇女"),
        ("走私制毒物品", "非法生产、买卖、运输制毒物品、走私制毒物品"),
        ("罪名不明", UNREAD),
        ("", UNREAD),
    ],
)
def test_free_text_names_the_charge_it_names_alone(text: str, charge: str) -> None:
    assert read_charge(text, CHARGES) == charge


@pytest.mark.parametrize(
    ("filled_in", "charge"),
    [
        ("盗窃罪", "盗窃"),
        ("“诈骗罪”。", "诈骗"),
        ("合同诈骗", "合同诈骗"),
        ("走私、贩卖、运输、制造毒品", "走私、贩卖、运输、制造毒品"),
        ("盗窃罪、诈骗罪", UNREAD),
        ("强奸罪", UNREAD),
    ],
)
def test_a_charge_filled_in_is_taken_as_it_stands(filled_in: str, charge: str) -> None:
    assert read_charge("诈骗", CHARGES, filled_in=filled_in) == charge


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("有期徒刑36个月\n盗窃数额巨大，处三年以上十年以下有期徒刑", TermAnswer(5, 5, 36)),
        ("判处有期徒刑三年六个月", TermAnswer(6, 4, 42)),
        ("拘役四个月", TermAnswer(1, 9, 4)),
        ("42", TermAnswer(6, 4, 42)),
        ("无期徒刑", TermAnswer(0, 0)),
        ("死刑，缓期二年执行", TermAnswer(0, 0)),
        ("免予刑事处罚", TermAnswer(0, 10, 0)),
        ("其他", TermAnswer(0, 10)),
        ("九个月到一年", TermAnswer(3, 7)),
        ("六个月以下有期徒刑", TermAnswer(1, 9)),
        ("六个月以上九个月以下", TermAnswer(2, 8)),
        ("两年以上三年以下", TermAnswer(5, 5)),
        ("十年以上", TermAnswer(9, 1)),
        ("具有其他情节，判处一年", TermAnswer(3, 7, 12)),
        ("先想三年。<answer>8个月</answer>", TermAnswer(2, 8, 8)),
        ("<answer>8个月</answer> 又 <answer>二年</answer>", TermAnswer(4, 6, 24)),
        ("分析如下。\n应判处二年", TermAnswer(4, 6, 24)),
        ("无法判断", None),
        ("", None),
    ],
)
def test_terms_are_read_as_months_or_as_classes(text: str, term: TermAnswer | None) -> None:
    assert read_term(text) == term


def test_an_answer_in_the_form_is_read_field_by_field() -> None:
    answer = read_judgment(
        "三年以上十年以下，第二百七十五条，故意伤害。\n"
        "**法条**：第264条；**罪名**：盗窃罪；**刑期**：8个月</answer>",
        CHARGES,
    )
    assert (answer.article, answer.charge, answer.term) == (264, "盗窃", TermAnswer(2, 8, 8))


def test_the_last_form_counts() -> None:
    answer = read_judgment(
        "刑期：三年；\n刑期：待定\n法条：第1条\n刑期：8个月\n罪名：诈骗", CHARGES
    )
    assert (answer.article, answer.charge, answer.term) == (1, "诈骗", TermAnswer(2, 8, 8))


def test_an_empty_answer_predicts_nothing() -> None:
    answer = read_judgment("", CHARGES)
    assert (answer.article, answer.charge, answer.term) == (0, UNREAD, None)
