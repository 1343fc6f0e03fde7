"""What became of each clause, and what a refusal leaves uncertain."""

from __future__ import annotations

import re

from inforce.corpus.compile.clauses import Clause
from inforce.corpus.compile.instructions import Piece
from inforce.corpus.compile.instrument import Point
from inforce.corpus.compile.locating import Context, Located, Locator, Refusal
from inforce.corpus.compile.rewording import articles_of
from inforce.corpus.compile.session import Outcome, Session, Status

ARTICLES = re.compile(r"第[0-9〇零一二两三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?")

_STRUCTURAL = re.compile(
    "增加|增写|增设|删|合并|[并列归编]入|[拆分]为|[为成作至]第|顺延|移|对调|互换|顺序|序号|单[列独]|调整"
)
"""Words of a clause that may change which articles there are, or their numbers."""


class Record:
    """Writes down the outcomes of one point, clause by clause."""

    def __init__(
        self, session: Session, point: Point, *, locator: Locator, context: Context
    ) -> None:
        self._session = session
        self._locator = locator
        self._context = context
        self._name = point.name
        self.source = point
        """The point whose quotations the clause uses: its own, or that of the line above a list."""
        self.piece = Piece("")
        """The clause that is being applied."""

    def done(self, status: Status, *found: Located, reason: str = "", text: str = "") -> None:
        """The clause was applied to these parts, confirmed, failed, or needs no change here."""
        articles = articles_of(found)
        if (
            any(one.level in ("crime", "annex", "contents") for one in found)
            and status == "applied"
        ):
            status, reason = "noted", reason or "not part of the articles held"
        for article in articles:
            if self._name not in article.changes and status == "applied":
                article.changes.append(self._name)
        shown = self.source.quoted(text or self.piece.text)
        names = tuple(dict.fromkeys(article.name for article in articles))
        self._session.outcomes.append(Outcome(self._name, shown, status, reason, names))

    def refused(self, refusal: Refusal, clause: Clause) -> None:
        """The clause was not applied; the articles it refers to are doubtful from now on."""
        articles = refusal.articles
        if not refusal.elsewhere:
            articles = articles or tuple(articles_of(self._named_in(clause)))
            if not refusal.unknown_text and (not articles or _changes_numbers(clause)):
                self._session.uncertain = True
        for article in articles:
            article.doubts.append(refusal.reason)
        # What follows must not be taken for a part of an article named before this clause.
        self._context.located = [self._locator.located(article) for article in articles]
        # A heading, a title or an introduction that the copy lacks changes no article held.
        status: Status = "noted" if refusal.elsewhere and refusal.unknown_text else "refused"
        self._session.outcomes.append(
            Outcome(
                self._name,
                self.source.quoted(clause.text),
                status,
                refusal.reason,
                tuple(dict.fromkeys(article.name for article in articles)),
                refusal.unknown_text,
            )
        )

    def _named_in(self, clause: Clause) -> list[Located]:
        """The articles a refused clause refers to, as far as they can be found."""
        found: list[Located] = []
        for target in clause.targets:
            for reference in target.references:
                try:
                    found.extend(self._locator.find(reference))
                except Refusal as refusal:
                    found.extend(self._locator.located(one) for one in refusal.articles)
        return found or ([] if clause.targets else list(self._context.located))

    def unread(self, piece: Piece) -> None:
        """A clause the grammar does not know: every article it names is uncertain."""
        names = {match[0] for match in ARTICLES.finditer(piece.text)}
        articles = [
            one for one in self._session.tree.articles if one.number and one.number.chinese in names
        ]
        if not articles and self._context.article is not None:
            articles = [self._context.article]
        if not articles or _STRUCTURAL.search(piece.text):
            self._session.uncertain = True
        self.refused(
            Refusal(f"cannot be read: {piece.problem}", *articles), Clause("name", piece.text)
        )


def _changes_numbers(clause: Clause) -> bool:
    """Whether a clause, had it been applied, could have changed which articles there are."""
    if any(one.steps[-1].level == "article" for one in clause.numbers):
        return True
    if clause.verb == "into":
        return True
    if clause.verb not in ("merge", "split", "move", "delete"):
        return False
    whole = [target for target in clause.targets if not target.words]
    if clause.verb == "delete" and not whole:
        return False
    named = [one.steps[-1].level for target in whole for one in target.references]
    return not named or clause.unit == "条" or bool({"article", "heading", "this"} & {*named})
