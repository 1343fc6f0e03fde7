"""Collections: seen by others, made anew, one writer at a time, refused where they do not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from documents_made import (
    ALL,
    FRAUD,
    LEASE,
    THEFT,
    BagEncoder,
    annotate,
    answers,
    document,
    keys,
    keys_found,
    query,
    random_documents,
    schema,
)
from stores_made import Make, Stores

from inforce.errors import SearchIndexError
from inforce.retrieval.tokens import tokenize
from inforce.store import (
    DENSE,
    Channel,
    Collection,
    Document,
    Store,
)

# The libraries below warn of their own future; that is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")


def test_another_open_collection_sees_what_is_committed(store: Store, make: Make) -> None:
    collection, reader = make(), store.open("made", schema())
    collection.add([THEFT])
    assert keys_found(reader, query("盗窃"))["words"] == ["theft"]
    reader.add([FRAUD])
    assert keys_found(collection, query("诈骗"))["words"] == ["fraud"]
    collection.delete(["theft"])
    assert all("theft" not in found for found in keys_found(reader, query("盗窃")).values())


def test_a_snapshot_stays_as_it_was(collection: Collection) -> None:
    collection.add([THEFT, LEASE])
    earlier = collection.snapshot()
    collection.add([FRAUD])
    assert (len(earlier), list(earlier.keys())) == (2, ["theft", "lease"])
    assert [hit.row for hit in earlier.search("words", "公私财物")] == [0]
    assert [hit.row for hit in earlier.search(DENSE, "诈骗 公私财物")] == [0]
    assert [hit.row for hit in collection.snapshot().search("words", "公私财物")] == [0, 2]


def test_every_commit_is_seen_however_quickly_they_follow(store: Store, make: Make) -> None:
    collection, reader = make(), store.open("made", schema())
    for number in range(10):
        annotate(collection, f"{number}")
        assert collection.snapshot().note == reader.snapshot().note == f"{number}"


def test_a_collection_is_described_without_its_schema(store: Store, make: Make) -> None:
    assert (store.describe("made"), store.current("made"), store.unfinished("made")) == (
        None,
        "",
        False,
    )
    collection = make()
    collection.add(ALL)
    annotate(collection, json.dumps({"a": 1}))
    found = store.describe("made")
    assert found is not None
    assert (found.encoder, found.documents, found.note) == ("bag", 3, '{"a": 1}')
    assert found.build == store.current("made") != ""


def test_a_collection_made_anew_replaces_the_old_one_in_one_step(store: Store, make: Make) -> None:
    reader = make()
    reader.add(ALL)
    before = store.current("made")
    with store.replace("made", schema()) as writer:
        writer.add([LEASE])
        writer.commit()
        assert keys(reader) == {"theft", "fraud", "lease"}
        assert writer.build != before == store.current("made")
    assert store.current("made") != before
    assert keys(reader) == keys(store.open("made", schema())) == {"lease"}


def test_a_build_that_fails_leaves_the_collection_in_use(store: Store, make: Make) -> None:
    reader = make()
    reader.add(ALL)
    with pytest.raises(InterruptedError), store.replace("made", schema()) as writer:
        writer.add([LEASE])
        raise InterruptedError
    assert keys(reader) == {"theft", "fraud", "lease"}
    assert not store.unfinished("made")


def test_a_build_that_stopped_goes_on_after_its_last_commit(store: Store) -> None:
    documents = random_documents(60)

    def build(stop: int, fingerprint: str) -> int:
        with store.replace("made", schema(), fingerprint=fingerprint) as writer:
            begun = writer.rows
            writer.add(documents[begun:40])
            writer.commit()
            if stop:
                writer.add(documents[40:stop])
                raise InterruptedError
            writer.add(documents[40:])
        return begun

    with pytest.raises(InterruptedError):
        build(50, "a")
    assert store.unfinished("made")
    assert store.describe("made") is None
    with pytest.raises(SearchIndexError, match="no index 'made'"):
        store.open("made", schema())
    assert build(0, "a") == 40
    assert not store.unfinished("made")
    assert keys(store.open("made", schema())) == {one.key for one in documents}
    whole = answers(store.open("made", schema()))
    assert build(0, "b") == 0
    assert answers(store.open("made", schema())) == whole


def test_a_removed_collection_is_gone(store: Store, make: Make) -> None:
    collection = make()
    collection.add(ALL)
    assert store.remove("made")
    assert not store.remove("made")
    assert store.describe("made") is None
    with pytest.raises(SearchIndexError):
        collection.snapshot()
    assert len(make().snapshot()) == 0


def test_who_holds_the_lock_may_write_and_nobody_else(store: Store, make: Make) -> None:
    collection, other = make(), store.open("made", schema())
    with store.lock("made"):
        collection.add(ALL)
        with store.replace("made", schema()) as writer:
            writer.add([THEFT])
        assert len(other.snapshot()) == 1
        with pytest.raises(SearchIndexError, match="is writing"), store.lock("made"):
            pass


def test_there_is_one_writer_even_in_one_thread(store: Store, make: Make) -> None:
    collection = make()

    def documents() -> Iterator[Document]:
        yield THEFT
        for write in (lambda: collection.add([FRAUD]), make):
            with pytest.raises(SearchIndexError, match=r"process \d+ on .* is writing"):
                write()

    collection.add(documents())
    assert keys(collection) == {"theft"}


def test_a_collection_refuses_an_encoder_that_did_not_fill_it(store: Store, make: Make) -> None:
    collection = make()
    collection.add(ALL)
    with pytest.raises(SearchIndexError, match=r"'bag'.*'another'.*make it anew"):
        store.open("made", schema(BagEncoder("another")))
    with pytest.raises(SearchIndexError, match="'bag'"):
        store.open("made", replace(schema(), encoder=None))
    swapped = store.open("made", schema(BagEncoder("bag", 8)))
    with pytest.raises(SearchIndexError, match="8 numbers"):
        swapped.snapshot().search(DENSE, "盗窃")
    with pytest.raises(SearchIndexError, match="8 numbers"):
        swapped.add([document("new", "新的")])
    assert keys(collection) == {"theft", "fraud", "lease"}


def test_a_collection_refuses_other_channels(store: Store, make: Make) -> None:
    make()
    for channels in (
        (Channel("words", tokenize),),
        (Channel("words", tokenize, version=2), schema().channels[1]),
    ):
        with pytest.raises(SearchIndexError, match="has the channels.*make it anew"):
            store.open("made", replace(schema(), channels=channels))


def test_a_collection_that_is_not_there_says_what_to_do(stores: Stores, tmp_path: Path) -> None:
    store = stores.new("local", remedy="make one with: inforce corpus index")
    with pytest.raises(SearchIndexError, match=r"no index 'x'.*inforce corpus index"):
        store.open("x", schema())
