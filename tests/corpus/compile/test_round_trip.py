from __future__ import annotations

from collections.abc import Sequence

from compile_drafting import Article, Draft, Paragraph, draft_between, with_stop
from compile_world import articles, compiled, decision, law, refusals
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.law.model import VersionText
from inforce.law.numerals import format_numeral

SYLLABLES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"


class Words:
    """Sentences of which none contains another, so that words are found once."""

    def __init__(self) -> None:
        self.count = 0

    def mark(self) -> str:
        self.count += 1
        digits = f"{self.count:03d}"
        return "".join(
            SYLLABLES[int(digit) + (10 if i % 2 else 0)] for i, digit in enumerate(digits)
        )

    def sentence(self) -> str:
        return f"灯塔{self.mark()}由{self.mark()}看守，并负责{self.mark()}。"

    def lead(self) -> str:
        return f"管理人{self.mark()}应当："

    def item(self) -> str:
        return f"办理{self.mark()}事项"


def paragraphs(draw: st.DrawFn, words: Words) -> list[Paragraph]:
    count = draw(st.integers(1, 3))
    made: list[Paragraph] = []
    for _ in range(count):
        items = draw(st.sampled_from((0, 0, 0, 2, 3)))
        if items:
            made.append(Paragraph(words.lead(), [words.item() for _ in range(items)]))
        else:
            made.append(Paragraph(words.sentence()))
    return made


def edit_inside(draw: st.DrawFn, draft: Draft, one: Article, words: Words) -> None:
    """One change below the article, by its old number."""
    assert one.old is not None
    name = f"第{format_numeral(one.old)}条"
    index = draw(st.integers(0, len(one.paragraphs) - 1))
    paragraph = one.paragraphs[index]
    where = f"{name}第{format_numeral(index + 1)}款"
    what = draw(
        st.sampled_from(("words", "after", "before", "cut", "restate", "add", "drop", "item"))
    )
    if what == "item" and paragraph.items:
        edit_item(draw, draft, paragraph, where, words)
    elif what == "add":
        new = Paragraph(words.sentence())
        at = draw(st.integers(0, len(one.paragraphs)))
        one.paragraphs.insert(at, new)
        form = draft.choose(("在{}中增加一款，作为第{}款：“{}”", "{}增加一款作为第{}款：“{}”"))
        draft.order(form.format(name, format_numeral(at + 1), new.text))
    elif what == "drop" and len(one.paragraphs) > 1:
        one.paragraphs.pop(index)
        draft.order(draft.choose(("删去{}", "删除{}")).format(where))
    elif what == "restate" and not paragraph.items:
        paragraph.text = words.sentence()
        form = draft.choose(("将{}修改为：“{}”", "{}修改为：“{}”", "将{}修改为:“{}”"))
        draft.order(form.format(where, paragraph.text))
    else:
        edit_words(draw, draft, paragraph, where, what, words)


def edit_item(
    draw: st.DrawFn, draft: Draft, paragraph: Paragraph, where: str, words: Words
) -> None:
    what = draw(st.sampled_from(("restate", "add", "drop")))
    if what == "add":
        at = draw(st.integers(0, len(paragraph.items)))
        paragraph.items.insert(at, words.item())
        number = format_numeral(at + 1)
        form = draft.choose(
            ("在{0}中增加一项，作为第{1}项：“（{1}）{2}”", "{0}增加一项作为第{1}项：“{2}；”")
        )
        draft.order(form.format(where, number, paragraph.items[at]))
        return
    index = draw(st.integers(0, len(paragraph.items) - 1))
    number = format_numeral(index + 1)
    if what == "drop" and len(paragraph.items) > 1:
        paragraph.items.pop(index)
        draft.order(draft.choose(("删去{}第{}项", "删除{}第（{}）项")).format(where, number))
        return
    paragraph.items[index] = words.item()
    form = draft.choose(("将{0}第{1}项修改为：“（{1}）{2}”", "{0}第（{1}）项修改为“{2}”"))
    draft.order(form.format(where, number, paragraph.items[index]))


