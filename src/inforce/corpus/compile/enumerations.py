"""Parts that are enumerated, over commas, lines or points, with the verb that is said once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inforce.corpus.compile.clauses import Clause, Reference, Step, Target
from inforce.corpus.compile.normalising import normalised
from inforce.corpus.compile.orders import Instruction, Piece

FRAME_OF_PART = re.compile(
    r"(?:，?并?(?:对其|对该条)?|，)(?:作|做|进行|予以)(?:出|了)?(?:如下|以下|下列|相应)?的?"
    r"(?:(?:修改|修正|修订|补充|调整|完善)(?:和|、|与|并)?)+：?$|，?(?:修改|修订|调整)如下：?$"
)
"""第六条作如下修改：, where what is ordered of it stands in the points below."""


def as_list(piece: Piece) -> Piece:
    """将有关条文中的“…”修改为“…”： with a colon: which parts are meant is listed below it."""
    clause = piece.clause
    if clause is None or clause.verb != "become" or not clause.content:
        return piece
    whole = [t for t in clause.targets if t.words and not any(one.inner for one in t.references)]
    if not whole or len(whole) != len(clause.targets):
        return piece
    each = Reference((*(Step("law", name=one) for one in clause.laws[:1]), Step("each")))
    targets = tuple(replace(target, references=(each,)) for target in whole)
    return replace(piece, clause=replace(clause, targets=targets))


def enumerated(pieces: list[Piece]) -> list[Piece]:
    """Parts enumerated with commas have the verb of the clause before or behind them.

    第三条中的“甲”，第四条中的“乙”，统一修改为“丙” is one clause; so is 删去第三条中的“甲”，
    第四条中的“乙”.
    """
    found: list[Piece] = []
    waiting: list[Piece] = []
    for piece in pieces:
        if _only_words(piece):
            waiting.append(piece)
            continue
        clause = piece.clause
        if waiting and clause is not None and _takes(clause, len(waiting)):
            earlier = [target for one in waiting for target in _targets_of(one)]
            targets = (*earlier, *clause.targets)
            text = "，".join(one.text for one in (*waiting, piece))
            found.append(replace(piece, text=text, clause=replace(clause, targets=targets)))
        else:
            found += _with_verb_before(found, waiting)
            found.append(piece)
        waiting = []
    return [*found, *_with_verb_before(found, waiting)]


def _only_words(piece: Piece) -> bool:
    clause = piece.clause
    if clause is None or clause.verb != "name" or clause.is_list:
        return False
    return all(t.words and t.references and not t.place for t in clause.targets)


def _targets_of(piece: Piece) -> tuple[Target, ...]:
    return piece.clause.targets if piece.clause else ()


def _takes(clause: Clause, before: int) -> bool:
    """Whether a clause is the verb of the words named before it."""
    if clause.verb not in ("become", "delete") or clause.numbers or clause.count:
        return False
    if not clause.targets:
        return bool(clause.content) and before > 1
    joined = clause.respective or clause.plural or len(clause.content) > 1
    return joined and all(target.words and target.references for target in clause.targets)


def _with_verb_before(found: list[Piece], waiting: list[Piece]) -> list[Piece]:
    """删去第三条中的“甲”，第四条中的“乙”: the verb that stands before the first is of all."""
    before = found[-1].clause if found else None
    if (
        before is None
        or before.verb != "delete"
        or not re.match("(?:同时|并)?(?:删|去掉|取消)", before.text)
    ):
        return waiting
    return [
        replace(one, clause=replace(one.clause, verb="delete")) if one.clause else one
        for one in waiting
    ]


def announced(instruction: Instruction) -> Piece | None:
    """The part that is named at the end of a point, if what is ordered of it may stand below."""
    last = instruction.pieces[-1] if instruction.pieces else None
    if last is None or last.clause is None:
        return None
    text = instruction.point.text.rstrip()
    targets = last.clause.targets
    named = len(targets) == 1 and len(targets[0].references) == 1 and not targets[0].words
    ends = text.endswith(("：", ":")) or FRAME_OF_PART.search(normalised(text)) is not None
    return last if named and ends and last.clause.verb in ("name", "become", "number") else None


def without_announcements(found: Sequence[Instruction]) -> Iterator[Instruction]:
    """Points without the part they only name for those below them."""
    for index, one in enumerate(found):
        named = announced(one)
        below = found[index + 1] if index + 1 < len(found) else None
        if (
            named is not None
            and named.clause is not None
            and named.clause.verb == "name"
            and below is not None
            and below.within is named.clause
        ):
            kind = "amending" if len(one.pieces) > 1 else "heading"
            yield replace(one, pieces=one.pieces[:-1], kind=kind)
        else:
            yield one


def with_lists(instruction: Instruction) -> Instruction:
    """A point whose own lines list the parts that a clause of it is about (下列条文中的“…”)."""
    if not any(one.clause and one.clause.is_list for one in instruction.pieces):
        return instruction
    pieces: list[Piece] = []
    listing: Clause | None = None
    for piece in instruction.pieces:
        clause = piece.clause
        if clause is not None and clause.is_list:
            listing = clause
            pieces.append(Piece(piece.text, problem="the parts it is about are not listed"))
        elif listing is not None and clause is not None and clause.verb == "name":
            if pieces[-1].problem:
                pieces.pop()
            words = listing.targets[0].words
            targets = tuple(replace(target, words=words) for target in clause.targets)
            pieces.append(replace(piece, clause=replace(listing, targets=targets, plural=True)))
        else:
            pieces.append(piece)
    return replace(instruction, pieces=tuple(pieces))
