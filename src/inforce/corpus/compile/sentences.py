"""What kind of sentence an instrument has: which order changes of a text, and which do not."""

from __future__ import annotations

import re

from inforce.corpus.compile.clauses import Kind
from inforce.corpus.compile.law_names import LAW
from inforce.corpus.compile.quotations import SIGN
from inforce.corpus.compile.wording import NUMERAL

_TITLE = "《(?:[^《》]|《[^《》]*》)*》"
_QUOTE = re.compile(SIGN)
_AMENDS = re.compile(
    r"(?:修改|修正|修订|更改|变更|替换|调整|改)(?:成|为)|改为|改作|删去|删除|删掉|去掉|增加|增写|增设"
    r"|新增|增补|补充为|合并|分为|作为第|顺延|移至|废止|不再适用"
)
"""Words that only amending sentences have; a piece with one of them is never passed over."""

_CHANGES_WORDS = re.compile("修改为|改为")
_CHANGES_OR_DELETES = re.compile("修改为|改为|删去|删除")
_MAY_CHANGE_ARTICLES = re.compile(
    "增加|增写|增设|删|合并|[并列归编]入|[拆分]为|[为成作至]第|顺延|移|对调|互换|顺序|序号|单[列独]|调整"
)
"""Words of a clause that may change which articles there are, or their numbers."""

