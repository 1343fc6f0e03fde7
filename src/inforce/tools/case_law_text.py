"""What ``case_law_search`` says, in both languages: its arguments and its answers."""

from __future__ import annotations

from typing import Final

from inforce.language import Language

DESCRIPTIONS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "tool": (
            "在 CourtListener 检索美国判例：法院意见、联邦案件卷宗与文书、庭审录音。可按关键词、"
            "当事人、引证或案号检索；只写 citation（可加 party）时核对该引证是否存在、"
            "是否为所称的案件。"
        ),
        "query": "关键词或问题（英文）。",
        "party": "当事人或案名，例如 Obergefell v. Hodges。",
        "citation": "引证，例如 576 U.S. 644。",
        "docket_number": "案号，例如 14-556。",
        "court": "法院代码，可写多个，用空格分开，例如 scotus ca9 nysd。",
        "filed_from": "裁判或立案日期不早于（年、月或日）。",
        "filed_to": "裁判或立案日期不晚于（年、月或日）。",
        "kind": "opinion 法院意见（默认）；filing 卷宗与文书；docket 卷宗；oral_argument 庭审。",
        "limit": "至多返回几件。",
    },
    "en": {
        "tool": (
            "Search American case law on CourtListener: opinions, federal dockets and filings, "
            "oral arguments, by words, party, citation or docket number. With a citation alone "
            "(and perhaps a party) it checks that the citation exists and is that case."
        ),
        "query": "Words or a question.",
        "party": "A party or case name: Obergefell v. Hodges.",
        "citation": "A citation: 576 U.S. 644.",
        "docket_number": "A docket number: 14-556.",
        "court": "Court identifiers, separated by spaces: scotus ca9 nysd.",
        "filed_from": "Filed (argued, for oral arguments) on or after: a day, month or year.",
        "filed_to": "Filed on or before: a day, month or year.",
        "kind": "opinion (the default), filing (dockets with documents), docket or oral_argument.",
        "limit": "At most so many cases.",
    },
}

WORDS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "found": "CourtListener（{at}）：{shown} 件，共约 {total} 件",
        "none": "CourtListener（{at}）没有收录符合条件的案件；其收录不完整，不能断定案件不存在",
        "stopped": "后续结果未能取得：{why}",
        "need": "请至少写明 query、party、citation、docket_number 之一",
        "wrong": "检索条件有误：{problem}",
        "offline": "网络不可用，未检索",
        "later": "后续效力未核查",
        "check_found": "引证 {citation}：有此案",
        "check_same": "引证 {citation}：有此案，案名相符",
        "check_different": "引证 {citation}：不是所称的“{name}”，而是下列案件",
        "check_ambiguous": "引证 {citation}：对应多个案件，无法确定是哪一个",
        "check_not_found": "引证 {citation}：CourtListener 未收录；其收录并不完整",
        "check_unreadable": "“{citation}”中没有可识别的引证",
        "check_not_checked": "引证 {citation}：未核对（{why}）",
    },
    "en": {
        "found": "CourtListener ({at}): {shown} cases of about {total}",
        "none": (
            "CourtListener ({at}) holds no such case; its collection is not complete, "
            "so that this is no proof that there is none"
        ),
        "stopped": "further results could not be had: {why}",
        "need": "give at least one of query, party, citation, docket_number",
        "wrong": "this cannot be searched: {problem}",
        "offline": "the network may not be used; nothing was searched",
        "later": "later treatment not checked",
        "check_found": "{citation}: there is a case",
        "check_same": "{citation}: there is a case, and the name agrees",
        "check_different": "{citation}: not “{name}” but another case:",
        "check_ambiguous": "{citation}: several cases stand under it; which is meant is not known",
        "check_not_found": "{citation}: CourtListener does not hold it (it is not complete)",
        "check_unreadable": "no citation that can be read in “{citation}”",
        "check_not_checked": "{citation}: not checked ({why})",
    },
}
