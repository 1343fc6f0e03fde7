"""An ``/embeddings`` endpoint in the OpenAI form (vLLM, TEI, Ollama, llama.cpp, OpenAI)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import numpy as np

from inforce import network
from inforce.errors import ModelError
from inforce.store import Matrix, Role

MAX_REPLY = 64 * 2**20
"""Bytes of a reply; 64 vectors of 4,096 numbers have about 5 MiB."""

KEY_VARIABLE = "INFORCE_EMBEDDINGS_KEY"
"""The environment variable of the bearer token, which is never logged."""


class EndpointEncoder:
    """Asks a server for vectors, in batches, and brings them to unit length.

    Args:
        url: the base address, up to and including the version: ``http://localhost:8000/v1``.
        model: the model's name on that server.
        timeout: seconds one batch may take in all.
        batch_size: texts a request.
        client: another `httpx.Client`, for tests.

    Raises:
        UserError: if the address holds a password.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str,
        timeout: float = 60.0,
        batch_size: int = 64,
        client: httpx.Client | None = None,
    ) -> None:
        network.require_no_secret(url, what="an encoder", instead=KEY_VARIABLE)
        self._url = f"{url.rstrip('/')}/embeddings"
        self._seconds = timeout
        self._model = model
        self._batch_size = batch_size
        self._client = client or httpx.Client(timeout=timeout)
        self.name = f"{url.rstrip('/')}#{model}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections to the server."""
        self._client.close()

    @property
    def dimension(self) -> int:
        """Length of each vector: asked of the server once."""
        return self._dimension

    @cached_property
    def _dimension(self) -> int:
        return int(self.encode(["法"], role="query").shape[1])

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        """Unit vectors of the texts.

        Raises:
            ModelError: if the server cannot be reached or does not answer in the OpenAI form.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        batches = [
            self._embed(list(texts[start : start + self._batch_size]))
            for start in range(0, len(texts), self._batch_size)
        ]
        if len({batch.shape[1] for batch in batches}) > 1:
            raise ModelError(f"{self._url} changed the length of its vectors between two requests")
        vectors = np.concatenate(batches)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)

    def _embed(self, texts: list[str]) -> Matrix:
        try:
            urlsplit(
                self._url
            )  # what is no address is reported as such, whatever the network allows
            body = self._reply({"model": self._model, "input": texts})
            return _vectors(json.loads(body), expected=len(texts))
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise ModelError(f"no embeddings from {self._url}: {error}") from error

    def _reply(self, request: dict[str, Any]) -> bytes:
        """Return the body of a reply, requested unpacked; it is given up once it is too large."""
        headers = {**_key_header(), "Accept-Encoding": "identity"}
        body, deadline = bytearray(), time.monotonic() + self._seconds
        with self._client.stream("POST", self._url, json=request, headers=headers) as reply:
            reply.raise_for_status()
            for part in reply.iter_raw():
                body += part
                if len(body) > MAX_REPLY:
                    raise ValueError(f"the reply is larger than {MAX_REPLY:,} bytes")
                if time.monotonic() > deadline:
                    raise ValueError(f"the reply did not end within {self._seconds:g} seconds")
        return bytes(body)


def _key_header() -> dict[str, str]:
    """Return the header of the key, checked so that no library complains by quoting it."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ModelError(f"the key in {KEY_VARIABLE} has characters that no HTTP header may carry")
    return {"Authorization": f"Bearer {key}"} if key else {}


def _vectors(reply: Any, *, expected: int) -> Matrix:
    """Return the vectors of a reply in order; ValueError if it is not in the OpenAI form."""
    try:
        items = sorted(reply["data"], key=lambda item: item["index"])
        vectors = np.asarray([item["embedding"] for item in items], dtype=np.float32)
    except (KeyError, TypeError) as error:
        raise ValueError(f"the reply has no 'data' list of 'embedding's ({error!r})") from error
    if not np.isfinite(vectors).all():
        raise ValueError("a vector holds a number that is none (NaN or infinite)")
    if vectors.ndim != 2 or len(vectors) != expected:
        raise ValueError(f"asked for {expected} vectors, got an array of shape {vectors.shape}")
    return vectors
