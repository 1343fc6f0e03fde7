"""Collections in a folder of this machine: tantivy for words, faiss for vectors, numpy for days.

Needs only pip. See `inforce.store.local.folder` for the layout of the files.
"""
