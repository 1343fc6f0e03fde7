"""Documents, the schema by which they are indexed, and the forms of queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.errors import SearchIndexError

EXACT, DENSE = "exact", "dense"
"""The channels that every collection, or every one with an encoder, has beside the lexical ones."""

Matrix = NDArray[np.float32]

Analyser = Callable[[str], Sequence[str]]
"""From a text to its terms, in order; a term contains no white space."""

Role = Literal["query", "passage"]
"""Some encoders prefix or embed questions and documents differently."""


class Encoder(Protocol):
    """Turns texts into unit vectors of ``dimension`` floats; ready to use, nothing is fitted."""

    @property
    def name(self) -> str:
        """Changes whenever the vectors would."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        """Vectors of the texts: float32, ``(len(texts), dimension)``, rows of length one or 0."""
        ...


@runtime_checkable
class TermEncoder(Encoder, Protocol):
    """An encoder that makes vectors of terms: those of a lexical channel need not be cut twice."""

    @property
    def analysers(self) -> tuple[Analyser, ...]:
        """The analysers that cut a text into its terms."""
        ...

    def encode_terms(self, terms: Sequence[Sequence[str]], *, role: Role) -> Matrix:
        """As `encode`, of texts that are cut already.

        Args:
            terms: for each analyser, the terms of each text with spaces between.
            role: as for `encode`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Channel:
    """A lexical channel: BM25 over the terms of the text of each document."""

    name: str
    analyse: Analyser
    _: KW_ONLY
    analyse_many: Callable[[Sequence[str]], list[str]] | None = None
    """The same for many texts at once: the terms of each, with spaces between. For an analyser that
    is faster so, and lets other threads run meanwhile."""
    version: int = 1
    """Raised whenever the analyser gives other terms: an index of another version is refused."""
    max_share: float = 1.0
    """Terms that a larger share of the documents has are not searched for, from `COMMON_FROM`
    documents on: BM25 as first published gives those of more than half no weight, and they cost
    more time than all others together."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The channels of a collection, and its encoder."""

    channels: tuple[Channel, ...]
    encoder: Encoder | None = None
    """Fills the dense channel; a collection refuses any encoder but the one that filled it."""

    def channel(self, name: str) -> Channel:
        """The lexical channel of a name.

        Raises:
            KeyError: if the schema has none.
        """
        return next(one for one in self.channels if one.name == name)

    def require_channel(self, name: str) -> None:
        """Refuse a channel that a collection with this schema does not have.

        Raises:
            ValueError: naming the channels there are.
        """
        known = [*self.versions, EXACT, *([DENSE] if self.encoder else [])]
        if name not in known:
            raise ValueError(f"no channel {name!r} in this collection: it has {', '.join(known)}")

    def query_vector(self, query: Query, dimension: int) -> Matrix:
        """The vector that the dense channel is asked for.

        Raises:
            TypeError: if the query is neither a text nor a vector.
            SearchIndexError: if the encoder makes vectors of another length than ``dimension``.
        """
        if isinstance(query, np.ndarray):
            return query
        if not isinstance(query, str):
            raise TypeError("the channel 'dense' is asked for a text or a vector")
        return self._encoded([query], "query", dimension)[0]

    def document_vectors(
        self,
        documents: Sequence[Document],
        dimension: int,
        *,
        terms: Sequence[Sequence[str]] = (),
    ) -> Matrix | None:
        """The vectors of documents; ``None`` without an encoder.

        Args:
            documents: the documents.
            dimension: the length of the vectors that the collection holds.
            terms: for each channel, the terms of each document with spaces between, where they are
                known.

        Raises:
            SearchIndexError: if the encoder makes vectors of another length than ``dimension``.
        """
        encoder = self.encoder
        if encoder is None:
            return None
        if isinstance(encoder, TermEncoder) and terms:
            of = {one.analyse: cut for one, cut in zip(self.channels, terms, strict=True)}
            if all(analyser in of for analyser in encoder.analysers):
                cut = [of[analyser] for analyser in encoder.analysers]
                return self._checked(encoder.encode_terms(cut, role="passage"), dimension)
        return self._encoded([document.text for document in documents], "passage", dimension)

    def _encoded(self, texts: Sequence[str], role: Role, dimension: int) -> Matrix:
        assert self.encoder
        return self._checked(self.encoder.encode(texts, role=role), dimension)

    def _checked(self, vectors: Matrix, dimension: int) -> Matrix:
        """A server may serve another model under the old name: its vectors must not mix in."""
        if vectors.shape[1] != dimension:
            assert self.encoder
            raise SearchIndexError(
                f"the encoder {self.encoder.name!r} now makes vectors of {vectors.shape[1]} "
                f"numbers, the index holds vectors of {dimension}: make it anew"
            )
        return vectors

    @property
    def versions(self) -> dict[str, int]:
        """The version of each lexical channel's analyser."""
        return {channel.name: channel.version for channel in self.channels}

    @property
    def encoder_name(self) -> str:
        """The name of the encoder; empty without one."""
        return self.encoder.name if self.encoder else ""

    def require(
        self, versions: Mapping[str, int], encoder: str, *, where: str, remedy: str
    ) -> None:
        """Refuse a collection that was made with another schema.

        Raises:
            SearchIndexError: saying in what it differs.
        """
        if versions != self.versions:
            raise SearchIndexError(
                f"the index {where} has the channels {versions}, not {self.versions}: {remedy}"
            )
        if encoder != self.encoder_name:
            raise SearchIndexError(
                f"the index {where} was filled by the encoder {encoder!r}, not by "
                f"{self.encoder_name!r}: their vectors do not compare. Use the same encoder, or "
                f"{remedy}"
            )


@dataclass(frozen=True, slots=True)
class Document:
    """Something that can be found: the wording of a provision, a judgment."""

    key: str
    """Names the document. Adding a document replaces the one of the same key."""
    payload: str
    """Returned with a hit, untouched."""
    text: str = ""
    """The text that the lexical channels and the dense one index."""
    _: KW_ONLY
    days: DateRange | None = None
    """The days it answers for: in force, of the decision; ``None`` where they are not known."""
    exact: tuple[str, ...] = ()
    """Exact terms: a law, an article of it, the name of a crime."""
    parent: str = ""
    """The key of the document that this is a passage of: passages are replaced and deleted
    together, by that key. Passages of one document are added one after another."""


@dataclass(frozen=True, slots=True)
class ExactTerms:
    """A query to a lexical channel: documents with exact terms, ordered by BM25 where these tie."""

    terms: Mapping[str, float]
    """Exact terms with weights, which add up."""
    text: str = ""
    """Decides, by BM25, among documents with the same terms."""


Query = str | Mapping[str, float] | ExactTerms | Matrix
"""Queries by channel:

- a lexical one: a text, analysed as its documents are; terms with weights that multiply their BM25
  scores; or `ExactTerms`;
- ``exact``: exact terms with weights, which add up;
- ``dense``: a text to encode, or a vector of length one.
"""
