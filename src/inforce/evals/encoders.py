"""Pretrained encoders, and BERTScore: the similarity of the words of two texts, by their vectors.

BERTScore (Zhang et al. 2020): every token of one text is matched with the token of the other whose
contextual vector is nearest (cosine). Precision is the mean over the candidate's tokens, recall
over the reference's, F1 their harmonic mean. As in the authors' program, [CLS] and [SEP] do not
count themselves but may be matched with, an empty text scores 0.0 (against another one too), and
text beyond the encoder's length is cut off. F1 is 0.0 if precision or recall is not above zero:
there is no harmonic mean of negative numbers. No inverse document frequencies, no rescaling.

It is written here because neither library will do: bert-score, with which it agrees to six digits,
has had no release since 2023 and fails on empty texts with transformers 5; torchmetrics 1.9 mixes
up the order of pairs whose texts differ in length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inforce.errors import MissingExtraError, ModelError, UserError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """A tokenizer, and a model that turns tokens into vectors."""

    tokenizer: Any
    model: Any

    @property
    def length(self) -> int:
        """Tokens it takes at most; a tokenizer without a limit states an absurd one."""
        return min(self.tokenizer.model_max_length, self.model.config.max_position_embeddings)

    def tokens(self, texts: Sequence[str], **options: object) -> Any:
        """Tokenize texts, cut off at the model's length unless options say otherwise."""
        options = {"truncation": True, "max_length": self.length, **options}
        return self.tokenizer(list(texts), **options)


def load_pretrained(path: str | Path, *, purpose: str) -> PretrainedEncoder:
    """Load an encoder and its tokenizer.

    Args:
        path: a folder (or a hub name, where there is a network).
        purpose: for the message if a library is missing.

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


@dataclass(frozen=True, slots=True)
class Tokens:
    """An encoded text."""

    vectors: Tensor
    """One unit vector for each token, special tokens included."""
    counts: Tensor
    """True for the tokens of the text, False for special tokens."""


class BertScorer:
    """Scores candidates against references with an encoder from a local folder."""

    def __init__(
        self, path: str, *, layer: int | None = None, device: str = "cpu", batch_size: int = 16
    ) -> None:
        """Load an encoder and its tokenizer.

        Args:
            path: a folder (or a hub name, where there is a network) transformers can load.
            layer: the layer whose output is compared, counted from 0, the embeddings; ``None``: the
                last. The authors' choice for bert-base-chinese is 8.
            device: torch's name of the device.
            batch_size: pairs encoded at once.

        Raises:
            MissingExtraError: if torch or transformers is not installed.
            ModelError: if there is no such encoder, or it cannot be loaded.
            UserError: if it has no such layer.
        """
        self._encoder = load_pretrained(path, purpose="BERTScore")
        self._model = self._encoder.model.to(device).eval()
        layers = self._model.config.num_hidden_layers
        self._layer = layers if layer is None else layer
        if not 0 <= self._layer <= layers:
            raise UserError(f"the encoder has no layer {layer}: name one from 0 to {layers}")
        self._batch_size = batch_size
        self.name = f"bertscore:{path}"

    def f1(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        """F1 of each candidate against the reference at its place, 0 to 1.

        Raises:
            ValueError: if there are not as many references as candidates.
        """
        pairs = list(zip(candidates, references, strict=True))
        scores: list[float] = []
        for start in range(0, len(pairs), self._batch_size):
            batch = pairs[start : start + self._batch_size]
            texts = self._encode([text for pair in batch for text in pair])
            scores += map(f1_of, texts[::2], texts[1::2])
        return scores

    def _encode(self, texts: list[str]) -> list[Tokens]:
        import torch

        batch = self._encoder.tokens(
            texts, padding=True, return_special_tokens_mask=True, return_tensors="pt"
        ).to(self._model.device)
        special = batch.pop("special_tokens_mask").bool()
        with torch.inference_mode():
            states = self._model(**batch, output_hidden_states=True).hidden_states[self._layer]
        unit = torch.nn.functional.normalize(states.float(), dim=-1)
        present = batch["attention_mask"].bool()
        return [
            Tokens(unit[row][present[row]], ~special[row][present[row]])
            for row in range(len(texts))
        ]


def f1_of(candidate: Tokens, reference: Tokens) -> float:
    """F1 of two encoded texts, 0 to 1."""
    if not candidate.counts.any() or not reference.counts.any():
        return 0.0
    cosines = candidate.vectors @ reference.vectors.T
    precision = float(cosines.max(dim=1).values[candidate.counts].mean())
    recall = float(cosines.max(dim=0).values[reference.counts].mean())
    if min(precision, recall) <= 0:
        return 0.0
    # Cosines of a vector with itself may exceed one by a rounding error.
    return min(2 * precision * recall / (precision + recall), 1.0)
