"""What a provision cites: other articles of its law, and other laws with their articles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inforce.law.citation import find_citations
from inforce.law.ids import Portion
from inforce.law.model import Provision
from inforce.law.registry import title_key

MOST_PORTIONS = 60
"""Articles that one citation adds; a longer range is of a whole chapter, not of its articles."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A law or a part of one that a provision cites."""

    key: str
    """The title as laws call it (`inforce.law.registry.title_key`): what is held is found by it."""
    title: str
    """The official title where it is known, else the title as written."""
    portion: Portion | None
    """The article, paragraph or item; ``None`` where the law is named without one."""
    hint: str = ""
    """The year or revision named with the title, as written."""


def cited_in(work: str, provision: Provision) -> tuple[Cited, ...]:
    """The laws and articles a provision cites, each once, in order.

    A provision's mention of its own law without an article is left out.

    >>> from inforce.law.numerals import ProvisionNumber
    >>> text = "依照本法第二百六十四条、《中华人民共和国民法典》第一百五十三条第一款的规定"
    >>> [(one.title, one.portion.chinese) for one in cited_in(
    ...     "中华人民共和国刑法", Provision(ProvisionNumber.article(265), text)) if one.portion]
    [('中华人民共和国刑法', '第二百六十四条'), ('中华人民共和国民法典', '第一百五十三条第一款')]
    """
    return tuple(dict.fromkeys(_cited(work, provision)))


def _cited(work: str, provision: Provision) -> Iterator[Cited]:
    own = title_key(work)
    for citation in find_citations(
        provision.text, context_work=work, context_number=provision.number
    ):
        if citation.work is None:
            continue
        key, hint = title_key(citation.work), citation.version_hint or ""
        for portion in citation.portions[:MOST_PORTIONS]:
            if key != own or portion.number != provision.number:
                yield Cited(key, citation.work, portion, hint)
        if not citation.portions and key != own:
            yield Cited(key, citation.work, None, hint)
