"""Texts of the tools: the server's own where it answered, ours where it was never asked.

Agents act on the server's words, and runs are compared by them; they are therefore stored as they
are. Our words are in the caller's language. The server prints values as Python does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from inforce.tools.tool import Language


def printed(value: Any) -> str:
    """A JSON value as the server prints it; an empty cell of a table is ``nan``.

    >>> printed([{"案号": "（2021）京01执835号", "涉案金额（元）": 5.0, "原告": None}])
    "[{'案号': '（2021）京01执835号', '涉案金额（元）': 5.0, '原告': nan}]"
    """
    if value is None:
        return "nan"
    if isinstance(value, Mapping):
        cells = cast(Mapping[str, Any], value).items()
        return "{" + ", ".join(f"{name!r}: {printed(cell)}" for name, cell in cells) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(printed(one) for one in cast(Sequence[Any], value)) + "]"
    return repr(value)


NO_DATA = "No data found for the specified identifier."
NO_SUCH_COLUMN = "One or more specified columns do not exist."
WRONG_PARAMETERS = "工具调用发生错误, 请检查传入工具的参数是否正确!"
RETRIEVAL_ERROR = "检索时发生错误！"

UNSEEN: dict[Language, str] = {
    "zh": "现有数据无法回答：没有“{identifier}”的记录，但这不等于不存在。",
    "en": "The data at hand cannot tell: nothing is recorded for {identifier}, "
    "which does not mean that there is nothing.",
}
NOT_ALL: dict[Language, str] = {
    "zh": "数据不完整：“{identifier}”的记录至少有以下{n}条，可能还有其他。",
    "en": "Incomplete: there are at least these {n} records for {identifier}, perhaps more.",
}
SEVERAL: dict[Language, str] = {
    "zh": "无法确定：有{n}条记录符合“{identifier}”，不知应返回哪一条。",
    "en": "Undecided: {n} records fit {identifier}; which one is meant is not known.",
}
GAPS: dict[Language, str] = {
    "zh": "以下字段在部分记录中未知（不等于为空）：{columns}。已知部分：",
    "en": "Not known in every record (which does not mean empty): {columns}. What is known:",
}
NO_DOCUMENT: dict[Language, str] = {
    "zh": "现有文档中没有与查询相关的内容；文档并不完整，这不等于不存在。",
    "en": "None of the documents at hand fits the query; the collection is not complete.",
}

IDENTIFIER: dict[Language, str] = {
    "zh": "字符串：{keys}。须与记录完全一致，一次一个。",
    "en": "string: {keys}. Exactly as recorded, one at a time.",
}
COLUMNS: dict[Language, str] = {
    "zh": "要返回的字段名列表，须是{table}表的字段；空列表表示全部字段。",
    "en": "list of fields to return, all of table {table}; an empty list means all fields.",
}
REGION: dict[str, dict[Language, str]] = {
    "prov": {"zh": "字符串：省份，如“江苏省”", "en": "string: province"},
    "city": {"zh": "字符串：城市，如“苏州市”", "en": "string: city"},
    "county": {"zh": "字符串：区县，如“相城区”", "en": "string: county"},
}
