"""A pretrained encoder with its tokenizer, from a folder that transformers can load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from inforce.errors import MissingExtraError, ModelError


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """What turns a text into tokens, and tokens into vectors."""

    tokenizer: Any
    model: Any

    @property
    def length(self) -> int:
        """Tokens it takes; a tokenizer that knows of no limit states an absurd one."""
        return min(self.tokenizer.model_max_length, self.model.config.max_position_embeddings)

    def tokens(self, texts: Sequence[str], **options: object) -> Any:
        """The texts as the model wants them, cut off at its length unless told otherwise."""
        wanted = {"truncation": True, "max_length": self.length, **options}
        return self.tokenizer(list(texts), **wanted)


def load_pretrained(path: str | Path, *, purpose: str) -> PretrainedEncoder:
    """Load an encoder and its tokenizer.

    Args:
        path: a folder (or a hub name, where there is a network).
        purpose: what it is wanted for, should a library be missing.

    Raises:
        MissingExtraError: if torch or transformers is not installed.
        ModelError: if there is no encoder, or it cannot be loaded.
    """
    try:
        import_module("torch")  # transformers loads without it, and fails later
        library = import_module("transformers")
    except ImportError as error:
        raise MissingExtraError(purpose, "train") from error
    try:
        tokenizer = library.AutoTokenizer.from_pretrained(path)
        model = library.AutoModel.from_pretrained(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot load an encoder from '{path}': {error}") from error
    return PretrainedEncoder(tokenizer, model)