_BEGINS_WITH_PART = re.compile(
    r"(?:将|把|对|在|取消|去掉|废除|撤销|恢复|保留|(?:停止|暂停|暂缓)(?:执行|适用|施行|实施)?)?"
    rf"(?:{_TITLE}|本[法条规办解细]\w?)?原?第{NUMERAL}[条章节]"
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
_PART = re.compile(f"第{NUMERAL}[条款项章节编]")
_OF_LAW = re.compile(rf"{_TITLE}(?:第[^，。；：、和及与]{{1,12}}?[条款项])*")
_ABOUT_CONTENT = re.compile(
    rf"(?:{_TITLE}|本[法条规办解细]\w?)?第[^，。；：]{{1,30}}?(?:所?规定|所称|所列)的(?!“)[^，。；]{{2,}}，"
)
"""第六条规定的审批，由国务院 …: about what the law orders, not about its text."""

_TRANSITION = re.compile(
    "(?:在|对|自)?本(?:决定|修正案|条例|办法|规定|解释)(?:施行|实施|生效|公布|发布)(?:之日)?(?:以|之)?[前后起时]"
)
"""A rule about the time before and after the instrument."""

_HEADING = re.compile(r"(?:对|关于|将)?(?:修改|修订|关于修改)?《.*》(?:的修改|作出修改|予以修改)?")
_GROUP = re.compile(
    r"对.*(?:作出?|予以|进行)(?:出|了)?(?:相应|如下|以下)?(?:的)?修改[：:]?"
    r"|.{0,24}决定(?:予以)?(?:修改|废止|修改和废止)的.{2,12}"
)
"""A line above a group of laws; what is quoted in it is no new wording."""

_COMMENCES = re.compile(r"自[^“”，。；]{0,40}?起(?:正式|开始)?(?:施行|实施|生效|执行)|起施行")
_REPUBLISHES = re.compile(
    r"重新公布|重新发布|重新印发|予以公布|现予公布|根据本(?:决定|修正案)作(?:出)?相应(?:的)?修(?:改|正)"
)
_REORDERS = re.compile(
    r"(?:条文|条款|条目|章节|条|款|项)[^，。；：]{0,8}?(?:顺序|序号|条序|编号|序次|次序)"
    r"[^，。；：]{0,6}?(?:调整|变动|顺延|修改)|条序[^，。；：]{0,6}调整"
)
_LAPSES = re.compile(r"不再(?:继续)?(?:适用|执行|施行)$|(?:同时)?停止(?:适用|执行)$")
_UNSPECIFIED = re.compile(
    r"(?:并|并且|同时)?(?:对|将|就)?[^，。；第]{0,20}?(?:文字|标点|用语|表述|措辞)[^，。；第]{0,8}?"
    r"(?:作|做|进行|予以)(?:出|了)?[^，。；第]{0,6}?(?:修改|调整|修正|完善|变动|规范)(?:和(?:修改|调整|完善))?"
)
"""个别文字作了修改: a change that is not spelt out."""

_SOME_WORDS = re.compile("(?:文字|标点|表述)[^。；，：\ue000-\uf8ff]{0,14}(?:调整|修改)")
"""The same anywhere in a sentence: 对条文顺序和个别文字作相应调整."""

_FILLER = re.compile(
    r"(?:并|同时)?对(?:部分|有关)?(?:条文|条款|内容)(?:作|进行)(?:出|了)?(?:如下|以下|相应)的?(?:修改|修正|调整)：?|"
    r"(?:此外|同时|另外|并|并且|据此|为此|相应地?|其中|(?:其他|其余|其它)[^，。；]{0,4}不变)"
)


def kind_of(sentence: str) -> Kind | None:
    """What a sentence is, if it orders no change of wording; otherwise ``None``."""
    if _GROUP.fullmatch(sentence) and not _CHANGES_WORDS.search(sentence):
        return "heading"
    if _QUOTE.search(sentence):
        return None
    if not _CHANGES_OR_DELETES.search(sentence):
        if _COMMENCES.search(sentence):
            return "commencement"
        if _TRANSITION.match(sentence):
            return "provision"
    if _LAPSES.search(sentence):
        return "lapse"
    if _REPUBLISHES.search(sentence):
        return "closing"
    reorders = adjusts_numbering(sentence)
    about_part = names_part(sentence) and not sentence.endswith("：")
    if _FRAME.search(sentence) and not reorders and not about_part:
        return "heading"
    if _HEADING.fullmatch(sentence) and len(LAW.findall(sentence)) == 1:
        return "heading"
    if reorders or speaks_of_amending(sentence):
        return None
    if _ABOUT_CONTENT.match(sentence):
        return "provision"
    return None if _BEGINS_WITH_PART.match(sentence) or LAW.match(sentence) else "provision"


def speaks_of_amending(text: str) -> bool:
    """Whether a sentence has words that only amending ones have."""
    return _AMENDS.search(text) is not None


def may_change_articles(text: str) -> bool:
    """Whether a clause that cannot be read may change which articles there are."""
    return _MAY_CHANGE_ARTICLES.search(text) is not None


def adjusts_numbering(sentence: str) -> bool:
    """Whether a sentence says that the numbering is adjusted (条文顺序作相应调整)."""
    return _REORDERS.search(sentence) is not None


def commences(sentence: str) -> bool:
    """Whether a sentence says from which day something is in force."""
    return _COMMENCES.search(sentence) is not None


def repeals_a_list(text: str) -> bool:
    """Whether laws are listed below a line that are repealed."""
    return _REPEALS_THESE.search(text) is not None


def names_part(sentence: str) -> bool:
    """Whether a sentence names a part of the law that is amended, not only of another."""
    own = _PART.search(_OF_LAW.sub("", sentence))
    return own is not None or _BEGINS_WITH_PART.match(sentence) is not None


def orders_nothing(piece: str) -> bool:
    """Whether a piece of a sentence is a filler, or a change that is not spelt out."""
    return (_FILLER.fullmatch(piece) or _UNSPECIFIED.fullmatch(piece)) is not None


def adjusts_some_words(text: str) -> bool:
    """Whether a point says that some words are adjusted, and not which."""
    return _SOME_WORDS.search(text) is not None


def is_recital(piece: str) -> bool:
    """Whether a piece that cannot be read only says why or by whom (为了 …, 根据 …)."""
    if speaks_of_amending(piece) or _QUOTE.search(piece) or _BEGINS_WITH_PART.match(piece):
        return False
    named = LAW.search(piece) or re.match("根据|依据|依照|按照|为", piece)
    return named is not None or _PART.search(piece) is None
