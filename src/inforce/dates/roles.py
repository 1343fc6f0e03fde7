"""The event a date in a text belongs to, recognised by the words around it.

The day of the trial is no day of the facts, and a will made in 2015 is not the death of 2020: the
rules on the law in time ask for one or the other. The word next to the date decides: one that
leads up to it (签订于2015年), else the first after it in its clause (2021年4月8日开庭), else the
first of the clause that follows a date set off by a comma, else the last before it.

>>> role_of("一审2021年2月审理", 2, 9)
'trial'
>>> role_of("盗窃发生于2010年6月，同年9月判决", 5, 12)
'fact'
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

DateRole = Literal[
    "fact",
    "result",
    "contract",
    "due",
    "known",
    "marriage",
    "divorce",
    "will",
    "death",
    "birth",
    "investigation",
    "claim",
    "filing",
    "trial",
    "judgment",
    "execution",
    "decision",
    "announcement",
    "law",
    "setting",
    "now",
    "term",
]
"""``fact``: an act or event of the case, and whatever has no narrower role. ``result``: harm that
came after the act. ``due``: a debt fell due. ``known``: somebody learned of something.
``investigation``: caught, detained, a criminal case opened. ``claim``: somebody asserted a right,
in court or not. ``filing``: a suit, charge or petition. ``execution``: a sentence is served,
commuted or ended. ``decision``: an administrative one. ``announcement``: something was made public.
``law``: a law commenced. ``setting``: the time to answer for (在2015年的时间背景下). ``now``: when
it is asked (到现在2026年了). ``term``: a day ahead of a case that has begun, agreed upon
(认缴到2049年). The last two are no days of the facts."""

FACT_ROLES: Final[tuple[DateRole, ...]] = (
    *("fact", "result", "contract", "due", "marriage", "divorce", "will", "death"),
)
"""Events that are facts of a case, as against the steps of its procedure."""

OTHER_ROLES: Final[tuple[DateRole, ...]] = (
    *("investigation", "known", "announcement", "claim"),
    *("filing", "decision", "trial", "judgment", "execution", "law"),
)
"""Events whose day stands for that of the facts only where no earlier kind is given."""

_WORDS: Final[tuple[tuple[DateRole, str], ...]] = (
    (
        "investigation",
        "立案(?:侦查|调查|查处)|(?:公安|检察|监察|侦查|警方)[^，。；]{0,6}立案|抓获|落网|被捕|被抓|刑拘|拘留|逮捕|归案"
        "|报案|案子?(?:告)?破|破案|告破|解救|稽查(?:局|队|员)?[^，。；]{0,4}(?:下|发|查)"
        "|到案|投案|案发|查获|被查|取保候审|监视居住|批准逮捕|(?i:arrested|detained|caught|surrendered)",
    ),
    (
        "filing",
        "提起[^，。；]{0,8}诉讼|诉至|起诉|提起公诉|移送审查|(?:去|到|向|上)[^，。；]{0,8}法院"
        "(?:提|告|申|请求|起|要求|立案)|去法院告|告到|打官司|申请[^，。；]{0,4}(?:仲裁|复议|再审)"
        "|请求(?:人民法院|法院)?(?:撤销|确认|判令|返还|赔偿)|上诉|受理|立案|(?<![额])诉讼(?!时效|法)"
        "|[把将][^，。；]{1,8}告(?:了|上)"
        "|(?i:filed|(?<![a-z])sued?(?![a-z])|brought (?:an action|a suit|suit))",
    ),
    (
        "claim",
        "主张|请求|要求[^，。；]{0,4}(?:继承|分割|返还|赔偿|确认|撤销|履行)|(?i:claimed|demanded)",
    ),
    (
        "trial",
        "(?:就要|将要|要|准备)?开[的了过]?庭|庭审|受审|审理|一审|二审|审判|在[^，。；]{0,6}法院(?:上?(?:争|辩|答辩|对质)|里说)"
        "|法庭|对簿公堂|^处理(?=$|时)|(?i:tried|trial|hearing|heard)",
    ),
    (
        "judgment",
        "(?<!原)判决|宣判|(?:法院|法官)(?:才|就|已经?)?判(?!断)|判(?:我|他|她|对方|下来|输|赢)|判处|被判(?!断)|判[了的]|判(?:有期|无期|死刑|缓刑|拘役|管制|[0-9一二三四五六七八九十]{1,3}年)"
        "|裁定|裁判|判刑|获刑|数罪并罚|作出[^，。；]{0,4}判|一审判"
        "|(?i:sentenced|judg(?:e?ment|ed)|convicted|ruled)",
    ),
    (
        "execution",
        "减刑|假释|服刑|收监|出狱|刑满|刑释|(?i:commuted|paroled|released from prison)",
    ),
    (
        "decision",
        "(?:行政)?处罚决定|复议决定|作出[^，。；]{0,8}决定|被?(?:处以|处)?罚款|被罚|吊销|责令"
        "|(?:下达|送达)[^，。；]{0,8}(?:通知|决定)"
        "|(?i:fined|penalised|penalized|decision)",
    ),
    (
        "death",
        "死亡|去世|病故|身亡|过世|逝世|离世|亡故|病逝|死后|因伤[^，。；]{0,4}(?:死|亡|去世)|伤重[^，。；]{0,4}(?:死|亡|去世)"
        "|(?i:died|death|passed away)",
    ),
    ("will", "立(?:了|有|下)?[^，。；]{0,8}遗嘱|遗嘱|(?i:(?<![a-z])wills?(?= (?:was|of|made)))"),
    ("marriage", "结婚|成婚|领证|婚姻登记|再婚|(?i:married|marriage)"),
    ("divorce", "离婚|(?i:divorced?)"),
    (
        "contract",
        "入职|签订|订立|签署|签约|签了?[^，。；]{0,8}(?:合同|协议)|达成协议|成立合同|合同成立"
        "|(?i:concluded|signed|entered into)",
    ),
    (
        "due",
        "到期|届满|应付款|应当?(?:归还|偿还|还款|支付|付款)|还款(?:日|期)|付款(?:日|期)"
        "|(?i:fell due|due|matured)",
    ),
    (
        "known",
        "发现|得知|知道|获知|知悉|收到|查出来|才(?:查到|晓得|明白)"
        "|(?i:learned|discovered|received|found out)",
    ),
    ("result", "损害后果|后果(?:发生|出现)|(?:损害|症状|后遗症)(?:显现|出现)|(?i:harm appeared)"),
    ("announcement", "公告|公布|披露|(?i:announced|published)"),
    (
        "law",
        "(?:起)?施行|颁布|生效|(?:起)?实施(?=的?[《新刑民法条规])|新增了?|增设了?"
        "|(?:条文|规定|法律|程序|法|条例|标准)(?:又|也|都|才)?(?:改了|修改了|修订了|变了)|"
        "(?i:came into force|commenced|(?:took|takes) effect|entered into force)",
    ),
    (
        "fact",
        "伪造|捏造|编造|盗窃|偷|抢|诈骗|骗|杀|殴打|打|伤|贪污|受贿|行贿|收受|索取|挪用|侵占|贩卖|走私|销售"
        "|生产|制造|非法|违法|犯|实施|行为|发生|驾驶|驾车|撞|醉|吸收|集资|组织|虐待|遗弃|拐|绑架|强奸|猥亵"
        "|购买|买|卖|借(?![款条据])|租|离职|辞退|解雇|开除|招用|赠|出资|侵权|坠落|抛|事实|事故"
        "|(?i:happened|occurred|committed|facts?|stole|killed|lent|borrowed|bought|sold|infring)",
    ),
)
_NOT_IT: Final = re.compile(
    "(?:到|至|等|如果|假如|要是|若|是否|能否|可否|没|未|不|想|要|准备|以便|为了)$"
)
"""Before a word: what has not happened on the date (住到去世, 没签合同)."""

_MATTER: Final = re.compile(
    "[为就因对][^，。；为就因对]{2,10}?(?=诉至|起诉|提起|申请|请求|主张|打官司|向[^，。；]{0,8}法院"
    "|被判|判处|获刑|判刑)"
)
"""What a suit or sentence is about: 为遗嘱效力起诉 is no will, 因抢劫被判 no robbery."""

_ANY: Final = re.compile("|".join(f"(?P<r{at}>{words})" for at, (_, words) in enumerate(_WORDS)))
_LEADS_UP: Final = re.compile(
    rf"(?:{_ANY.pattern.replace('(?P<r', '(?P<l')})"
    r"(?:日期|日|时间|之日|时[（(])?(?:\s(?:in|at|near)\s[A-Z][a-z]+)?\s?(?:为|是|在|于|:|：|on|in|is|was)?\s*$"
)
_ATTACHED: Final = re.compile(
    r"(?:[于为是:：日]|时[（(]|(?:发生|出现|成立|签订)在|时间|on|in|is|was)\s*$"
)
_SETTING: Final = re.compile(r"的?(?:法律|时间|时代|历史)?背景下")
_AS_OF: Final = re.compile(r"(?:(?i:as of|as at)|截至|假设(?:现在|今天)是|现在是)\s*$")
_BY_NOW: Final = re.compile(r"(?:到|都|直到)(?:了)?(?:现在|如今|今天|眼下)(?:已经|都|是)?\s*$")
_BORN_AFTER: Final = re.compile(r"\s?(?:出生|生(?=[)）,，。;；、]))")
_BORN_BEFORE: Final = re.compile(r"(?:出生于|[Bb]orn (?:on|in) )$")
_TAKES_EFFECT: Final = re.compile("(?:正式)?(?:生效|发生法律效力)")
_OF_A_COURT: Final = re.compile("判决|裁定|调解书")
_AGREED: Final = re.compile(
    "(?:约定|约好|承诺|说好|[定应须]于|应在|最迟|期限(?:为|至|到))[^，。；]{0,8}$"
)
_PAID: Final = re.compile(
    "(?:之?前|以前|内|止)?(?:一次性|全部|全额|连本带息)?(?:归还|偿还|还清|还款|支付|付清|付款|交付|交货|还[，。；])"
)
_CLAUSE_END: Final = re.compile(
    r"[，。；：？！,;?!\n（(]|(?:^|\s)and\s|[0-9〇一二三四五六七八九]{2,4}\s?[年./-]|[同次当翌]年|[同次]月|[次同当]日"
)
"""A clause ends at its stop, or where the next date begins."""
_HOUR: Final = re.compile(
    r"(?:份|间|前后|左右|许|起(?![诉草火争])|以?[前后]|之[前后]|底|初|凌晨|早上|上午|中午|下午|晚上?|[0-9]{1,2}[时点]"
    r"(?:[0-9]{1,2}分|半)?许?|\s)*"
)
_LOOK_AFTER: Final = 24
_LOOK_BEFORE: Final = 20
"""Characters looked at on either side: a word further away belongs to something else. In English,
whose words are longer, twice as many."""


def role_of(text: str, start: int, end: int) -> DateRole:
    """The event that the date at these offsets of a text belongs to."""
    before = text[max(0, start - 2 * _LOOK_BEFORE) : start]
    if not before.isascii():
        before = before[-_LOOK_BEFORE:]
    return _role(before, text[end : end + _LOOK_AFTER + _LOOK_BEFORE])


@lru_cache(maxsize=4096)
def _role(before: str, after: str) -> DateRole:
    if _SETTING.match(after):
        return "setting"
    if _AS_OF.search(before):
        return "setting"
    if _BY_NOW.search(before):
        return "now"
    if _BORN_AFTER.match(after) or _BORN_BEFORE.search(before):
        return "birth"
    if _TAKES_EFFECT.match(after) and _OF_A_COURT.search(_CLAUSE_END.split(before)[-1]):
        return "judgment"
    if _AGREED.search(before) and _PAID.match(after):
        return "due"
    return _leading_up(before) or _following(after) or _last_before(before) or "fact"


def _leading_up(before: str) -> DateRole | None:
    match = _LEADS_UP.search(before) if _ATTACHED.search(before) else None
    return _WORDS[int(match.lastgroup[1:])][0] if match and match.lastgroup else None


def _following(after: str) -> DateRole | None:
    """The first role named in the clause after a date, or in the next where that one is empty."""
    skipped = _HOUR.match(after)
    rest = after[skipped.end() if skipped else 0 :]
    if rest[:1] in ("，", ","):
        rest = rest[1:]
    clause = _CLAUSE_END.split(rest, maxsplit=1)[0][:_LOOK_AFTER]
    clause = _MATTER.sub("", clause)
    for match in _ANY.finditer(clause):
        if match.lastgroup and not _NOT_IT.search(clause[: match.start()]):
            return _WORDS[int(match.lastgroup[1:])][0]
    return None


def _last_before(before: str) -> DateRole | None:
    clause = _CLAUSE_END.split(before)[-1]
    found = [match for match in _ANY.finditer(clause) if match.lastgroup]
    if not found or found[-1].lastgroup is None:
        return None
    return _WORDS[int(found[-1].lastgroup[1:])][0]
