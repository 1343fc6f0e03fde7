"""The citations of a document, each resolved to a law of the corpus or to why that failed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inforce.documents.document import Document
from inforce.errors import IdentifierError
from inforce.law.citation import Citation, find_citations
from inforce.law.former_law import is_former_statute
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work, name_key
from inforce.verification.findings import Reason
from inforce.verification.law_lookup import LawLookup

_ENOUGH_STATUTES = 250
"""National statutes a corpus needs (some 300 are in force) to tell that a title is none of them."""
_STATUTE = re.compile(
    r"(?:^中华人民共和国|^)[^《》]{2,60}(?:法|法典)(?:[（(][^（）()]{1,12}[）)])?$"
)
_NO_STATUTE = re.compile(
    r"(?:办|方|做|用|看|说|想|书|语|手|技|疗|算|乘|打|写|语|句|魔|佛|功|笔|唱|针|剑|兵|军|拳|心|国际|比较|(?<!公)司)法(?:[（(][^（）()]{1,12}[）)])?$"
)
_AMENDMENT = re.compile(r"^(?:中华人民共和国)?刑法修正案[（(][一二三四五六七八九十]+[）)]$")
_SHORTEST_STATUTE = 4
_LEGAL_TITLE = re.compile(
    r"(?:法|法典|条例|规定|办法|解释|决定|通则|规则|细则|意见|通知|批复|公约|协定|条约|修正案|标准"
    r"|纪要|答复|规范|规程)(?:[（(][^（）()]{1,20}[）)])?$"
)
_TREATY = re.compile(r"(?:公约|协定|条约|议定书|宪章|盟约|宣言)(?:[（(][^（）()]{1,12}[）)])?$")
_PLACES = (
    "德国|日本|美国|法国|英国|意大利|瑞士|瑞典|韩国|俄罗斯|苏联|苏俄|奥地利|荷兰|西班牙|加拿大|澳大利亚|印度|新加坡|越南"
    "|欧盟|欧洲|普鲁士|台湾地区|台湾|香港|澳门|加州|纽约州|德意志|法兰西|大韩民国|魏玛|拿破仑"
)
_FOREIGN_SECTIONS = re.compile(
    r"\b\d{1,2}\s?U\.?S\.?C\.?\s?(?:§{1,2}\s?|[Ss]ection\s)?\d+[\w\-()]*"
    r"|\b\d{1,2}\s?C\.?F\.?R\.?\s?(?:§{1,2}\s?|[Pp]art\s)?\d+[\w.()]*"
    r"|§{1,2}\s?\d+[a-z]?(?:\s(?:Abs\.|Absatz)\s?\d+)?\s(?:BGB|StGB|ZPO|StPO|HGB|GG|AktG|GmbHG)\b"
    r"|\bArt(?:icle|\.)\s?\d+[\w\-]*\s(?:GDPR|DSGVO|C\.?\s?civ\.?|Code civil|OR|ZGB)\b"
)
_FOREIGN = re.compile(
    rf"《?(?:{_PLACES})[^《》\s，。；、]{{0,12}}?(?:法典|法案|宪法|法(?![院官律规人定学]))》?(?:第[0-9一二三四五六七八九十百千]+条)?"
    rf"|{_FOREIGN_SECTIONS.pattern}"
)
_FOREIGN_TITLE = re.compile(rf"^(?:{_PLACES})(?!.*特别行政区基本法|.*驻军法|.*同胞)")
_ALIAS = re.compile(
    r"(?:《(?P<title>[^《》\n]{2,80})》|(?P<that>该(?:司法)?(?:解释|规定|条例|办法|法)))\s?"
    r"(?:[（(][^（）()\n]{0,40}[）)])?\s?[（(](?:[^（）()\n]{0,40}[，,；;])?\s?"
    r"(?:(?:下称|以下(?:统一)?简?称为?)[“\"「《]?(?P<alias>[^“”\"「」《》（）()\n，,]{2,20})"
    r"|[“\"](?P<english>[A-Za-z ]{2,20})[”\"][）)])"
    r"|[（(]《(?P<inside>[^《》\n]{2,80})》[，,]\s?[“\"](?P<short>[A-Za-z ]{2,20})[”\"][）)]"
)
"""《…》（法释〔2016〕9号，以下简称《…》）, 该解释（下称…）, (《外商投资法》, "FIL")."""
_APPLIED = re.compile(r"(?:依照|根据|依据|按照|适用|违反|援引)(?:了|了?原)?(?:我国)?[的《“]{0,2}$")
"""Precedes a law that is named without an article: it is applied, not merely mentioned."""
_FORMER = re.compile(
    r"(?:原|旧|当时的|时行的|施行前的|(?:修改|修订|修正)前的?|(?:沿用|沿袭|吸收|承继|继承|延续|保留|取代|替代|废止|删除|删去)了?"
    r"|源于|源自|来源于|脱胎于|相较于?|相比于?|较之|区别于|不同于)[我国]{0,2}[《“]?$"
    r"|[（(](?:现?已经?)?(?:失效|废止)[）)]$|(?:原|旧|(?:修改|修订|修正)前的?)法的?$"
)
"""Precedes a law that is named as a former one."""
_ENDED = re.compile(r"》?[（(](?:现?已经?)?(?:失效|废止)[）)]")
_HAS_ENDED = re.compile(
    r"[^。；;\n《》]{0,16}?(?:同时|均|已|现已?|予以|被){0,2}(?:废止|失效)|（已失效）"
)
_SAID_ONCE = re.compile(r"(?:第[^，。；\n]{1,12}[条款项])?曾(?:经)?(?:将|把|规定|要求|允许|明确)")
"""Follows a law whose former content is reported."""
_BOOK = re.compile(
    r"[^。；;\n《》]{0,24}(?:出版社|[0-9０-９]{4}年版)|[（(]第[一二三四五六七八九十0-9]{1,2}版[）)]"
)
"""Follows the title of a book."""
_PRIVATE = re.compile(r"(?:合同|协议书?|约定|章程|纪要|文件|通知|号)[》”）)]?的?$")
"""Precedes an article without a law: it is a clause of a contract."""
_AGREED = re.compile(r"(?:之|的|中|也|又|还|亦|同时|明确){0,2}约定")
"""Follows an article without a law: parties agree on the clauses of a contract."""
_ARTICLE = re.compile(r"第[0-9０-９〇零一二三四五六七八九十百千]+条")
_TAG = re.compile(r"<[^<>]{0,60}>")
_INTERPRETATION = re.compile(
    r"(?:最高人民(?:法院|检察院)[、，和与\s]{0,2}){1,2}(?:公安部|司法部|[、，和与\s]){0,4}关于[^。；;\n《》﹤﹥<>]{0,40}"
    r"(?:[《〈﹤<][^。；;\n《》〈〉﹤﹥<>]{2,40}[》〉﹥>][^。；;\n《》]{0,40}?)?"
    r"(?:解释|规定|批复|意见|决定|纪要|解答)(?:[（(][一二三四五六七八九十]{1,3}[）)])?"
    r"(?=》?第[〇零一二三四五六七八九十百0-9]{1,8}条)"
)
"""An interpretation by its full title without 《》, which contains that of the law it explains."""
_OWN_NUMBERS = 3
"""Consecutive paragraphs beginning with 第…条 that make them the document's own clauses."""
_CLAUSE_HEAD = re.compile(r"[\s#*>]{0,6}(第[0-9０-９〇零一二三四五六七八九十百]{1,8}条)")
_NOT_YET = re.compile(
    r"[^。；;\n]{0,40}?(?:尚未|还未|还没有?|并未|仍未)(?:正式)?(?:施行|实施|生效|出台|颁布|公布|设立|增设)"
    r"|[^。；;，,\n]{0,12}?(?:尚|还|并)?不存在|[^。；;，,\n]{0,8}?尚无"
)
"""Follows a law that was not in force yet, as the document says."""


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """A citation of a document, and the law it means."""

    citation: Citation
    work: str = ""
    """The law's title in the corpus or the registry; as written where it is in neither."""
    held: bool = False
    """Whether the corpus has the law."""
    problem: Reason = ""
    """Why the citation could not be resolved."""
    invented: bool = False
    """Whether there is no law of that name."""
    similar_titles: tuple[str, ...] = ()
    applied: bool = True
    """Whether it is cited as law to apply; a law merely mentioned needs not be in force."""
    own_clause: bool = False
    """Whether it is the number of one of the document's own clauses, or no law at all."""
    former: bool = False
    """Whether it is named as a former law."""
    not_yet: bool = False
    """Whether the document says that it was not in force yet."""
    ended_here: bool = False
    """Whether the document says somewhere that the law has ceased to be in force."""


