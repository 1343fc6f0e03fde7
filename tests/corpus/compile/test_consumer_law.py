"""The decision of 2013 on the consumer law, all 31 points, on a text as it was before.

The text of 2009 is not held. What the decision replaces in full reads 旧 here; all that it keeps or
changes in part is the text of 2013 with its changes undone.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from compile_world import instruments

from inforce.corpus.compile.compiling import compile_law
from inforce.corpus.loaders.jsonl import read_jsonl
from inforce.errors import InputError
from inforce.law.model import (
    Provision,
    Source,
    Validity,
    Version,
    VersionText,
    same_wording,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.portions import paragraphs

LAW = "中华人民共和国消费者权益保护法"
DECISION = Path(__file__).parent / "consumer_decision_2013.txt"


def _raise(error: InputError) -> None:
    raise error


@pytest.fixture(scope="module")
def amended(shared_data: Path) -> VersionText:
    texts = read_jsonl(shared_data / "statutes" / "laws_current.jsonl.gz", on_problem=_raise)
    return next(one for one in texts if one.version.work == LAW)


def before(amended: VersionText) -> VersionText:
    """The text the decision amends, as far as it matters."""
    new = {one.number.main: one.text for one in amended.provisions}
    part = {n: [each.excerpt.text for each in paragraphs(text)] for n, text in new.items()}
    kept = {21: 20, 22: 21, 27: 25, 34: 29, 35: 30, 40: 35, 41: 36, 42: 37, 43: 38, 53: 47}
    kept |= {54: 48, 60: 52, 61: 53, 62: 54, 63: 55}
    old = {number: new[number] for number in (*range(1, 19),)}
    old |= {then: new[now] for now, then in kept.items()}
    old |= {n: f"旧{n}。" for n in (14, 23, 26, 31, 33, *range(41, 47), 49, 51)}
    old[5] = "\n".join(part[5][:2])
    old[12] = new[12].replace("社会组织", "社会团体")
    old[16] = f"旧款。\n{part[16][1]}"
    old[18] = f"{part[18][0]}\n旧款。"
    old[19] = f"旧款。\n{part[20][1]}\n商店提供商品应当明码标价。"
    old[21] = new[22].replace("发票等购货凭证", "购货凭证")
    proviso = "，且存在该瑕疵不违反法律强制性规定的除外"
    old[22] = f"{part[23][0].replace(proviso, '的除外')}\n{part[23][1]}"
    old[24] = "旧款一。\n旧款二。"
    old[27] = "\n".join(["旧款。", *part[31][1:]])
    old[28] = new[32].replace("和消费者协会等组织", "及其社会团体")
    lines = part[37][0].split("\n")
    kept_items = {3: "（二）", 5: "（四）", 8: "（七）"}
    items = {"（一）": "旧；", "（三）": "旧；", "（五）": "旧；", "（六）": "旧；"}
    items |= {label: lines[index][3:] for index, label in kept_items.items()}
    order = "（一）（二）（三）（四）（五）（六）（七）"
    labels = [order[i : i + 3] for i in range(0, len(order), 3)]
    old[32] = "\n".join(
        ["消费者协会履行下列职能：", *(label + items[label] for label in labels), "旧款。"]
    )
    ways = new[39].split("\n")
    old[34] = "\n".join([*ways[:2], "（二）旧；", "（三）旧；", *ways[4:]])
    advert = part[45][0].replace("利用虚假广告或者其他虚假宣传方式", "利用虚假广告")
    advert = advert.replace("广告经营者、发布者", "广告的经营者", 1)
    old[39] = advert.replace("真实名称、地址和有效联系方式", "真实名称、地址")
    liable = part[48][0].replace(
        "应当依照其他有关法律、法规的规定",
        "应当依照《中华人民共和国产品质量法》和其他有关法律、法规的规定",
    )
    old[40] = liable.replace("（一）商品或者服务存在缺陷的；", "（一）商品存在缺陷的；")
    old[50] = _penalties_before(part[56][0])
    provisions = tuple(Provision(ProvisionNumber.article(n), old[n]) for n in sorted(old))
    start = Validity(date(2009, 8, 27), None, "open")
    return VersionText(Version(LAW, "2009", start, source=Source("test")), provisions)


def _penalties_before(text: str) -> str:
    law = "《中华人民共和国产品质量法》和其他有关法律"
    for now, then in (
        ("除承担相应的民事责任外，其他有关法律", law),
        ("工商行政管理部门或者其他有关行政部门", "工商行政管理部门"),
        ("十倍以下", "五倍以下"),
        ("五十万元以下", "一万元以下"),
    ):
        text = text.replace(now, then)
    lines = text.split("\n")
    for index, label in ((1, "（一）"), (4, "（四）"), (6, "（六）")):
        lines[index] = f"{label}旧；"
    eighth = lines[8].replace("（八）", "（七）")
    return "\n".join([*lines[:7], eighth, "（八）旧；", lines[10].replace("（十）", "（九）")])


@pytest.mark.data
def test_all_31_points_give_the_law_as_it_was_republished(amended: VersionText) -> None:
    found = instruments(DECISION.read_text(encoding="utf-8"))
    compilation = compile_law(before(amended), found, republished=[amended])
    [version] = compilation.versions
    assert len(found[0].points) > 31
    assert version.refused == ()
    assert version.day == date(2014, 3, 15)
    compiled = {one.number: one.text for one in version.text.provisions}
    wanted = {one.number: one.text for one in amended.provisions}
    assert compiled.keys() == wanted.keys()
    assert [n.short for n in wanted if not same_wording(wanted[n], compiled[n])] == []


@pytest.mark.data
def test_without_the_republished_text_one_article_is_not_certain(amended: VersionText) -> None:
    found = instruments(DECISION.read_text(encoding="utf-8"))
    [version] = compile_law(before(amended), found).versions
    assert [one.articles for one in version.refused] == [("第二十一条",)]
    assert [one.short for one in version.text.version.holes] == ["22"]
