"""Applying the clauses of an instrument to a law, one after the other.

Each clause is applied, or refused with the reason; it never half applies. What a refusal leaves
uncertain (an article, or the whole numbering) is written down with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inforce.corpus.compile import editing
from inforce.corpus.compile.clauses import Clause, Reference, Target
from inforce.corpus.compile.instructions import Instruction, Piece
from inforce.corpus.compile.lawtree import parsed_lines
from inforce.corpus.compile.locating import Context, Located, Locator, Refusal
from inforce.corpus.compile.moving import Mover
from inforce.corpus.compile.pending import Pending
from inforce.corpus.compile.placing import Words, as_number, between, require_no_place
from inforce.corpus.compile.quotations import Quotation
from inforce.corpus.compile.recording import Record
from inforce.corpus.compile.rewording import Rewriter, articles_of
from inforce.corpus.compile.scope import Scope
from inforce.corpus.compile.session import Session
from inforce.corpus.compile.units import insert
from inforce.corpus.compile.wording import same_words, without_stops

_MOVES = re.compile("移|调整|调至|调到")
"""What says that a part gets another place, not only another number."""


def apply_instructions(session: Session, instructions: Sequence[Instruction]) -> None:
    """Apply all that these points order for the law of the session."""
    for instruction in instructions:
        _Point(session, instruction).apply()


class _Point:
    """Applies the clauses of one point; they share a context."""

    def __init__(self, session: Session, instruction: Instruction) -> None:
        self._session = session
        self._instruction = instruction
        self._context = Context(law=instruction.law)
        self._locator = Locator(session.tree, self._context)
        self._pending: Pending | None = None
        self._record = Record(
            session, instruction.point, locator=self._locator, context=self._context
        )
        self._lists_numbers = False  # “第八条”调整为“第七条”
        self._absorbing: list[Located] = []  # 第四条并入第三条: as which part is said next
        self._named: Clause | None = None  # the clause before, if it only named parts
        self._scope = Scope(session, self._context)
        self._mover = Mover(session.tree, self._locator, session.absorbed)
        self._words = Words(self._locator, self._context, self._find, self._quotation)
        self._rewriter = Rewriter(
            session,
            self._locator,
            self._context,
            name=instruction.point.name,
            quotation=self._quotation,
        )

    def apply(self) -> None:
        self._begin_within()
        for piece in self._instruction.pieces:
            self._record.piece = piece
            if piece.begins:
                self._context.run = []
            if piece.clause is None:
                if self._scope.may_be_ours(piece.text):
                    self._record.unread(piece)
                continue
            clause = self._scope.ours(piece.clause)
            if clause is not None:
                self._attempt(clause)
        self._require_verb()
        self._record.piece = Piece(self._pending.text) if self._pending else self._record.piece
        self._settle()

    def _begin_within(self) -> None:
        """六、第六条作如下修改：（一）第一款 …: the article named above is what is referred to."""
        within = self._instruction.within
        clause = self._scope.ours(within) if within is not None else None
        if clause is None:
            return
        try:
            found = self._find(clause.targets)
        except Refusal:
            return  # what refers to it is refused below, with the reason
        self._context.located = found if len(found) == 1 else []

    # One clause ---------------------------------------------------------------------------------

    def _attempt(self, clause: Clause) -> None:
        template = self._instruction.template
        self._record.source = self._instruction.point
        if clause.verb == "name" and template is not None and template.verb == "repeal":
            clause = replace(clause, verb="repeal")
        elif clause.verb == "name" and template is not None and not clause.targets[0].words:
            point = self._instruction.template_point
            assert point is not None
            self._record.source = point
            words = template.targets[0].words
            targets = tuple(replace(target, words=words) for target in clause.targets)
            clause = replace(template, targets=targets, text=clause.text, plural=True)
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
            self._context.excepted = []

    def _require_verb(self) -> None:
        """Parts that were named, but of which nothing was ordered, are not passed over."""
        named, self._named = self._named, None
        if named is not None:
            self._record.refused(Refusal("parts are named, and nothing is ordered of them"), named)

    def _run(self, clause: Clause) -> None:
        completes = clause.verb in ("number", "content") and not clause.targets
        if self._pending is not None and not completes and not self._restates_pending(clause):
            self._settle()
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
            case "merge" | "split":
                self._rearrange(clause)
            case "move":
                self._move(clause)
            case "except":
                self._context.excepted = self._find(clause.targets)
                self._context.located = []
                return
            case "into":
                self._context.located, self._absorbing = [], self._find(clause.targets)
                self._context.located, self._named = [], clause
            case "reorder":
                self._session.reorders = True
                self._record.done("applied")
            case "assertion":
                self._confirm(clause)
            case "content":
                self._complete(clause)
            case "repeal":
                self._repeal(clause)
            case "name":
                self._name(clause)
                self._named = clause
        if clause.tail is not None:
            if clause.verb == "merge" and clause.tail.content:
                editing.require_one_item(self._context.located[0], self._contents(clause.tail))
            self._run(clause.tail)

    def _quotation(self, group: Sequence[int]) -> Quotation:
        return editing.joined([self._record.source.quotations[index] for index in group])

    def _find(self, targets: Sequence[Target]) -> list[Located]:
        """All parts that targets name; they are the context from now on."""
        found: list[Located] = []
        for target in targets:
            for reference in target.references:
                these = self._locator.find(reference)
                if not these:
                    raise Refusal(f"nothing is left of {reference}")
                if reference.lead is not None:
                    lead = self._quotation((reference.lead,))
                    editing.check_lead(these[0], lead)
                found.extend(these)
                if these[0].article is not None or these[0].heading is not None:
                    self._context.located = list(found)
                self._context.heading = these[0].heading or self._context.heading
        return found

    def _name(self, clause: Clause) -> None:
        """Parts named without a verb: what the next clause is about."""
        self._context.words = tuple(group for target in clause.targets for group in target.words)
        found = self._find(clause.targets)
        if not found and not self._context.words:
            raise Refusal("nothing is said of it")
        if not found and self._context.words:
            return
        self._context.located = found

    # 修改为, 改为 -------------------------------------------------------------------------------

    def _become(self, clause: Clause) -> None:
        worded = [target for target in clause.targets if target.words]
        if clause.count and not clause.numbers:
            self._become_several(clause)
            return
        if worded:
            self._replace_words(clause)
            return
        if not clause.targets and self._context.words and clause.content:
            words, self._context.words = self._context.words, ()
            self._replace_words(replace(clause, targets=(Target((), words),)))
            return
        found = self._find(clause.targets) if clause.targets else list(self._context.located)
        if not found:
            raise Refusal("it is not said what is changed")
        if [one.level for one in found] == ["title"] and not clause.content:
            [name] = [one.law for one in clause.numbers if not one.inner] or [""]
            if not name:
                raise Refusal("the new title is not given", elsewhere=True)
            self._session.tree.title = name
        elif clause.numbers:
            self._renumber(found, clause.numbers, moves=_MOVES.search(clause.text) is not None)
            found = list(self._context.located)
        if clause.content:
            self._restate(found, clause)
        self._record.done("applied", *found)

    def _restate(self, found: Sequence[Located], clause: Clause) -> None:
        """Give parts the wording of a clause; 分别修改为：“…”“…” one to each."""
        marks = [(index,) for group in clause.content for index in group]
        if clause.respective and len(found) == len(marks) > 1:
            for one, mark in zip(found, marks, strict=True):
                self._rewriter.restate([one], self._quotation(mark))
            return
        if len(clause.content) != 1:
            raise Refusal("several texts are given for one part")
        self._rewriter.restate(found, self._quotation(clause.content[0]))

    def _become_several(self, clause: Clause) -> None:
        """修改为两款：“…”: new wording of so many paragraphs, or a part that is split."""
        found = self._find(clause.targets) if clause.targets else list(self._context.located)
        if clause.count == 1 and len(found) > 1:  # 第二款、第三款修改为一款
            self._context.located = self._mover.merge(found)
            if clause.content:
                self._rewriter.restate(self._context.located, self._contents(clause))
            self._record.done("applied", *found)
            return
        whole = len(found) == 1 and found[0].level == "article" and clause.unit in ("款", "段")
        if whole and clause.content:
            content = self._contents(clause)
            if len(parsed_lines(content.paragraphs)) != clause.count:
                raise Refusal(
                    f"the new wording has not {clause.count} paragraphs", *articles_of(found)
                )
            self._rewriter.restate(found, content)
            self._record.done("applied", *found)
            return
        self._rearrange(replace(clause, verb="split"))

    def _replace_words(self, clause: Clause) -> None:
        require_no_place(clause)
        if self._context.excepted and any(
            step.level != "law"
            for t in clause.targets
            for one in t.references
            for step in one.steps
        ):
            raise Refusal("an exception is made, and not from the whole law")
        pairs = self._words.pairs(clause)
        if self._is_number_list(clause, pairs):
            return
        touched: list[Located] = []
        refusals: list[Refusal] = []
        rest = iter(pairs)
        for target in clause.targets:
            mine = [next(rest) for _ in target.words]
            self._words.require_all(target, mine, clause)
            for one in self._words.places(target, plural=clause.plural):
                try:
                    for words, new in mine:
                        self._rewriter.replace_in(one, words, new, clause, target)
                    touched.append(one)
                except Refusal as refusal:
                    refusals.append(refusal)
        if touched:
            self._record.done("applied", *touched)
        for refusal in refusals:
            self._record.refused(refusal, clause)

    def _is_number_list(self, clause: Clause, pairs: Sequence[tuple[Quotation, Quotation]]) -> bool:
        """“第八条”调整为“第七条” gives new numbers, where the numbering is what is referred to."""
        named = bool(self._context.located) and not self._lists_numbers
        if clause.targets[0].references or named or clause.plural:
            return False
        numbers = [(as_number(old.text), as_number(new.text)) for old, new in pairs]
        if not all(old and new for old, new in numbers):
            return False
        self._session.reorders = self._lists_numbers = True
        for old, new in numbers:
            assert old is not None and new is not None
            article = self._locator.article(old, "old")
            self._mover.give_number(article, new)
            self._context.located = [self._locator.located(article)]
            self._record.done("applied", *self._context.located)
        return True

    # 作为, 改为第N条 ----------------------------------------------------------------------------

    def _number(self, clause: Clause) -> None:
        if clause.targets and not clause.numbers and not clause.content:
            self._name(clause)  # 将第二款单独作为一条: which one is said by the next clause
            self._named = clause
            return
        if clause.targets:
            found = self._find(clause.targets)
            self._renumber(found, clause.numbers, moves=_MOVES.search(clause.text) is not None)
        elif self._pending is not None:
            pending = self._pending
            pending.numbers = clause.numbers
            if clause.content:
                pending.content = self._contents(clause)
            if pending.is_complete:
                self._settle()
            return
        elif self._context.located or self._absorbing:
            found = self._absorbing or list(self._context.located)
            self._absorbing = []
            self._renumber(found, clause.numbers)
        else:
            raise Refusal("it is not said what gets the number")
        found = list(self._context.located)
        if clause.content:
            self._rewriter.restate(found, self._contents(clause))
        self._record.done("applied", *found)

    def _contents(self, clause: Clause) -> Quotation:
        parts = [self._quotation(group) for group in clause.content]
        return editing.joined(parts)

    def _renumber(
        self, found: Sequence[Located], numbers: Sequence[Reference], *, moves: bool = False
    ) -> None:
        self._context.located = self._mover.renumber(found, numbers)
        for one in self._context.located:
            if one.article is not None and moves:
                one.article.moved = True
        if numbers[-1].steps[-1].level == "heading":
            self._context.heading = self._mover.heading_of(self._context.located)

    def _rearrange(self, clause: Clause) -> None:
        found = self._find(clause.targets) if clause.targets else list(self._context.located)
        content = self._contents(clause) if clause.content else None
        if clause.verb == "merge":
            if clause.count > 1:
                raise Refusal(f"merging into {clause.count} is not certain", *articles_of(found))
            self._context.located = self._mover.merge(found)
            if clause.numbers:
                self._renumber(self._context.located, clause.numbers)
            if content is not None:
                self._rewriter.restate(self._context.located, content)
        else:
            self._context.located = self._mover.split(found, clause.count, clause.unit, content)
        self._record.done("applied", *found)

    def _move(self, clause: Clause) -> None:
        """将第八条移至第二条之后: another place; its number is said or follows from it."""
        *moved, place = clause.targets
        if len(moved) != 1 or len(place.references) != 1:
            raise Refusal("it is not certain what is moved where")
        found = self._find(moved)
        if place.place:
            [beside] = self._locator.find(place.references[0])
            self._mover.put_beside(found, beside, after=place.place == "after")
            self._context.located = found
        else:
            self._renumber(found, place.references, moves=True)
        self._record.done("applied", *found)

    # 增加 -------------------------------------------------------------------------------------

    def _add(self, clause: Clause) -> None:
        if not clause.count and clause.tail is not None and clause.tail.verb == "number":
            clause = replace(clause, numbers=clause.tail.numbers, tail=None)
        if clause.count or clause.numbers:
            self._pending = Pending.of(clause, self._context, self._find, self._quotation)
            if clause.content:
                self._pending.content = self._contents(clause)
            if clause.numbers:
                self._pending.numbers = clause.numbers
            if self._pending.is_complete and clause.tail is None:
                self._settle()
            return
        if not clause.content:
            raise Refusal("it is not said what is added")
        new = self._contents(clause)
        for target in between(clause.targets) or (Target(),):
            found = self._find([target]) if target.references else list(self._context.located)
            if not found:
                raise Refusal("it is not said where it is added")
            for one in found:
                self._rewriter.add_words(one, target, new, clause)
            self._record.done("applied", *found)

    def _complete(self, clause: Clause) -> None:
        if self._pending is None:
            if len(self._context.located) != 1 or self._context.node is not None:
                raise Refusal("new wording without an instruction")
            self._become(replace(clause, verb="become"))
            return
        self._pending.content = self._contents(clause)
        self._settle()

    def _restates_pending(self, clause: Clause) -> bool:
        """增加一款作为第二款，将该条修改为: the restatement holds what is added."""
        pending = self._pending
        if pending is None or pending.content is not None or clause.verb != "become":
            return False
        references = [one for target in clause.targets for one in target.references]
        if len(references) != 1 or not clause.content or pending.level == "article":
            return False
        if references[0].steps[-1].level not in ("this", "article"):
            return False
        self._pending = None
        return True

    def _settle(self) -> None:
        """Insert what was announced, now that everything about it was said."""
        pending, self._pending = self._pending, None
        if pending is None:
            return
        try:
            located = insert(self._session.tree, self._context, pending)
        except Refusal as refusal:
            clause = Clause("add", pending.text)
            if pending.level in ("article", "heading"):
                self._session.uncertain = True
            self._record.refused(refusal, clause)
            return
        self._context.located = located
        self._record.done("applied", *located, text=pending.text)

    # 删去, 废止, 相应修改为 ---------------------------------------------------------------------

    def _delete(self, clause: Clause) -> None:
        if not clause.targets:
            raise Refusal("it is not said what is deleted")
        require_no_place(clause)
        for target in clause.targets:
            found = self._find([target]) if target.references else list(self._context.located)
            if not found:
                raise Refusal("it is not said where the words are")
            for one in found:
                self._rewriter.delete(one, target, clause)
            self._context.located = found
            self._record.done("applied", *found)

    def _repeal(self, clause: Clause) -> None:
        references = [one for target in clause.targets for one in target.references]
        if any(one.inner for one in references):
            self._delete(clause)
            return
        self._session.repealed = True
        self._record.done("noted", reason="the law is repealed")

    def _confirm(self, clause: Clause) -> None:
        """这一款相应修改为: what the instrument says the result is."""
        found = self._context.article
        if found is None:
            raise Refusal("it is not said which part should now read so")
        if not found.held:
            raise Refusal(f"the base text does not hold {found.name}", found, unknown_text=True)
        part = re.search("款|段", clause.text) or "项" in clause.text[:4]
        node = self._context.node if part else None
        text = node.node.full() if node and node.node else found.text
        wanted = self._contents(clause).text
        if same_words(text, wanted):
            self._record.done("confirmed", *self._context.located)
            return
        if self._rewriter.joined_by_marks(node or self._locator.located(found), wanted):
            reason = "the mark that joins the inserted words is the one …相应修改为 shows"
            self._record.done("confirmed", *self._context.located, reason=reason)
            return
        kind = "in its marks" if without_stops(text) == without_stops(wanted) else "in its words"
        found.doubts.append("the result differs from what the instrument says it is")
        self._record.done(
            "failed", *self._context.located, reason=f"{found.name} differs {kind} from …相应修改为"
        )