def read_citations(document: Document, law: LawLookup) -> tuple[ResolvedCitation, ...]:
    """Find and resolve every citation of a document, in order."""
    text = document.text
    foreign = [match.span() for match in _FOREIGN_SECTIONS.finditer(text)]
    found = [
        one
        for one in find_citations(text, titles=law.titles)
        if not any(start < one.end and one.start < end for start, end in foreign)
    ]
    found = _with_interpretations(_with_their_laws(found, text), text, law)
    aliases = _aliases(text, found)
    own = _own_clauses(document)
    if title_of_law(document, law):
        own |= {one.start for one in found if _is_of_same_law(one)}
    cited = _with_contract_clauses([_resolve(one, text, law, aliases, own) for one in found], text)
    ended = {one.work for one in cited if one.held and _HAS_ENDED.match(text, one.citation.end)}
    cited = [
        replace(
            one,
            ended_here=one.work in ended,
            not_yet=_NOT_YET.match(text, one.citation.end) is not None,
        )
        for one in cited
    ]
    cited += _foreign_statutes(text, [(one.citation.start, one.citation.end) for one in cited])
    return tuple(sorted(cited, key=lambda one: (one.citation.start, one.citation.end)))


def _aliases(text: str, citations: Sequence[Citation]) -> dict[str, str]:
    """The abbreviations that the document defines, with the titles they stand for."""
    found: dict[str, str] = {}
    for match in _ALIAS.finditer(text):
        name = match["alias"] or match["english"] or match["short"]
        title = match["title"] or match["inside"]
        if match["that"]:
            before = [one for one in citations if one.start <= match.start() and one.work]
            title = before[-1].work if before else None
        if title:
            found.setdefault(name.strip(), title)
    return found


