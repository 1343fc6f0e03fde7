"""Without a model: whole articles and paragraphs that share the question's words, verbatim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.web.excerpts import excerpts

KILLING = (
    "第二百三十二条 故意杀人的，处死刑、无期徒刑或者十年以上有期徒刑；\n"
    "情节较轻的，处三年以上十年以下有期徒刑。"
)
NEGLIGENCE = "第二百三十三条 过失致人死亡的，处三年以上七年以下有期徒刑。"
INJURY = "第二百三十四条 故意伤害他人身体的，处三年以下有期徒刑、拘役或者管制。"
NOTE = "（1979年7月1日通过　1997年3月14日修订　自1997年10月1日起施行）"
LAW = "\n".join(
    ["中华人民共和国刑法", NOTE, "目录", "第四章 侵犯人身权利罪", KILLING, NEGLIGENCE, INJURY]
    + ["", "第五章 侵犯财产罪", "网站地图　联系我们", "版权所有"]
)


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("过失致人死亡怎么判？", NEGLIGENCE),
        ("刑法第232条", KILLING),
        ("《刑法》第二百三十四条的规定", INJURY),
        ("Article 233 of the Criminal Law", NEGLIGENCE),
    ],
)
def test_an_article_is_taken_in_full_with_the_note_on_its_time(question: str, article: str) -> None:
    found = excerpts(LAW, question)
    assert found.matched
    assert found.texts[0] == NOTE
    assert any(text == article or article in text for text in found.texts[1:])
    assert "网站地图" not in "".join(found.texts)


def test_a_page_that_says_nothing_of_it_is_said_to() -> None:
    found = excerpts(LAW, "habeas corpus")
    assert not found.matched
    assert LAW.startswith(found.texts[0])


def test_a_short_paragraph_comes_with_its_neighbours() -> None:
    page = (
        "\n".join(f"段落{n}说的是别的事情。" for n in range(50))
        + "\n先予执行须提供担保。\n例外如下。"
    )
    assert "例外如下。" in "\n".join(excerpts(page, "先予执行").texts)


def test_an_article_above_the_limit_is_cut_not_left_out() -> None:
    page = "第一条 " + "抢劫公私财物的，" * 800
    found = excerpts(page, "抢劫", limit=500)
    assert (found.texts, found.cut) == ((page[:500],), True)


def test_an_empty_page_gives_nothing() -> None:
    assert excerpts("", "抢劫").texts == ()


@given(st.text(alphabet="第一二条章 甲乙抢劫\n。，ab", max_size=400), st.integers(50, 300))
def test_excerpts_are_parts_of_the_page_in_order_and_within_the_limit(
    page: str, limit: int
) -> None:
    found = excerpts(page, "抢劫 第二条", limit=limit)
    place = 0
    for text in found.texts:
        place = page.index(text, place) + len(text)
    assert sum(map(len, found.texts)) <= limit
    assert found == excerpts(page, "抢劫 第二条", limit=limit)
