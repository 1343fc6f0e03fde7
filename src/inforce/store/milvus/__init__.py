"""Collections in a Milvus: a file (Milvus Lite), or a server or cluster that many machines share.

The same calls reach each of them. Days are columns, and the date filter is part of every query.
Terms are sparse vectors of our own (`inforce.store.milvus._sparse`): the BM25 built into Milvus
would cut Chinese another way, and in a file knows the rarity of terms only piece by piece.
"""

from inforce.store.milvus._store import MilvusStore

__all__ = ["MilvusStore"]
