"""Paragraphs and items: verbatim pieces of an article."""

from __future__ import annotations

import doctest
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import IdentifierError
from inforce.law import portions
from inforce.law.ids import Portion
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.portions import excerpt, paragraphs

ART = ProvisionNumber.article(383)
LISTED = Provision(
    ART,
    "对犯贪污罪的，分别处罚：\n（一）数额较大的，处拘役。\n（二）数额巨大的，处有期徒刑。\n"
    "对多次贪污的，累计处罚。\n"
    "犯第一款罪，有下列情形的：\n（一）坦白；\n1. 如实；\n（二）退赃；\n（三）悔罪。",
)
INLINE = Provision(
    ProvisionNumber.article(52),
    "有下列情形之一的，合同无效：（一）欺诈；（二）恶意串通；（三）违反前款第（五）项的。",
)

CASES = [
    (LISTED, None, None, LISTED.text),
    (
        LISTED,
        1,
        None,
        "对犯贪污罪的，分别处罚：\n（一）数额较大的，处拘役。\n（二）数额巨大的，处有期徒刑。",
    ),
    (LISTED, 2, None, "对多次贪污的，累计处罚。"),
    (LISTED, 1, 2, "（二）数额巨大的，处有期徒刑。"),
    (LISTED, 3, 1, "（一）坦白；\n1. 如实；"),
    (LISTED, 3, 3, "（三）悔罪。"),
    (LISTED, None, 3, "（三）悔罪。"),
    (INLINE, None, 2, "（二）恶意串通；"),
    (INLINE, 1, 3, "（三）违反前款第（五）项的。"),
]

MISSING = [
    (LISTED, 4, None, "has only 3 paragraph"),
    (LISTED, 2, 1, "no item"),
    (LISTED, 1, 3, "no item"),
    (LISTED, None, 1, "several paragraphs"),
    (INLINE, 1, 5, "no item"),
]


@pytest.mark.parametrize(("provision", "paragraph", "item", "text"), CASES)
def test_a_portion_is_a_verbatim_piece_of_the_article(
    provision: Provision, paragraph: int | None, item: int | None, text: str
) -> None:
    piece = excerpt(provision, Portion(provision.number, paragraph, item))
    assert piece.text == text
    assert provision.text[piece.start : piece.end] == text


@pytest.mark.parametrize(("provision", "paragraph", "item", "reason"), MISSING)
def test_a_portion_that_is_not_there_is_an_error_that_says_why(
    provision: Provision, paragraph: int | None, item: int | None, reason: str
) -> None:
    with pytest.raises(IdentifierError, match=reason):
        excerpt(provision, Portion(provision.number, paragraph, item))


def test_a_portion_of_another_article_is_an_error() -> None:
    with pytest.raises(IdentifierError, match="not part of"):
        excerpt(LISTED, Portion(ProvisionNumber.article(1)))


@given(st.text(st.sampled_from("甲（一）(二)三；。：\n 1.①\u3000")))
def test_paragraphs_are_verbatim_in_order_and_leave_out_only_blanks(text: str) -> None:
    found = paragraphs(text)
    pieces = [paragraph.excerpt for paragraph in found]
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())
    for paragraph in found:
        numbers = [item.number for item in paragraph.items]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.data
def test_every_item_line_of_the_criminal_law_is_found_as_an_item(shared_data: Path) -> None:
    seen = 0
    for text in _criminal_law_texts(shared_data):
        found = [item for paragraph in paragraphs(text) for item in paragraph.items]
        lines_of_items = re.findall(r"(?m)^[（(][一二三四五六七八九十]+[）)]", text)
        assert len(found) >= len(lines_of_items)
        seen += len(found)
    assert seen > 3000


def _criminal_law_texts(shared_data: Path) -> Iterator[str]:
    with gzip.open(shared_data / "statutes" / "versions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = cast(dict[str, Any], json.loads(line))
            if record["law"] == "中华人民共和国刑法":
                yield from (article["text"] for article in record["articles"])


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(portions).failed == 0
