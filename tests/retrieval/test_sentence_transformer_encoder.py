"""A sentence-transformers model from a local folder: a tiny one, built here without a download."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inforce.errors import MissingExtraError, ModelError
from inforce.retrieval.encoders import Encoder, open_encoder

# The libraries below warn of their own future; that is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

WIDTH = 16
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"盗窃财物缓刑合同违约法查询段落："]


@pytest.fixture(scope="module")
def library() -> Any:
    reason = "needs the encoders extra: pip install 'inforce[encoders]'"
    return pytest.importorskip("sentence_transformers", reason=reason)


@pytest.fixture(scope="module")
def model(library: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of one layer and random weights, with prompts for questions and passages."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("model")
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder / "bert")
    transformers.BertTokenizerFast(str(vocabulary)).save_pretrained(folder / "bert")
    parts: Any = import_module("sentence_transformers.models")
    bert = parts.Transformer(str(folder / "bert"))
    pooling = parts.Pooling(WIDTH)
    prompts = {"query": "查询：", "document": "段落："}
    made = library.SentenceTransformer(modules=[bert, pooling], prompts=prompts, device="cpu")
    made.save(str(folder / "whole"))
    return str(folder / "whole")


@pytest.fixture(scope="module")
def encoder(model: str) -> Encoder:
    opened = open_encoder(f"st:{model}")
    assert opened is not None
    return opened


def test_texts_become_unit_vectors(encoder: Encoder, model: str) -> None:
    vectors = encoder.encode(["盗窃财物", "合同"], role="passage")
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, WIDTH) == (2, encoder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)
    assert encoder.name == f"st:{model}"


def test_questions_and_passages_get_the_prompts_of_the_model(encoder: Encoder) -> None:
    [question] = encoder.encode(["盗窃"], role="query")
    [passage] = encoder.encode(["盗窃"], role="passage")
    assert not np.allclose(question, passage)


def test_a_model_opened_twice_encodes_alike(encoder: Encoder, model: str) -> None:
    again = open_encoder(f"st:{model}")
    assert again is not None
    texts = ["盗窃财物", "缓刑"]
    assert np.allclose(
        again.encode(texts, role="query"), encoder.encode(texts, role="query"), atol=1e-6
    )


@pytest.mark.usefixtures("library")
def test_a_folder_without_a_model_is_a_model_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot load"):
        open_encoder(f"st:{tmp_path}")


def test_without_the_library_the_error_is_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'inforce\[encoders\]'"):
        open_encoder("st:anything")
