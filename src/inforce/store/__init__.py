"""Documents stored for search: one protocol, in a folder of this machine or in a Milvus.

`inforce.store.protocol` is the interface, `inforce.store.local` the embedded implementation,
`inforce.store.milvus` the one for more than one machine; `open_store` chooses.
"""

from __future__ import annotations

from inforce.corpus.home import IndexLocation, MilvusAddress
from inforce.store.protocol import (
    REMEDY,
    Collection,
    Description,
    IndexBusyError,
    OutdatedIndexError,
    Progress,
    ReadOnlyIndexError,
    Scored,
    Snapshot,
    Store,
    Undated,
    Writer,
    Written,
)
from inforce.store.schema import (
    DENSE,
    EXACT,
    Analyser,
    Channel,
    Document,
    Encoder,
    ExactTerms,
    Matrix,
    Query,
    Role,
    Schema,
    TermEncoder,
)
from inforce.store.terms import MAX_QUERY_TERMS, inverse_frequency, keyword_weight

__all__ = [
    "DENSE",
    "EXACT",
    "MAX_QUERY_TERMS",
    "Analyser",
    "Channel",
    "Collection",
    "Description",
    "Document",
    "Encoder",
    "ExactTerms",
    "IndexBusyError",
    "Matrix",
    "OutdatedIndexError",
    "Progress",
    "Query",
    "ReadOnlyIndexError",
    "Role",
    "Schema",
    "Scored",
    "Snapshot",
    "Store",
    "TermEncoder",
    "Undated",
    "Writer",
    "Written",
    "inverse_frequency",
    "keyword_weight",
    "open_store",
]


def open_store(location: IndexLocation, *, remedy: str = REMEDY) -> Store:
    """Open the store at a location.

    Args:
        location: see `inforce.corpus.home.index_location`.
        remedy: what to do about a collection that cannot be read, for messages.

    Raises:
        MissingExtraError: if it is a Milvus and pymilvus is not installed.
        SearchIndexError: if a Milvus cannot be reached.
    """
    if isinstance(location, MilvusAddress):
        from inforce.store.milvus import MilvusStore

        return MilvusStore(location, remedy=remedy)
    from inforce.store.local import LocalStore

    return LocalStore(location, remedy=remedy)
