"""Whether a revision changes the meaning: asked of a model where the rules find nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inforce.llm.completion import Complete

ChangesMeaning = Callable[[str, str], bool | None]
"""Told the earlier and the later text; ``None`` where it cannot say."""

_QUESTION = """\
下面是同一条文修改前后的两个文本。请判断修改是否改变了条文的法律含义或者适用范围，例如增减适用条件、\
调整处罚幅度、改变推定或者举证责任；只改文字、标点、机关名称或者条文序号的不算。
只回答“是”或者“否”。

修改前：
{old}

修改后：
{new}
"""
_VERDICT = re.compile(r"[“\"'\s]*(是|否)[”\"'。.\s]*")


def model_reads_meaning(complete: Complete) -> ChangesMeaning:
    """Ask a model; whatever is neither yes nor no counts as not known.

    >>> model_reads_meaning(lambda prompt: "是。")("处三年以下有期徒刑", "处三年以上有期徒刑")
    True
    """

    def changes_meaning(old: str, new: str) -> bool | None:
        verdict = _VERDICT.fullmatch(complete(_QUESTION.format(old=old, new=new)))
        return None if verdict is None else verdict[1] == "是"

    return changes_meaning
