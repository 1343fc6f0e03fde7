"""A person's own files as a source: a folder of documents, kept searchable as it changes.

Files become text (`inforce.documents`), text becomes overlapping windows under their headings in a
BM25 index (`.index`), and a cheap look at the folder before each search keeps it up to date
(`.folder`). L-MARS, section 3.3, "Local RAG indexing".
"""

from inforce.retrieval.local_documents.documents import LocalDocuments, Problem
from inforce.retrieval.local_documents.index import Windowing

__all__ = ["LocalDocuments", "Problem", "Windowing"]
