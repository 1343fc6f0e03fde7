"""Parts that are enumerated, over commas, lines or points, with the verb that is said once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inforce.corpus.compile.clauses import Clause, Piece, Reference, Step


def enumerated(pieces: Sequence[Piece]) -> list[Piece]:
    """Parts enumerated with commas have the verb of the clause before or behind them.

    第三条中的“甲”，第四条中的“乙”，统一修改为“丙” is one clause; so is 删去第三条中的“甲”，
    第四条中的“乙”.
    """
    found: list[Piece] = []
    waiting: list[tuple[Piece, Clause]] = []
    for piece in pieces:
        clause = piece.clause
        if clause is not None and _only_words(clause):
            waiting.append((piece, clause))
            continue
        if waiting and clause is not None and _takes(clause, len(waiting)):
            targets = [target for _, named in waiting for target in named.targets]
            text = "，".join([*(before.text for before, _ in waiting), piece.text])
            joined = replace(clause, targets=(*targets, *clause.targets))
            found.append(replace(piece, text=text, clause=joined))
        else:
            found += [*_with_verb_before(found, waiting), piece]
        waiting = []
    return found + _with_verb_before(found, waiting)


def _only_words(clause: Clause) -> bool:
    if clause.verb != "name" or clause.is_list:
        return False
    return all(target.words and target.references and not target.place for target in clause.targets)


def _takes(clause: Clause, before: int) -> bool:
    """Whether a clause is the verb of the words named before it."""
    if clause.verb not in ("become", "delete") or clause.numbers or clause.count:
        return False
    if not clause.targets:
        return bool(clause.content) and before > 1
    joined = clause.respective or clause.plural or len(clause.content) > 1
    return joined and all(target.words and target.references for target in clause.targets)


def _with_verb_before(
    found: Sequence[Piece], waiting: Sequence[tuple[Piece, Clause]]
) -> list[Piece]:
    """删去第三条中的“甲”，第四条中的“乙”: the verb that stands before the first is of all."""
    before = found[-1].clause if found else None
    first = re.compile("(?:同时|并)?(?:删|去掉|取消)")
    if before is None or before.verb != "delete" or not first.match(before.text):
        return [piece for piece, _ in waiting]
    return [replace(piece, clause=replace(clause, verb="delete")) for piece, clause in waiting]


def as_list(piece: Piece) -> Piece:
    """将有关条文中的“…”修改为“…”： with a colon: which parts are meant is listed below it."""
    clause = piece.clause
    if clause is None or clause.verb != "become" or not clause.content or not clause.targets:
        return piece
    if not all(
        target.words and not any(reference.inner for reference in target.references)
        for target in clause.targets
    ):
        return piece
    each = Reference((*(Step("law", name=law) for law in clause.laws[:1]), Step("each")))
    targets = tuple(replace(target, references=(each,)) for target in clause.targets)
    return replace(piece, clause=replace(clause, targets=targets))


def with_lists(pieces: Sequence[Piece]) -> list[Piece]:
    """The clauses of a point whose own lines list the parts that one is about (下列条文中的“…”)."""
    found: list[Piece] = []
    listing: Clause | None = None
    for piece in pieces:
        clause = piece.clause
        if clause is not None and clause.is_list:
            listing = clause
            found.append(Piece(piece.text, problem="the parts it is about are not listed"))
        elif listing is not None and clause is not None and clause.verb == "name":
            if found[-1].problem:
                found.pop()
            found.append(replace(piece, clause=_with_verb(listing, clause)))
        else:
            found.append(piece)
    return found


def with_verb_above(piece: Piece, above: Clause) -> Piece:
    """A piece that only names parts, with what the point above it says of those listed below."""
    clause = piece.clause
    if clause is None or clause.verb != "name" or not clause.targets:
        return piece
    if above.verb == "repeal":
        return replace(piece, clause=replace(clause, verb="repeal"))
    if clause.targets[0].words:
        return piece
    return replace(piece, clause=replace(_with_verb(above, clause), text=clause.text))


def _with_verb(above: Clause, named: Clause) -> Clause:
    words = above.targets[0].words
    targets = tuple(replace(target, words=words) for target in named.targets)
    return replace(above, targets=targets, plural=True)