def title_of_law(document: Document, law: LawLookup) -> str | None:
    """The title of the law whose text the document is; ``None`` for a document about law."""
    lines = document.text[:400].strip().split("\n", 1)
    title = "".join(lines[0].strip("#*《》 　\t").split())
    return law.title(title) if title in law.titles else None


def _is_of_same_law(citation: Citation) -> bool:
    """Whether a citation within a law is one of that law: 第三条, 前款, 本条, not 该法第三条."""
    return citation.kind == "bare" or (
        citation.kind == "reference" and not citation.text.startswith(("该", "同", "上述"))
    )


def _with_contract_clauses(cited: Sequence[ResolvedCitation], text: str) -> list[ResolvedCitation]:
    """Mark an article without a law that follows a contract's clause as the contract's, too."""
    found: list[ResolvedCitation] = []
    for one in cited:
        last = found[-1] if found else None
        if (
            last
            and one.citation.kind == "bare"
            and last.own_clause
            and last.citation.kind == "bare"
            and "\n" not in text[last.citation.end : one.citation.start]
        ):
            one = replace(one, own_clause=True)
        found.append(one)
    return found


def _with_their_laws(citations: Sequence[Citation], text: str) -> list[Citation]:
    """Give articles without a law the law whose articles were cited before.

    参照公务员法管理 only mentions a law, mostly in another's words; the next 第十二条 belongs to
    another one. The same holds after a sentence that reports what a law once provided.
    """
    found: list[Citation] = []
    last: Citation | None = None
    before: str | None = None
    passed: Citation | None = None
    for one in citations:
        once = passed is not None and one.kind == "bare" and one.work == passed.work
        if once and passed and "。" in text[passed.end : one.start] and before:
            one = replace(one, work=before)
        elif one.kind in ("named", "unlisted") and one.portions:
            past = _SAID_ONCE.match(text, one.end)
            passed, before = (one, last.work if last else None) if past else (None, before)
        mention = found[-1] if found else None
        passing = mention and mention.kind == "named" and not mention.portions
        if (
            mention
            and passing
            and last
            and one.kind == "bare"
            and one.work == mention.work
            and "《" not in mention.text
            and not mention.text.isascii()
        ):
            one = replace(one, work=last.work)
        if one.portions and one.work is not None:
            last = one
        found.append(one)
    return found


