"""Dense encoders: from a text to a vector of unit length.

An encoder has a name that changes whenever its vectors would: an index remembers the name of the
encoder that filled it and refuses any other. Three ship: `LsaEncoder` (fitted on the corpus, no
weights to download), a sentence-transformers model from a local path, and an ``/embeddings``
endpoint that speaks the OpenAI form.

`open_encoder` reads the names people type: ``lsa`` (the default), ``st:PATH``, ``http://host/v1#model``.
"""

from __future__ import annotations

from inforce.errors import UserError
from inforce.store import Encoder, Role

__all__ = ["Encoder", "Role", "open_encoder"]


def open_encoder(spec: str) -> Encoder | None:
    """The encoder a person named; ``None`` for ``lsa``, which an index fits on its own documents.

    Raises:
        UserError: if the name has none of the known forms.
        MissingExtraError: if it needs an optional library that is not installed.
    """
    if spec == "lsa":
        return None
    if spec.startswith("st:"):
        from inforce.retrieval.encoders.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder(spec.removeprefix("st:"))
    if spec.startswith(("http://", "https://")) and "#" in spec:
        from inforce.retrieval.encoders.endpoint import EndpointEncoder

        url, _, model = spec.rpartition("#")
        return EndpointEncoder(url, model=model)
    raise UserError(
        f"unknown encoder {spec!r}: use lsa, st:PATH (a sentence-transformers model) or "
        "http://host:port/v1#MODEL (an OpenAI-compatible /embeddings endpoint)"
    )
