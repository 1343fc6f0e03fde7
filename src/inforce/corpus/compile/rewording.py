"""What a clause changes in the wording of the parts it names, whatever kind of part that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from inforce.corpus.compile import editing, phrases
from inforce.corpus.compile.clauses import Clause, Target
from inforce.corpus.compile.lawtree import Article, Heading, Node, heading_from
from inforce.corpus.compile.locating import (
    Context,
    Located,
    Locator,
    Refusal,
    is_under,
    occurrences,
)
from inforce.corpus.compile.quotations import Quotation
from inforce.corpus.compile.session import Session
from inforce.corpus.compile.wording import find_words, same_words, without_stops, without_words
from inforce.law.numerals import ProvisionNumber


class Rewriter:
    """Changes wording for one point of an instrument."""

    def __init__(
        self,
        session: Session,
        locator: Locator,
        context: Context,
        *,
        name: str,
        quotation: Callable[[Sequence[int]], Quotation],
    ) -> None:
        self._session = session
        self._locator = locator
        self._context = context
        self._name = name
        self._quotation = quotation
        self._inserted: list[tuple[Node, str]] = []
        """Words put beside others, with no mark said to join them."""

    def restate(self, found: Sequence[Located], content: Quotation) -> None:
        """Give parts of one kind new wording.

        Raises:
            Refusal: if they are of different kinds, or the wording does not fit them.
        """
        levels = {one.level for one in found}
        if len(levels) != 1:
            raise Refusal("parts of different kinds are restated together", *articles_of(found))
        before = [one.node.full() if one.node else "" for one in found]
        match levels.pop():
            case "article":
                editing.restate_articles(found, content)
                self._count_restated(found, before)
            case "paragraph" | "item" | "subitem":
                editing.restate_siblings(found, content)
                self._count_restated(found, before)
            case "lead":
                editing.restate_lead(found[0], content)
            case "sentence":
                editing.restate_sentence(found[0], content)
            case "heading" | "heading name":
                self._rename(found[0], content)
            case "title":
                self._session.tree.title = "".join(content.text.split())
            case "preamble":
                self._new_preamble(content)
            case "annex":
                self._session.tree.annexes[found[0].name] = content.text
            case level:
                raise Refusal(f"the {level} of a law is not held as text here")

    def _count_restated(self, found: Sequence[Located], before: Sequence[str]) -> None:
        """Keep count of new wording that the base text has already."""
        after = [one.node.full() if one.node else "" for one in found]
        same = sum(same_words(old, new) for old, new in zip(before, after, strict=True) if old)
        self._session.restated += len(found)
        self._session.already += same

    def _new_preamble(self, content: Quotation) -> None:
        """An introduction restated in full is known, even if the old one is not held."""
        article = Article(ProvisionNumber("preamble"), Node(""), held=False)
        editing.restate_article(article, content.paragraphs)
        self._session.tree.articles.insert(0, article)
        self._context.located = [self._locator.located(article)]

    def _rename(self, found: Located, content: Quotation) -> None:
        heading = found.heading
        assert heading is not None
        if len(content.paragraphs) > 1:
            under = [one for one in self._session.tree.live if is_under(one, heading)]
            raise Refusal(f"{heading.printed} is restated with its articles", *under)
        new = heading_from(content.text)
        if new.number and new.number not in (heading.number, heading.new):
            heading.new = new.number
        heading.name = new.name

    def replace_in(
        self, found: Located, words: Quotation, new: Quotation, clause: Clause, target: Target
    ) -> None:
        """Put words in the place of others in one part, or throughout the law.

        Raises:
            Refusal: if they are not there, or several times and nothing says that all are meant.
        """
        match found.level:
            case "law":
                if target.nth or target.times or target.anchor:
                    raise Refusal("which of the words of a whole law are meant is not certain")
                self._replace_throughout(words, new)
            case "title":
                tree = self._session.tree
                if tree.title.count(words.text) != 1:
                    reason = f"the title does not have the words “{words.text}” once"
                    raise Refusal(reason, elsewhere=True)
                tree.title = tree.title.replace(words.text, new.text)
            case "heading" | "heading name":
                assert found.heading is not None
                if same_words(words.text, found.heading.printed) or same_words(
                    words.text, found.heading.name
                ):
                    self._rename(found, new)
                else:
                    self._replace_under(found, found.heading, words, new)
            case "crime" | "annex" | "contents":
                return
            case "preamble":
                reason = "the base text does not hold the introduction"
                raise Refusal(reason, unknown_text=True, elsewhere=True)
            case _:
                self._require_held(found)
                self._replace_words_in(found, words, new, clause, target)

    def _replace_under(
        self, found: Located, heading: Heading, words: Quotation, new: Quotation
    ) -> None:
        """第三章中的“甲”修改为“乙”: in its heading, or wherever its articles have the words.

        Raises:
            Refusal: if both have them, so that it is not certain which is meant, or neither has.
        """
        under = [one for one in self._session.tree.live if is_under(one, heading)]
        held = found.level == "heading" and any(
            find_words(words.text, node.text)
            for one in under
            for node in one.body.within()
            if not node.fresh
        )
        named = heading.name.count(words.text)
        if held and not named:
            self._replace_in_articles(under, words, new)
        elif named == 1 and not held:
            heading.name = heading.name.replace(words.text, new.text)
        elif named == 1:
            raise Refusal("its heading and its articles have the words", *under)
        else:
            raise Refusal(f"the heading is “{heading.printed}”", elsewhere=True)

    def _replace_words_in(
        self, found: Located, words: Quotation, new: Quotation, clause: Clause, target: Target
    ) -> None:
        which = self._which(target, clause)
        said = clause.plural or bool(which.nth or which.times or which.anchor)
        several = not said and len(occurrences(found, words.text)) > 1
        if several and self._session.has_evidence:
            which = phrases.Which(plural=True)
        phrases.replace_words(found, words, new, which)
        if several:
            assert found.article is not None
            self._session.provisional.append((found.article, len(self._session.outcomes)))

    def _which(self, target: Target, clause: Clause) -> phrases.Which:
        """Which occurrences of its words a target means."""
        anchor = tuple(self._quotation(group) for group in target.anchor)
        side = target.side
        if side == "between" and len(anchor) != 2:
            raise Refusal("it is not said between which words")
        return phrases.Which(clause.plural, target.nth, target.times, anchor, side)

    def _require_held(self, found: Located) -> None:
        article = found.article
        if article is not None and not article.held:
            raise Refusal(f"the base text does not hold {article.name}", article, unknown_text=True)

    def _replace_throughout(self, words: Quotation, new: Quotation) -> None:
        """Words of a whole law, wherever its old text has them."""
        count = self._replace_in_articles(self._session.tree.live, words, new)
        for heading in self._session.tree.headings:
            if words.text in heading.name:
                heading.name = heading.name.replace(words.text, new.text)
                count += 1
        if not count:
            raise Refusal(f"the words “{words.text}” do not occur in the law")

    def _replace_in_articles(
        self, articles: Sequence[Article], words: Quotation, new: Quotation
    ) -> int:
        """Put words in the place of others wherever the old text of articles has them."""
        count = 0
        excepted = {
            id(node) for one in self._context.excepted if one.node for node in one.node.within()
        }
        for article in articles:
            if not article.held or article.number is None:
                continue
            old = (node for node in article.body.within() if not node.fresh)
            nodes = [node for node in old if id(node) not in excepted]
            found = sum(phrases.replace_everywhere(node, words.text, new.text) for node in nodes)
            if found:
                count += found
                article.changes.append(self._name)
        return count

    def add_words(self, found: Located, target: Target, new: Quotation, clause: Clause) -> None:
        """Add words beside others, at an edge of a part, or as a paragraph at the end.

        Raises:
            Refusal: if it is not certain where.
        """
        self._require_held(found)
        article = found.article
        if article is None:
            raise Refusal("words are added to something that is no article")
        words = [self._quotation(group) for group in target.words]
        if words and target.place in ("after", "before"):
            for one in words:
                after = target.place == "after"
                which = self._which(target, clause)
                nodes = phrases.insert_beside(found, one, new, which, after=after)
                self._inserted.extend((node, new.text) for node in nodes)
        elif len(words) == 2 and target.place == "between":
            phrases.insert_between(found, words[0], words[1], new)
        elif words:
            raise Refusal("it is not said whether before or after the words", article)
        elif found.level == "sentence" and target.place in ("after", "before"):
            editing.insert_sentence(found, new, after=target.place == "after")
        elif target.place in ("after", "before"):
            raise Refusal("it is not said whether it is a sentence, a paragraph or words", article)
        elif target.place in ("start", "end") or found.level in ("paragraph", "item"):
            editing.insert_at_edge(found, new, at_end=target.place != "start")
        elif found.level == "article":
            editing.append_paragraph(article, new)
        else:
            raise Refusal("it is not certain where the words are added", article)

    def delete(self, found: Located, target: Target, clause: Clause) -> None:
        """Delete words of a part, or the part itself.

        Raises:
            Refusal: if the words are not there once, or the part is of no kind that is held.
        """
        if target.words:
            self._require_held(found)
            heading = found.heading
            if heading is not None and found.article is None:
                [name] = [self._quotation(group).text for group in target.words[:1]]
                if name not in (heading.name, heading.printed):
                    raise Refusal(f"the heading is “{heading.printed}”")
                self._delete_heading(found)
                return
            if found.article is None:
                raise Refusal("words are deleted from something that is no article")
            for group in target.words:
                which = self._which(target, clause)
                phrases.delete_words(found, self._quotation(group), which)
        elif found.level == "article":
            assert found.article is not None
            found.article.deleted = True
        elif found.level in ("paragraph", "item", "subitem"):
            assert found.node is not None
            found.node.deleted = True
        elif found.level == "sentence":
            assert found.node is not None and found.span is not None
            found.node.text = without_words(found.node.text, found.span)
        elif found.heading is not None:
            self._delete_heading(found)
        elif found.level == "annex":
            return
        else:
            raise Refusal(f"a {found.level} cannot be deleted")

    def _delete_heading(self, found: Located) -> None:
        """删去第三章 deletes the chapter with its articles; 删去章名 only the heading."""
        heading = found.heading
        assert heading is not None
        heading.deleted = True
        if found.level == "heading name":
            return
        for article in self._session.tree.articles:
            if is_under(article, heading):
                article.deleted = True
                article.changes.append(self._name)

    def joined_by_marks(self, found: Located, wanted: str) -> bool:
        """Whether commas beside the words inserted in this point make the text what is wanted.

        “甲”后增加“乙” does not say which mark is between them; the assertion does.
        """
        assert found.node is not None
        if without_stops(found.node.full()) != without_stops(wanted):
            return False
        inserted = [text for node, text in self._inserted if node in set(found.node.within())]
        for node in found.node.within():
            own = [text for text in inserted if node.text.count(text) == 1]
            for marks in product(("", "，"), repeat=2 * len(own)):
                before = node.text
                for index, text in enumerate(own):
                    joined = f"{marks[2 * index]}{text}{marks[2 * index + 1]}"
                    node.text = node.text.replace(text, joined)
                if same_words(found.node.full(), wanted):
                    return True
                node.text = before
        return False


def articles_of(found: Sequence[Located]) -> list[Article]:
    """The articles among what was found."""
    return [one.article for one in found if one.article is not None]
