"""Items as Inspect's samples, and back: what is put into a log can be read out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.dataset import MemoryDataset, Sample

from inforce.errors import InputError
from inforce.evals.benchmark import Item

ITEM = "item"
"""Under which name a sample's metadata holds what is not its question or answer."""


def dataset(name: str, items: Sequence[Item]) -> MemoryDataset:
    """The data set of a benchmark."""
    return MemoryDataset([_sample(one) for one in items], name=name)


def require_ids(items: Sequence[Item], path: Path) -> None:
    """See to it that a log can tell the items apart.

    Raises:
        InputError: if two have one id, or an id is empty or holds what is not printed (a log loses
            such items without a word).
    """
    seen: set[str] = set()
    for one in items:
        if not one.id or not one.id.isprintable():
            raise InputError(f"the id {one.id!r} cannot be used: it must be printable", path=path)
        if one.id in seen:
            raise InputError(f"the id {one.id!r} occurs twice", path=path)
        seen.add(one.id)


def _sample(item: Item) -> Sample:
    stored = {"task": item.task, "group": item.group, "facts": msgspec.to_builtins(item.facts)}
    return Sample(input=item.question, target=item.target, id=item.id, metadata={ITEM: stored})


def item_of(id: int | str, question: str, target: str, metadata: Mapping[str, Any] | None) -> Item:
    """The item of a sample."""
    stored: dict[str, Any] = (metadata or {}).get(ITEM, {})
    return Item(
        str(id),
        stored.get("task", ""),
        question,
        target,
        stored.get("group", ""),
        stored.get("facts", {}),
    )
