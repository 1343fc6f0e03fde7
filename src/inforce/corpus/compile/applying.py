"""Applying the clauses of an instrument to a law, one after the other.

Each clause is applied, or refused with the reason; it never half applies. What a refusal leaves
uncertain (an article, or the whole numbering) is written down with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inforce.corpus.compile import insertions, moving, parts, words
from inforce.corpus.compile.clauses import Clause, Instruction, Target
from inforce.corpus.compile.law_names import SameLaw, law_names, parts_of_law
from inforce.corpus.compile.lawtree import LawTree, Node, Refusal, parsed_lines
from inforce.corpus.compile.locating import Located, Locator, Part, articles_of, heading_of
from inforce.corpus.compile.outcomes import Applied, Record
from inforce.corpus.compile.quotations import Quotation, joined
from inforce.corpus.compile.versions import Status
from inforce.corpus.compile.wording import same_words, without_stops

_MOVES = re.compile("移|调整|调至|调到")
"""What says that a part gets another place, not only another number."""


def apply_instructions(
    tree: LawTree,
    instructions: Sequence[Instruction],
    *,
    same_law: SameLaw,
    has_evidence: bool = False,
) -> Applied:
    """Apply all that points of an instrument order for one law.

    Args:
        tree: the law, which is edited.
        instructions: the points.
        same_law: whether a name that the instrument uses means this law.
        has_evidence: whether the text as republished is known, by which words that occur several
            times can be judged.
    """
    applied = Applied(tree)
    for instruction in instructions:
        _Point(applied, instruction, same_law, has_evidence=has_evidence).apply()
    return applied


class _Point:
    """Applies the clauses of one point; they share a context."""

    def __init__(
        self,
        applied: Applied,
        instruction: Instruction,
        same_law: SameLaw,
        *,
        has_evidence: bool,
    ) -> None:
        self._applied = applied
        self._instruction = instruction
        self._same_law = same_law
        self._has_evidence = has_evidence
        self._law = instruction.law  # the law named last
        self._locator = Locator(applied.tree)
        self._context = self._locator.context
        self._record = Record(applied, instruction.point, self._locator)
        self._text = ""  # of the clause that is applied
        self._insertion: insertions.Insertion | None = None
        self._lists_numbers = False  # “第八条”调整为“第七条”
        self._absorbing: list[Located] = []  # 第四条并入第三条: as which part is said next
        self._named: Clause | None = None  # the clause before, if it only named parts
        self._beside: list[tuple[Node, str]] = []  # words put beside others, without a mark

    def apply(self) -> None:
        self._begin_within()
        for piece in self._instruction.pieces:
            self._text = piece.text
            if piece.begins:
                self._context.run = []
            if piece.clause is None:
                laws = law_names(piece.text) or [self._law]
                if any(not law or self._same_law(law) for law in laws):
                    self._record.unread(piece)
            elif clause := self._about_this_law(piece.clause):
                self._attempt(clause)
        self._require_verb()
        self._insert_announced()

    def _begin_within(self) -> None:
        """六、第六条作如下修改：（一）第一款 …: the article named above is what is referred to."""
        within = self._instruction.within
        clause = self._about_this_law(within) if within is not None else None
        if clause is None:
            return
        try:
            found = self._locator.find_all(clause.targets)
        except Refusal:
            return  # what refers to it is refused below, with the reason
        self._context.located = found if len(found) == 1 else []

    def _about_this_law(self, clause: Clause) -> Clause | None:
        """The clause with the parts of other laws left out; ``None`` if nothing is left."""
        named = clause.laws
        self._law = named[-1] if named else self._law
        if clause.is_list:  # what becomes of the parts that are listed below it
            return None
        if not named:
            return clause if self._law and self._same_law(self._law) else None
        targets = parts_of_law(clause.targets, self._same_law)
        return replace(clause, targets=targets) if targets else None

    # One clause ---------------------------------------------------------------------------------

    def _attempt(self, clause: Clause) -> None:
        if clause.targets and clause.targets[0].references and not clause.is_relative:
            self._require_verb()
        self._named = None
        only_numbers = clause.only_numbers
        if not only_numbers and clause.targets and not clause.is_relative:
            self._context.run = []
        try:
            self._run(clause)
        except Refusal as refusal:
            self._context.run = []
            self._record.refused(refusal, clause)
        else:
            self._context.run += self._context.located if only_numbers else []
        if clause.verb != "except":
            self._context.excepted = ()

    def _require_verb(self) -> None:
        """Parts that were named, but of which nothing was ordered, are not passed over."""
        named, self._named = self._named, None
        if named is not None:
            self._record.refused(Refusal("parts are named, and nothing is ordered of them"), named)

    def _run(self, clause: Clause) -> None:
        if self._insertion is not None and self._insertion.is_restated_by(clause):
            self._insertion = None
        elif clause.targets or clause.verb not in ("number", "content"):
            self._insert_announced()
        match clause.verb:
            case "reorder_list":
                worded = tuple(target for target in clause.targets if target.words)
                self._become(replace(clause, targets=worded))
            case "become":
                self._become(clause)
            case "number":
                self._number(clause)
            case "add":
                self._add(clause)
            case "delete":
                self._delete(clause)
            case "merge":
                self._merge(clause)
            case "split":
                self._split(clause)
            case "move":
                self._move(clause)
            case "except":
                self._context.excepted = self._locator.find_all(clause.targets)
                self._context.located = ()
            case "into":
                self._absorbing = self._locator.find_all(clause.targets)
                self._context.located, self._named = [], clause
            case "reorder":
                self._applied.reorders = True
                self._record.applied(self._text)
            case "assertion":
                self._confirm(clause)
            case "content":
                self._complete(clause)
            case "repeal":
                self._repeal(clause)
            case "name":
                self._name(clause)
        if clause.tail is not None:
            self._run(clause.tail)

    def _found(self, targets: Sequence[Target]) -> list[Located]:
        """The parts that targets name; without targets those referred to before."""
        return self._locator.find_all(targets) if targets else list(self._context.located)

    def _name(self, clause: Clause) -> None:
        """Note parts named without a verb: what the next clause is about."""
        self._context.words = tuple(group for target in clause.targets for group in target.words)
        found = self._locator.find_all(clause.targets)
        if found:
            self._context.located = found
        elif not self._context.words:
            raise Refusal("nothing is said of it")
        self._named = clause

    # 修改为, 改为 -------------------------------------------------------------------------------

    def _become(self, clause: Clause) -> None:
        if clause.count and not clause.numbers:
            self._become_several(clause)
            return
        if not clause.targets and self._context.words and clause.content:
            clause = replace(clause, targets=(Target((), self._context.words),))
            self._context.words = ()
        if any(target.words for target in clause.targets):
            self._replace_words(clause)
            return
        found = self._found(clause.targets)
        if not found:
            raise Refusal("it is not said what is changed")
        if [part.level for part in found] == ["title"] and not clause.content:
            names = [
                reference.law
                for reference in clause.numbers
                if reference.law and not reference.inner
            ]
            if len(names) != 1:
                raise Refusal("the new title is not given", elsewhere=True)
            self._applied.tree.title = names[0]
        elif clause.numbers:
            found = self._renumber(found, clause)
        marks = [mark for group in clause.content for mark in group]
        if clause.respective and len(found) == len(marks) > 1:  # 分别修改为：“…”“…”
            for part, mark in zip(found, marks, strict=True):
                self._restate([part], joined([mark]))
        elif len(clause.content) > 1:
            raise Refusal("several texts are given for one part")
        elif clause.content:
            self._restate(found, joined(clause.content[0]))
        self._record.applied(self._text, *found)

    def _restate(self, found: Sequence[Located], content: Quotation) -> None:
        """Give parts new wording, and keep count of what the base text has already."""
        counted = [
            (part.node, part.node.full())
            for part in found
            if isinstance(part, Part) and part.level in ("article", "paragraph", "item", "subitem")
        ]
        restated = parts.restate(self._applied.tree, found, content)
        self._applied.restated += len(counted)
        same = [bool(old) and same_words(old, node.full()) for node, old in counted]
        self._applied.already += sum(same)
        if found[0].level == "preamble":
            self._context.located = restated

    def _become_several(self, clause: Clause) -> None:
        """修改为两款：“…”: new wording of so many paragraphs, or a part that is split."""
        found = self._found(clause.targets)
        if clause.count == 1 and len(found) > 1:  # 第二款、第三款修改为一款
            self._context.located = moving.merge(found)
            if clause.content:
                self._restate(self._context.located, _content(clause))
            self._record.applied(self._text, *found)
            return
        whole = len(found) == 1 and found[0].level == "article" and clause.unit in ("款", "段")
        if whole and clause.content:
            content = _content(clause)
            if len(parsed_lines(content.paragraphs)) != clause.count:
                reason = f"the new wording has not {clause.count} paragraphs"
                raise Refusal(reason, *articles_of(found))
            self._restate(found, content)
            self._record.applied(self._text, *found)
            return
        self._split(clause)

    def _replace_words(self, clause: Clause) -> None:
        _require_no_place(clause)
        inner = any(
            step.level != "law" for reference in clause.references for step in reference.steps
        )
        if self._context.excepted and inner:
            raise Refusal("an exception is made, and not from the whole law")
        if self._gives_numbers(clause):
            return
        done = words.replace_all(self._locator, clause, has_evidence=self._has_evidence)
        for article in done.throughout:
            article.add_changes(self._instruction.point.name)
        if done.parts:
            index = len(self._applied.outcomes)
            self._applied.provisional += [(article, index) for article in done.ambiguous]
            self._record.applied(self._text, *done.parts)
        for refusal in done.refusals:
            self._record.refused(refusal, clause)

    def _gives_numbers(self, clause: Clause) -> bool:
        """“第八条”调整为“第七条” gives new numbers, where the numbering is what is referred to."""
        named = bool(self._context.located) and not self._lists_numbers
        if clause.targets[0].references or named or clause.plural:
            return False
        numbers = words.as_numbers(words.pairs(clause))
        for old, new in numbers:
            self._applied.reorders = self._lists_numbers = True
            article = self._locator.article(old, "old")
            moving.give_number(article, new)
            self._context.located = [Part.whole(article)]
            self._record.applied(self._text, *self._context.located)
        return bool(numbers)

    # 作为, 改为第N条 ----------------------------------------------------------------------------

    def _number(self, clause: Clause) -> None:
        if clause.targets and not clause.numbers and not clause.content:
            self._name(clause)  # 将第二款单独作为一条: which one is said by the next clause
            return
        if clause.targets:
            found = self._renumber(self._locator.find_all(clause.targets), clause)
        elif self._insertion is not None:
            self._insertion.numbers = clause.numbers
            if clause.content:
                self._insertion.content = _content(clause)
            if self._insertion.is_complete:
                self._insert_announced()
            return
        elif self._context.located or self._absorbing:
            found, self._absorbing = self._absorbing or list(self._context.located), []
            found = self._renumber(found, clause, moves=False)
        else:
            raise Refusal("it is not said what gets the number")
        if clause.content:
            self._restate(found, _content(clause))
        self._record.applied(self._text, *found)

    def _renumber(
        self, found: Sequence[Located], clause: Clause, *, moves: bool | None = None
    ) -> list[Located]:
        """Give parts the new numbers of a clause; what they are from now on."""
        located = moving.renumber(self._applied.tree, found, clause.numbers)
        if moves if moves is not None else _MOVES.search(clause.text):
            for article in articles_of(located):
                article.moved = True
        if clause.numbers[-1].steps[-1].level == "heading":
            articles = articles_of(located[-1:])
            self._context.heading = heading_of(located[-1]) or articles[0].heading
        self._context.located = located
        return located

    def _merge(self, clause: Clause) -> None:
        found = self._found(clause.targets)
        content = _content(clause) if clause.content else None
        if clause.count > 1:
            raise Refusal(f"merging into {clause.count} is not certain", *articles_of(found))
        self._context.located = moving.merge(found)
        if clause.numbers:
            self._renumber(self._context.located, clause, moves=False)
        if content is not None:
            self._restate(self._context.located, content)
        self._record.applied(self._text, *found)
        if clause.tail is not None and clause.tail.content:
            parts.require_one_item(self._context.located[0], _content(clause.tail))

    def _split(self, clause: Clause) -> None:
        found = self._found(clause.targets)
        content = _content(clause) if clause.content else None
        self._context.located = moving.split(
            self._applied.tree, found, clause.count, clause.unit, content
        )
        self._record.applied(self._text, *found)

    def _move(self, clause: Clause) -> None:
        """将第八条移至第二条之后: another place; its number is said or follows from it."""
        *moved, place = clause.targets
        if len(moved) != 1 or len(place.references) != 1:
            raise Refusal("it is not certain what is moved where")
        found = self._locator.find_all(moved)
        if place.place:
            [beside] = self._locator.find(place.references[0])
            moving.put_beside(self._applied.tree, found, beside, after=place.place == "after")
            self._context.located = found
        else:
            self._renumber(found, replace(clause, numbers=place.references), moves=True)
        self._record.applied(self._text, *found)

    # 增加 -------------------------------------------------------------------------------------

    def _add(self, clause: Clause) -> None:
        if not clause.count and clause.tail is not None and clause.tail.verb == "number":
            clause = replace(clause, numbers=clause.tail.numbers, tail=None)
        if clause.count or clause.numbers:
            self._insertion = insertion = insertions.announced(clause, self._locator)
            insertion.content = _content(clause) if clause.content else None
            insertion.numbers = clause.numbers
            if insertion.is_complete and clause.tail is None:
                self._insert_announced()
            return
        if not clause.content:
            raise Refusal("it is not said what is added")
        new = _content(clause)
        for target in _between(clause.targets) or (Target(),):
            found = self._found([target] if target.references else [])
            if not found:
                raise Refusal("it is not said where it is added")
            for part in found:
                beside = words.add(part, target, new, plural=clause.plural)
                self._beside += [(node, new.text) for node in beside]
            self._record.applied(self._text, *found)

    def _complete(self, clause: Clause) -> None:
        if self._insertion is None:
            if len(self._context.located) != 1 or self._context.node is not None:
                raise Refusal("new wording without an instruction")
            self._become(replace(clause, verb="become"))
            return
        self._insertion.content = _content(clause)
        self._insert_announced()

    def _insert_announced(self) -> None:
        """Insert what was announced, now that everything about it was said."""
        insertion, self._insertion = self._insertion, None
        if insertion is None:
            return
        try:
            located = insertions.insert(self._locator, insertion)
        except Refusal as refusal:
            if insertion.level in ("article", "heading"):
                self._applied.uncertain = True
            self._record.refused(refusal, Clause("add", insertion.text))
            return
        self._context.located = located
        self._record.applied(insertion.text, *located)

    # 删去, 废止, 相应修改为 ---------------------------------------------------------------------

    def _delete(self, clause: Clause) -> None:
        if not clause.targets:
            raise Refusal("it is not said what is deleted")
        _require_no_place(clause)
        for target in clause.targets:
            found = self._found([target] if target.references else [])
            if not found:
                raise Refusal("it is not said where the words are")
            for part in found:
                self._delete_in(part, target, plural=clause.plural)
            self._context.located = found
            self._record.applied(self._text, *found)

    def _delete_in(self, found: Located, target: Target, *, plural: bool) -> None:
        heading = heading_of(found)
        if target.words and heading is None:
            for group in target.words:
                words.delete_words(found, joined(group), target, plural=plural)
            return
        if target.words and heading is not None:
            named = joined(target.words[0]).text
            if named not in (heading.name, heading.printed):
                raise Refusal(f"the heading is “{heading.printed}”")
        for article in parts.delete_part(self._applied.tree, found):
            article.add_changes(self._instruction.point.name)

    def _repeal(self, clause: Clause) -> None:
        if any(reference.inner for reference in clause.references):
            self._delete(clause)
        else:
            self._applied.repealed = True
            self._record.noted(self._text, reason="the law is repealed")

    def _confirm(self, clause: Clause) -> None:
        """Test 这一款相应修改为: what the instrument says the result is."""
        article = self._context.article
        if article is None:
            raise Refusal("it is not said which part should now read so")
        article.require_held()
        found = Part.whole(article)
        if re.search("款|段", clause.text) or "项" in clause.text[:4]:
            found = self._context.node or found
        text = found.node.full() if found.level != "article" else article.text
        wanted = _content(clause).text
        same = same_words(text, wanted)
        status: Status = "confirmed"
        reason = (
            "" if same else "the mark that joins the inserted words is the one …相应修改为 shows"
        )
        if not same and not words.joins_by_marks(found.node, self._beside, wanted):
            status = "failed"
            alike = without_stops(text) == without_stops(wanted)
            kind = "in its marks" if alike else "in its words"
            reason = f"{article.name} differs {kind} from …相应修改为"
            article.doubts.append("the result differs from what the instrument says it is")
        self._record.noted(self._text, *self._context.located, status=status, reason=reason)


def _content(clause: Clause) -> Quotation:
    """All the new wording of a clause, as one text."""
    return joined([joined(group) for group in clause.content])


def _require_no_place(clause: Clause) -> None:
    """What is deleted or replaced is a part, not a place beside one."""
    if any(target.place in ("after", "before", "between") for target in clause.targets):
        raise Refusal("a place is named, and not what stands there")


def _between(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """“甲”之后、“乙”之前 is one place."""
    if [target.place for target in targets] != ["after", "before"] or targets[1].references:
        return targets
    first, second = targets
    return (Target(first.references, (*first.words, *second.words), "between"),)
