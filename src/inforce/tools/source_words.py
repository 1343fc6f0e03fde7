"""What the tools over sources say of themselves and of what they found, in Chinese and English."""

from __future__ import annotations

from inforce.tools.tool import Language

DESCRIPTIONS: dict[Language, dict[str, str]] = {
    "zh": {
        "search": (
            "在指定来源中检索，返回原文及其日期和效力状态。来源：{tags}。"
            "不确定来源的内容时换一个来源，不要把没有结果当作不存在。"
        ),
        "source": "来源标记，例如 statute、guideline；也可写中文，如“司法解释”。",
        "routed": "可以不写：不写时由系统按检索内容选择来源。",
        "query": "检索内容：法律用语和关键事实。",
        "during": "只要这段时间的资料：日、月、年或期间，例如 2015、2015-06、2010..2011-05-01。",
        "k": "每个来源最多返回几条（默认 {k}）。",
        "documents": "在用户自己的文件（合同、笔录、备忘录等）中检索，返回原文段落及其位置。",
        "document_query": "检索内容：文件中会出现的词语。",
    },
    "en": {
        "search": (
            "Search one source; returns texts verbatim with their dates and standing. "
            "Sources: {tags}. If one has nothing, try another: no result does not mean "
            "that nothing exists."
        ),
        "source": "Tag of the source, such as statute or guideline.",
        "routed": "May be left out: the query then decides.",
        "query": "What to look for: legal terms and key facts.",
        "during": "Only material of that time: 2015, 2015-06, 2010..2011-05-01.",
        "k": "Most results a source returns (default {k}).",
        "documents": (
            "Search the files of the person who asks (contracts, statements, memos); returns "
            "passages verbatim with title, heading and place."
        ),
        "document_query": "What to look for: words that stand in the files.",
    },
}

SAID: dict[Language, dict[str, str]] = {
    "zh": {
        "head": "{title}（{source}）· {status}",
        "not_found": "没有涉及“{query}”的内容；可换用其他词语或来源。",
        "not_covered": "未安装这个来源，不知道其中有没有相关内容。已安装的来源：{tags}。",
        "failed": "未能检索：{problem}。这不表示没有相关内容。",
        "not_in_force": "{days} 没有这样的有效条文；其他时间的条文：{others}。",
        "missing_laws": "未收录：{laws}，不能据此判断其内容。",
        "days": "按 {days} 有效的法律检索。",
        "conflict": "时间有矛盾：{conflict}。",
        "unreadable": "有 {count} 个文件全部或部分未能读取，其中可能有相关内容：{names}。",
        "pending": "还有 {count} 个文件尚未读完，稍后再检索会包括它们。",
        "incomplete": "已读取的 {count} 个文件中没有涉及“{query}”的内容。",
        "no_folder": "没有提供文件目录，未检索任何文件。",
        "route": "来源由系统选择：{why}。",
    },
    "en": {
        "head": "{title} ({source}) · {status}",
        "not_found": "nothing here speaks to “{query}”; try other words or another source.",
        "not_covered": (
            "this source is not installed; nothing is known of what it holds. Installed: {tags}."
        ),
        "failed": "could not be searched: {problem}. This does not mean that nothing exists.",
        "not_in_force": "nothing of the kind was in force {days}; at other times: {others}.",
        "missing_laws": "not held: {laws}; nothing can be said about it.",
        "days": "Searched under the law in force {days}.",
        "conflict": "The times contradict each other: {conflict}.",
        "unreadable": "{count} files could not be read in full, and may say it: {names}.",
        "pending": "{count} files are not read yet; a later search includes them.",
        "incomplete": "nothing in the {count} files that were read speaks to “{query}”.",
        "no_folder": "no folder of documents was given; nothing was searched.",
        "route": "The source was chosen for you: {why}.",
    },
}
