"""Damaged instruments: whatever a copy has lost, the compiler refuses and never fails."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from compile_world import compiled, decision, instruments, law

from inforce.corpus.compile.instructions import read_instructions

DECISION = (Path(__file__).parent / "consumer_decision_2013.txt").read_text(encoding="utf-8")
CONSUMERS = "中华人民共和国消费者权益保护法"
BASE = law(
    {str(n): f"第{n}号。\n有下列情形之一的：\n（一）甲；\n（二）乙。" for n in range(1, 56)},
    title=CONSUMERS,
)
PIECES = (
    *("“", "”", "第", "条", "款", "项", "将", "修改为", "改为", "作为", "增加", "删去", "，", "。"),
    *(
        "；",
        "：",
        "一、",
        "（一）",
        "1.",
        "\n",
        "之一",
        "至",
        "、",
        "中的",
        "后",
        "合并",
        "分为两条",
    ),
    *("《", "》", "自公布之日起施行", "第三条", "第二款", "第三章　乙", "下列条文中的"),
)


def damaged(text: str, chance: random.Random) -> str:
    characters = list(text)
    for _ in range(chance.randint(1, 40)):
        place = chance.randrange(len(characters))
        match chance.randrange(3):
            case 0:
                del characters[place : place + chance.randint(1, 6)]
            case 1:
                characters.insert(place, chance.choice(PIECES))
            case _:
                other = chance.randrange(len(characters))
                characters[place : place + 5], characters[other : other + 5] = (
                    characters[other : other + 5],
                    characters[place : place + 5],
                )
    return "".join(characters)


def run(seeds: range) -> None:
    small = decision(
        "将第一条修改为：“甲。\n“乙。”",
        "增加一条，作为第三条：“丙。”",
        "将第五条改为第六条，第一款第一项修改为：“（一）丁；”。",
        "将第七条、第八条合并，作为第八条，修改为：“戊。”",
        title=CONSUMERS,
    )
    amending = 0
    for seed in seeds:
        chance = random.Random(seed)
        text = damaged(DECISION if seed % 4 == 0 else small, chance)
        compilation = compiled(BASE, text)
        named = {law for one in instruments(text) for law in read_instructions(one).laws}
        if CONSUMERS in named:
            amending += 1
            assert compilation.versions or compilation.unapplied or compilation.passed_over
        for version in compilation.versions:
            numbers = [one.number for one in version.text.provisions]
            assert numbers == sorted(set(numbers))
            assert not version.text.version.holes & set(numbers)
    assert amending > len(seeds) / 4  # most are still read as amending the law


def test_a_damaged_instrument_is_refused_and_never_fails() -> None:
    run(range(60))


@pytest.mark.slow
def test_two_thousand_damaged_instruments() -> None:
    run(range(60, 2_060))
