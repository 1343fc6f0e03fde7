"""Does the search index still say what the corpus says? Every document is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.errors import MissingExtraError, UserError
from inforce.retrieval.documents import statute_documents
from inforce.retrieval.index import REMEDY, index_snapshot, open_index, snapshot_of

_EXAMPLES = 5


def index_damage(corpus: Corpus, location: IndexLocation) -> tuple[str, ...]:
    """What in the index of a corpus is not as the corpus has it, a sentence each.

    An index that shows an earlier state of the corpus is sound: the next search brings it up to
    date. So is none at all.

    Raises:
        MissingExtraError: if the encoder it was made with is not installed.
    """
    try:
        if index_snapshot(location) != corpus.snapshot():
            return ()
        return tuple(_differences(corpus, location))
    except MissingExtraError:  # of its encoder
        raise
    except UserError as error:
        return (str(error),)


def _differences(corpus: Corpus, location: IndexLocation) -> Iterator[str]:
    snapshot = open_index(location).snapshot()
    found = {key: _digest(payload) for key, payload in snapshot.records()}
    if len(snapshot) != len(found):
        yield f"the words and the texts of the search index do not go together; {REMEDY}"
    wanted = {one.key: _digest(one.payload) for one in statute_documents(corpus)}
    if snapshot_of(snapshot.note) != corpus.snapshot():
        return  # one of them was changed meanwhile
    counts = {
        "says otherwise than the corpus of": [
            key for key in wanted.keys() & found.keys() if wanted[key] != found[key]
        ],
        "lacks": [*(wanted.keys() - found.keys())],
        "has what the corpus does not:": [*(found.keys() - wanted.keys())],
    }
    for what, keys in counts.items():
        if keys:
            some = ", ".join(islice(sorted(keys), _EXAMPLES))
            yield f"the search index {what} {len(keys)} wordings ({some}); {REMEDY}"


def _digest(payload: str) -> bytes:
    return hashlib.sha256(payload.encode()).digest()
