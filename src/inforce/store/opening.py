"""The store at a location: a folder of this machine, or a Milvus."""

from __future__ import annotations

from inforce.corpus.home import IndexLocation, MilvusAddress
from inforce.store.protocol import REMEDY, Store


def open_store(location: IndexLocation, *, remedy: str = REMEDY) -> Store:
    """Open a store.

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
