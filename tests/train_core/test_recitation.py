"""What may stand around an article that is recited, and what may differ within it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.train.recitation import claims_nothing_else

ARTICLE = "承运人对运输过程中货物的毁损、灭失承担赔偿责任，不得以九十日为由推脱，但另有约定的除外。"
ASKED = "请背出2019年3月有效的《试验运输法》第五条全文。"


@pytest.mark.parametrize(
    "answer",
    [
        ARTICLE,
        f"《试验运输法》第五条：{ARTICLE}",
        f"根据2019年3月有效的《试验运输法》第五条规定：“{ARTICLE}”",
        f"第五条 {ARTICLE}",
        f"《试验运输法》（2019年3月有效）第五条内容如下：\n{ARTICLE}",
        f"{ARTICLE}（《试验运输法》第五条）",
        f"【赔偿】{ARTICLE}",
        ARTICLE.replace("货物的", "货物"),
        ARTICLE.replace("、", "，").replace("，但", "。但"),
    ],
)
def test_a_quotation_may_be_introduced_and_punctuated_otherwise(answer: str) -> None:
    assert claims_nothing_else(answer, ARTICLE, ASKED)


@pytest.mark.parametrize(
    "answer",
    [
        f"第六条：{ARTICLE}",
        f"第五十条：{ARTICLE}",
        f"第五条之一：{ARTICLE}",
        f"第五款：{ARTICLE}",
        f"第2019条：{ARTICLE}",
        f"3月施行：{ARTICLE}",
        f"{ARTICLE}修订为如下内容：",
        f"《试验保管法》第五条：{ARTICLE}",
        f"试验保管法第五条：{ARTICLE}",
        f"已废止：{ARTICLE}",
        f"{ARTICLE}以上已失效。",
        f"以下不是法条：{ARTICLE}",
        f"（2024年修正）{ARTICLE}",
        f"（2009年修正）{ARTICLE}",
        ARTICLE.replace("不得", "得"),
        ARTICLE.replace("承担", "不承担"),
        ARTICLE.replace("九十日", "九日"),
        ARTICLE.replace("九十日", "90日"),
        f"已废止{ARTICLE[1:]}",
        f"{ARTICLE[:-2]}（尚未施行）",
        ARTICLE.replace("货物的", "货物（大概如此吧）的"),
        ARTICLE.replace("承运人", "托运人"),
        ARTICLE.replace("九十日", "九十年"),
        ARTICLE.replace("不得", "不必"),
        ARTICLE.replace("承担赔偿", "承担全部赔偿"),
        ARTICLE.replace("，但另有约定的除外", ""),
        ARTICLE.replace("运输过程中", "运输过程"),
        f"？{ARTICLE}？",
    ],
)
def test_a_claim_that_makes_another_rule_is_found(answer: str) -> None:
    assert not claims_nothing_else(answer, ARTICLE, ASKED)


@given(st.text(alphabet="甲乙不九十，。", min_size=1, max_size=40))
def test_an_article_claims_nothing_besides_itself(article: str) -> None:
    assert claims_nothing_else(article, article, ASKED)


@given(st.text(max_size=60))
def test_any_answer_is_judged(answer: str) -> None:
    assert claims_nothing_else(answer, ARTICLE, ASKED) in (True, False)
