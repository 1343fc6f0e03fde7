"""What a run may send once it has read private text: a few words of it, and no more."""

from __future__ import annotations

import base64
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Sequence
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypinyin import lazy_pinyin

import inforce.tools
from inforce.tools.disclosure import (
    MOST_NEW,
    MOST_PRIVATE,
    DisclosureGuard,
    Reach,
    decodings,
)

QUESTION = "2019年3月签订的房屋买卖合同，违约金过高能否调整？"
SECRET = (
    "甲方张三丰（身份证号110101199003071234）与乙方华山置业有限公司约定，"
    "房屋总价款为人民币三百八十万元整，交付前以白鹤亮翅为开门口令。"
)
ENGLISH = "The parties secretly agreed that Greyhound Partners would keep the warehouse in Antwerp."


def guarding(text: str = SECRET) -> DisclosureGuard:
    guard = DisclosureGuard(QUESTION)
    guard.tool_returned("search_documents", "private", text, {"query": "合同"})
    return guard


def sent(guard: DisclosureGuard, calls: Sequence[object]) -> list[object]:
    """The calls that go out."""
    out: list[object] = []
    for arguments in calls:
        if guard.disclosure(arguments) is None:
            guard.send(arguments)
            out.append(arguments)
    return out


PASSAGE = SECRET[:40]
DISGUISES: dict[str, Callable[[str], object]] = {
    "plain": lambda text: text,
    "in full width": lambda text: "".join(
        chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text
    ),
    "spaced": " ".join,
    "with letters between": "x".join,
    "with unseen characters between": "\u200b".join,
    "reversed": lambda text: text[::-1],
    "in the path of an address": lambda text: f"https://a.example/{quote(text)}",
    "in the query of an address": lambda text: f"https://a.example/?q={quote(quote(text))}",
    "in the host of an address": lambda text: f"https://{text}.a.example/",
    "base 64": lambda text: base64.b64encode(text.encode()).decode(),
    "base 64 of an address": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base 64 in words": lambda text: " ".join(
        textwrap.wrap(base64.b64encode(text.encode()).decode(), 7)
    ),
    "base 64 in a word": lambda text: f"ab{base64.b64encode(text.encode()).decode()}",
    "base 32": lambda text: base64.b32encode(text.encode()).decode(),
    "base 16": lambda text: text.encode().hex(),
    "gb 18030, base 16": lambda text: text.encode("gb18030").hex(),
    "escapes": lambda text: text.encode("unicode_escape").decode(),
    "entities": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "pinyin": lambda text: " ".join(lazy_pinyin(text)),
    "pinyin in one word": lambda text: "".join(lazy_pinyin(text)),
    "many queries of a call": lambda text: [text[at : at + 2] for at in range(0, len(text), 2)],
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_passage_does_not_leave_in_any_usual_disguise(disguise: str) -> None:
    said = DISGUISES[disguise](PASSAGE)
    assert guarding().disclosure({"query": said}) is not None
    assert DisclosureGuard(QUESTION).disclosure({"query": said}) is None  # nothing private was read


@pytest.mark.parametrize(
    "said",
    [
        "110101199003071234",
        "身份证 110101 199003 071234",
        "Greyhound Partners would keep the warehouse",
        "GREYHOUND-PARTNERS-WOULD-KEEP-THE",
        "greyhoundpartnerswouldkeepthe",
    ],
)
def test_numbers_and_words_of_alphabets_are_compared_too(said: str) -> None:
    assert guarding(SECRET + ENGLISH).disclosure({"query": [said]}) is not None


@pytest.mark.parametrize(
    "said",
    [
        QUESTION,
        "房屋买卖合同 违约金过高 调整 司法解释 2019年",
        "中华人民共和国民法典第五百八十五条 违约金",
        "2019年3月15日 商品房买卖 违约金 裁判规则",
        "liquidated damages house purchase contract China 2019",
        "最高人民法院关于审理商品房买卖合同纠纷案件适用法律若干问题的解释",
    ],
)
def test_the_persons_words_and_general_terms_leave(said: str) -> None:
    document = f"{SECRET}{QUESTION}依据中华人民共和国民法典第五百八十五条，2019年3月15日签订。"
    assert guarding(document).disclosure({"query": [said]}) is None


