"""Fingerprints of wordings: what shares twelve characters in a row is found, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.library import Library
from inforce.retrieval import text_reuse
from inforce.retrieval.text_reuse import WINDOW, WordingIndex, fold, open_wordings

SHARED = 12
"""Characters: a run and the neighbours of which one is stored."""


def test_folding_leaves_letters_and_digits_and_knows_their_places() -> None:
    folded = fold("（一）ＡＢ　对于，累犯")
    assert folded.text == "一ab对于累犯"
    assert folded.span(1, 3) == (3, 5)
    assert folded.between(3, 5) == (1, 3)
    assert fold("。，").text == "" and fold("").text == ""


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="对于累犯和罪集团首要 ，ＡＢ12", max_size=60))
def test_every_folded_character_comes_from_its_place(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.origins)
    for at, origin in enumerate(folded.origins):
        assert fold(text[origin]).text == folded.text[at]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_shares_twelve_characters_with_a_wording_is_found(
    sample_library: Library, data: st.DataObject
) -> None:
    stored = list(sample_library.corpus.stored_texts())
    one = data.draw(st.sampled_from(stored))
    letters = fold(one.text).text
    if len(letters) < SHARED + WINDOW:
        return
    start = data.draw(st.integers(0, len(letters) - SHARED - WINDOW))
    length = data.draw(st.integers(SHARED + WINDOW, 200))
    part = letters[start : start + length]
    found = sample_library.wordings.passages(fold(f"甲乙丙丁戊己庚辛{part}壬癸子丑寅卯辰巳"))
    assert one.id in {passage.text_id for passage in found}


def test_a_stored_index_is_used_again_and_made_anew_for_another_corpus(
    sample_library: Library, tmp_path: Path
) -> None:
    corpus, made = sample_library.corpus, list[int]()
    first = open_wordings(corpus, tmp_path, progress=made.append)
    assert sum(made) == len(list(corpus.stored_texts())) == len(first.texts)
    again = open_wordings(corpus, tmp_path, progress=made.append)
    assert sum(made) == len(first.texts) == len(again.texts)
    assert len(list(tmp_path.glob("wordings-*"))) == 1
    [folder] = tmp_path.glob("wordings-*")
    (folder / "hashes.npy").write_bytes(b"damaged")
    mended = open_wordings(corpus, tmp_path)
    assert len(mended.hashes) == len(first.hashes)


def test_a_folder_nobody_may_write_to_is_no_reason_to_fail(
    sample_library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "no folder"
    file.write_text("", encoding="utf-8")
    index = open_wordings(sample_library.corpus, file)
    assert index.passages(fold("对于累犯和犯罪集团的首要分子，不适用缓刑。"))


def test_two_processes_that_make_the_same_fingerprints_both_map_them(
    sample_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / f"wordings-{sample_library.corpus.snapshot()[:16]}.1"
    other.mkdir()
    build = text_reuse._built  # pyright: ignore[reportPrivateUsage]

    def built_twice(*given: Any) -> WordingIndex:
        """Another process is done first."""
        monkeypatch.setattr(text_reuse, "_built", build)
        open_wordings(sample_library.corpus, tmp_path)
        return build(*given)

    monkeypatch.setattr(text_reuse, "_built", built_twice)
    second = open_wordings(sample_library.corpus, tmp_path)
    assert isinstance(second.hashes, np.memmap)
    assert other.is_dir()  # what a third is writing is left alone


def test_fingerprints_that_were_cut_off_are_made_anew_once(
    sample_library: Library, tmp_path: Path
) -> None:
    whole = open_wordings(sample_library.corpus, tmp_path).hashes.tobytes()
    [folder] = tmp_path.iterdir()
    (folder / "hashes.npy").write_bytes(b"")
    for _ in range(2):
        hashes = open_wordings(sample_library.corpus, tmp_path).hashes
        assert isinstance(hashes, np.memmap)
        assert hashes.tobytes() == whole


def test_every_wording_knows_the_provisions_that_read_so(sample_library: Library) -> None:
    corpus = sample_library.corpus
    [one] = [text for text in corpus.stored_texts() if text.text == "对于累犯，不适用缓刑。"]
    assert corpus.text(one.id) == one.text
    [place] = corpus.text_places([one.id])
    assert (place.work, place.number.short) == ("中华人民共和国刑法", "74")


def test_a_long_text_finds_the_same_however_the_arrays_are_divided(
    sample_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = list(sample_library.corpus.stored_texts())
    text = fold("。".join(one.text for one in stored[:400:7]))
    whole = sample_library.wordings.passages(text)
    monkeypatch.setattr(text_reuse, "_STRETCH", 500)
    assert sample_library.wordings.passages(text) == whole
    assert len(whole) > 100
