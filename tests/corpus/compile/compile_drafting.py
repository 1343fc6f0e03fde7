"""Drafting decisions the official way: edits of a law, and the instructions that order them.

`Draft` edits a law directly and writes down the instruction for every edit, in one of the forms
that legislatures and courts use; the compiler has to get from the old law and the instructions to
the law as edited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from inforce.law.model import Provision, VersionText
from inforce.law.numerals import ProvisionNumber, format_numeral

Choose = Callable[[Sequence[str]], str]
"""Picks one of several forms of an instruction."""


@dataclass
class Paragraph:
    """A paragraph (款): its words, and its items (项) without their numbers."""

    text: str
    items: list[str] = field(default_factory=list[str])

    def printed(self) -> list[str]:
        lines = [self.text]
        for index, item in enumerate(self.items, 1):
            stop = "。" if index == len(self.items) else "；"
            lines.append(f"（{format_numeral(index)}）{item}{stop}")
        return lines


@dataclass
class Article:
    """An article; ``old`` is its number before the decision."""

    paragraphs: list[Paragraph]
    old: int | None = None
    said: str = ""
    """What the decision says of it once its new number is known; empty if nothing."""

    def printed(self) -> str:
        return "\n".join(line for paragraph in self.paragraphs for line in paragraph.printed())


def article(number: int) -> str:
    """``第三条``."""
    return f"第{format_numeral(number)}条"


def quoted(lines: Sequence[str], choose: Choose) -> str:
    """New wording in quotation marks, as legislatures, courts or careless copies print it."""
    text = [line.replace("“", "‘").replace("”", "’") for line in lines]
    marks = choose(("legislature", "court", "half width"))
    colon = ":" if marks == "half width" else "："
    if marks == "court":
        return f"{colon}\n“" + "\n".join(text) + "”"
    return f"{colon}“" + "\n“".join(text) + "”"


def with_stop(sentence: str) -> str:
    """An instruction ended, unless its last quotation has a stop of its own."""
    return sentence if sentence.endswith(("。”", "；”")) else f"{sentence}。"


@dataclass
class Draft:
    """A law being edited, and the points of the decision that orders it."""

    articles: list[Article]
    choose: Choose
    points: list[str] = field(default_factory=list[str])

    def number(self, one: Article) -> int:
        """Its number in the new law."""
        return self.articles.index(one) + 1

    # Edits of whole articles ---------------------------------------------------------------

    def restate(self, one: Article, paragraphs: list[Paragraph]) -> None:
        one.paragraphs = paragraphs
        one.said = "restated"

    def insert(self, at: int, paragraphs: list[Paragraph]) -> None:
        self.articles.insert(at, Article(paragraphs, said="inserted"))

    def delete(self, one: Article) -> None:
        verb = self.choose(("删去", "删除"))
        assert one.old is not None
        self.points.append(f"{verb}{article(one.old)}。")
        self.articles.remove(one)

    def merge(self, one: Article, other: Article, paragraphs: list[Paragraph]) -> None:
        """Two neighbours become one."""
        assert one.old is not None and other.old is not None
        one.paragraphs = paragraphs
        one.said = f"merged {other.old}"
        self.articles.remove(other)

    # Edits inside an article ----------------------------------------------------------------

    def order(self, instruction: str) -> None:
        self.points.append(with_stop(instruction))

    def decision(self) -> list[str]:
        """All points; those for whole articles use the new numbers, so they are written last."""
        points = list(self.points)
        for one in self.articles:
            lines = [line for paragraph in one.paragraphs for line in paragraph.printed()]
            new = self.number(one)
            if one.said == "restated":
                points.append(self._restatement(one, new, lines))
            elif one.said == "inserted":
                form = self.choose(("增加一条，作为{}", "增加一条作为{}", "增加{}"))
                points.append(with_stop(form.format(article(new)) + quoted(lines, self.choose)))
            elif one.said.startswith("merged"):
                assert one.old is not None
                other = article(int(one.said.split()[1]))
                form = self.choose(
                    ("将{}、{}合并，作为{}，修改为", "将{}和{}合并为一条，作为{}，修改为")
                )
                text = form.format(article(one.old), other, article(new))
                points.append(with_stop(text + quoted(lines, self.choose)))
        return points

    def _restatement(self, one: Article, new: int, lines: Sequence[str]) -> str:
        assert one.old is not None
        old = article(one.old)
        forms = [f"将{old}修改为", f"{old}修改为"]
        if new != one.old:
            forms = [
                f"将{old}改为{article(new)}，修改为",
                f"将{old}改为{article(new)}并修改为",
                f"{old}作为{article(new)}，修改为",
                *forms,
            ]
        return with_stop(self.choose(forms) + quoted(lines, self.choose))


def draft_between(old: VersionText, new: VersionText) -> list[str]:
    """The points of a decision that turns one text of a law into another."""
    before = [one for one in old.provisions if one.number.kind == "article"]
    after = [one for one in new.provisions if one.number.kind == "article"]
    matcher = SequenceMatcher(
        None, [one.text for one in before], [one.text for one in after], autojunk=False
    )
    points: list[str] = []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            points += _block(before[i:j], after[k:m])
    return points


def _block(before: Sequence[Provision], after: Sequence[Provision]) -> list[str]:
    """Articles that others take the place of: those of the same number first, the rest in order."""
    same = {one.number for one in before} & {one.number for one in after}
    old = [one for one in before if one.number not in same]
    new = [one for one in after if one.number not in same]
    kept = {one.number: one for one in before}
    pairs = [(kept[one.number], one) for one in after if one.number in same]
    if not same or len(same) < len(before):
        pairs, old, new = [], list(before), list(after)
    paired = min(len(old), len(new))
    pairs += zip(old[:paired], new[:paired], strict=True)
    points: list[str] = []
    for earlier, later in pairs:
        number = _number(later.number)
        to = f"改为{number}，" if earlier.number != later.number else ""
        points.append(f"将{_number(earlier.number)}{to}修改为：{_quote(later.text)}")
    points += [f"删去{_number(gone.number)}。" for gone in old[paired:]]
    points += [
        f"增加一条，作为{_number(added.number)}：{_quote(added.text)}" for added in new[paired:]
    ]
    return points


def _number(number: ProvisionNumber) -> str:
    return number.chinese


def _quote(text: str) -> str:
    lines = text.translate(str.maketrans("“”", "‘’")).split("\n")
    return "“" + "\n“".join(lines) + "”"
