"""The same text from two sources is one version with two witnesses."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from inforce.law.model import Version

Witnesses = tuple[Version, ...]
"""Records of one version; each keeps its own source, licence and date status."""


def distinct_versions(versions: Iterable[Version]) -> tuple[Witnesses, ...]:
    """Group the records of one work that carry the same text at overlapping or unstated times.

    A text that came back after another one had replaced it is a version of its own.
    """
    by_text: dict[str, list[Version]] = {}
    for version in sorted(versions, key=in_time):
        by_text.setdefault(version.text_hash, []).append(version)
    groups = [group for same in by_text.values() for group in _split_by_time(same)]
    return tuple(sorted(groups, key=lambda group: in_time(group[0])))


def _split_by_time(same: list[Version]) -> list[Witnesses]:
    """Cut records of equal text where days separate them; undated ones join the first."""
    groups: list[list[Version]] = []
    reach = date.min
    for version in same:
        window = version.validity.window
        if window is None:
            continue
        if window.start >= reach:
            groups.append([])
        groups[-1].append(version)
        reach = max(reach, window.end or date.max)
    undated = [version for version in same if version.validity.window is None]
    if not groups:
        return [tuple(undated)]
    groups[0].extend(undated)
    return [tuple(group) for group in groups]


def in_time(version: Version) -> tuple[str, str, str]:
    """Order by first day, undated last, then by key so that the order is fixed."""
    validity = version.validity
    start = validity.start or version.promulgated
    return (start.isoformat() if start else "9999", validity.status, version.key)
