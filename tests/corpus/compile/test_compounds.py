"""Many changes inside one article: old numbers for what is changed, new ones for 作为."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compile_world import articles, compiled, decision, law, refusals
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.law.numerals import format_numeral

MARKS = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地玄黄宇宙洪荒日月盈昃"


class Names:
    """Words of which none contains another."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> str:
        self.count += 1
        first, second = divmod(self.count, len(MARKS))
        return f"{MARKS[first]}号{MARKS[second]}"


@dataclass
class Part:
    """A paragraph or an item; ``old`` is its number before."""

    text: str
    old: int | None
    items: list[Part]


@dataclass
class Compound:
    """A base article, what it becomes, and the sentence that orders it."""

    base: str
    points: list[str]
    result: dict[str, str]


def printed(parts: Sequence[Part]) -> str:
    lines: list[str] = []
    for part in parts:
        lines.append(part.text)
        for index, item in enumerate(part.items, 1):
            stop = "。" if index == len(part.items) else "；"
            lines.append(f"（{format_numeral(index)}）{item.text}{stop}")
    return "\n".join(lines)


def nth(number: int, unit: str) -> str:
    return f"第{format_numeral(number)}{unit}"


def drawn_part(draw: st.DrawFn, name: Names, old: int | None) -> Part:
    if draw(st.integers(0, 2)):
        return Part(f"{name()}由{name()}看守。", old, [])
    items = [
        Part(f"{name()}办理{name()}", index, []) for index in range(1, draw(st.integers(3, 5)))
    ]
    return Part(f"{name()}应当对{name()}：", old, items)


def edits(
    draw: st.DrawFn,
    name: Names,
    parts: list[Part],
    unit: str,
    where: str,
    make: Callable[[Names], str],
) -> tuple[list[Part], list[str]]:
    """Every part is kept, deleted, restated or reworded, and new ones come between."""
    result: list[Part] = []
    clauses: list[str] = []
    restated: list[Part] = []
    for part in parts:
        here = where + nth(part.old or 0, unit)
        what = draw(
            st.sampled_from(("keep", "words", "cut", "beside", "restate", "drop", "inside"))
        )
        if what == "drop" and len(parts) > 1 and part is not parts[0]:
            clauses.append(draw(st.sampled_from((f"删去{here}", f"{here}删去", f"删除{here}"))))
            continue
        result.append(part)
        word = part.text[:3]
        if what == "words":
            new = name()
            clauses.append(f"将{here}中的“{word}”修改为“{new}”")
            part.text = part.text.replace(word, new)
        elif what == "beside":
            new = name()
            clauses.append(f"{here}中的“{word}”后增加“{new}”")
            part.text = part.text.replace(word, word + new)
        elif what == "cut":
            clauses.append(f"删去{here}中的“{word}”")
            part.text = part.text.replace(word, "")
        elif what == "restate" and not part.items:
            part.text = make(name)
            restated.append(part)
        elif what == "inside" and part.items:
            part.items, below = edits(draw, name, part.items, "项", here, item_text)
            clauses += below
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(result)))
        new = Part(make(name), None, [])
        result.insert(at, new)
    for index, part in enumerate(result, 1):
        stop = "" if unit == "款" else "。" if index == len(result) else "；"
        if part.old is None:
            clauses.append(f"{where}增加一{unit}，作为{nth(index, unit)}：“{part.text}{stop}”")
        elif part in restated:
            clauses.append(f"{where}{nth(part.old, unit)}修改为：“{part.text}{stop}”")
    return result, clauses


def paragraph_text(name: Names) -> str:
    return f"{name()}由{name()}看守。"


def item_text(name: Names) -> str:
    return f"{name()}办理{name()}"


@st.composite
def compounds(draw: st.DrawFn) -> Compound:
    name = Names()
    parts = [drawn_part(draw, name, index) for index in range(1, draw(st.integers(2, 5)))]
    base = printed(parts)
    moves = draw(st.booleans())
    one_sentence = draw(st.booleans())
    where = "" if one_sentence else "第三条"
    result, clauses = edits(draw, name, parts, "款", where, paragraph_text)
    clauses = draw(st.permutations(clauses))
    lead = "将第三条改为第四条" if moves else ("第三条" if one_sentence and clauses else "")
    points: list[str] = []
    if one_sentence and clauses and lead:
        joint = draw(st.sampled_from(("，", "；")))
        points.append(f"{lead}，" + joint.join(clauses) + "。")
    else:
        points += [f"{clause}。" for clause in ([lead] if lead else []) + clauses]
    if moves:
        points.append("增加一条，作为第三条：“新增加的一条。”")
    number = "4" if moves else "3"
    return Compound(base, points, {number: printed(result)})


def stopped(point: str) -> str:
    return point.replace("。”。", "。”").replace("；”。", "；”")


@settings(max_examples=80, deadline=None)
@given(compounds())
def test_a_compound_gives_every_part_its_change_and_every_number_its_part(one: Compound) -> None:
    base = law({"1": "第一。", "2": "第二。", "3": one.base, "4": "第四。", "5": "第五。"})
    if not one.points:
        return
    compilation = compiled(base, decision(*map(stopped, one.points)))
    assert refusals(compilation) == []
    assert [each.reason for each in compilation.unapplied] == []
    found = articles(compilation)
    assert {number: found.get(number) for number in one.result} == one.result
