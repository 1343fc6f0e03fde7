"""A law that changed twice, for tests: first day, middle and last wording of its articles."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from inforce.law.model import VersionText
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library

LAW = "试验管理条例"
FIRST = "违反规定从事试验活动的，处三年以下有期徒刑或者拘役。"
SECOND = "违反规定从事试验活动的，处五年以下有期徒刑或者拘役。"
THIRD = "违反规定从事试验活动，情节严重的，处七年以下有期徒刑，并处罚金。"
STABLE = "本条例自公布之日起施行。"
SECOND_DAY, THIRD_DAY = date(2011, 5, 1), date(2015, 11, 1)


def versions() -> list[VersionText]:
    starts = (date(2000, 1, 1), SECOND_DAY, THIRD_DAY)
    ends = (SECOND_DAY, THIRD_DAY, None)
    return [
        tiny_law(LAW, {"1": text, "2": STABLE}, start=start, end=end)
        for text, start, end in zip((FIRST, SECOND, THIRD), starts, ends, strict=True)
    ]


def changing_library(folder: Path, *, today: str = "2020-01-25") -> Library:
    return tiny_library(folder, *versions(), today=today)
