"""What strays into the text of articles, and is no part of it.

Some compilations leave the next heading of a judicial interpretation (二、溯及适用的规定) at
the end of the article above it, and keep a note （删去） where an article was deleted. Neither is
law: the heading belongs above the articles that follow, and a deleted article is absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from inforce.law.model import Provision

_HEADING = re.compile(r"\n([一二三四五六七八九十]{1,3}、[^。；：，\n]{1,30})\Z")
_DELETED = re.compile(r"[（(]?(?:本条)?已?(?:删去|删除)[)）]?|文本内容被\S{1,20}删除。?")


def without_foreign_text(provisions: Iterable[Provision]) -> Iterator[Provision]:
    """The provisions of a law without stray headings and notes of deletion, in order.

    A heading found becomes the path of the articles after it, where they have none of their own. A
    deleted article is left out: the law no longer has it.
    """
    heading = ""
    for provision in provisions:
        if is_deletion_note(provision.text):
            continue
        path = provision.path or heading
        match = _HEADING.search(provision.text)
        if match:
            heading = "".join(match[1].split())
        text = _HEADING.sub("", provision.text)
        yield replace(provision, text=text, path=path)


def is_deletion_note(text: str) -> bool:
    """Whether a text only says that the article was deleted.

    >>> is_deletion_note("（删去）"), is_deletion_note("删去刑法第一百九十九条。")
    (True, False)
    """
    return _DELETED.fullmatch(text.strip()) is not None
