"""What each point of an instrument orders: clauses to apply, in order, and for which law.

A sentence is cut at its commas; each piece is read by the grammar. What amends nothing (recitals,
the clause on commencement, 重新公布) is recognised and set apart; what the grammar does not know
keeps the reason, so that it can be refused and never passes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inforce.corpus.compile.clauses import Clause, Instruction, Kind, Piece, Reading
from inforce.corpus.compile.enumerations import as_list, enumerated, with_lists, with_verb_above
from inforce.corpus.compile.grammar import UnreadableClause, read_clause
from inforce.corpus.compile.instrument import Instrument, Point
from inforce.corpus.compile.law_names import LAW, law_names
from inforce.corpus.compile.normalising import normalised
from inforce.corpus.compile.quotations import SIGN
from inforce.corpus.compile.sentences import (
    adjusts_numbering,
    commences,
    is_recital,
    kind_of,
    names_part,
    orders_nothing,
    repeals_a_list,
)
from inforce.errors import IdentifierError

_QUOTE = re.compile(SIGN)
_FRAME_OF_PART = re.compile(
    r"(?:，?并?(?:对其|对该条)?|，)(?:作|做|进行|予以)(?:出|了)?(?:如下|以下|下列|相应)?的?"
    r"(?:(?:修改|修正|修订|补充|调整|完善)(?:和|、|与|并)?)+：?$|，?(?:修改|修订|调整)如下：?$"
)
"""第六条作如下修改：, where what is ordered of it stands in the points below."""

_PREFIX = re.compile(r"^[^\ue000-\uf8ff《》]*?(?:决定|作如下修改|修改如下)[：:](?=.)")
"""Who decides, where what is decided follows on the same line."""

_ALIAS = re.compile(
    r"《((?:[^《》]|《[^《》]*》)*)》[^《》（]{0,12}（[^（）]*?(?:以下|下)(?:简)?称[：:]?[《“]?([^《》”“（）]{1,40})[》”]?[^（）]*）"
)
_LAW_OR_NOTE = re.compile(
    r"《(?:[^《》]|《[^《》]*》)*》|（(?:[^（）《》]|《(?:[^《》]|《[^《》]*》)*》|（[^（）]*）)*）"
)
_NUMBER_NOTE = re.compile(r"（[〇零一二两三四五六七八九十百千0-9]{1,5}）")
_EXCEPTS = re.compile("除外|除[^，。；（）]*外|不含|不包括")
_EXCEPT = re.compile("除(.{2,40}?)(?:以|之)?外")
_LISTS = re.compile("[\ue000-\uf8ff]\\s*[：:]\\s*(?:$|\n|(?=第|《))")
"""The end of a clause below which the parts it is about are listed."""

_AMENDMENT_TITLE = re.compile(r"(.+?)修正案(?:（.+）)?")
_BARE_LAW = re.compile(r"对((?:中华人民共和国)?[\u4e00-\u9fff]{1,20}(?:法|法典|条例|规定|办法))")


def read_instructions(instrument: Instrument) -> Reading:
    """Read every point of an instrument."""
    return _Reader(instrument).reading()


@dataclass(slots=True)
class _Level:
    """What a point passes on to the points below it."""

    labels: tuple[str, ...]
    law: str
    template: Clause | None
    """What is ordered of the parts of laws that are listed below it."""
    within: Clause | None = None


class _Reader:
    def __init__(self, instrument: Instrument) -> None:
        self._instrument = instrument
        texts = [instrument.introduction, *(point.text for point in instrument.points)]
        self._aliases = {
            alias.strip(): title for text in texts for title, alias in _ALIAS.findall(text)
        }
        self._names = _bare_names(instrument)
        self._laws: dict[str, None] = {}
        self._default = _law_of_title(instrument.title)
        self._levels: list[_Level] = []
        self._commencement: list[str] = []
        self._reorders: list[str] = []
        if self._default:
            self._laws[self._default] = None

    def reading(self) -> Reading:
        for line in self._instrument.introduction.split("\n"):
            if commences(line) and "本" in line and "。" in line:
                self._commencement.append(line)
        read = [self._read(point) for point in self._instrument.points]
        templates = [template for _, template in read]
        instructions = [
            _with_verbs_said_once(instruction, template, templates)
            for instruction, template in zip(
                _without_announcements([found for found, _ in read]), templates, strict=True
            )
        ]
        return Reading(
            self._instrument,
            tuple(instructions),
            tuple(self._laws),
            aliases=tuple(sorted(self._aliases.items())),
            commencement=tuple(self._commencement),
            reorders=tuple(self._reorders),
        )

    def _read(self, point: Point) -> tuple[Instruction, Clause | None]:
        """A point, and the clause above it that is about the parts it lists."""
        labels = point.labels
        while self._levels and (
            self._levels[-1].labels == labels
            or self._levels[-1].labels != labels[: len(self._levels[-1].labels)]
        ):
            self._levels.pop()
        above = self._levels[-1] if self._levels else _Level((), self._default, None)
        found = self._instruction(point, above)
        self._levels.append(self._level(found, above))
        return found, above.template

    def _level(self, found: Instruction, above: _Level) -> _Level:
        """What a point passes on to those below it, beside what those above it do."""
        labels, template = found.point.labels, above.template
        for clause in found.clauses:
            if clause.is_list:
                own = next(
                    (reference.law for reference in clause.targets[0].references if reference.law),
                    "",
                )
                return _Level(labels, self._printed(own) or above.law, clause)
        if found.kind == "heading":
            if repeals_a_list(found.point.text):
                template = Clause("repeal", "")
            return _Level(labels, found.law, template)
        named = [
            reference.law
            for clause in found.clauses
            for reference in clause.references
            if reference.law
        ]
        law = self._printed(named[0]) if named else ""
        announced = _announced(found)
        within = announced.clause if announced else None
        return _Level(labels, law or above.law, template, within)

    def _printed(self, name: str) -> str:
        return "" if name == "本" else self._aliases.get(name, name)

    def _instruction(self, point: Point, above: _Level) -> Instruction:
        pieces: list[Piece] = []
        kind: Kind = "provision"
        law, rules = above.law, list[str]()
        for sentence in filter(None, re.split(r"[。；\n]", normalised(_without_notes(point.text)))):
            sentence = _PREFIX.sub("", sentence)
            announces = False
            if names_part(sentence) and not _QUOTE.search(sentence):
                sentence, count = _FRAME_OF_PART.subn("", sentence)
                announces = count > 0  # 对第九条作相应修改 is about its text, whatever follows
            listed = above.template is not None and LAW.match(sentence) is not None
            other = None if listed or announces else kind_of(sentence)
            if other is None:
                found = enumerated(list(self._pieces(sentence, point)))
                pieces.extend(replace(piece, begins=i == 0) for i, piece in enumerate(found))
            elif other == "heading":
                kind, law = "heading", self._law_in_heading(sentence) or law
            elif other in ("provision", "lapse"):
                rules.append(sentence)
            else:
                if other == "commencement":
                    self._commencement.append(sentence)
                elif adjusts_numbering(sentence):
                    self._reorders.append(sentence)
                kind = other if kind == "provision" else kind
        if pieces:
            kind = "amending"
        if _LISTS.search(point.text):
            pieces = list(map(as_list, pieces))
        return Instruction(
            point, kind, tuple(pieces), law=law, within=above.within, rules=tuple(rules)
        )

    def _law_in_heading(self, sentence: str) -> str:
        """The law that a heading names, if it is one; the first is the law of what has no other."""
        names = law_names(sentence)
        bare = _BARE_LAW.search(sentence)
        if len(names) == 1 and "等" not in sentence.split("》")[-1][:6]:
            name = self._printed(_with_marks(names[0]))
            if not self._default and not self._instrument.points[0].labels and not self._levels:
                self._default = name
        elif not names and bare and not bare[1].startswith(("下列", "部分", "有关", "以下")):
            name = bare[1]
            self._default = self._default or name
        else:
            return ""
        self._laws[name] = None
        return name

    def _pieces(self, sentence: str, point: Point) -> Iterator[Piece]:
        begun = False
        for text in filter(None, sentence.split("，")):
            if orders_nothing(text):
                continue
            piece = self._piece(text, point)
            if piece.clause is not None:
                begun = True
                for law in piece.clause.laws:
                    self._laws[self._printed(law)] = None
            elif not begun and is_recital(text):
                continue
            yield piece

    def _piece(self, text: str, point: Point) -> Piece:
        excepted = _EXCEPT.fullmatch(text)
        try:
            clause = read_clause(excepted[1] if excepted else text, point.quotations, self._names)
            if excepted and (
                clause.verb != "name" or any(target.words for target in clause.targets)
            ):
                raise UnreadableClause(f"it is not certain what {text} leaves out")
            if excepted:
                clause = replace(clause, verb="except", text=text)
        except (UnreadableClause, IdentifierError) as error:
            return Piece(text, problem=str(error))
        return Piece(text, clause)


def _with_verbs_said_once(
    found: Instruction, template: Clause | None, templates: Sequence[Clause | None]
) -> Instruction:
    """A point with the verb that another clause says for the parts it lists."""
    pieces = list(found.pieces)
    if not any(clause is template for clause in found.clauses for template in templates):
        pieces = with_lists(pieces)
    if template is not None:
        pieces = [with_verb_above(piece, template) for piece in pieces]
    return replace(found, pieces=tuple(pieces))


def _announced(instruction: Instruction) -> Piece | None:
    """The part that is named at the end of a point, if what is ordered of it may stand below."""
    last = instruction.pieces[-1] if instruction.pieces else None
    if last is None or last.clause is None:
        return None
    text = instruction.point.text.rstrip()
    targets = last.clause.targets
    named = len(targets) == 1 and len(targets[0].references) == 1 and not targets[0].words
    ends = text.endswith(("：", ":")) or _FRAME_OF_PART.search(normalised(text)) is not None
    return last if named and ends and last.clause.verb in ("name", "become", "number") else None


def _without_announcements(found: Sequence[Instruction]) -> Iterator[Instruction]:
    """Points without the part they only name for those below them."""
    for instruction, below in zip(found, [*found[1:], None], strict=True):
        last = _announced(instruction)
        clause = last.clause if last is not None else None
        only_named = clause is not None and clause.verb == "name"
        if only_named and below is not None and below.within is clause:
            kind: Kind = "amending" if len(instruction.pieces) > 1 else "heading"
            yield replace(instruction, pieces=instruction.pieces[:-1], kind=kind)
        else:
            yield instruction


def _law_of_title(title: str) -> str:
    names = law_names(title)
    if names and not re.search("等.{1,6}(?:件|部|项|个)", title):
        return _with_marks(names[0])
    match = _AMENDMENT_TITLE.fullmatch(title)
    return match[1] if match else ""


def _with_marks(name: str) -> str:
    """The name of a law that itself names one, with the marks of a title of its own."""
    return name.replace("〈", "《").replace("〉", "》")


def _bare_names(instrument: Instrument) -> frozenset[str]:
    """Short names that an instrument uses without 《》: the law of its title, 宪法 and 刑法."""
    match = _AMENDMENT_TITLE.fullmatch(instrument.title)
    titles = law_names(instrument.title) + ([match[1]] if match else [])
    short = [title.removeprefix("中华人民共和国") for title in titles]
    return frozenset({"宪法", "刑法", *titles, *short})


def _without_notes(text: str) -> str:
    """The text without remarks in brackets, such as （法释〔2009〕19号）; numbers stay."""
    text = text.replace("(", "（").replace(")", "）")
    return _LAW_OR_NOTE.sub(_unless_note, text)


def _unless_note(match: re.Match[str]) -> str:
    is_note = match[0].startswith("（") and not _NUMBER_NOTE.fullmatch(match[0])
    if is_note and _EXCEPTS.search(match[0]):
        return match[0]  # it says what is not meant, and no clause with it can be read
    return "" if is_note else match[0]
