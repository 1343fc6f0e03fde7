"""The parts the compiler is made of: quotations, clauses, layout of instruments, days, numbers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import docx
import pytest
from compile_world import TITLE, compiled, decision, instruments, law

from inforce.corpus.compile.commencement import commencement
from inforce.corpus.compile.corrections import corrections
from inforce.corpus.compile.grammar import UnreadableClause, read_clause
from inforce.corpus.compile.instructions import read_instructions
from inforce.corpus.compile.law_names import same_law_as
from inforce.corpus.compile.lawtree import Refusal
from inforce.corpus.compile.normalising import normalised
from inforce.corpus.compile.numbering import arranged
from inforce.corpus.compile.quotations import Masker, Quotation, as_printed
from inforce.corpus.compile.reading import load_instruments
from inforce.corpus.compile.wording import Span, find_words, same_words, without_words
from inforce.errors import InputError

# Quotations --------------------------------------------------------------------------------------


def masked(*lines: str) -> tuple[list[str], list[str]]:
    """The lines without their quotations (each is ☐), and the quotations."""
    mask = Masker()
    rest = [mask.feed(line) for line in lines]
    if mask.is_open:
        rest.append(mask.abandon())
    shown = ["".join("☐" if "\ue000" <= char <= "\uf8ff" else char for char in one) for one in rest]
    return shown, [one.text for one in mask.quotations]


QUOTED = {
    "two on a line": (("将“甲”修改为“乙”。",), ["将☐修改为☐。"], ["甲", "乙"]),
    "every paragraph opened, the last closed": (
        ("修改为：“甲。", "“乙。", "“丙。”"),
        ["修改为：", "", "☐"],
        ["甲。\n乙。\n丙。"],
    ),
    "only the first opened": (("修改为：“甲。", "乙。”"), ["修改为：", "☐"], ["甲。\n乙。"]),
    "inner marks of the second kind": (
        ("修改为：“称‘甲’，是指乙。”",),
        ["修改为：☐"],
        ["称“甲”，是指乙。"],
    ),
    "inner marks of the same kind": (
        ("修改为：“称“甲”，是指乙。”",),
        ["修改为：☐"],
        ["称“甲”，是指乙。"],
    ),
    "a paragraph that begins with a quoted word": (
        ("修改为：“本法用语：", "““甲”是指乙。", "““丙”是指丁。”"),
        ["修改为：", "", "☐"],
        ["本法用语：\n“甲”是指乙。\n“丙”是指丁。"],
    ),
    "not closed": (("修改为：“甲。",), ["修改为：", "☐"], ["甲。"]),
}


@pytest.mark.parametrize("name", QUOTED)
def test_quotations_are_taken_out_whole(name: str) -> None:
    lines, rest, quotations = QUOTED[name]
    assert masked(*lines) == (rest, quotations)


def test_quotation_marks_inside_become_those_the_law_prints() -> None:
    assert as_printed("和‘三个代表’重要思想") == "和“三个代表”重要思想"
    assert as_printed("称‘甲“乙”’") == "称“甲‘乙’”"


# Words -------------------------------------------------------------------------------------------


def test_words_are_found_whatever_the_width_of_marks_and_the_kind_of_quotation_marks() -> None:
    assert find_words("甲，乙", "丙甲,乙。") == [Span(1, 4)]
    assert find_words("‘甲’", "称“甲”者") == [Span(1, 4)]
    assert find_words("甲甲", "甲甲甲") == [Span(0, 2)]
    assert find_words("", "甲") == []
    assert same_words("（一）甲；", "(一)甲;")


CUT = {
    "the mark before goes with a stop after": ("甲，乙。", "乙", "甲。"),
    "the mark before goes with a mark after": ("甲、乙，丙", "乙", "甲，丙"),
    "a list keeps its joint": ("甲、乙和丙", "乙", "甲和丙"),
    "a mark is not left at the head": ("乙，甲。", "乙", "甲。"),
    "nothing else": ("甲乙丙。", "乙", "甲丙。"),
}


@pytest.mark.parametrize("name", CUT)
def test_no_mark_is_left_that_separates_nothing(name: str) -> None:
    text, words, left = CUT[name]
    [span] = find_words(words, text)
    assert without_words(text, span) == left


# Clauses -----------------------------------------------------------------------------------------

Q = "\ue000"
R = "\ue001"
QUOTATIONS = (Quotation(("甲",)), Quotation(("乙",)))

CLAUSES: dict[str, tuple[str, list[str], list[str]]] = {
    f"将第九条第二款修改为：{Q}": ("become", ["第九条第二款"], []),
    f"第九条第一款、第三款修改为{Q}": ("become", ["第九条第一款", "第九条第三款"], []),
    f"将第九条第一、二款修改为{Q}": ("become", ["第九条第一款", "第九条第二款"], []),
    f"将第九条第一至三项修改为{Q}": ("become", ["第九条第一项至第三项"], []),
    "将第九条改为第十条": ("become", ["第九条"], ["第十条"]),
    "将第九条改为第十条第一款": ("become", ["第九条"], ["第十条第一款"]),
    "原第九条作为第十条": ("number", ["第九条"], ["第十条"]),
    "在第九条之一后增加一条": ("add", ["第九条之一"], []),
    f"增加一款，作为第二款：{Q}".split("，")[1]: ("number", [], ["第二款"]),
    "第九条第一款增加二项": ("add", ["第九条第一款"], []),
    f"在第九条第二款中的{Q}后增加{R}": ("add", ["第九条第二款"], []),
    f"删去第九条中的{Q}": ("delete", ["第九条"], []),
    f"将第九条中的{Q}删除": ("delete", ["第九条"], []),
    "删除第三条、第五条至第七条": ("delete", ["第三条", "第五条至第七条"], []),
    "将第九条、第十条合并为一条": ("merge", ["第九条", "第十条"], []),
    "将第九条分为两条": ("split", ["第九条"], []),
    "对条文顺序作相应调整": ("reorder", [], []),
    "以下各条序号依次顺延": ("reorder", [], []),
    f"这一款相应修改为：{Q}": ("assertion", [], []),
    f"第三章章名修改为：{Q}": ("become", ["第三章章名"], []),
    f"序言第七自然段中{Q}修改为{R}": ("become", ["序言第七段"], []),
    "第一百二十条之二至第一百二十条之四": ("name", ["第一百二十条之二至第一百二十条之四"], []),
    f"《计量法实施细则》第十六条第（二）项修改为：{Q}": (
        "become",
        ["计量法实施细则第十六条第二项"],
        [],
    ),
}


@pytest.mark.parametrize("text", CLAUSES)
def test_a_clause_says_what_it_works_on_and_which_numbers_it_gives(text: str) -> None:
    verb, targets, numbers = CLAUSES[text]
    clause = read_clause(normalised(text), QUOTATIONS)
    named = [str(one) for target in clause.targets for one in target.references]
    shown = [one.replace("序言第七款", "序言第七段") for one in named]
    assert (clause.verb, shown, [str(one) for one in clause.numbers]) == (verb, targets, numbers)


@pytest.mark.parametrize("text", ["将第九条搞成第十条", "第九条好像不对", f"{Q}归{R}所有"])
def test_a_clause_outside_the_grammar_is_not_read_by_likeness(text: str) -> None:
    with pytest.raises(UnreadableClause):
        read_clause(normalised(text), QUOTATIONS)


# Instruments -------------------------------------------------------------------------------------


def test_an_instrument_has_its_title_days_and_points() -> None:
    [one] = instruments(decision("将第一条修改为：“甲。\n“乙。”", "删去第二条。"))
    assert one.title == f"全国人民代表大会常务委员会关于修改《{TITLE}》的决定"
    assert (one.adopted, one.published) == (date(2020, 6, 1), date(2020, 6, 1))
    assert [point.name for point in one.points] == ["", "一", "二"]


def test_a_title_set_over_several_lines_is_one_title() -> None:
    text = decision("删去第二条。").replace("关于修改《", "\n关于修改\n《", 1)
    assert instruments(text)[0].title == f"全国人民代表大会常务委员会关于修改《{TITLE}》的决定"


def test_several_instruments_in_one_file_are_told_apart() -> None:
    first, second = decision("删去第二条。"), decision("删去第三条。").replace("2020", "2022")
    assert [one.adopted for one in instruments(first + second)] == [
        date(2020, 6, 1),
        date(2022, 6, 1),
    ]


DAYS: dict[str, tuple[str, date | None]] = {
    "a day": ("本决定自2020年7月1日起施行。", date(2020, 7, 1)),
    "on publication": ("本决定自公布之日起施行。", date(2020, 6, 9)),
    "on adoption": ("本决定自通过之日起施行。", date(2020, 6, 1)),
    "nothing": ("", None),
}


@pytest.mark.parametrize("name", DAYS)
def test_the_day_is_the_one_the_instrument_says(name: str) -> None:
    clause, day = DAYS[name]
    text = (
        "海州市人民代表大会常务委员会关于修改《灯塔条例》的决定\n"
        "（2020年6月1日海州市人民代表大会常务委员会通过 2020年6月9日公布）\n"
        f"一、删去第二条。\n{clause}\n"
    )
    assert commencement(read_instructions(instruments(text)[0])).default == day


def test_the_legislature_publishes_what_it_passes_on_the_same_day() -> None:
    text = decision("删去第二条。").replace("自2020年7月1日起", "自公布之日起")
    assert commencement(read_instructions(instruments(text)[0])).default == date(2020, 6, 1)


def test_a_name_means_a_law_with_and_without_its_issuer() -> None:
    same = same_law_as("最高人民法院关于审理灯塔案件的规定")
    assert same("关于审理灯塔案件的规定") and same("《最高人民法院关于审理灯塔案件的规定》")
    assert not same("关于审理航标案件的规定")
    assert not same("最高人民检察院关于审理灯塔案件的规定")
    criminal = same_law_as("中华人民共和国刑法")
    assert criminal("刑法") and not criminal("刑事诉讼法")


# Numbers -----------------------------------------------------------------------------------------


def order(said: dict[str, int], new: str = "", parts: str = "abcde") -> str:
    found = arranged(
        [*parts, *new],
        said=said.get,
        is_old=lambda one: one in parts,
        name=lambda one: one,
    )
    return "".join(found)


def test_parts_with_a_number_have_it_and_the_others_fill_what_is_left() -> None:
    assert order({"x": 3}, "x") == "abxcde"
    assert order({"x": 1, "y": 7}, "xy") == "xabcdey"
    assert order({"a": 2, "b": 1}) == "bacde"
    assert order({"e": 1, "a": 5}) == "ebcda"


@pytest.mark.parametrize(
    ("said", "new", "reason"),
    [
        ({"x": 9}, "x", "cannot be number 9 of 6"),
        ({"x": 2, "y": 2}, "xy", "both get number 2"),
        ({"a": 4}, "", "would come before"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(said: dict[str, int], new: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        order(said, new)


# Corrections -------------------------------------------------------------------------------------


def test_every_correction_says_where_what_and_why() -> None:
    for one in corrections():
        assert one.find != one.become
        assert all((one.instrument, one.law, one.reason, one.source))


def test_a_slip_is_corrected_only_in_the_instrument_it_was_found_in() -> None:
    title = "最高人民法院关于审理食品药品纠纷案件适用法律若干问题的规定"
    slip = "将十一条修改为：“甲。”"
    base = law({str(number): f"第{number}号。" for number in range(1, 12)}, title=title)
    other = compiled(base, decision(slip, title=title))
    assert other.versions == () and other.corrections == ()
    text = decision(slip, title=title).replace(
        f"关于修改《{title}》的决定", "关于修改《甲规定》等二十七件民事类司法解释的决定", 1
    )
    found = compiled(base, text)
    assert found.versions[-1].text.provisions[-1].text == "甲。"
    assert "第 was left out" in found.corrections[0]


# Files -------------------------------------------------------------------------------------------


def word(text: str) -> bytes:
    document = docx.Document()
    for line in text.split("\n"):
        document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def html(text: str) -> bytes:
    paragraphs = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    return f"<!DOCTYPE html><html><body>{paragraphs}</body></html>".encode()


def json_record(text: str) -> bytes:
    title, rest = text.split("\n", 1)
    return json.dumps({"title": title, "text": rest}, ensure_ascii=False).encode()


def markdown(text: str) -> bytes:
    title, rest = text.split("\n", 1)
    return f"---\n---\n# {title}\n\n{rest}".encode()


FORMATS: dict[str, Callable[[str], bytes]] = {
    "decision.txt": str.encode,
    "decision.gbk.txt": lambda text: text.encode("gb18030"),
    "decision.md": markdown,
    "decision.html": html,
    "decision.docx": word,
    "decision.jsonl": json_record,
}


@pytest.mark.parametrize("name", FORMATS)
def test_an_instrument_is_read_from_any_kind_of_file(name: str, tmp_path: Path) -> None:
    text = decision("将第一条修改为：“甲。\n“乙。”", "删去第二条。")
    path = tmp_path / name
    path.write_bytes(FORMATS[name](text))
    [one] = load_instruments(path)
    [expected] = instruments(text)
    assert (one.title, one.adopted) == (expected.title, expected.adopted)
    assert [(p.name, p.text, p.quotations) for p in one.points if p.name] == [
        (p.name, p.text, p.quotations) for p in expected.points if p.name
    ]


def test_a_file_without_an_instrument_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "nothing.txt"
    path.write_text("灯塔\n", encoding="utf-8")
    with pytest.raises(InputError, match="no amending instrument"):
        load_instruments(path)
