"""An encoder small enough for a test: a WordPiece of single signs and a BERT of two layers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from transformers import BertConfig, BertModel

# What transformers exports it as has changed from release to release; its types do not say.
wordpiece: Any = import_module("transformers").BertTokenizerFast

LENGTH = 16
"""Tokens it takes, [CLS] and [SEP] included."""

SIGNS = "被告人盗窃财物判处有期徒刑缓罚金醉酒驾车伤害故意一二三"


def save_tiny_encoder(folder: Path, *, layers: int = 2) -> Path:
    """Save a tokenizer and an encoder with weights drawn from a fixed seed; gives the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(SIGNS)]
    vocabulary_file = folder / "vocab.txt"
    vocabulary_file.write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    tokenizer = wordpiece(str(vocabulary_file), model_max_length=LENGTH)
    tokenizer.save_pretrained(folder)
    _encoder(len(vocabulary), layers).save_pretrained(folder)
    return folder


def _encoder(vocabulary: int, layers: int) -> BertModel:
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=16,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LENGTH,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return BertModel(config)
