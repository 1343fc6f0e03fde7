"""Which law a clause is about: the one it names, else the one named before it."""

from __future__ import annotations

from dataclasses import replace

from inforce.corpus.compile.clauses import Clause, Reference, Target
from inforce.corpus.compile.instructions import law_names
from inforce.corpus.compile.locating import Context
from inforce.corpus.compile.session import Session


class Scope:
    """Leaves of the clauses of one point what is about the law of the session."""

    def __init__(self, session: Session, context: Context) -> None:
        self._session = session
        self._context = context

    def is_ours(self) -> bool:
        """Whether the law named last is the law of the session."""
        law = self._session.reading.full_name(self._context.law)
        return bool(law) and self._session.same_law(law)

    def may_be_ours(self, text: str) -> bool:
        """Whether a clause that cannot be read may be about this law: unless it names another."""
        named = law_names(text)
        if named:
            full, same = self._session.reading.full_name, self._session.same_law
            return any(same(full(name)) for name in named)
        return self.is_ours() or not self._context.law

    def ours(self, clause: Clause) -> Clause | None:
        """The clause with the parts of other laws left out; ``None`` if nothing is left."""
        references = [one for target in clause.targets for one in target.references]
        named = [one.law for one in references if one.law and one.law != "本"]
        if clause.is_list:  # what becomes of the parts that are listed below it
            self._context.law = named[-1] if named else self._context.law
            return None
        if not named:
            return clause if self.is_ours() else None
        self._context.law = self._session.reading.full_name(named[-1])
        targets = tuple(filter(None, (self._own_part(target) for target in clause.targets)))
        return replace(clause, targets=targets) if targets else None

    def _own_part(self, target: Target) -> Target | None:
        if not target.references:
            return target
        same, full = self._session.same_law, self._session.reading.full_name
        references: list[Reference] = []
        law = ""
        for one in target.references:
            law = one.law or law
            if law in ("", "本") or same(full(law)):
                references.append(one)
        return replace(target, references=tuple(references)) if references else None
