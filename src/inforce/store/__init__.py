"""How documents are held for search: one protocol, in a folder of this machine or in a Milvus.

`inforce.store.protocol` is the seam, `inforce.store.local` the embedded implementation,
`inforce.store.milvus` the one for more than one machine; `inforce.store.opening` chooses.
"""

from inforce.store.protocol import (
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
    Keywords,
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
    "IndexBusyError",
    "Keywords",
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
]
