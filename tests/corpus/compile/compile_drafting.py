"""Drafting decisions the official way: edits of a law, and the instructions that order them.

`Draft` edits a law directly and writes down the instruction for every edit, in one of the forms
that legislatures and courts use; the compiler has to get from the old law and the instructions to
the law as edited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from inforce.law.model import Provision, VersionText, same_wording
from inforce.law.numerals import ProvisionNumber, format_numeral
from inforce.law.portions import Paragraph as PortionOfParagraph
from inforce.law.portions import paragraphs

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


# Word by word ------------------------------------------------------------------------------------


def draft_words(old: VersionText, new: VersionText, choose: Choose) -> list[str]:
    """The points of a decision that changes only what differs, where the numbers stay the same.

    Articles whose paragraphs or items are not the same in number are restated whole.
    """
    before = {one.number: one.text for one in old.provisions}
    points: list[str] = []
    for provision in new.provisions:
        was = before[provision.number]
        if same_wording(was, provision.text):
            continue
        clauses = _word_clauses(provision.number.chinese, was, provision.text, choose)
        if clauses is None:
            points.append(f"将{provision.number.chinese}修改为：{_quote(provision.text)}")
        else:
            points.append("；".join(clauses) + "。")
    return points


def _word_clauses(name: str, old: str, new: str, choose: Choose) -> list[str] | None:
    left, right = paragraphs(old), paragraphs(new)
    if len(left) != len(right):
        return None
    clauses: list[str] = []
    for index, (one, other) in enumerate(zip(left, right, strict=True), 1):
        where = f"{name}第{format_numeral(index)}款" if len(left) > 1 else name
        if len(one.items) != len(other.items):
            return None
        pairs = [(where, one.excerpt.text, other.excerpt.text, "")]
        if one.items:
            items = [
                (f"{where}第{format_numeral(a.number)}项", a.excerpt.text, b.excerpt.text, "")
                for a, b in zip(one.items, other.items, strict=True)
            ]
            below = "".join(was + now for _, was, now, _ in items)
            pairs = [(where, _lead(one), _lead(other), below), *items]
            if _tail(one) != _tail(other):
                return None
        for place, was, now, beside in pairs:
            found = _replacements(place, was, now, beside, choose)
            if found is None:
                return None
            clauses += found
    return clauses


def _lead(paragraph: PortionOfParagraph) -> str:
    return paragraph.excerpt.text[: paragraph.items[0].excerpt.start - paragraph.excerpt.start]


def _tail(paragraph: PortionOfParagraph) -> str:
    return paragraph.excerpt.text[paragraph.items[-1].excerpt.end - paragraph.excerpt.start :]


def _replacements(place: str, was: str, now: str, beside: str, choose: Choose) -> list[str] | None:
    """What turns the words of one paragraph or item into others, each found once.

    ``beside`` is what else belongs to the place that is named: the items below a paragraph.
    """
    if "\n" in was.strip() or "\n" in now.strip():
        return [] if was == now else None
    clauses: list[str] = []
    current, shift = was, 0
    for kind, i, j, k, m in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if kind == "equal" or not (was[i:j] + now[k:m]).strip():
            continue
        start, end = i + shift, j + shift
        left, right = start, end
        while left > 0 and ((current + beside).count(current[left:right]) != 1 or right - left < 2):
            left -= 1
        while right < len(current) and (current + beside).count(current[left:right]) != 1:
            right += 1
        words = current[left:right]
        if (current + beside).count(words) != 1 or not words.strip():
            return None
        new = current[left:start] + now[k:m] + current[end:right]
        if kind == "insert" and end == right and left < start:
            form = choose(("在{}中的“{}”后增加“{}”", "{}“{}”之后增加“{}”"))
            clauses.append(form.format(place, _inner(words), _inner(now[k:m])))
        elif not new:
            return None
        else:
            form = choose(("将{}中的“{}”修改为“{}”", "{}中“{}”修改为“{}”", "将{}的“{}”改为“{}”"))
            clauses.append(form.format(place, _inner(words), _inner(new)))
        current = current[:start] + now[k:m] + current[end:]
        shift += (m - k) - (j - i)
    return clauses


def _inner(words: str) -> str:
    return words.translate(str.maketrans("“”", "‘’"))