def _with_interpretations(
    citations: Sequence[Citation], text: str, law: LawLookup
) -> list[Citation]:
    """Correct the citations of interpretations that are named without 《》.

    In 最高人民法院关于适用《民法典》…的解释第二十条 the article is the interpretation's.
    """
    found = list(citations)
    for match in _INTERPRETATION.finditer(text):
        quoted = text[match.start() - 1 : match.start()] == "《"
        start = match.start() - quoted
        after = match.end() + (text[match.end() : match.end() + 1] == "》")
        inside = [at for at, one in enumerate(found) if start <= one.start < match.end()]
        behind = [at for at, one in enumerate(found) if after <= one.start <= after + 2]
        at = next((one for one in inside if found[one].end > match.end()), None)
        if at is None:
            at = next((one for one in behind if found[one].kind == "bare"), None)
        if at is None or (quoted and found[at].start == start):
            continue
        title = law.title(match[0])
        known = title is not None or find_work(match[0]) is not None
        end = found[at].end
        changed = replace(
            found[at],
            start=start,
            text=text[start:end],
            work=title or match[0],
            kind="named" if known else "unlisted",
        )
        found = [one for place, one in enumerate(found) if place not in inside and place != at] + [
            changed
        ]
        found.sort(key=lambda one: one.start)
    return found


def _resolve(
    citation: Citation,
    text: str,
    law: LawLookup,
    aliases: dict[str, str],
    own: frozenset[int],
) -> ResolvedCitation:
    if citation.kind in ("bare", "named") and "《" not in citation.text:
        citation = _with_alias(citation, text, law, aliases)
    before = text[max(0, citation.start - 12) : citation.start]
    applied = bool(citation.portions) or bool(_APPLIED.search(before))
    former = bool(
        _FORMER.search(before)
        or _ENDED.search(citation.text)
        or _ENDED.match(text, citation.end)
        or _SAID_ONCE.match(text, citation.end)
    )
    if former and not citation.portions:
        applied = False
    private = citation.kind == "bare" and (
        _PRIVATE.search(before) or _AGREED.match(text, citation.end)
    )
    private = private or (citation.kind == "unlisted" and _BOOK.match(text, citation.end))
    if private or citation.start in own:
        return ResolvedCitation(citation, citation.work or "", own_clause=True)
    name = citation.work
    if name in aliases:
        name = law.title(aliases[name]) or aliases[name]
    if name is None:
        problem: Reason = "law_not_held" if citation.kind == "document" else "law_not_named"
        written = citation.text if citation.kind == "document" else ""
        return ResolvedCitation(citation, written, problem=problem, applied=applied)
    if citation.kind == "unlisted":
        return _resolve_unlisted(citation, name, law, applied=applied, former=former)
    title = law.title(name)
    if title is None:
        return ResolvedCitation(citation, name, problem="law_not_held", applied=applied)
    return ResolvedCitation(citation, title, held=True, applied=applied, former=former)


