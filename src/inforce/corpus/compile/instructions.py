"""What each point of an instrument orders: clauses to apply, in order, and for which law.

A sentence is cut at its commas; each piece is read by the grammar. What amends nothing (recitals,
the clause on commencement, 重新公布) is recognised and set apart; what the grammar does not know is
kept with the reason, so that it can be refused and never passes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inforce.corpus.compile.clauses import Clause
from inforce.corpus.compile.enumerations import (
    FRAME_OF_PART,
    announced,
    as_list,
    enumerated,
    with_lists,
    without_announcements,
)
from inforce.corpus.compile.grammar import UnreadableClause, read_clause
from inforce.corpus.compile.instrument import Instrument, Point
from inforce.corpus.compile.normalising import normalised
from inforce.corpus.compile.orders import Instruction, Kind, Piece, Reading
from inforce.errors import IdentifierError

_QUOTE = re.compile("[\ue000-\uf8ff]")
_LAW = re.compile(r"《((?:[^《》]|《[^《》]*》)*)》")
_AMENDS = re.compile(
    r"(?:修改|修正|修订|更改|变更|替换|调整|改)(?:成|为)|改为|改作|删去|删除|删掉|去掉|增加|增写|增设"
    r"|新增|增补|补充为|合并|分为|作为第|顺延|移至|废止|不再适用"
)
"""Words that only amending sentences have; a piece with one of them is never passed over."""

_BEGINS_WITH_PART = re.compile(
    r"(?:将|把|对|在|取消|去掉|废除|撤销|恢复|保留|(?:停止|暂停|暂缓)(?:执行|适用|施行|实施)?)?(?:《(?:[^《》]|《[^《》]*》)*》|本[法条规办解细]\w?)?原?第[〇零一二两三四五六七八九十百千0-9]+[条章节]"
)
"""A sentence that begins with a part of a law is about its text, whatever its verb."""

_FRAME = re.compile(
    r"(?:作|做|进行|予以)(?:出|了)?(?:如下|以下|下列|相应)?(?:的)?"
    r"(?:(?:相应)?(?:补充|修改|修正|修订|完善|调整|规定|删除|清理|废止)|和|、|与|并|及)+(?:如下)?[：:]?$"
    r"|(?:决定|修改|规定|如下|公布)(?:如下)?[：:]$|(?:部分)?(?:条款|内容|条文)?(?:作出|予以)(?:相应)?修改$"
    r"|^[^，。；《》]{0,24}决定(?:予以)?(?:修改|废止)(?:下列|以下).*$"
)
_REPEALS_THESE = re.compile(
    "决定废止的|^[^修改，。；]*?(?:决定|予以)?废止(?:下列|以下)|^[^修改，。；]*?(?:下列|以下)[^修改，。；]{0,16}予以废止"
)
"""A line below which the laws are listed that are repealed."""

_PREFIX = re.compile(r"^[^\ue000-\uf8ff《》]*?(?:决定|作如下修改|修改如下)[：:](?=.)")
"""Who decides, where what is decided follows on the same line."""

_PART = re.compile("第[〇零一二两三四五六七八九十百千0-9]+[条款项章节编]")
_OF_LAW = re.compile(r"《(?:[^《》]|《[^《》]*》)*》(?:第[^，。；：、和及与]{1,12}?[条款项])*")
_ABOUT_CONTENT = re.compile(
    r"(?:《(?:[^《》]|《[^《》]*》)*》|本[法条规办解细]\w?)?第[^，。；：]{1,30}?(?:所?规定|所称|所列)的(?!“)[^，。；]{2,}，"
)
"""第六条规定的审批，由国务院 …: about what the law orders, not about its text."""

_TRANSITION = re.compile(
    "(?:在|对|自)?本(?:决定|修正案|条例|办法|规定|解释)(?:施行|实施|生效|公布|发布)(?:之日)?(?:以|之)?[前后起时]"
)
"""A rule about the time before and after the instrument."""

_UNSAID = re.compile(
    r"(?:并|并且|同时)?(?:对|将|就)?[^，。；第]{0,20}?(?:文字|标点|用语|表述|措辞)[^，。；第]{0,8}?"
    r"(?:作|做|进行|予以)(?:出|了)?[^，。；第]{0,6}?(?:修改|调整|修正|完善|变动|规范)(?:和(?:修改|调整|完善))?"
)
"""个别文字作了修改: a change that is not spelt out."""

_HEADING = re.compile(r"(?:对|关于|将)?(?:修改|修订|关于修改)?《.*》(?:的修改|作出修改|予以修改)?")
_GROUP = re.compile(
    r"对.*(?:作出?|予以|进行)(?:出|了)?(?:相应|如下|以下)?(?:的)?修改[：:]?|.{0,24}决定(?:予以)?(?:修改|废止|修改和废止)的.{2,12}"
)
"""A line above a group of laws; what is quoted in it is no new wording."""

_COMMENCES = re.compile(r"自[^“”，。；]{0,40}?起(?:正式|开始)?(?:施行|实施|生效|执行)|起施行")
_REPUBLISHES = re.compile(
    r"重新公布|重新发布|重新印发|予以公布|现予公布|根据本(?:决定|修正案)作(?:出)?相应(?:的)?修(?:改|正)"
)
_REORDERS = re.compile(
    r"(?:条文|条款|条目|章节|条|款|项)[^，。；：]{0,8}?(?:顺序|序号|条序|编号|序次|次序)[^，。；：]{0,6}?(?:调整|变动|顺延|修改)|条序[^，。；：]{0,6}调整"
)
_ALIAS = re.compile(
    r"《((?:[^《》]|《[^《》]*》)*)》[^《》（]{0,12}（[^（）]*?(?:以下|下)(?:简)?称[：:]?[《“]?([^《》”“（）]{1,40})[》”]?[^（）]*）"
)
_LAW_OR_NOTE = re.compile(
    r"《(?:[^《》]|《[^《》]*》)*》|（(?:[^（）《》]|《(?:[^《》]|《[^《》]*》)*》|（[^（）]*）)*）"
)
_NUMBER_NOTE = re.compile(r"（[〇零一二两三四五六七八九十百千0-9]{1,5}）")
_LISTS = re.compile("[\ue000-\uf8ff]\\s*[：:]\\s*(?:$|\n|(?=第|《))")
"""The end of a clause below which the parts it is about are listed."""

_EXCEPT = re.compile("除(.{2,40}?)(?:以|之)?外")
_FILLER = re.compile(
    r"^(?:并|同时)?对(?:部分|有关)?(?:条文|条款|内容)(?:作|进行)(?:出|了)?(?:如下|以下|相应)的?(?:修改|修正|调整)：?$|"
    r"^(?:此外|同时|另外|并|并且|据此|为此|相应地?|其中|(?:其他|其余|其它)[^，。；]{0,4}不变)$"
)
_AMENDMENT_TITLE = re.compile(r"(.+?)修正案(?:（.+）)?")

_LAPSES = re.compile(r"不再(?:继续)?(?:适用|执行|施行)$|(?:同时)?停止(?:适用|执行)$")


def read_instructions(instrument: Instrument) -> Reading:
    """Read every point of an instrument."""
    return _Reader(instrument).reading()


@dataclass(slots=True)
class _Level:
    """What a point passes on to the points below it."""

    labels: tuple[str, ...]
    law: str
    template: Clause | None
    template_point: Point | None = None
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
        self._default = self._law_of_title()
        self._levels: list[_Level] = []
        self._commencement: list[str] = []
        self._reorders: list[str] = []
        if self._default:
            self._laws[self._default] = None

    def reading(self) -> Reading:
        for line in self._instrument.introduction.split("\n"):
            if _COMMENCES.search(line) and "本" in line and "。" in line:
                self._commencement.append(line)
        found = [self._instruction(point) for point in self._instrument.points]
        found = list(without_announcements(found))
        used = [one.template_point for one in found]
        found = [one if one.point in used else with_lists(one) for one in found]
        return Reading(
            self._instrument,
            tuple(found),
            tuple(self._laws),
            aliases=tuple(sorted(self._aliases.items())),
            commencement=tuple(self._commencement),
            reorders=tuple(self._reorders),
        )

    def _law_of_title(self) -> str:
        title = self._instrument.title
        named = _LAW.search(title)
        if named and not re.search("等.{1,6}(?:件|部|项|个)", title):
            return named[1].replace("〈", "《").replace("〉", "》")
        match = _AMENDMENT_TITLE.fullmatch(title)
        return match[1] if match else ""

    def _instruction(self, point: Point) -> Instruction:
        while (
            self._levels and self._levels[-1].labels != point.labels[: len(self._levels[-1].labels)]
        ):
            self._levels.pop()
        while self._levels and self._levels[-1].labels == point.labels:
            self._levels.pop()
        above = self._levels[-1] if self._levels else None
        law = above.law if above else self._default
        template = above.template if above else None
        found = self._read(point, law, template, above.template_point if above else None)
        found = replace(found, within=above.within if above else None)
        self._levels.append(self._level(found, point, law, template))
        return found

    def _level(self, found: Instruction, point: Point, law: str, template: Clause | None) -> _Level:
        clauses = [piece.clause for piece in found.pieces if piece.clause]
        named = [target for clause in clauses for target in clause.targets]
        for clause in clauses:
            if clause.is_list:
                own = next((one.law for one in clause.targets[0].references if one.law), "")
                return _Level(point.labels, self._printed(own) or law, clause, point)
        if found.kind == "heading":
            if _REPEALS_THESE.search(point.text):
                template = Clause("repeal", "")
            return _Level(point.labels, found.law, template)
        last = next((one.law for t in named for one in t.references if one.law), "")
        named_last = announced(found)
        within = named_last.clause if named_last else None
        return _Level(point.labels, self._printed(last) or law, template, within=within)

    def _printed(self, name: str) -> str:
        return "" if name == "本" else self._aliases.get(name, name)

    def _read(
        self,
        point: Point,
        law: str,
        template: Clause | None,
        template_point: Point | None,
    ) -> Instruction:
        text = normalised(_without_notes(point.text))
        pieces: list[Piece] = []
        kind: Kind = "provision"
        rules: list[str] = []
        for sentence in filter(None, re.split(r"[。；\n]", text)):
            sentence = _PREFIX.sub("", sentence)
            announces = False
            if _names_part(sentence) and not _QUOTE.search(sentence):
                sentence, count = FRAME_OF_PART.subn("", sentence)
                announces = count > 0  # 对第九条作相应修改 is about its text, whatever follows
            listed = template is not None and _LAW.match(sentence) is not None
            said = None if listed or announces else self._statement(sentence, last=law)
            if said is None:
                found = enumerated(list(self._pieces(sentence)))
                pieces.extend(replace(one, begins=i == 0) for i, one in enumerate(found))
            elif said[0] == "heading":
                kind, law = "heading", said[1] or law
            elif said[0] in ("provision", "lapse"):
                rules.append(sentence)
            elif kind == "provision":
                kind = said[0]
        if any(piece.problem or piece.clause for piece in pieces):
            kind = "amending"
        if _LISTS.search(point.text):
            pieces = [as_list(piece) for piece in pieces]
        return Instruction(
            point,
            kind,
            tuple(pieces),
            law=law,
            template=template,
            template_point=template_point,
            rules=tuple(rules),
        )

    def _statement(self, sentence: str, *, last: str) -> tuple[Kind, str] | None:
        """What a sentence is that orders no change of wording, and the law it names."""
        if _GROUP.fullmatch(sentence) and not re.search("修改为|改为", sentence):
            return "heading", self._frame(sentence)
        if _QUOTE.search(sentence):
            return None
        if _COMMENCES.search(sentence) and not re.search("修改为|改为|删去|删除", sentence):
            self._commencement.append(sentence)
            return "commencement", ""
        if _TRANSITION.match(sentence) and not re.search("修改为|改为|删去|删除", sentence):
            return "provision", ""
        if _LAPSES.search(sentence):
            return "lapse", ""
        if _REPUBLISHES.search(sentence):
            if _REORDERS.search(sentence):
                self._reorders.append(sentence)
            return "closing", ""
        about_part = _names_part(sentence) and not sentence.endswith("：")
        if _FRAME.search(sentence) and not _REORDERS.search(sentence) and not about_part:
            return "heading", self._frame(sentence)
        if _HEADING.fullmatch(sentence) and len(_LAW.findall(sentence)) == 1:
            return "heading", self._name_of(sentence)
        about_text = _AMENDS.search(sentence) or _REORDERS.search(sentence)
        if not about_text and _ABOUT_CONTENT.match(sentence):
            return "provision", ""
        if not about_text and not _BEGINS_WITH_PART.match(sentence):
            return None if _LAW.match(sentence) else ("provision", "")
        return None

    def _frame(self, sentence: str) -> str:
        names = _LAW.findall(sentence)
        if len(names) == 1 and "等" not in sentence.split("》")[-1][:6]:
            return self._name_of(sentence)
        bare = re.search(
            r"对((?:中华人民共和国)?[\u4e00-\u9fff]{1,20}(?:法|法典|条例|规定|办法))", sentence
        )
        if not names and bare and not bare[1].startswith(("下列", "部分", "有关", "以下")):
            self._laws[bare[1]] = None
            self._default = self._default or bare[1]
            return bare[1]
        return ""

    def _name_of(self, sentence: str) -> str:
        match = _LAW.search(sentence)
        if match is None:
            return ""
        name = self._printed(match[1].replace("〈", "《").replace("〉", "》"))
        self._laws[name] = None
        if not self._default and not self._instrument.points[0].labels and not self._levels:
            self._default = name
        return name

    def _pieces(self, sentence: str) -> Iterator[Piece]:
        begun = False
        for text in filter(None, sentence.split("，")):
            if _FILLER.fullmatch(text) or _UNSAID.fullmatch(text):
                continue
            piece = self._piece(text)
            if piece.problem and not begun and _is_recital(text):
                continue
            if piece.clause is not None:
                begun = True
                self._note_laws(piece.clause)
            yield piece

    def _piece(self, text: str) -> Piece:
        excepted = _EXCEPT.fullmatch(text)
        try:
            clause = read_clause(excepted[1] if excepted else text, self._names)
            if excepted and (clause.verb != "name" or any(one.words for one in clause.targets)):
                raise UnreadableClause(f"it is not certain what {text} leaves out")
            if excepted:
                clause = replace(clause, verb="except", text=text)
        except (UnreadableClause, IdentifierError) as error:
            return Piece(text, problem=str(error))
        return Piece(text, clause)

    def _note_laws(self, clause: Clause) -> None:
        for target in clause.targets:
            for reference in target.references:
                if reference.law and reference.law != "本":
                    self._laws[self._printed(reference.law)] = None


def _names_part(sentence: str) -> bool:
    """Whether a sentence names a part of the law that is amended, not only of another."""
    own = _PART.search(_OF_LAW.sub("", sentence))
    return own is not None or _BEGINS_WITH_PART.match(sentence) is not None


def _is_recital(text: str) -> bool:
    """Whether a piece that cannot be read only says why or by whom (为了 …, 根据 …)."""
    silent = not _AMENDS.search(text) and not _QUOTE.search(text)
    named = _LAW.search(text) or re.match("根据|依据|依照|按照|为", text)
    own_part = _PART.search(text) is not None and named is None
    return silent and not own_part and not _BEGINS_WITH_PART.match(text)


def _bare_names(instrument: Instrument) -> frozenset[str]:
    """Short names that an instrument uses without 《》: the law of its title, 宪法 and 刑法."""
    names = {"宪法", "刑法"}
    match = _AMENDMENT_TITLE.fullmatch(instrument.title)
    titles = _LAW.findall(instrument.title) + ([match[1]] if match else [])
    for title in titles:
        names.add(title)
        names.add(title.removeprefix("中华人民共和国"))
    return frozenset(names)


def _without_notes(text: str) -> str:
    """The text without remarks in brackets, such as （法释〔2009〕19号）; numbers stay."""
    text = text.replace("(", "（").replace(")", "）")
    return _LAW_OR_NOTE.sub(_unless_note, text)


def _unless_note(match: re.Match[str]) -> str:
    is_note = match[0].startswith("（") and not _NUMBER_NOTE.fullmatch(match[0])
    if is_note and re.search("除外|除[^，。；（）]*外|不含|不包括", match[0]):
        return match[0]  # it says what is not meant, and no clause with it can be read
    return "" if is_note else match[0]


def speaks_of_amending(text: str) -> bool:
    """Whether a sentence has words that only amending ones have."""
    return _AMENDS.search(text) is not None


def law_names(text: str) -> list[str]:
    """The laws named in 《》 in a sentence."""
    return _LAW.findall(text)


def clauses(instructions: Sequence[Instruction]) -> Iterator[Clause]:
    """Every clause that could be read."""
    for instruction in instructions:
        for piece in instruction.pieces:
            if piece.clause is not None:
                yield piece.clause


__all__ = [
    "Instruction",
    "Piece",
    "Reading",
    "clauses",
    "law_names",
    "read_instructions",
    "speaks_of_amending",
]
