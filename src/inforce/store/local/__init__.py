"""Collections in a folder of this machine: tantivy for words, faiss for vectors, numpy for days.

Needs only pip. `inforce.store.local._store` shows the layout of the files.
"""

from inforce.store.local._store import LocalStore

__all__ = ["LocalStore"]
