"""Headings and notes that stray into articles are not law."""

from __future__ import annotations

import pytest

from inforce.corpus.loaders.checks import is_deletion_note, without_foreign_text
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber


def article(number: int, text: str, path: str = "") -> Provision:
    return Provision(ProvisionNumber.article(number), text, path)


def test_a_heading_at_the_end_of_an_article_goes_above_the_articles_that_follow() -> None:
    law = [article(5, "适用本规定。\n二、溯及适用的具体规定"), article(6, "自公布之日起施行。")]
    assert list(without_foreign_text(law)) == [
        article(5, "适用本规定。"),
        article(6, "自公布之日起施行。", "二、溯及适用的具体规定"),
    ]


def test_an_item_that_ends_with_a_stop_is_not_a_heading() -> None:
    law = [article(1, "有下列情形之一的：\n一、未成年的；\n二、年满七十五周岁的。")]
    assert list(without_foreign_text(law)) == law


def test_a_deleted_article_is_absent() -> None:
    law = [article(198, "有罪。"), article(199, "（删去）"), article(200, "单位犯罪。")]
    assert [provision.number.main for provision in without_foreign_text(law)] == [198, 200]


@pytest.mark.parametrize(
    ("text", "deleted"),
    [
        ("（删去）", True),
        ("(已删除)", True),
        ("文本内容被刑法修正案就删除。", True),
        ("删去刑法第一百九十九条。", False),
        ("删除个人信息应当告知个人。", False),
    ],
)
def test_only_a_note_that_says_nothing_else_marks_a_deletion(text: str, deleted: bool) -> None:
    assert is_deletion_note(text) is deleted
