"""What holds of the dates of any law, however its texts came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from dated_texts import NPC, reads, text
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.corpus.dating import Record, date_work
from inforce.corpus.store import Corpus
from inforce.law.model import DateEvidence, Validity, VersionText
from inforce.testing import tiny_law

FIRST_DAY = date(2000, 1, 1)


@st.composite
def laws(draw: st.DrawFn) -> list[VersionText]:
    """Some of the texts of a law with between two and six acts, each with its own history."""
    gaps = draw(st.lists(st.integers(30, 900), min_size=1, max_size=5))
    days = [FIRST_DAY]
    for gap in gaps:
        days.append(days[-1] + timedelta(days=gap))
    lines = [
        f"{day.year}年{day.month}月{day.day}日{NPC}"
        + ("《关于修改的决定》修正" if place else "通过")
        for place, day in enumerate(days)
    ]
    texts: list[VersionText] = []
    for place, day in enumerate(days):
        if not draw(st.booleans()):
            continue
        start = day + timedelta(days=draw(st.integers(0, 20))) if draw(st.booleans()) else None
        one = tiny_law(
            "随机法", {"1": f"甲{place}"}, start=start, promulgated=day, label=str(place),
            evidence="register" if start else "unstated",
            history=lines[: place + 1] if draw(st.booleans()) else (),
        )  # fmt: skip
        texts.append(one)
    return texts


def windows_of(made: Sequence[VersionText]) -> dict[str, Validity]:
    dating = date_work("随机法", [Record(one.version) for one in made])
    return {one.version.label: dating.validity[one.version.key] for one in made}


@given(made=laws())
def test_no_day_has_two_texts_and_none_answers_before_it_was_made(
    made: list[VersionText],
) -> None:
    dated = windows_of(made)
    windows = [validity.window for validity in dated.values() if validity.window]
    for one in made:
        start = dated[one.version.label].start
        assert start is not None and one.version.promulgated is not None
        assert start >= one.version.promulgated
    for place, window in enumerate(windows):
        assert not any(window.overlaps(other) for other in windows[place + 1 :])


@given(made=laws(), data=st.data())
def test_the_order_of_adding_does_not_matter(made: list[VersionText], data: st.DataObject) -> None:
    assert windows_of(data.draw(st.permutations(made))) == windows_of(made)


_GRADES: list[DateEvidence] = ["instrument", "register", "clause", "header", "unstated"]


@st.composite
def _texts_of_a_law(draw: st.DrawFn) -> list[VersionText]:
    """Whole texts of one law that nobody closed: dated well or badly, in any order."""
    years = draw(st.lists(st.integers(1990, 2020), min_size=1, max_size=5, unique=True))
    made = [
        text(
            "甲法",
            f"第{year}号",
            start=f"{year}-03-01" if draw(st.booleans()) else "",
            made=f"{year}-01-15" if draw(st.booleans()) else "",
            evidence=draw(st.sampled_from(_GRADES)),
            as_of=draw(st.sampled_from(["", f"{year}-06-01", "2026-01-01"])),
        )
        for year in years
    ]
    dated = [one for one in made if one.version.validity.start or one.version.promulgated]
    return draw(st.permutations(dated))


@given(_texts_of_a_law(), st.integers(1989, 2030))
@settings(max_examples=40, deadline=None)
def test_on_every_day_the_text_that_began_last_is_the_law(
    tmp_path_factory: pytest.TempPathFactory, made: list[VersionText], year: int
) -> None:
    path = tmp_path_factory.mktemp("corpus") / "corpus.db"
    began = {
        one.version.validity.start or one.version.promulgated: one.provisions[0].text
        for one in made
    }
    day = date(year, 7, 1)
    before = [begun for begun in began if begun is not None and begun <= day]
    with Corpus.open(path, mode="write") as corpus:
        corpus.add(made)
        shown = reads(corpus, "甲法", day.isoformat()) if made else "nothing"
    if before:
        assert shown == began[max(before)]
    else:
        assert shown in ("nothing", "not_covered", "not_in_force", "not_found")
