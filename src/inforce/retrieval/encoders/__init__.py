"""Dense encoders: from a text to a vector of unit length.

An encoder has a name that changes whenever its vectors would: an index remembers the name of the
encoder that filled it and refuses any other. One ships with its weights (`StaticEncoder`); beside
it a sentence-transformers model from a local path may be used, or an ``/embeddings`` endpoint that
speaks the OpenAI form.

`open_encoder` reads the names people type: ``static`` (the default), ``st:PATH``,
``http://host/v1#model``.
"""

from __future__ import annotations

from inforce.errors import UserError
from inforce.store import Encoder, Role

__all__ = ["DEFAULT", "Encoder", "Role", "is_outdated", "open_encoder"]

DEFAULT = "static"
"""The encoder of this release."""

_EARLIER = ("lsa:", "static:")
"""Encoders of earlier releases: what they filled is made anew, as nothing else reads it."""


def open_encoder(spec: str) -> Encoder:
    """Open the encoder a person named, or the one with this name.

    Raises:
        UserError: if the name has none of the known forms.
        MissingExtraError: if it needs an optional library that is not installed.
    """
    if spec == DEFAULT or spec.startswith(f"{DEFAULT}:"):
        from inforce.retrieval.encoders.static import shipped_encoder

        return shipped_encoder()
    if spec.startswith("st:"):
        from inforce.retrieval.encoders.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder(spec.removeprefix("st:"))
    if spec.startswith(("http://", "https://")) and "#" in spec:
        from inforce.retrieval.encoders.endpoint import EndpointEncoder

        url, _, model = spec.rpartition("#")
        return EndpointEncoder(url, model=model)
    raise UserError(
        f"unknown encoder {spec!r}: use {DEFAULT}, st:PATH (a sentence-transformers model) or "
        "http://host:port/v1#MODEL (an OpenAI-compatible /embeddings endpoint)"
    )


def is_outdated(name: str) -> bool:
    """Return whether the name is that of an encoder of an earlier release."""
    return name.startswith(_EARLIER) and name != open_encoder(DEFAULT).name
