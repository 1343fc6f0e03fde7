"""The encoder that needs no weights: fitted on a corpus, the same for the same corpus."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from inforce.errors import SearchIndexError, UserError
from inforce.retrieval.encoders import open_encoder
from inforce.retrieval.encoders.lsa import DIMENSION, LsaEncoder, fit_lsa

_WORDS = """
盗窃 抢劫 诈骗 故意 伤害 贪污 受贿 挪用 缓刑 假释 减刑 自首 立功 累犯 主犯 从犯 合同 违约 赔偿 租赁
继承 遗嘱 婚姻 离婚 抚养 劳动 工资 解雇 保险 破产 票据 证券 专利 商标 著作 行政 处罚 许可 复议 诉讼
"""
_draw = random.Random(0)
TEXTS = [" ".join(_draw.choices(_WORDS.split(), k=_draw.randint(3, 12))) for _ in range(150)]
QUESTIONS = ["盗窃 缓刑", "合同 违约", "遗嘱 继承 盗窃"]


@pytest.fixture(scope="module")
def encoder() -> LsaEncoder:
    return fit_lsa(TEXTS)


def test_the_same_corpus_gives_the_same_vectors_and_name(encoder: LsaEncoder) -> None:
    again = fit_lsa(TEXTS)
    assert again.name == encoder.name
    assert np.array_equal(again.encode(QUESTIONS), encoder.encode(QUESTIONS))


def test_another_corpus_or_seed_gives_another_name(encoder: LsaEncoder) -> None:
    others = [fit_lsa(TEXTS[:-1]), fit_lsa(TEXTS, seed=1), fit_lsa(TEXTS, dimension=8)]
    assert len({encoder.name, *(other.name for other in others)}) == 4


def test_vectors_have_unit_length(encoder: LsaEncoder) -> None:
    vectors = encoder.encode(QUESTIONS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, encoder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0] * 3, abs=1e-5)
    assert encoder.dimension <= DIMENSION


@pytest.mark.parametrize("text", ["", "，。", "从未见过的词xyzzy"])
def test_a_text_without_a_known_word_is_the_zero_vector(encoder: LsaEncoder, text: str) -> None:
    assert not encoder.encode([text]).any()


def test_a_question_and_a_passage_are_encoded_alike(encoder: LsaEncoder) -> None:
    [question] = encoder.encode(["盗窃 缓刑"], role="query")
    [passage] = encoder.encode(["盗窃 缓刑"], role="passage")
    assert np.array_equal(question, passage)


def test_words_that_occur_together_are_near(encoder: LsaEncoder) -> None:
    fitted = fit_lsa(["盗窃 财物", "窃取 财物", "遗嘱 继承", "遗产 继承"], dimension=2)
    theft, taking, will = fitted.encode(["盗窃", "窃取", "遗嘱"])
    assert theft @ taking > 0.9 > 0.1 > theft @ will


def test_a_saved_encoder_comes_back_the_same(encoder: LsaEncoder, tmp_path: Path) -> None:
    encoder.save(tmp_path / "encoder")
    loaded = LsaEncoder.load(tmp_path / "encoder")
    assert (loaded.name, loaded.dimension) == (encoder.name, encoder.dimension)
    assert np.array_equal(loaded.encode(QUESTIONS), encoder.encode(QUESTIONS))


@pytest.mark.parametrize("name", ["terms.json", "idf.npy", "components.npy"])
@pytest.mark.parametrize("how", ["missing", "empty", "garbage"])
def test_a_damaged_encoder_says_how_to_rebuild(
    encoder: LsaEncoder, tmp_path: Path, name: str, how: str
) -> None:
    encoder.save(tmp_path)
    (tmp_path / name).unlink()
    if how != "missing":
        (tmp_path / name).write_bytes(b"" if how == "empty" else b"\xff" * 99)
    with pytest.raises(SearchIndexError, match="inforce corpus index --rebuild"):
        LsaEncoder.load(tmp_path)


@pytest.mark.parametrize(
    "texts",
    [
        ["盗窃"],
        ["盗窃", "盗窃"],
        ["盗窃 财物", "抢劫 财物"],
        ["盗窃 财物"] * 5,
        ["盗窃", "抢劫", "诈骗"],
    ],
)
def test_the_smallest_corpora_can_be_fitted(texts: list[str]) -> None:
    fitted = fit_lsa(texts)
    assert fitted.encode([texts[0]]).any()


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
def test_a_corpus_without_words_gives_zero_vectors(texts: list[str]) -> None:
    fitted = fit_lsa(texts)
    assert fitted.encode(["盗窃"]).tolist() == [[0.0] * fitted.dimension]
    assert fitted.dimension == 1


def test_the_default_encoder_is_fitted_by_the_index() -> None:
    assert open_encoder("lsa") is None


@pytest.mark.parametrize("spec", ["", "bert", "http://localhost:8000/v1", "ftp://x#y"])
def test_an_unknown_encoder_names_the_known_forms(spec: str) -> None:
    with pytest.raises(UserError, match="st:PATH"):
        open_encoder(spec)
