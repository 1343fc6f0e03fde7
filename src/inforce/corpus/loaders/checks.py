"""A law is checked whole before it is handed on: each provision once, in the order of the law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from inforce.law.model import Caption, Provision, Version, VersionText, provisions_hash
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import official_title

MAX_ARTICLES = 9_999
"""Provisions one version may have; the Civil Code has 1,260."""

_HEADING = re.compile(r"\n([一二三四五六七八九十]{1,3}、[^。；：，\n]{1,30})\Z")
_DELETED = re.compile(r"[（(]?(?:本条)?已?(?:删去|删除)[)）]?|文本内容被\S{1,20}删除。?")


@lru_cache(maxsize=4096)
def number_of(text: str) -> ProvisionNumber:
    """`ProvisionNumber.parse`, cached: the same few hundred numbers come again in every law."""
    return ProvisionNumber.parse(text)


class Order:
    """The provisions of one law seen so far: each comes once, in the order of the law."""

    def __init__(self) -> None:
        self.last: ProvisionNumber | None = None
        self._seen: set[ProvisionNumber] = set()

    def refuse(self, number: ProvisionNumber) -> str:
        """Say why this provision cannot come next; empty if it can."""
        last = self.last
        if number in self._seen:
            return f"{number} comes twice in this law"
        if last is not None and number < last:
            return f"{number} is out of order: it comes after {last}"
        if len(self._seen) >= MAX_ARTICLES:
            return f"more than {MAX_ARTICLES} provisions in one law"
        self.last = number
        self._seen.add(number)
        return ""


def checked_law(
    version: Version, provisions: Sequence[Provision], *, captions: Sequence[Caption] = ()
) -> VersionText:
    """A version with its provisions, once they are known to be those of one law in order.

    A provision with an empty text is a hole, not an absence: the law had it, this copy lacks it.
    One whose text says that it was deleted is an absence (see `without_foreign_text`).

    Raises:
        ValueError: if there is no text at all, or a provision comes twice or out of order.
    """
    order = Order()
    for provision in provisions:
        if reason := order.refuse(provision.number):
            raise ValueError(reason)
    blank = {provision.number for provision in provisions if not provision.text.strip()}
    remaining = tuple(without_foreign_text(p for p in provisions if p.number not in blank))
    if not remaining:
        raise ValueError("no provision with a text: an empty list of articles")
    contradicted = sorted(version.holes & {provision.number for provision in remaining})
    if contradicted:
        raise ValueError(f"{contradicted[0]} is listed as missing, yet it is there")
    checked = replace(
        version,
        work=official_title(version.work),
        holes=version.holes | blank,
        text_hash=provisions_hash(remaining),
    )
    return VersionText(checked, remaining, tuple(captions))


def without_foreign_text(provisions: Iterable[Provision]) -> Iterator[Provision]:
    """The provisions of a law without misplaced headings and notes of deletion, in order.

    Some compilations leave the next heading of a judicial interpretation (二、溯及适用的规定) at
    the end of the article above it: it becomes the path of the articles after it, where they have
    none of their own. A deleted article （删去） is left out: the law no longer has it.
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
