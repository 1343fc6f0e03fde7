"""What stands above and below the points of a decision: orders, notices, dates, last sentences."""

from __future__ import annotations

from datetime import date

import pytest
from compile_world import TITLE, articles, compiled, instruments, law, refusals

BASE = law({str(number): f"第{number}号灯塔由管理人看守。" for number in range(1, 8)})
POINTS = "一、增加一条，作为第三条：“新。”\n二、将第五条改为第六条，修改为：“改。”\n"
FROM = "本决定自2020年7月1日起施行。\n"

ABOVE = {
    "an order of the President": f"""\
中华人民共和国主席令
第二十九号
《全国人民代表大会常务委员会关于修改〈{TITLE}〉的决定》已由中华人民共和国第十三届全国人民代表大会常务委员会第十次会议于2020年6月1日通过，现予公布，自2020年7月1日起施行。
中华人民共和国主席　习近平
2020年6月1日
全国人民代表大会常务委员会关于修改《{TITLE}》的决定
（2020年6月1日第十三届全国人民代表大会常务委员会第十次会议通过）
第十三届全国人民代表大会常务委员会第十次会议决定对《{TITLE}》作如下修改：
""",
    "a court": f"""\
最高人民法院
关于修改《{TITLE}》的决定
法释〔2020〕9号
（2020年6月1日最高人民法院审判委员会第1804次会议通过，自2020年7月1日起施行）
根据审判实践需要，经最高人民法院审判委员会第1804次会议决定，对《{TITLE}》作如下修改：
""",
    "an order of the State Council": f"""\
中华人民共和国国务院令
第732号
现公布《国务院关于修改〈{TITLE}〉的决定》，自2020年7月1日起施行。
总理　李克强
2020年6月1日
国务院关于修改《{TITLE}》的决定
国务院决定对《{TITLE}》作如下修改：
""",
    "a local congress": f"""\
海州市人民代表大会常务委员会公告
（第十五号）
《海州市人民代表大会常务委员会关于修改〈{TITLE}〉的决定》已由海州市第十五届人民代表大会常务委员会第三十次会议于2020年5月20日通过，经海州省第十三届人民代表大会常务委员会第二十次会议于2020年6月1日批准，现予公布，自2020年7月1日起施行。
海州市人民代表大会常务委员会
2020年6月8日
海州市人民代表大会常务委员会关于修改《{TITLE}》的决定
（2020年5月20日海州市人民代表大会常务委员会通过　2020年6月1日海州省人民代表大会常务委员会批准）
海州市第十五届人民代表大会常务委员会第三十次会议决定，对《{TITLE}》作如下修改：
""",
}

BELOW = (
    f"{TITLE}的有关章节及条文序号，根据本决定作相应调整。\n{FROM}《{TITLE}》根据本决定作相应修改，重新公布。\n",
    f"此外，对条文顺序作相应调整。\n{FROM}《{TITLE}》根据本决定作相应的修正，重新公布。\n",
    f"{FROM}《{TITLE}》根据本决定作相应修改，并对条款顺序作相应调整，重新公布。\n",
    f"此外，根据本决定对《{TITLE}》的个别文字和条文顺序作相应调整。\n{FROM}",
    f"三、对相关条款的顺序作相应调整。\n四、{FROM}",
    f"《{TITLE}》的条文序号依照本决定作相应的变动。\n{FROM}",
    f"根据本决定，对《{TITLE}》作相应修改并调整条款顺序，重新发布。\n{FROM}",
    f"《{TITLE}》根据本决定作相应修正后，重新公布，条文顺序依次顺延。\n{FROM}",
    f"此外，还对部分条文的文字表述和条文顺序作了相应调整和修改。\n{FROM}",
    f"修改后的《{TITLE}》条文序号作相应调整，重新公布。\n{FROM}",
    f"《{TITLE}》的章、节、条、款、项顺序作相应调整。\n{FROM}",
    f"本决定自2020年7月1日起施行。《{TITLE}》根据本决定作相应修改并对条文顺序作相应调整，重新公布。\n",
)


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("below", BELOW)
def test_nothing_around_the_points_is_taken_for_an_instruction(above: str, below: str) -> None:
    compilation = compiled(BASE, ABOVE[above] + POINTS + below)
    assert refusals(compilation) == []
    assert compilation.unapplied == ()
    found = articles(compilation)
    assert len(found) == 8
    assert (found["3"], found["6"], found["8"]) == ("新。", "改。", "第7号灯塔由管理人看守。")
    assert compilation.versions[-1].day == date(2020, 7, 1)


@pytest.mark.parametrize(
    ("above", "adopted", "published"),
    [
        ("an order of the President", date(2020, 6, 1), date(2020, 6, 1)),
        ("a court", date(2020, 6, 1), None),
        ("an order of the State Council", None, date(2020, 6, 1)),
        ("a local congress", date(2020, 6, 1), date(2020, 6, 8)),
    ],
)
def test_the_days_and_the_title_are_read_from_what_stands_above(
    above: str, adopted: date | None, published: date | None
) -> None:
    [one] = instruments(ABOVE[above] + POINTS + BELOW[1])
    assert one.title.endswith(f"关于修改《{TITLE}》的决定")
    assert not one.title.startswith("关于")
    assert (one.adopted, one.published) == (adopted, published)


def test_words_adjusted_without_saying_which_are_noted() -> None:
    said = compiled(BASE, ABOVE["a court"] + POINTS + BELOW[3]).versions[-1].notes
    assert any("some words were adjusted" in note for note in said)
    unsaid = compiled(BASE, ABOVE["a court"] + POINTS + BELOW[1]).versions[-1].notes
    assert not any("some words were adjusted" in note for note in unsaid)
