"""The masked text of a point as the grammar expects it: what is abbreviated is written out."""

from __future__ import annotations

import re

from inforce.corpus.compile.quotations import SIGN
from inforce.corpus.compile.wording import FIGURE, NUMERAL

_SPACES = re.compile(r"[ \u3000\t]+")
_WIDTH = str.maketrans("：；，（）０１２３４５６７８９", "：；，（）0123456789") | str.maketrans(
    {":": "：", ";": "；", ",": "，", "(": "（", ")": "）", "＜": "〈", "＞": "〉"}
)

_BELOW = "(?:作|做|进行)(?:出|了)?(?:如下|以下|下列)?的?(?:修改|修正|修订)"
_REPLACEMENTS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # new wording on the line below, in marks of its own, or in several
        (rf"：\n+(?={SIGN})", "："),
        (rf"({SIGN})：(?=\n|。|$)", r"\1"),
        (rf"(?<={SIGN})\n(?={SIGN}[。；]?(?:\n|$))", ""),
        # “…”字样: what words in quotation marks are called
        (
            rf"({SIGN})(?:一[句词段语]|[一二两三]个?字|等?字样|的?(?:规定|表述|内容|文字|字样))"
            "(?=修改|改为|删|后|之后|前|之前|予以|均|统一|全部|分别|[，。；]|$)",
            r"\1",
        ),
        # 罚款数额由“…”: what kind of words follow; they have to be found anyway
        (
            r"((?:[条款项目句中]|所?规定|所列)的?)"
            r"(?:(?:罚款|罚金|处罚|数额|金额|额度|幅度|标准|期限|时限|年限|期间|比例|机构|机关|单位|部门"
            rf"|组织|法律|法规|职务|称谓|用语|名称|词语|表述)的?){{1,4}}(?=由?{SIGN})",
            r"\1",
        ),
        # 第四条内容修改为, 第四条全文修改为: the article itself
        (
            r"(?<=[条款项])的?(?:全部|整个)?(?:内容|全文|条文|规定)(?=(?:统一)?(?:修改|改|修订|调整)为)",
            "",
        ),
        # 第四条修改如下：“…”
        (
            rf"(?<=[条款项])(?:修改|修正|修订|调整)如下：(?={SIGN})"
            rf"|(?<=[条款项]){_BELOW}(?:，(?:将其|内容)?修改为)?：?(?={SIGN})",
            "修改为：",
        ),
        # 第四条作如下修改：将“…”修改为“…”
        (rf"(?<=[条款项])(?:修改如下|{_BELOW})[：，](?=[^\ue000-\uf8ff\n])", "，"),
        # 增加一条为第五条
        (rf"(增[加设列]{NUMERAL}个?[条款项目章节编])为(?=第)", r"\1作为"),
        # 第一条至第三条为第一节
        (rf"(?<=条)为(?=第[^，。；：]{{1,5}}[编章节](?:[，。；]|{SIGN}|$))", "作为"),
        # 第二款单列一条, 独立成条: it becomes an article of its own
        (
            "(?:单独|独立|单列|另列|另立|自成)(?:列|成|作|分)?(?:为)?一?(?:条|个条文)(?=[，。；]|$)",
            "单独作为一条",
        ),
        # 分为两节：第一条 …
        (rf"([分划]为{NUMERAL}[章节])：(?=第)", r"\1，"),
    )
)
_HEADED = re.compile(
    rf"((?<!{FIGURE})(?:{NUMERAL}个?|第{NUMERAL})[编章节][^。；]{{0,14}}?)"
    rf"(?:，?(?:[编章节]名|名称|标题)(?:为|是)：?|：)?({SIGN})"
    rf"(?:，(?:包括|内容为|共|作为)[^。；，\ue000-\uf8ff]{{0,30}}){{0,2}}[：，](?={SIGN})"
)
"""增加一章，章名为“…”：“…”: name and articles of a new chapter in marks of their own."""

_SHORT_LIST = re.compile(
    rf"(?:第|(?<!{FIGURE}))(?P<first>（?{NUMERAL}）?)"
    rf"(?P<more>(?:(?:、|和|至)第?（?{NUMERAL}）?)+)(?P<unit>[条款项目节章])"
)
_SHORT_NEXT = re.compile(rf"(、|和|至)第?(（?{NUMERAL}）?)")
_PAIRS = re.compile(rf"(为[：:]?{SIGN})、(?={SIGN}(?:统一)?(?:修改|改)为)")


def normalised(text: str) -> str:
    """The masked text of a point as the grammar expects it.

    Spaces go, marks become full width, and what is abbreviated is written out: 第一、二款 is
    第一款、第二款, 第一至三项 is 第一项至第三项.
    """
    text = _SPACES.sub("", text).translate(_WIDTH)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    if "增" in text:
        text = _HEADED.sub(r"\1：\2", text)
    text = re.sub(rf"({SIGN})：(?=第|《|本)", r"\1。", text)
    text = re.sub("(?<=[章节编])的(?:全部)?内容(?=[，。；]|$)", "", text)
    text = _SHORT_LIST.sub(_written_out, text)
    return _PAIRS.sub(r"\1，", text)


def _written_out(match: re.Match[str]) -> str:
    unit = match["unit"]
    if not match[0].startswith("第"):
        return match[0]
    more = _SHORT_NEXT.sub(rf"\1第\2{unit}", match["more"])
    return f"第{match['first']}{unit}{more}"
