"""What became of each clause of an instrument, and what a refusal leaves uncertain."""

from __future__ import annotations

from dataclasses import dataclass, field

from inforce.corpus.compile.clauses import ARTICLE_NUMBER, Clause, Piece
from inforce.corpus.compile.instrument import Point
from inforce.corpus.compile.lawtree import Article, LawTree, Refusal
from inforce.corpus.compile.locating import Located, Locator, Part, articles_of
from inforce.corpus.compile.sentences import may_change_articles
from inforce.corpus.compile.versions import Outcome, Status


@dataclass(slots=True)
class Applied:
    """A law to which an instrument was applied, and what became of every clause."""

    tree: LawTree
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    reorders: bool = False
    """Whether a clause says that the numbering is adjusted."""
    uncertain: bool = False
    """Whether a refusal leaves it uncertain which articles there are."""
    repealed: bool = False
    restated: int = 0
    """How many parts were given new wording,"""
    already: int = 0
    """and how many of them had it before."""
    provisional: list[tuple[Article, int]] = field(default_factory=list[tuple[Article, int]])
    """Articles in which words were replaced wherever they occur although the clause does not say
    so, and the outcome that depends on the republished text."""


@dataclass(frozen=True, slots=True)
class Record:
    """Writes down the outcomes of one point, clause by clause."""

    _applied: Applied
    _point: Point
    _locator: Locator

    def applied(self, text: str, *found: Located, reason: str = "") -> None:
        """Note that a clause was applied to these parts, or changes no article that is held."""
        if any(part.level in ("crime", "annex", "contents") for part in found):
            self.noted(text, *found, reason=reason or "not part of the articles held")
            return
        for article in articles_of(found):
            article.add_changes(self._point.name)
        self._add(text, "applied", reason, articles_of(found))

    def noted(self, text: str, *found: Located, status: Status = "noted", reason: str = "") -> None:
        """Note what became of a clause that changes no article."""
        self._add(text, status, reason, articles_of(found))

    def refused(self, refusal: Refusal, clause: Clause) -> None:
        """Note that a clause was not applied; the articles it names are doubtful from now on."""
        articles = list(refusal.articles)
        if not refusal.elsewhere:
            articles = articles or self._locator.articles_named(clause.targets)
            if not refusal.unknown_text and (not articles or clause.may_change_articles):
                self._applied.uncertain = True
        for article in articles:
            article.doubts.append(refusal.reason)
        # What follows must not be taken for a part of an article named before this clause.
        self._locator.context.located = list(map(Part.whole, articles))
        # A heading, a title or an introduction that the copy lacks changes no article held.
        status: Status = "noted" if refusal.elsewhere and refusal.unknown_text else "refused"
        self._add(clause.text, status, refusal.reason, articles, unknown=refusal.unknown_text)

    def unread(self, piece: Piece) -> None:
        """Refuse a clause the grammar does not know: every article it names is uncertain."""
        names = set(ARTICLE_NUMBER.findall(piece.text))
        articles = [
            article
            for article in self._applied.tree.articles
            if article.number and article.number.chinese in names
        ]
        if not articles and self._locator.context.article is not None:
            articles = [self._locator.context.article]
        if not articles or may_change_articles(piece.text):
            self._applied.uncertain = True
        refusal = Refusal(f"cannot be read: {piece.problem}", *articles)
        self.refused(refusal, Clause("name", piece.text))

    def _add(
        self,
        text: str,
        status: Status,
        reason: str,
        articles: list[Article],
        *,
        unknown: bool = False,
    ) -> None:
        names = tuple(dict.fromkeys(article.name for article in articles))
        shown = self._point.quoted(text)
        self._applied.outcomes.append(
            Outcome(self._point.name, shown, status, reason, names, unknown)
        )
