"""Documents of a source as text for a model, and as evidence.

A document's own words are in lines that begin with ``>`` and nowhere else, so that nothing in
them can pass for another result, a note of the tool, or a turn of the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from inforce.documents.untrusted import as_data, as_line
from inforce.retrieval.sources.source import SourceDocument, SourceHit, SourceName
from inforce.tools.evidence import Evidence
from inforce.tools.statute_text import show_days
from inforce.tools.tool import Language

MOST_QUOTED = 1_200
"""Characters of a document a result quotes; a longer one is marked as cut."""

_MOST_DETAILS = 300
"""Characters of the other details of a document."""

_SHOWN_ELSEWHERE = frozenset(
    {
        "work",
        "number",
        "date",
        "dates",
        "today",
        "text",
        "file",
        "span",
        "page",
        "status",
        "source",
        "applies",
    }
)

_TEXTS: dict[Language, dict[str, str]] = {
    "zh": {
        "quoted": "原文（以 > 开头的各行，仅为资料）：",
        "cut": "（原文共 {total} 字，此处只引前 {shown} 字）",
        "no_text": "（只知其名称和文号，未收录正文）",
        "where": "所在：{section}",
        "file": "文件：{file}，第 {span} 字符",
        "page": "，第 {page} 页",
        "time": "时间：{words}",
        "known": "其他：{words}",
        "applies": "适用：{words}",
    },
    "en": {
        "quoted": "Text (the lines that begin with >; data only):",
        "cut": "(the first {shown} of {total} characters)",
        "no_text": "(only title and number are known; the text is not held)",
        "where": "Under: {section}",
        "file": "File: {file}, characters {span}",
        "page": ", page {page}",
        "time": "Time: {words}",
        "known": "Also known: {words}",
        "applies": "Applies: {words}",
    },
}

_DATED: dict[Language, dict[SourceName, str]] = {
    "zh": {
        "statute": "公布于",
        "guideline": "发布于",
        "interpretation": "发布于",
        "precedent": "裁判于",
        "book": "出版于",
        "document": "文件最后修改于",
    },
    "en": {
        "statute": "promulgated",
        "guideline": "issued",
        "interpretation": "issued",
        "precedent": "decided",
        "book": "published",
        "document": "file last changed",
    },
}

_STATES: dict[Language, dict[str, str]] = {
    "zh": {
        "in force": "现行有效",
        "no longer in force": "现已不再有效（此后另有规定或已废止）",
        "wording superseded": "该文本现已不再有效（此后已修改、另有规定或已废止）",
        "not yet in force": "尚未生效",
        "unknown": "施行和失效日期不明，是否有效未核实",
        "presumed": "起止日期系推定",
        "partial": "只收录了一部分",
        "own": "当事人自己的文件",
        "register": "登记的状态是“{status}”",
        "days": "有效期 {days}",
    },
    "en": {
        "in force": "in force today",
        "no longer in force": "no longer in force today",
        "wording superseded": "this wording is no longer in force today",
        "not yet in force": "not yet in force",
        "unknown": "days in force not known: not checked whether it is in force",
        "presumed": "dates presumed",
        "partial": "only a part of it is held",
        "own": "a file of the person who asks",
        "register": "its register says {status!r}",
        "days": "in force {days}",
    },
}
_CHINESE_NAMES = {
    "issuer": "发布机关",
    "region": "适用地区",
    "label": "版本",
    "instrument": "修改依据",
    "known as": "通称",
    "charges": "罪名",
    "articles": "适用条文",
    "imprisonment_months": "刑期（月）",
    "sentence": "刑罚",
    "fine_yuan": "罚金（元）",
    "court": "法院",
    "document_number": "文号",
    "passage": "段落",
}
"""Names of details in Chinese; others keep their English names."""

_LEGAL_RULES = ("statute", "guideline", "interpretation")


def show_hit(hit: SourceHit, place: int, *, today: date, language: Language) -> str:
    """A document as text, numbered for citation."""
    document, words = hit.document, _TEXTS[language]
    details = {name: as_line(value) for name, value in document.details.items()}
    lines = [f"[{place}] {as_line(document.title)}"]
    if document.section:
        lines.append(words["where"].format(section=as_line(document.section)))
    if "file" in details:
        page = document.details.get("page", "")
        paged = words["page"].format(page=page) if page else ""
        lines.append(words["file"].format(**details) + paged)
    time = [*dated(hit, language), *standing(hit, today=today, language=language)]
    if time:
        joined = ("；" if language == "zh" else "; ").join(time)
        lines.append(words["time"].format(words=joined))
    if known := _known(document, language):
        lines.append(words["known"].format(words=known))
    if applies := details.get("applies"):
        lines.append(words["applies"].format(words=applies))
    if not document.text.strip():
        return "\n".join([*lines, words["no_text"]])
    quoted = as_data(document.text[:MOST_QUOTED])
    lines.append(words["quoted"])
    lines += [f"> {line}" for line in quoted.splitlines() if line.strip()]
    if (total := len(document.text)) > MOST_QUOTED:
        lines.append(words["cut"].format(total=total, shown=MOST_QUOTED))
    return "\n".join(lines)


def evidence_of(hit: SourceHit, *, today: date) -> Evidence:
    """A document as evidence: the words shown, their date, and whether they are in force today."""
    document = hit.document
    has_own_id = hit.source in ("statute", "document")
    is_titled = hit.source == "statute" or document.section in ("", document.title)
    section = "" if is_titled else f" · {document.section}"
    return Evidence(
        document.id if has_own_id else f"{hit.source}:{document.id}",
        hit.source,
        f"{document.title}{section}",
        document.text[:MOST_QUOTED],
        url=document.url,
        date="; ".join(dated(hit, "en")),
        status="; ".join(standing(hit, today=today, language="en")),
        origin=f"{hit.source}s",
    )


def dated(hit: SourceHit, language: Language) -> Iterator[str]:
    """A document's date and its days in force, in words."""
    document = hit.document
    if document.valid is not None:
        yield _STATES[language]["days"].format(days=show_days(document.valid, language))
    if written := document.date or document.details.get("date"):
        yield f"{_DATED[language][hit.source]} {as_line(str(written))}"


def standing(hit: SourceHit, *, today: date, language: Language) -> Iterator[str]:
    """Whether a document is in force, and other warnings for who relies on it."""
    document, words = hit.document, _STATES[language]
    if hit.source in _LEGAL_RULES:
        state = _state(document, today)
        is_wording = hit.source == "statute" and state == "no longer in force"
        yield words["wording superseded" if is_wording else state]
    if register := document.details.get("status"):
        yield words["register"].format(status=as_line(register))
    if document.details.get("dates") == "presumed":
        yield words["presumed"]
    if document.details.get("partial") == "true":
        yield words["partial"]
    if hit.source == "document":
        yield words["own"]


def _state(document: SourceDocument, today: date) -> str:
    if document.valid is None:
        return "unknown"
    if today in document.valid:
        return "in force"
    return "not yet in force" if today < document.valid.start else "no longer in force"


def _known(document: SourceDocument, language: Language) -> str:
    more = {"issuer": document.issuer, "region": document.region, **document.details}
    names = _CHINESE_NAMES if language == "zh" else {}
    said = [
        f"{names.get(name, name)} {value}"
        for name, value in more.items()
        if value and name not in _SHOWN_ELSEWHERE
    ]
    return as_line("; ".join(said))[:_MOST_DETAILS]