def edit_words(
    draw: st.DrawFn, draft: Draft, paragraph: Paragraph, where: str, what: str, words: Words
) -> None:
    old = paragraph.text[2:5] if paragraph.text.startswith("灯塔") else paragraph.text[3:6]
    assert paragraph.text.count(old) == 1
    new = words.mark()
    if what == "after":
        paragraph.text = paragraph.text.replace(old, old + new)
        form = draft.choose(("在{}中的“{}”后增加“{}”", "{}“{}”之后增加“{}”"))
    elif what == "before":
        paragraph.text = paragraph.text.replace(old, new + old)
        form = draft.choose(("在{}中的“{}”前增加“{}”", "{}“{}”之前增加“{}”"))
    elif what == "cut":
        paragraph.text = paragraph.text.replace(old, "")
        draft.order(draft.choose(("删去{}中的“{}”", "将{}中的“{}”删去")).format(where, old))
        return
    else:
        paragraph.text = paragraph.text.replace(old, new)
        form = draft.choose(("将{}中的“{}”修改为“{}”", "{}中“{}”修改为“{}”"))
    draft.order(form.format(where, old, new))


@st.composite
def drafts(draw: st.DrawFn) -> tuple[VersionText, list[str], dict[str, str]]:
    """A law, the points of a decision, and the law as the decision makes it."""
    words = Words()
    count = draw(st.integers(3, 9))
    made = [Article(paragraphs(draw, words), old=number) for number in range(1, count + 1)]
    base = law({str(one.old): one.printed() for one in made})

    def choose(forms: Sequence[str]) -> str:
        return draw(st.sampled_from(list(forms)))

    draft = Draft(made, choose)
    for one in list(made):
        what = draw(st.sampled_from(("keep", "keep", "inside", "restate", "delete", "merge")))
        if one not in draft.articles or one.said:
            continue
        following = draft.articles.index(one) + 1
        if what == "inside":
            edit_inside(draw, draft, one, words)
            one.said = one.said or " "
        elif what == "restate":
            draft.restate(one, paragraphs(draw, words))
        elif what == "delete" and len(draft.articles) > 2:
            draft.delete(one)
        elif what == "merge" and following < len(draft.articles) and len(draft.articles) > 2:
            draft.merge(one, draft.articles[following], paragraphs(draw, words))
    for _ in range(draw(st.integers(0, 3))):
        draft.insert(draw(st.integers(0, len(draft.articles))), paragraphs(draw, words))
    points = draft.decision()
    expected = {str(number): one.printed() for number, one in enumerate(draft.articles, 1)}
    return (
        base,
        [with_stop(point) if not point.endswith(("”", "。")) else point for point in points],
        expected,
    )


@settings(max_examples=60, deadline=None)
@given(drafts())
def test_a_law_compiled_from_its_instructions_is_the_law_as_edited(
    drafted: tuple[VersionText, list[str], dict[str, str]],
) -> None:
    base, points, expected = drafted
    if not points:
        return
    compilation = compiled(base, decision(*points))
    assert refusals(compilation) == []
    assert [one.reason for one in compilation.unapplied] == []
    assert articles(compilation) == expected


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=12),
    st.lists(st.integers(0, 40), min_size=2, max_size=12),
)
def test_two_texts_whatever_they_are_give_instructions_that_lead_from_one_to_the_other(
    before: list[int], after: list[int]
) -> None:
    old = law({str(index): f"第{n}款灯塔。" for index, n in enumerate(before, 1)})
    new = law({str(index): f"第{n}款灯塔。" for index, n in enumerate(after, 1)})
    points = draft_between(old, new)
    if not points:
        return
    compilation = compiled(old, decision(*points))
    assert refusals(compilation) == []
    assert articles(compilation) == {one.number.short: one.text for one in new.provisions}
