"""What a checker remembers of laws from one document to the next is bounded."""

from __future__ import annotations

from collections import Counter

import pytest

from inforce.errors import UnknownWorkError
from inforce.library import Library
from inforce.verification.law_lookup import LawLookup

SEVERAL_CACHES = 10_000


def test_names_that_documents_cite_are_forgotten_in_time(
    sample_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Counter[str]()

    def resolve(name: str) -> str:
        asked[name] += 1
        raise UnknownWorkError(name, ("中华人民共和国刑法",))

    monkeypatch.setattr(sample_library.corpus, "resolve", resolve)
    law = LawLookup(sample_library)
    for number in range(SEVERAL_CACHES):
        assert law.title(f"第{number}号法") is None
        assert law.similar_titles(f"第{number}号法") == ("中华人民共和国刑法",)
    assert law.title("第0号法") is None
    assert (asked["第0号法"], asked[f"第{SEVERAL_CACHES - 1}号法"]) == (2, 1)
