"""Which words a clause is about, what each becomes, and in which parts of the law they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from inforce.corpus.compile.clauses import Clause, Target
from inforce.corpus.compile.lawtree import is_heading
from inforce.corpus.compile.locating import Context, Located, Locator, Refusal, occurrences
from inforce.corpus.compile.quotations import Quotation
from inforce.corpus.compile.recording import ARTICLES
from inforce.corpus.compile.rewording import articles_of
from inforce.errors import IdentifierError
from inforce.law.numerals import ProvisionNumber


class Words:
    """Finds the words of clauses for one point of an instrument."""

    def __init__(
        self,
        locator: Locator,
        context: Context,
        find: Callable[[Sequence[Target]], list[Located]],
        quotation: Callable[[Sequence[int]], Quotation],
    ) -> None:
        self._locator = locator
        self._context = context
        self._find = find
        self._quotation = quotation

    def require_all(
        self, target: Target, pairs: Sequence[tuple[Quotation, Quotation]], clause: Clause
    ) -> None:
        """第二条和第四条中的“甲”、“乙”分别修改为 …: both words have to be in both.

        Raises:
            Refusal: if one of the parts lacks one of the words.
        """
        if not (clause.respective and len(pairs) > 1 and len(target.references) > 1):
            return
        found = self._find([target])
        words = [old.text for old, _ in pairs]
        if any(one.node and not occurrences(one, each) for one in found for each in words):
            reason = "it is not said which of the words are in which article"
            raise Refusal(reason, *articles_of(found))

    def pairs(self, clause: Clause) -> list[tuple[Quotation, Quotation]]:
        """Each of the words with what it becomes: all the same, or one each in order (分别)."""
        words = [self._quotation(group) for target in clause.targets for group in target.words]
        content = [self._quotation(group) for group in clause.content]
        if len(content) == 1:
            return [(one, content[0]) for one in words]
        if len(content) != len(words):
            raise Refusal(f"{len(words)} words become {len(content)}")
        return list(zip(words, content, strict=True))

    def places(self, target: Target, *, plural: bool) -> list[Located]:
        """Where words are looked for: what the target names, or the context, or a heading.

        “甲”统一修改为“乙” without a place is about the whole law.
        """
        if target.references and not self._is_printed_heading(target):
            found = self._find([target])
            self._context.whole = all(one.level == "law" for one in found)
            return found
        if not target.words:
            raise Refusal("it is not said which words")
        text = self._quotation(target.words[0]).text
        heading = self._locator.heading_printed(text)
        if heading is not None and not self._context.located:
            return [Located("heading", heading=heading)]
        if not self._context.located and (plural or self._context.whole):
            self._context.whole = True
            return [Located("law")]
        if not self._context.located:
            if is_heading(text) or re.match("[一二三四五六七八九十]+、", text):
                reason = f"the base text does not hold the heading “{text}”"
                raise Refusal(reason, elsewhere=True, unknown_text=True)
            raise Refusal("it is not said in which article the words are")
        if len(self._context.run) > 1:
            return self._of_the_run(text, plural=plural)
        return list(self._context.located)

    def _of_the_run(self, words: str, *, plural: bool) -> list[Located]:
        """第五条改为第六条，第七条改为第八条，“甲”修改为“乙”: in those that have the words."""
        found = [one for one in self._context.run if one.node and occurrences(one, words)]
        if not found or (len(found) > 1 and not plural):
            articles = articles_of(self._context.run)
            raise Refusal("it is not said in which of the articles the words are", *articles)
        return found

    def _is_printed_heading(self, target: Target) -> bool:
        """将章名“第三章 甲”修改为“第三章 乙”: which heading is said by its words."""
        levels = [step.level for one in target.references for step in one.inner]
        return (
            levels == ["heading name"]
            and bool(target.words)
            and self._context.heading is None
            and self._locator.heading_printed(self._quotation(target.words[0]).text) is not None
        )


def require_no_place(clause: Clause) -> None:
    """What is deleted or replaced is a part, not a place beside one."""
    if any(target.place in ("after", "before", "between") for target in clause.targets):
        raise Refusal("a place is named, and not what stands there")


def between(targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """“甲”之后、“乙”之前 is one place."""
    if len(targets) != 2 or targets[1].references:
        return targets
    places = (targets[0].place, targets[1].place)
    if places == ("after", "before"):
        words = (*targets[0].words, *targets[1].words)
        return (Target(targets[0].references, words, "between"),)
    return targets


def as_number(text: str) -> ProvisionNumber | None:
    """The article that words are the number of, if they are one."""
    if not ARTICLES.fullmatch(text.strip()):
        return None
    try:
        return ProvisionNumber.parse(text.strip())
    except IdentifierError:
        return None