def test_what_a_published_source_says_may_be_searched_for() -> None:
    clause = "当事人一方不履行合同义务或者履行合同义务不符合约定"
    guard = guarding(SECRET + clause)
    assert guard.disclosure({"query": [clause]}) is not None
    guard.tool_returned("law_at", "published", f"第五百七十七条　{clause}的……", {"law": "民法典"})
    assert guard.disclosure({"query": [clause]}) is None


@pytest.mark.parametrize("reach", ["published", "outward", "local"])
def test_an_answer_that_repeats_its_question_publishes_nothing(reach: Reach) -> None:
    guard = guarding()
    arguments = {"query": [PASSAGE]}
    guard.tool_returned("rag_retrieve", reach, f"检索：“{PASSAGE}” · not_found", arguments)
    assert guard.disclosure(arguments) is not None


def test_what_the_person_replies_may_be_sent() -> None:
    guard = guarding()
    guard.person_wrote([SECRET])
    assert guard.disclosure({"query": [SECRET]}) is None


@pytest.mark.parametrize(
    "size", [*(pytest.param(one, marks=pytest.mark.slow) for one in (1, 2, 3)), 5, 7]
)
def test_pieces_do_not_add_up_to_a_passage_or_to_many_passages(size: int) -> None:
    text = "".join(chr(0x4E00 + place * 7919 % 20_000) for place in range(2_000))
    starts = range(0, len(text) - size, size)
    for order in (starts, sorted(starts, key=lambda at: at * 7919 % 2_003)):
        left = sent(guarding(text), [{"query": [text[at : at + size]]} for at in order])
        assert len(left) * size <= (MOST_NEW if size == 1 else 110)


def test_a_cipher_is_not_seen_and_bounded_in_length() -> None:
    text = "".join(chr(0x4E00 + place * 7919 % 20_000) for place in range(3_000))
    cipher = "".join(chr(ord(one) + 1) for one in text)
    left = sent(guarding(text), [{"query": [cipher[at : at + 20]]} for at in range(0, 3_000, 20)])
    assert 0 < len(left) * 20 <= MOST_NEW


def test_a_long_word_nobody_else_wrote_is_not_sent() -> None:
    code = "q7Zx" * 12
    assert guarding().disclosure({"url_list": [f"https://a.example/{code}"]}) is not None
    guard = guarding()
    guard.tool_returned("web_search", "outward", f"https://a.example/{code}", {"query": ["甲"]})
    assert guard.disclosure({"url_list": [f"https://a.example/{code}"]}) is None


def test_with_more_private_text_than_can_be_compared_with_nothing_is_sent() -> None:
    guard = guarding("甲乙丙丁" * (MOST_PRIVATE // 4 + 1))
    found = guard.disclosure({"query": ["合同法"]})
    assert found is not None and found.why == "too_much"


@given(st.text(max_size=120), st.text(max_size=120))
def test_nothing_read_or_sent_breaks_the_comparison(read: str, said: str) -> None:
    guard = guarding(read)
    guard.tool_returned("web_search", "outward", said, {"query": [read]})
    found = guard.disclosure({"query": [said]})
    assert found == guard.disclosure({"query": [said]})
    guard.send({"query": [said]})
    guard.disclosure(said)


@given(st.text(alphabet="天地玄黄宇宙洪荒日月盈昃辰宿列张", min_size=24, max_size=60))
def test_every_encoding_of_a_text_is_undone(text: str) -> None:
    for encode in (base64.b64encode, base64.b32encode, base64.b16encode):
        assert any(text[:6] in one for one in decodings(encode(text.encode()).decode()))
    assert any(text in one for one in decodings(f"https://a.example/?q={quote(text)}"))


def test_every_tool_says_where_it_works() -> None:
    modules = [
        importlib.import_module(one.name)
        for one in pkgutil.walk_packages(inforce.tools.__path__, "inforce.tools.")
    ]
    tools = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if each.__module__ == module.__name__
        and list(inspect.signature(each.__call__).parameters) == ["self", "arguments", "context"]
        and each.__name__ != "Tool"
    }
    assert len(tools) >= 7
    assert [each.__name__ for each in tools if not hasattr(each, "reach")] == []