def _with_alias(citation: Citation, text: str, law: LawLookup, aliases: dict[str, str]) -> Citation:
    """The citation with the law that its abbreviation stands for in this document.

    The document's own definition prevails over another law of that name.
    """
    head = _ARTICLE.search(citation.text)
    named = citation.start + head.start() if head else citation.end
    before = text[max(0, named - 24) : named].rstrip('》”"」 ')
    for alias in sorted(aliases, key=len, reverse=True):
        if before.endswith(alias):
            work = law.title(aliases[alias]) or aliases[alias]
            start = text.rfind(alias, 0, named)
            known = law.title(work) is not None or find_work(work) is not None
            return replace(
                citation,
                start=start,
                text=text[start : citation.end],
                work=work,
                kind="named" if known else "unlisted",
            )
    return citation


def _resolve_unlisted(
    citation: Citation, name: str, law: LawLookup, *, applied: bool, former: bool
) -> ResolvedCitation:
    """Resolve an unknown title in 《》: foreign, a treaty, a law that is not held, or no law."""
    name = _TAG.sub("", name)
    if title := law.title(name):
        return ResolvedCitation(citation, title, held=True, applied=applied, former=former)
    if _FOREIGN_TITLE.match(name):
        return ResolvedCitation(citation, name, problem="foreign_law", applied=applied)
    if _TREATY.search(name):
        return ResolvedCitation(citation, name, problem="treaty", applied=applied)
    if not _LEGAL_TITLE.search(name):
        return ResolvedCitation(citation, name, problem="law_not_named", own_clause=True)
    if _is_no_law(name, law):
        similar = law.similar_titles(name)
        return ResolvedCitation(
            citation, name, invented=True, similar_titles=similar, applied=applied
        )
    return ResolvedCitation(
        citation,
        name,
        problem="law_not_held",
        similar_titles=law.similar_titles(name),
        applied=applied,
    )


def _is_no_law(name: str, law: LawLookup) -> bool:
    """Whether a title can only be a national statute, and no statute ever had it.

    Only the National People's Congress and its Standing Committee make statutes (法); some 300 are
    in force. A corpus that has nearly all of them, with the titles of former ones, can tell.
    """
    if _AMENDMENT.match(name):
        return True
    core = name_key(name)
    if not _STATUTE.match(name) or _NO_STATUTE.search(name) or len(core) < _SHORTEST_STATUTE:
        return False
    if is_former_statute(name) or any(name_key(one).endswith(core) for one in law.titles):
        return False
    statutes = sum(
        title.startswith("中华人民共和国") and title.endswith("法") and not title.endswith("办法")
        for title in law.titles
    )
    return statutes >= _ENOUGH_STATUTES


def _foreign_statutes(text: str, taken: Sequence[tuple[int, int]]) -> list[ResolvedCitation]:
    """Statutes of other jurisdictions, where they are not read as citations already."""
    found: list[ResolvedCitation] = []
    for match in _FOREIGN.finditer(text):
        if (
            _FOREIGN_TITLE.match(match[0].strip("《》")) is None
            and match[0][0] not in "§0123456789A"
        ):
            continue
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        citation = Citation(
            match.start(), match.end(), match[0], match[0].strip("《》"), (), None, "unlisted"
        )
        found.append(ResolvedCitation(citation, citation.work or "", problem="foreign_law"))
    return found


def _own_clauses(document: Document) -> frozenset[int]:
    """Where the document's own clauses begin: 第一条, 第二条, 第三条 at the head of paragraphs."""
    heads: list[tuple[int, int]] = []
    for block in document.blocks:
        match = _CLAUSE_HEAD.match(document.text[block.start : min(block.end, block.start + 20)])
        if match:
            try:
                number = ProvisionNumber.parse(match[1]).main
            except IdentifierError:
                number = -1
            heads.append((block.start + match.start(1), number))
    own: set[int] = set()
    first = 0
    for at in range(1, len(heads) + 1):
        if at < len(heads) and heads[at][1] == heads[at - 1][1] + 1:
            continue
        if at - first >= _OWN_NUMBERS and heads[first][1] == 1:
            own.update(place for place, _ in heads[first:at])
        first = at
    return frozenset(own)
