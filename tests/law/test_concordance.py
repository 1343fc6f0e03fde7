"""A whole law on two days: every article of both has its row, and says what became of it."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from inforce.law.concordance import Concordance, concordance
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber

EVIDENCE = "对一切案件的判处都要重证据，重调查研究，不轻信口供。"
DEFENCE = "犯罪嫌疑人、被告人除自己行使辩护权以外，还可以委托一至二人作为辩护人。"
ARREST = "逮捕犯罪嫌疑人、被告人，必须经过人民检察院批准或者人民法院决定，由公安机关执行。"
LIGHTS = "灯塔由县级人民政府管理，管理人应当每日点灯守夜。"


def law(**articles: str) -> list[Provision]:
    """``law(_1="…", _2_1="…")``: articles 1 and 2-1."""
    numbers = {name: name.strip("_").replace("_", "-") for name in articles}
    return [Provision(ProvisionNumber.parse(numbers[n]), text) for n, text in articles.items()]


def shown(table: Concordance) -> list[tuple[str, str, str]]:
    return [
        (row.old.number.short if row.old else "", row.new.number.short if row.new else "", row.kind)
        for row in table.rows
    ]


def test_what_stays_moves_changes_comes_and_goes_is_told_apart() -> None:
    table = concordance(
        law(_1=EVIDENCE, _2=DEFENCE, _3=LIGHTS, _4="期间以时、日、月计算。"),
        law(_1=EVIDENCE, _2=ARREST, _3=DEFENCE, _4=LIGHTS.replace("每日", "每夜")),
    )
    assert shown(table) == [
        ("1", "1", "same"),
        ("", "2", "new"),
        ("2", "3", "moved"),
        ("3", "4", "moved and changed"),
        ("4", "", "gone"),
    ]
    assert table.counts == {"same": 1, "moved": 1, "moved and changed": 1, "new": 1, "gone": 1}
    assert [row.kind for row in table.changes] == ["new", "moved", "moved and changed", "gone"]


def test_a_changed_article_says_what_changed_word_by_word() -> None:
    [row] = concordance(law(_1=LIGHTS), law(_1=LIGHTS.replace("县级", "市级"))).rows
    assert row.kind == "changed"
    assert [(piece.kind, piece.text) for piece in row.pieces if piece.kind != "equal"] == [
        ("deleted", "县级"),
        ("inserted", "市级"),
    ]


def test_spaces_and_widths_are_no_change() -> None:
    [row] = concordance(law(_1="灯塔,由市管理。"), law(_1="灯塔，由市管理。")).rows
    assert row.kind == "same"


def test_an_article_whose_other_text_is_not_known_is_neither_new_nor_gone() -> None:
    two = ProvisionNumber.article(2)
    assert shown(concordance(law(_1=LIGHTS, _2=ARREST), law(_1=LIGHTS), not_covered={two})) == [
        ("1", "1", "same"),
        ("2", "", "not covered"),
    ]
    assert shown(concordance(law(_1=LIGHTS), law(_1=LIGHTS, _2=ARREST), not_covered={two})) == [
        ("1", "1", "same"),
        ("", "2", "not covered"),
    ]


def test_an_empty_text_is_no_error() -> None:
    assert concordance([], []).rows == ()
    assert shown(concordance([], law(_1=LIGHTS))) == [("", "1", "new")]


texts = st.text(st.sampled_from("证据辩护逮捕人民法院，。"), max_size=20)
laws = st.lists(texts, max_size=8).map(
    lambda items: [Provision(ProvisionNumber.article(n), t) for n, t in enumerate(items, 1)]
)


@given(old=laws, new=laws)
def test_every_article_of_both_texts_has_a_row(old: list[Provision], new: list[Provision]) -> None:
    table = concordance(old, new)
    assert {row.old.number for row in table.rows if row.old} == {one.number for one in old}
    assert {row.new.number for row in table.rows if row.new} == {one.number for one in new}
    later = [row.new.number for row in table.rows if row.new]
    assert all(one <= other for one, other in pairwise(later))
    assert sum(table.counts.values()) == len(table.rows)


@given(old=laws)
def test_a_text_beside_itself_has_no_change_in_wording(old: list[Provision]) -> None:
    kinds = {row.kind for row in concordance(old, old).rows}
    assert kinds <= {"same", "split", "merged"}
